"""Connections with a deadline for the whole exchange, to allowed addresses only.

A time-out on a socket starts again with every byte, so a server that sends a byte a
second could hold a worker for days.
"""

import contextlib
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from http.client import HTTPResponse, IncompleteRead, parse_headers
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import (
    BaseHTTPResponse,
    HTTPConnectionPool,
    HTTPSConnectionPool,
    PoolManager,
    ProxyManager,
)
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import ConnectionPool
from urllib3.util import Timeout

from semcrawl.errors import ConfigError, FetchError, UrlError
from semcrawl.web.addresses import SockAddr, refusal, resolve
from semcrawl.web.response import DropReason
from semcrawl.web.urls import canonical

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
    """The exchange that the calling thread is at, for sockets made inside of urllib3."""

    clock: Clock  # the time that it may take
    request_target: str  # what its request line asks for
    dialled: bool  # whether a connection was opened for it

    def begin(self, clock: Clock, request_target: str) -> None:
        """Begin another exchange."""
        self.clock = clock
        self.request_target = request_target
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
    with contextlib.suppress(ImportError, OSError):
        import certifi

        context.load_verify_locations(certifi.where())
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


class Dialler:
    """Opens connections for the current exchange to allowed addresses, or to a proxy."""

    def __init__(
        self, connect_timeout: float, *, allow_private: bool, proxy: tuple[str, int] | None
    ) -> None:
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
                f"{hostname} is refused: {why} (see the setting allow_private)",
                reason=DropReason.ADDRESS_REFUSED,
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
        usual = 443 if self.secure else 80
        return self.host if self.port == usual else f"{self.host}:{self.port}"


def take_apart(url: str) -> Target:
    """Return the parts of a canonical URL, or raise ``FetchError`` (BadUrl).

    >>> target = take_apart("https://example.org/a?b")
    >>> target.host, target.port, target.path
    ('example.org', 443, '/a?b')
    """
    parts = _URL.fullmatch(url)
    if parts is not None:
        scheme, host, port, path = parts.groups()
        number = int(port) if port else _PORTS[scheme]
        if number <= 65535:
            return Target(url, scheme, host, number, path)
    raise FetchError(
        f"not a canonical URL: {url!r:.200}; pass it through canonical() first",
        reason=DropReason.BAD_URL,
    )


def proxy_target(proxy: str) -> Target:
    """Return the parts of a proxy's address, or raise ``ConfigError``."""
    try:
        target = take_apart(canonical(proxy))
    except (UrlError, FetchError):
        target = None
    if target is None or target.secure or target.path != "/" or "@" in proxy:
        raise ConfigError(
            f"cannot use the proxy {proxy!r:.100}; give an address such as http://127.0.0.1:3128"
        )
    return target


_IDLE_SECONDS = 30.0  # servers and routers forget idle connections without notice
_PER_HOST = 1  # by politeness


class Get(requests.PreparedRequest):
    """A GET request to a target: its URL is canonical, so there is nothing to prepare."""

    def __init__(self, target: Target, headers: CaseInsensitiveDict[str]) -> None:
        super().__init__()
        self.method = "GET"
        self.url = target.url
        self.headers = headers
        self.target = target


class _HeadLines:
    """The lines of an answer's head: its end before the blank line is an error."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self._begun = False

    def readline(self, limit: int = -1) -> bytes:
        line: bytes = self.file.readline(limit)
        if self._begun and not line:
            raise IncompleteRead(b"")
        self._begun = True
        return line

    def close(self) -> None:
        self.file.close()


class _Answer(HTTPResponse):
    """An answer whose head is whole; interim ones before it are passed over (RFC 9110, 15.2)."""

    def begin(self) -> None:
        lines = _HeadLines(self.fp)
        self.fp = lines  # type: ignore[assignment]
        try:
            super().begin()
        finally:
            if self.fp is not None:
                self.fp = lines.file

    def _read_status(self) -> tuple[str, int, str]:
        found = super()._read_status()  # type: ignore[misc]
        while 101 < found[1] < 200:
            parse_headers(self.fp)
            found = super()._read_status()  # type: ignore[misc]
        return found  # type: ignore[no-any-return]


class _Connection(HTTPConnection):
    response_class = _Answer

    def __init__(self, *args: Any, dialler: Dialler, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._dialler = dialler
        self._asked_at = 0.0

    def _new_conn(self) -> socket.socket:
        # Unlike ``host`` this has the final dot that some names are resolved with.
        return self._dialler.open(self._dns_host, self.port)

    @property
    def is_connected(self) -> bool:
        """Whether this can be used again: not closed, and not idle for long."""
        return time.monotonic() - self._asked_at < _IDLE_SECONDS and super().is_connected

    def putrequest(self, method: str, url: str, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Begin a request for the URL as the crawl knows it; urllib3 would quote ``|`` again."""
        self._asked_at = time.monotonic()
        super().putrequest(method, current.request_target, *args, **kwargs)


