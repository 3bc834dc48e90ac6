"""Telling the crawl what to do: the channel between a crawl and the server beside it.

What the crawl says of itself comes with the number of actions that it has
obeyed, so that a word from before the last action does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from semcrawl.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["ACTIONS", "Control", "NoControl", "PipeControl"]

ACTIONS = ("pause", "resume", "stop")

_STATES = {"pause": "paused", "resume": "running", "stop": "stopping"}


class Control(Protocol):
    """The crawl as the server sees it, where it was started with one.

    Attributes:
        is_there: whether there is a crawl to control.
        state: what it is doing, in a word; empty where nothing is known.
        progress: its figures as it tells them, None where it does not.
    """

    is_there: bool
    state: str
    progress: dict[str, Any] | None

    async def tell(self, action: str) -> str:
        """Tell the crawl to pause, resume or stop; its new state.

        Raises:
            RequestError: there is no crawl to control (409), or no such action (400).
        """
        ...


class NoControl:
    """A server that was started by itself has no crawl to control."""

    is_there = False
    state = ""
    progress: dict[str, Any] | None = None

    async def tell(self, action: str) -> str:
        """Refuse."""
        _require_known(action)
        raise RequestError(
            "this server was not started with the crawl, so it cannot control it: "
            "start it with 'semcrawl crawl --serve' or 'semcrawl resume --serve'",
            409,
        )


class PipeControl:
    """The crawl at the other end of a pipe.

    Args:
        send: writes one message to the crawl.
    """

    def __init__(self, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        self.is_there = True
        self.state = "running"
        self.progress: dict[str, Any] | None = None
        self._send = send
        self._told = 0

    def hear(self, message: dict[str, Any]) -> None:
        """Take in what the crawl says of itself."""
        self.progress = message.get("progress", self.progress)
        if message["state"] == "stopped" or message["obeyed"] >= self._told:
            self.state = message["state"]
        if self.state == "stopped":
            self.is_there = False

    async def tell(self, action: str) -> str:
        """Tell the crawl to pause, resume or stop."""
        _require_known(action)
        if not self.is_there:
            raise RequestError("the crawl has ended: there is nothing to control", 409)
        if self.state == "stopping" and action != "stop":
            raise RequestError("the crawl is stopping, after the visits under way", 409)
        self._told += 1
        self.state = _STATES[action]
        await self._send({"action": action})
        return self.state


def _require_known(action: str) -> None:
    if action not in ACTIONS:
        raise RequestError(f"there is no action {action!r}: choose one of {', '.join(ACTIONS)}")
