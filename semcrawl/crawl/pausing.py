"""Pausing a crawl: asked for from any thread, heeded by the loop between two visits."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.crawl.progress import Progress

__all__ = ["PauseSwitch"]


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
