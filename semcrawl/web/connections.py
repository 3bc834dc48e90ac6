"""Connections with a deadline for the whole exchange, to allowed addresses only.

A time-out on a socket starts again with every byte, so a server that sends a byte a
second could hold a worker for days.
"""

import contextlib
import ipaddress
import re
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from http.client import BadStatusLine, HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from typing import Any

from semcrawl.errors import ConfigError, FetchError, UrlError, os_errors
from semcrawl.resources import facts_beside
from semcrawl.web.response import DropReason, combined
from semcrawl.web.urls import canonical, is_ip_address

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
SockAddr = tuple[socket.AddressFamily, tuple[Any, ...]]  # an address family and its address

# Beyond what ``is_global`` knows in every supported Python.
_RESERVED = [*map(ipaddress.ip_network, (
    "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15",
    "240.0.0.0/4", "64:ff9b:1::/48", "100::/64", "fec0::/10", "::ffff:0:0:0/96", "3fff::/20", "5f00::/16",
))]  # fmt: skip
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")


@lru_cache(maxsize=4096)
def refusal(address: str) -> str | None:
    """Return why an IP address, or an IPv4 address inside it, may not be visited, None if it may.

    >>> refusal("93.184.216.34"), refusal("::ffff:10.0.0.1")
    (None, '10.0.0.1 is a private address')
    """
    try:
        outer = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return f"{address} is not an IP address"
    for one in [*_embedded(outer), outer]:
        if kind := _kind(one):
            return f"{one} is a {kind} address"
    return None


def _embedded(address: _Address) -> list[ipaddress.IPv4Address]:
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in found if one is not None]


def _kind(address: _Address) -> str | None:
    for kind in ("unspecified", "loopback", "link_local", "multicast"):
        if getattr(address, f"is_{kind}"):
            return kind.replace("_", "-")
    if any(address in block for block in _RESERVED if block.version == address.version):
        return "reserved"
    mapped = isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None
    if address.is_private and not mapped:
        return "private"
    return None if address.is_global or mapped else "reserved"


_BAD_PORTS = frozenset[int](facts_beside(__file__, "bad_ports.toml")["ports"])


def port_refusal(port: int) -> str | None:
    """Return why no server is asked at a port, None if it may be; browsers ask none there either."""
    return f"port {port} belongs to another service than the web" if port in _BAD_PORTS else None


def literal_refusal(hostname: str) -> str | None:
    """Return why a host name is refused before it is resolved, None if it is not.

    >>> literal_refusal("localhost"), literal_refusal("example.org")
    ('localhost is this machine', None)
    """
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return f"{hostname} is this machine"
    return refusal(hostname) if is_ip_address(hostname) else None


def resolve(hostname: str, port: int, seconds: float) -> list[SockAddr]:
    """Return the socket addresses of a host, or raise ``FetchError``."""
    if is_ip_address(hostname):
        return _look_up(hostname, port)
    outcome: list[list[SockAddr] | FetchError] = []

    def look_up() -> None:
        try:
            outcome.append(_look_up(hostname, port))
        except FetchError as problem:
            outcome.append(problem)

    # The system's resolver knows no time limit: a thread that is late is left alone.
    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise FetchError(
            f"the name {hostname} was not resolved within {seconds:.1f} seconds",
            reason=DropReason.TIMED_OUT,
            temporary=True,
        )
    if isinstance(outcome[0], FetchError):
        raise outcome[0]
    return outcome[0]


