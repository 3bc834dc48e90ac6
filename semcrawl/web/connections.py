"""Sockets with a deadline for the whole exchange, to allowed addresses only.

A time-out on a socket starts again with every byte, so a server that sends a
byte a second can hold a worker for days. Here every read and write is given
only what is left until the deadline of the exchange, headers and handshakes
included.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from typing import Any

from semcrawl.errors import FetchError
from semcrawl.web.addresses import SockAddr, refusal, resolve
from semcrawl.web.reasons import DropReason

__all__ = ["Clock", "Dialler", "Exchange", "TimedSocket", "current", "tls_context"]

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


class Exchange(threading.local):
    """The exchange that the calling thread is at; every thread has its own.

    The sockets are made and used deep inside of urllib3, which has no notion
    of an exchange, and a kept one is used for many: so they look up here what
    holds for the one under way. A thread is at one exchange at a time.

    Attributes:
        clock: the time that it may take.
        request_target: what its request line asks for.
        dialled: whether a connection was opened for it.
    """

    clock: Clock
    request_target: str
    dialled: bool

    def begin(self, clock: Clock, request_target: str) -> None:
        """Forget the exchange before, and keep to what is given from now on."""
        self.clock = clock
        self.request_target = request_target
        self.dialled = False


current = Exchange()
"""What the calling thread is at."""


class TimedSocket(socket.socket):
    """A socket whose reads and writes keep to the clock of the current exchange."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        """Receive within the time left."""
        self.settimeout(current.clock.left())
        return super().recv_into(*args, **kwargs)

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        """Send within the time left."""
        self.settimeout(current.clock.left())
        super().sendall(*args, **kwargs)


class _TimedTlsSocket(ssl.SSLSocket):
    """The same over TLS."""

    def do_handshake(self, block: bool = False) -> None:
        # Made with the time-out for connecting; one that is not over yet by
        # itself may still be beyond the end of the exchange.
        self.settimeout(current.clock.left(self.gettimeout()))
        super().do_handshake(block)

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(current.clock.left())
        return super().recv_into(*args, **kwargs)

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        self.settimeout(current.clock.left())
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


class Dialler:
    """Opens connections for the current exchange, to allowed addresses only.

    Args:
        connect_timeout: seconds for resolving, for connecting and for a TLS handshake.
        allow_private: whether private, local and reserved addresses are allowed.
        proxy: host name and port that every connection goes to instead; the
            user named it, so its address is not checked.
    """

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
