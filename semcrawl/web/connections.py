"""Connections with a deadline for the whole exchange.

A time-out on a socket starts again with every byte, so a server that sends a
byte a second can hold a worker for days. Here every read is given only what
is left until the deadline of the exchange, headers included.
"""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import time
from http.client import HTTPResponse
from typing import Any

from semcrawl.errors import FetchError
from semcrawl.web.addresses import SockAddr, refusal, resolve
from semcrawl.web.reasons import DropReason

__all__ = ["Clock", "Connection", "Dialler", "tls_context"]

_ADDRESSES_TRIED = 4


class Clock:
    """How long an exchange, and the next step of it, may take.

    Args:
        total: seconds for the whole exchange, from now.
        pause: seconds for one step.
    """

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


class _TimedSocket(socket.socket):
    """A socket whose reads and writes keep to a clock."""

    clock: Clock

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(self.clock.left())
        return super().recv_into(*args, **kwargs)

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        self.settimeout(self.clock.left())
        super().sendall(*args, **kwargs)


class _TimedTlsSocket(ssl.SSLSocket):
    """The same over TLS."""

    clock: Clock

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(self.clock.left())
        return super().recv_into(*args, **kwargs)

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        self.settimeout(self.clock.left())
        super().sendall(*args, **kwargs)


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


_Socket = _TimedSocket | _TimedTlsSocket


class Connection:
    """An open connection that carries one exchange at a time."""

    __slots__ = ("_sock", "idle_since", "key", "used")

    def __init__(self, key: str, sock: _Socket) -> None:
        self.key = key
        self.used = False
        self.idle_since = 0.0
        self._sock = sock

    def use(self, clock: Clock) -> None:
        """Keep to another clock, that of a new exchange."""
        self._sock.clock = clock

    def ask(self, request: bytes) -> HTTPResponse:
        """Send a GET request and return the response with its headers read."""
        self._sock.sendall(request)
        response = HTTPResponse(self._sock, method="GET")
        try:
            response.begin()
        except BaseException:
            response.close()
            raise
        return response

    def is_stale(self) -> bool:
        """Whether the server has hung up, or sent what nobody asked for, while it was idle."""
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        """Hang up."""
        self._sock.close()


class Dialler:
    """Opens connections, to allowed addresses only.

    Args:
        connect_timeout: seconds for resolving, for connecting and for a TLS handshake.
        allow_private: whether private, local and reserved addresses are allowed.
        proxy: host name and port that every connection goes through; the
            user named it, so its address is not checked.
    """

    def __init__(
        self, connect_timeout: float, *, allow_private: bool, proxy: tuple[str, int] | None
    ) -> None:
        self._connect_timeout = connect_timeout
        self._allow_private = allow_private
        self._proxy = proxy

    def open(
        self, hostname: str, port: int, clock: Clock, context: ssl.SSLContext | None
    ) -> _Socket:
        """Return a socket connected to a host (or its proxy), with TLS if there is a context."""
        sock = self._connect(*(self._proxy or (hostname, port)), clock)
        if context is None:
            return sock
        try:
            if self._proxy:
                _tunnel(sock, hostname, port)
            sock.settimeout(clock.left(self._connect_timeout))
            secured = context.wrap_socket(sock, server_hostname=hostname)
        except BaseException:
            sock.close()
            raise
        assert isinstance(secured, _TimedTlsSocket)
        secured.clock = clock
        return secured

    def _connect(self, hostname: str, port: int, clock: Clock) -> _TimedSocket:
        problem: OSError | None = None
        for family, address in self._addresses(hostname, port, clock):
            sock = _TimedSocket(family, socket.SOCK_STREAM)
            try:
                sock.clock = clock
                sock.settimeout(clock.left(self._connect_timeout))
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

    def _addresses(self, hostname: str, port: int, clock: Clock) -> list[SockAddr]:
        found = resolve(hostname, port, clock.left(self._connect_timeout))
        if self._allow_private or self._proxy:
            return found[:_ADDRESSES_TRIED]
        allowed = [one for one in found if refusal(one[1][0]) is None]
        if not allowed:
            why = refusal(found[0][1][0]) if found else "it has no address"
            raise FetchError(f"{hostname} is refused: {why}", reason=DropReason.ADDRESS_REFUSED)
        return allowed[:_ADDRESSES_TRIED]


def _tunnel(sock: socket.socket, hostname: str, port: int) -> None:
    """Ask the proxy at the other end for a way through to a host."""
    name = f"[{hostname}]:{port}" if ":" in hostname else f"{hostname}:{port}"
    sock.sendall(f"CONNECT {name} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode("ascii"))
    response = HTTPResponse(sock, method="CONNECT")
    try:
        response.begin()
    finally:
        response.close()
    if response.status != 200:
        raise FetchError(
            f"the proxy opens no tunnel to {name}: status {response.status}",
            reason=DropReason.CONNECT_FAILED,
            temporary=response.status >= 500,
        )