class _TlsConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


class _Connections(HTTPConnectionPool):
    ConnectionCls = _Connection


class _TlsConnections(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection

    def _validate_conn(self, conn: Any) -> None:
        # The inherited method also warns, for each request, of unchecked certificates.
        if conn.is_closed:
            conn.connect()


def _origin(context: dict[str, Any]) -> tuple[str, str, int]:
    """The key of a pool: urllib3's own has thirty fields, most of them equal for a fetcher."""
    return context["scheme"], context["host"], context["port"]


class Sender(HTTPAdapter):
    """Sends requests over dialled connections, one of which is kept per host.

    An adapter of requests without a session: cookies, redirects and hooks have no use here.
    """

    poolmanager: PoolManager

    def __init__(
        self,
        dialler: Dialler,
        timeout: Timeout,
        *,
        proxy: Target | None,
        verify: bool,
        keep_alive: int,
    ) -> None:
        self._dialler = dialler
        self._timeout = timeout
        self._proxy = proxy
        self._verify = verify
        self._tls: ssl.SSLContext | None = None
        # Behind a proxy all hosts share its connections.
        super().__init__(keep_alive, max(_PER_HOST, keep_alive) if proxy else _PER_HOST)

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Return the response with its body unread."""
        return super().send(request, stream=True, timeout=self._timeout)  # type: ignore[arg-type]

    def init_poolmanager(
        self, connections: int, maxsize: int, block: bool = False, **options: Any
    ) -> None:
        """Make the pools; the inherited constructor calls this."""
        options |= {"maxsize": maxsize, "block": block, "dialler": self._dialler}
        if self._proxy:
            self.poolmanager = ProxyManager(self._proxy.url, connections, **options)
        else:
            self.poolmanager = PoolManager(connections, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _Connections, "https": _TlsConnections}
        self.poolmanager.key_fn_by_scheme = dict.fromkeys(("http", "https"), _origin)  # type: ignore[arg-type]

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, *_args: Any, **_kwargs: Any
    ) -> ConnectionPool:
        """Return the pool of a target; the inherited method would parse its URL again."""
        assert isinstance(request, Get)
        target = request.target
        options = None
        if target.secure:
            # Loading the authorities takes a while: once, and only where TLS is met.
            self._tls = self._tls or tls_context(verify=self._verify)
            options = {"ssl_context": self._tls, "maxsize": _PER_HOST}
        return self.poolmanager.connection_from_host(
            target.host, target.port, target.scheme, options
        )

    def cert_verify(self, *_args: Any, **_kwargs: Any) -> None:
        """Leave it to the TLS context; the inherited method reloads it for every connection."""

    def request_url(self, request: requests.PreparedRequest, _proxies: object) -> str:
        """Return what tells urllib3 whether to use a tunnel; `_Connection` knows the rest."""
        assert isinstance(request, Get)
        return request.target.url if self._proxy and not request.target.secure else "/"

    def build_response(
        self, req: requests.PreparedRequest, resp: BaseHTTPResponse
    ) -> requests.Response:
        """Wrap a response; the inherited method also reads cookies and guesses an encoding."""
        response = requests.Response()
        response.status_code = resp.status
        response.raw = resp
        response.request = req
        return response
