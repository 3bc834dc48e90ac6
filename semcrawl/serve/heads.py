"""Connections whose client does not say what it wants: closed after a while.

uvicorn waits for a request as long as a client likes to take for it. Who opens
connections and sends nothing, or a byte now and then, would so take the places
of all others.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from semcrawl.serve.guard import SAFE_HEADERS
from semcrawl.serve.replies import error_reply

if TYPE_CHECKING:
    import asyncio

__all__ = ["BODY_SECONDS", "HEAD_SECONDS", "PromptProtocol"]

HEAD_SECONDS = 10.0
"""Seconds from the connection, or from the first byte of a later request, to a whole head."""

BODY_SECONDS = 30.0
"""Seconds from the head of a request to the end of its body, which is short here."""

_BAD = HTTPStatus.BAD_REQUEST


class PromptProtocol(H11Protocol):
    """HTTP for clients that send the whole of a request in time; others are closed.

    A request under way, such as a stream of events, may take as long as it likes.
    One that is over leaves the connection to uvicorn's ``timeout_keep_alive``.
    """

    _closing: asyncio.TimerHandle | None = None
    _has_head = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Take what came, and see whether a head, or all of a request, is there by it."""
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
        """The client has gone: there is nothing to wait for."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say that this is no HTTP, with the headers that every answer has, and close."""
        headers = {**SAFE_HEADERS, "Connection": "close"}
        reply = error_reply(msg, _BAD, headers=headers)
        head = h11.Response(
            status_code=_BAD, headers=reply.raw_headers, reason=_BAD.phrase.encode()
        )
        for event in (head, h11.Data(data=bytes(reply.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self, seconds: float) -> None:
        self._closing = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    def _give_up(self) -> None:
        self._closing = None
        self.transport.close()
