"""The pipe between a crawl (`ServerCompanion`) and the server that shows it (`Control`)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.companions.process import Companion
from semcrawl.errors import RequestError
from semcrawl.serve.settings import ServeSettings

if TYPE_CHECKING:
    from semcrawl.crawl.any_crawl import AnyCrawl


class Start(msgspec.Struct, frozen=True):
    """The first message to the server: what to serve, and at which socket."""

    folder: str
    listener: int
    settings: ServeSettings


class ServerCompanion(Companion):
    """A server in another process, which takes the socket over, for a crawl of this one.

    A thread calls ``obeyed`` with every action of the page, and ``died`` if the server ends itself.
    """

    def __init__(
        self,
        folder: Path,
        settings: ServeSettings,
        listener: socket.socket,
        crawl: AnyCrawl[Any, Any],
        obeyed: Callable[[str], None] = lambda _: None,
        died: Callable[[], None] = lambda: None,
    ) -> None:
        self.was_told_to_stop = False
        self._crawl, self._obeyed, self._died = crawl, obeyed, died
        self._is_closing = False
        self._actions = 0
        self._is_over = threading.Event()
        super().__init__("semcrawl.serve.server:serve_crawl", heard=self._hear, errors=None, files=[listener.fileno()])
        self.send(msgspec.json.encode(Start(str(folder), listener.fileno(), settings)))
        # From now on the socket is the other process's.
        listener.close()
        threading.Thread(target=self._report, name="server-companion", daemon=True).start()

    def crawl_ended(self) -> None:
        """Tell the server that the crawl has ended and let go of its graph."""
        self._is_over.set()
        self._send_state("stopped")

    def close(self, grace: float = 5.0) -> None:
        """End the server; closing twice is fine."""
        self._is_closing = True
        self._is_over.set()
        super().close(grace)

    def _hear(self, message: bytes | None) -> None:
        if message is None:
            if not self._is_closing:
                self._died()
            return
        action = msgspec.json.decode(message)["action"]
        crawl = self._crawl
        self.was_told_to_stop |= action == "stop"
        {"pause": crawl.pause, "resume": crawl.unpause, "stop": crawl.stop}[action]()
        self._actions += 1
        self._tell()
        self._obeyed(action)

    def _report(self) -> None:
        while not self._is_over.wait(0.5):
            self._tell()

    def _tell(self) -> None:
        state = "stopping" if self.was_told_to_stop else "paused" if self._crawl.is_paused else "running"
        if not self._is_over.is_set():
            self._send_state(state)

    def _send_state(self, state: str) -> None:
        progress = self._crawl.progress
        dropped = sum([*progress.dropped.values()])  # a list at once: a reason may come up just now
        figures = {"waiting": progress.waiting, "hosts": progress.hosts, "dropped": dropped}
        self.send(msgspec.json.encode({"state": state, "obeyed": self._actions, "progress": figures}))


# The actions, and the states that they lead to.
_STATES = {"pause": "paused", "resume": "running", "stop": "stopping"}


class Control:
    """The crawl as the server sees it; ``send`` writes to it, None where there is none.

    A message says how many actions are obeyed: a state from before the last one is ignored.
    """

    def __init__(self, send: Callable[[dict[str, Any]], Awaitable[None]] | None = None) -> None:
        self.is_there = send is not None
        self.state = "running" if send else ""
        self.progress: dict[str, Any] | None = None
        self._send = send
        self._told = 0

    def hear(self, message: dict[str, Any]) -> None:
        """Take a message of the crawl."""
        self.progress = message.get("progress", self.progress)
        if message["state"] == "stopped" or message["obeyed"] >= self._told:
            self.state = message["state"]
        if self.state == "stopped":
            self.is_there = False

    async def tell(self, action: str) -> str:
        """Return the new state; RequestError where there is no such action, or no crawl."""
        if action not in _STATES:
            raise RequestError(f"there is no action {action!r}: choose one of {', '.join(_STATES)}")
        if self._send is None:
            raise RequestError(
                "this server was not started with the crawl, so it cannot control it: "
                "start it with 'semcrawl crawl --serve' or 'semcrawl resume --serve'",
                409,
            )
        if not self.is_there:
            raise RequestError("the crawl has ended: there is nothing to control", 409)
        if self.state == "stopping" and action != "stop":
            raise RequestError("the crawl is stopping, after the visits under way", 409)
        self._told += 1
        self.state = _STATES[action]
        await self._send({"action": action})
        return self.state
