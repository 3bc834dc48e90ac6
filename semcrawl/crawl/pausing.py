"""Stopping and pausing a crawl: asked for from any thread, heeded by its loop between visits."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from semcrawl.crawl.progress import Progress

__all__ = ["Loop", "PauseSwitch", "Steerable"]


class PauseSwitch:
    """Whether a crawl shall pause. A paused crawl starts no visits and answers readers."""

    def __init__(self) -> None:
        self._wanted = threading.Event()

    @property
    def is_on(self) -> bool:
        """Whether the crawl pauses, or will after the visits under way."""
        return self._wanted.is_set()

    def turn_on(self) -> None:
        """Ask for a pause; from any thread."""
        self._wanted.set()

    def turn_off(self) -> None:
        """Ask to go on; from any thread."""
        self._wanted.clear()

    def heed(self, progress: Progress) -> bool:
        """Whether to pause now, for the loop to ask: time does not count meanwhile."""
        if self.is_on:
            progress.hold_clock()
        else:
            progress.go_on()
        return self.is_on


class Loop(Protocol):
    """A crawl's loop, as far as it can be told to stop and to pause."""

    @property
    def pause(self) -> PauseSwitch:
        """The switch that the loop heeds."""
        ...

    def stop(self) -> None:
        """Stop after the visits under way."""
        ...


class Steerable:
    """A crawl of any kind that can be stopped and paused while it runs."""

    @property
    def _loop(self) -> Loop:
        raise NotImplementedError

    def stop(self) -> None:
        """Ask a running crawl to stop after the visits under way; from any thread."""
        self._loop.stop()

    def pause(self) -> None:
        """Ask a running crawl to start no visits for a while; from any thread.

        Readers are answered meanwhile, and the time does not count for ``seconds``.
        """
        self._loop.pause.turn_on()

    def unpause(self) -> None:
        """Let a paused crawl go on; from any thread."""
        self._loop.pause.turn_off()

    @property
    def is_paused(self) -> bool:
        """Whether the crawl was asked to pause."""
        return self._loop.pause.is_on