def _look_up(hostname: str, port: int) -> list[SockAddr]:
    try:
        found = socket.getaddrinfo(hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise FetchError(
            f"the name {hostname} could not be resolved: {problem}",
            reason=DropReason.DNS_FAILED,
            temporary=getattr(problem, "errno", None) == socket.EAI_AGAIN,
        ) from None
    return [(family, address) for family, _, _, _, address in found]


_ADDRESSES_TRIED = 4


class Clock:
    """The seconds left of an exchange: ``total`` for all of it, ``pause`` for one step."""

    __slots__ = ("_deadline", "_pause", "_started")

    def __init__(self, total: float, pause: float) -> None:
        self._started = time.monotonic()
        self._deadline = self._started + total
        self._pause = pause

    @property
    def elapsed(self) -> float:
        """Seconds since the exchange began."""
        return time.monotonic() - self._started

    def left(self, limit: float | None = None) -> float:
        """Return the seconds for the next step, or raise ``TimeoutError`` if there are none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time for the whole exchange is over")
        return min(left, self._pause if limit is None else limit)

    def shorten(self, seconds: float) -> None:
        """Bring the end of the exchange forward to at most `seconds` from now."""
        self._deadline = min(self._deadline, time.monotonic() + seconds)


class Exchange(threading.local):
    """The exchange that the calling thread is at, for its sockets."""

    clock: Clock  # the time that it may take
    dialled: bool  # whether a connection was opened for it

    def begin(self, clock: Clock) -> None:
        """Begin another exchange."""
        self.clock = clock
        self.dialled = False


current = Exchange()


class _KeepsTime:
    def recv_into(self: Any, *args: Any, **kwargs: Any) -> int:
        self.settimeout(current.clock.left())
        return super().recv_into(*args, **kwargs)  # type: ignore[misc, no-any-return]

    def sendall(self: Any, *args: Any, **kwargs: Any) -> None:
        self.settimeout(current.clock.left())
        super().sendall(*args, **kwargs)  # type: ignore[misc]


class TimedSocket(_KeepsTime, socket.socket):
    """A socket that keeps to the clock of the current exchange."""


class _TimedTlsSocket(_KeepsTime, ssl.SSLSocket):
    def do_handshake(self, block: bool = False) -> None:
        # The time-out for connecting may reach beyond the end of the exchange.
        self.settimeout(current.clock.left(self.gettimeout()))
        super().do_handshake(block)


def tls_context(*, verify: bool) -> ssl.SSLContext:
    """Return a context that trusts the system's authorities, and certifi's where installed."""
    context = ssl.create_default_context()
    context.sslsocket_class = _TimedTlsSocket
    context.set_alpn_protocols(["http/1.1"])
    with contextlib.suppress(ImportError, OSError):
        import certifi

        context.load_verify_locations(certifi.where())
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


class Dialler:
    """Opens connections for the current exchange to allowed addresses, or to a proxy."""

    def __init__(self, connect_timeout: float, *, allow_private: bool, proxy: tuple[str, int] | None) -> None:
        self._connect_timeout = connect_timeout
        self._allow_private = allow_private
        self._proxy = proxy

    def open(self, hostname: str, port: int) -> TimedSocket:
        """Return a socket connected to a host, or to the proxy."""
        if self._proxy:
            hostname, port = self._proxy
        current.dialled = True
        problem: OSError | None = None
        for family, address in self._addresses(hostname, port):
            sock = TimedSocket(family, socket.SOCK_STREAM)
            try:
                sock.settimeout(current.clock.left(self._connect_timeout))
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as failure:
                sock.close()
                problem = failure
            else:
                return sock
        slow = isinstance(problem, TimeoutError)
        raise FetchError(
            f"no connection to {hostname} port {port}: {problem}",
            reason=DropReason.TIMED_OUT if slow else DropReason.CONNECT_FAILED,
            temporary=True,
        )

    def _addresses(self, hostname: str, port: int) -> list[SockAddr]:
        found = resolve(hostname, port, current.clock.left(self._connect_timeout))
        if self._allow_private or self._proxy:
            return found[:_ADDRESSES_TRIED]
        allowed = [one for one in found if refusal(one[1][0]) is None]
        if not allowed:
            why = refusal(found[0][1][0]) if found else "it has no address"
            raise FetchError(
                f"{hostname} is refused: {why} (see the setting allow_private)", reason=DropReason.ADDRESS_REFUSED
            )
        return allowed[:_ADDRESSES_TRIED]


_URL = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?(/[!-~]*)")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes, and what it asks for there."""

    url: str
    scheme: str  # ``http`` or ``https``
    host: str  # the host name or address, an IPv6 address in brackets
    port: int  # also where the URL leaves it out
    path: str  # path and query

    @property
    def secure(self) -> bool:
        """Whether the request goes over TLS."""
        return self.scheme == "https"

    @property
    def hostname(self) -> str:
        """The host without brackets, as resolvers take it."""
        return self.host.strip("[]")

    @property
    def netloc(self) -> str:
        """The host as a request names it, with a port that is not the usual one."""
        host = self.host.rstrip(".")
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def take_apart(url: str) -> Target:
    """Return the parts of a canonical URL, or raise ``FetchError`` (BadUrl).

    >>> target = take_apart("https://example.org/a?b")
    >>> target.host, target.port, target.path
    ('example.org', 443, '/a?b')
    """
    if (parts := _URL.fullmatch(url)) is not None:
        scheme, host, port, path = parts.groups()
        number = int(port) if port else _PORTS[scheme]
        if number <= 65535:
            return Target(url, scheme, host, number, path)
    raise FetchError(f"not a canonical URL: {url!r:.200}; pass it through canonical() first", reason=DropReason.BAD_URL)


def proxy_target(proxy: str) -> Target:
    """Return the parts of a proxy's address, or raise ``ConfigError``."""
    try:
        target = take_apart(canonical(proxy))
    except (UrlError, FetchError):
        target = None
    if target is None or target.secure or target.path != "/" or "@" in proxy:
        raise ConfigError("cannot use the proxy: give an address such as http://127.0.0.1:3128, without an account")
    return target


def require_proxy(proxy: str, seconds: float) -> None:
    """Raise ``ConfigError`` where nothing answers at a proxy's address."""
    target = proxy_target(proxy)
    with os_errors(ConfigError, f"no connection to the proxy {proxy}", ": start it, or give another"):
        socket.create_connection((target.hostname, target.port), seconds).close()


_IDLE_SECONDS = 30.0  # servers and routers forget idle connections without notice
_PER_HOST = 1  # by politeness
_MOST_LINES = 1_000  # of all heads of an answer; interim ones could come without end
_MOST_FIELDS = 100  # of one head
_LONGEST_LINE = 65_536
_STATUS = re.compile(r"HTTP/(0\.9|1\.\d+)\s+([1-9]\d\d)(?!\S)(.*)", re.ASCII | re.DOTALL)
_FIELD = re.compile(r"([!-9;-~]+):[ \t]*(.*)", re.DOTALL)
_LINE_END = re.compile(r"\r\n?|\n")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*+(?:;.*)?\r?\n")
_INTERIM = frozenset({100, *range(102, 200)})
_WITHOUT_BODY = frozenset({101, 204, 304})
_FRAMING = ("transfer-encoding", "content-length")
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


class HttpAnswer(HTTPResponse):
    """An answer whose head is whole; interim ones before it are passed over (RFC 9110, 15.2)."""

    fields: list[tuple[str, str]]  # as they came
    headers: dict[str, str]  # type: ignore[assignment]  # names in lower case, repeats combined

    def begin(self) -> None:
        """Read the head, as http.client does, but without a parser made for mails."""
        self._lines_read, self._is_odd, self.status = 0, False, 100
        while self.status in _INTERIM:
            found = _STATUS.fullmatch(line := self._line())
            if found is None:
                raise BadStatusLine(line)
            self.version = 10 if found[1] in ("0.9", "1.0") else 11
            self.status, self.reason = int(found[2]), found[3].strip()
            self.fields = self._read_fields()
        self.headers = combined(self.fields)
        codings, lengths = (set(self.headers.get(name, "").lower().split(", ")) for name in _FRAMING)
        self.chunked, self.chunk_left = codings == {"chunked"}, None
        if len(lengths) > 1 and not self.chunked:
            raise HTTPException(f"an answer with {len(lengths)} different lengths")
        length = "" if self.chunked else lengths.pop()
        self.length = 0 if self.status in _WITHOUT_BODY else int(length) if length.isdecimal() else None
        is_framed = self.chunked or self.length is not None
        # Whom a proxy tells another end of it could put an answer of its own before that of the next host.
        is_odd = self._is_odd or (_FRAMING[0] in self.headers and (not self.chunked or _FRAMING[1] in self.headers))
        self.will_close = not is_framed or is_odd or self._check_close()  # type: ignore[attr-defined]

    def _line(self) -> str:
        """Return the next line of the head; an end before the blank line is an error, so are too many."""
        line: bytes = self.fp.readline(_LONGEST_LINE + 1)
        if not line:
            raise IncompleteRead(b"") if self._lines_read else RemoteDisconnected("closed without an answer")
        self._lines_read += 1
        if len(line) > _LONGEST_LINE or self._lines_read > _MOST_LINES:
            raise HTTPException(f"a head of more than {_MOST_LINES:,} lines, or {_LONGEST_LINE:,} bytes in one")
        return line.decode("latin-1")

    def _read_fields(self) -> list[tuple[str, str]]:
        """Return the fields up to the blank line, or to what is no field; folded lines with their line breaks."""
        lines, fields = list[str](), list[tuple[str, str]]()
        while (line := self._line()) not in ("\r\n", "\n"):
            lines += (parts := _LINE_END.split(line)[:-1])
            self._is_odd |= len(parts) > 1
            if len(lines) > _MOST_FIELDS:
                raise HTTPException(f"a head of more than {_MOST_FIELDS} fields")
        for line in lines:
            if found := _FIELD.fullmatch(line):
                fields.append((found[1], found[2]))
            elif line.startswith((" ", "\t")) and fields:
                fields[-1] = fields[-1][0], f"{fields[-1][1]}\r\n{line}"
            else:
                self._is_odd = True
                if not line.startswith((" ", "\t", ":")):
                    break
        return fields

    def _read_next_chunk_size(self) -> int:
        # Not as lenient as int(), for which `-1`, `+5` and `5_0` are numbers too.
        if (size := _CHUNK_SIZE.fullmatch(line := self.fp.readline(_LONGEST_LINE + 1))) is None:
            raise ValueError(f"a chunk of the size {line!r:.40}")
        return int(size[1], 16)

    def piece(self, size: int) -> bytes:
        """Return up to so many bytes of the body, none at its end; IncompleteRead if it is cut."""
        found = self.read(size)
        if not found and self.length:
            raise IncompleteRead(b"", self.length)
        return found


@dataclass(slots=True, eq=False)
class Connection:
    """An open connection and what it leads to."""

    key: str
    sock: socket.socket
    asked_at: float = 0.0

    @property
    def is_usable(self) -> bool:
        """Whether it can be used again: not idle for long, not closed, nothing left to read."""
        if time.monotonic() - self.asked_at >= _IDLE_SECONDS:
            return False
        with _Selector() as selector:
            selector.register(self.sock, selectors.EVENT_READ)
            return not selector.select(0)

    def ask(self, head: bytes, method: str = "GET") -> HttpAnswer:
        """Send the head of a request; return the answer with its body unread."""
        self.asked_at = time.monotonic()
        self.sock.sendall(head)
        answer = HttpAnswer(self.sock, method=method)
        try:
            answer.begin()
        except BaseException:
            answer.close()
            raise
        return answer


class Connections:
    """Asks over dialled connections, of which one is kept for each of some hosts.

    Behind a proxy all hosts share its connections, but for tunnels.
    """

    def __init__(self, dialler: Dialler, *, proxy: Target | None, verify: bool, keep_alive: int) -> None:
        self._dialler = dialler
        self._proxy = proxy
        self._verify = verify
        self._keep_alive = keep_alive
        self._tls: ssl.SSLContext | None = None
        self._lock = threading.Lock()
        self._idle: dict[str, list[Connection]] = {}  # that used last comes last
        self._is_closed = False

    def ask(self, target: Target, fields: Iterable[tuple[str, str]]) -> tuple[Connection, HttpAnswer]:
        """Send a GET request; return the connection, to be left, and the answer."""
        is_whole = self._proxy is not None and not target.secure
        line = target.url if is_whole else target.path
        key = "" if is_whole else f"{target.scheme}://{target.host}:{target.port}"
        connection = self._kept(key) or Connection(key, self._open(target))
        lines = "".join([f"{name}: {value}\r\n" for name, value in fields])
        head = f"GET {line} HTTP/1.1\r\nHost: {target.netloc}\r\n{lines}\r\n"
        try:
            return connection, connection.ask(head.encode("latin-1"))
        except BaseException:
            connection.sock.close()
            raise

    def leave(self, connection: Connection, answer: HttpAnswer) -> None:
        """End an exchange: the connection is kept if the body was read to its end, else closed."""
        is_done = answer.isclosed() and not answer.length and not answer.will_close
        answer.close()
        if not is_done or not self._keep(connection):
            connection.sock.close()

    def close(self) -> None:
        """Close every idle connection; the others when they are left."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, {}
        for connections in idle.values():
            for one in connections:
                one.sock.close()

    def _kept(self, key: str) -> Connection | None:
        """Take out a connection that can be used again."""
        while True:
            with self._lock:
                connections = self._idle.get(key)
                if not connections:
                    return None
                one = connections.pop()
                if not connections:
                    del self._idle[key]
            if one.is_usable:
                return one
            one.sock.close()

    def _keep(self, connection: Connection) -> bool:
        """Keep a connection, in place of that unused for longest; whether it is."""
        key = connection.key
        with self._lock:
            if self._is_closed or not self._keep_alive:
                return False
            same = self._idle.pop(key, [])
            if key and len(same) >= _PER_HOST:
                self._idle[key] = same
                return False
            self._idle[key] = [*same, connection]
            if sum(map(len, self._idle.values())) <= self._keep_alive:
                return True
            oldest = next(iter(self._idle))
            gone = self._idle[oldest].pop(0)
            if not self._idle[oldest]:
                del self._idle[oldest]
        gone.sock.close()
        return True

    def _open(self, target: Target) -> socket.socket:
        sock = self._dialler.open(target.hostname, target.port)
        if not target.secure:
            return sock
        try:
            if self._proxy is not None:
                _open_tunnel(sock, target)
            # Loading the authorities takes a while: once, and only where TLS is met.
            self._tls = self._tls or tls_context(verify=self._verify)
            return self._tls.wrap_socket(sock, server_hostname=target.hostname.rstrip("."))
        except BaseException:
            sock.close()
            raise


def _open_tunnel(sock: socket.socket, target: Target) -> None:
    """Have a proxy lead a connection on to a host, or raise ``FetchError``."""
    host = f"{target.host}:{target.port}"
    head = f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("ascii")
    answer = Connection("", sock).ask(head, "CONNECT")
    answer.close()
    if answer.status != 200:
        raise FetchError(
            f"no connection to {host}: the proxy opens no tunnel, status {answer.status}",
            reason=DropReason.CONNECT_FAILED,
            temporary=answer.status >= 500,
        )
