"""Limits of connections: how many, and how long a client may take for a request."""

import asyncio
import logging
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus

import h11
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from semcrawl.serve.replies import error_reply
from semcrawl.serve.security import SAFE_HEADERS, with_safe_headers


def raise_file_limit(wanted: int = 8192) -> int:
    """Let this process open more files, where it may; return how many it may open then."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not on every system
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    target = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
    except (OSError, ValueError):  # some systems have a lower limit than they tell
        return soft
    return target


def most_connections(files: int) -> int:
    """How many connections a server may have that may open ``files`` files.

    >>> most_connections(8192), most_connections(256), most_connections(64)
    (2000, 128, 32)
    """
    # 128 files are for workers, snapshots and the page itself.
    return min(2000, max(files - 128, files // 2))


def bounded_app(app: ASGIApp, connections: Callable[[], int], most: int) -> ASGIApp:
    """The application for at most ``most`` connections at once; others get a 503."""

    async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and connections() > most:
            # Closed, so that its place is free for the next try.
            reply = error_reply(
                f"more than {most} connections are open: try again later",
                503,
                retry_after=2,
                headers={"Connection": "close"},
            )
            await reply(scope, receive, with_safe_headers(send))
            return
        await app(scope, receive, send)

    return bounded


def quiet_accepting() -> None:
    """Log once, without a traceback, that there are no more files for connections."""
    was_told = False

    def is_logged(record: logging.LogRecord) -> bool:
        nonlocal was_told
        if not str(record.msg).startswith("socket.accept() out of system resource"):
            return True
        record.msg = "semcrawl: too many connections: new ones wait (raise the limit of open files)"
        record.args, record.exc_info, record.exc_text = None, None, None
        is_first, was_told = not was_told, True
        return is_first

    logging.getLogger("asyncio").addFilter(is_logged)


# From the connection, or the first byte of a later request, to a whole head; then to the end.
HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
READ_SECONDS = 30.0  # in which a client reads some of its answer
MOST_UNREAD = 1 << 30  # bytes of the answers to all clients


class PromptProtocol(H11Protocol):
    """HTTP that closes connections whose requests do not arrive in time, or whose answers are not read.

    uvicorn would wait without limit, so that idle clients could take all connections, and all memory.
    """

    _closing: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _has_head = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Take the data, and set the limit for what is to come next."""
        super().data_received(data)
        # Typed as always there, and None until the first head.
        is_under_way = bool(self.cycle) and not self.cycle.response_complete
        if self.conn.their_state is h11.SEND_BODY:
            if not self._has_head:
                self._stop_waiting()
                self._wait(BODY_SECONDS)
            self._has_head = True
            return
        self._has_head = False
        if is_under_way:
            self._stop_waiting()
        elif self._closing is None:
            self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        if self._reading is not None:
            self._reading.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client time to read; none where others have enough to read."""
        super().pause_writing()
        is_too_much = sum(map(_unread, self.server_state.connections)) > MOST_UNREAD
        self._break_off() if is_too_much else self._wait_for_reader(self._left())

    def resume_writing(self) -> None:
        """Stop waiting for the client."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()

    def _wait_for_reader(self, left: int) -> None:
        def look() -> None:
            now = self._left()
            self._break_off() if now >= left else self._wait_for_reader(now)

        self._reading = self.loop.call_later(READ_SECONDS, look)

    def _left(self) -> int:
        # The system takes no more of an answer before much of what it holds itself, some megabytes, is read.
        held = b""
        with suppress(ImportError):  # where there are no such modules that part is not known
            import fcntl
            import termios

            held = fcntl.ioctl(self.transport.get_extra_info("socket"), termios.TIOCOUTQ, bytes(4))
        return _unread(self) + int.from_bytes(held, sys.byteorder)

    def _break_off(self) -> None:
        # Without a reset the system would keep what it has for the client.
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Send the error with the headers that every answer has, and close; within another answer, only close."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        bad = HTTPStatus.BAD_REQUEST
        reply = error_reply(msg, bad, headers={**SAFE_HEADERS, "Connection": "close"})
        head = h11.Response(status_code=bad, headers=reply.raw_headers, reason=bad.phrase.encode())
        for event in (head, h11.Data(data=bytes(reply.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self, seconds: float) -> None:
        self._closing = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


def _unread(connection: object) -> int:
    transport = getattr(connection, "transport", None)  # None until it is made
    return transport.get_write_buffer_size() if transport else 0
