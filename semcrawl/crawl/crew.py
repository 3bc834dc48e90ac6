"""The crew: workers that visit URLs, for a coordinator that hands them out."""

from __future__ import annotations

import queue
import threading
from collections import deque
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from semcrawl.crawl.visit import Outcome, Visitor
    from semcrawl.graph import FoundUrl

__all__ = ["Crew", "LoneWorker", "ThreadCrew", "hire"]


class Crew(Protocol):
    """Workers that visit URLs. Used by one thread, the coordinator.

    ``start`` may be called while ``busy`` is below ``size``. Every started
    visit gives exactly one outcome, in any order.
    """

    size: int

    @property
    def busy(self) -> int:
        """How many visits have been started whose outcome was not taken yet."""
        ...

    def start(self, entry: FoundUrl) -> None:
        """Begin a visit."""
        ...

    def next(self, timeout: float) -> Outcome | None:
        """The outcome of a visit, or None where none ends within ``timeout`` seconds."""
        ...

    def close(self) -> None:
        """Let the workers go; visits under way are abandoned."""
        ...


class LoneWorker:
    """A crew of one that works in the coordinator's own thread: repeatable, no switching."""

    size = 1

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._done: deque[Outcome] = deque()

    @property
    def busy(self) -> int:
        """Visits whose outcome was not taken yet."""
        return len(self._done)

    def start(self, entry: FoundUrl) -> None:
        """Make the visit, now."""
        self._done.append(self._visitor.visit(entry))

    def next(self, timeout: float) -> Outcome | None:  # noqa: ARG002
        """The outcome of the visit made."""
        return self._done.popleft() if self._done else None

    def close(self) -> None:
        """Nothing to let go of."""


class ThreadCrew:
    """Threads that wait for servers side by side.

    They only fetch. Reading and judging is computing, which the interpreter
    does in one thread at a time anyway: many threads that compute cost a third
    more CPU than one, so the coordinator does it when it takes an outcome.
    """

    def __init__(self, visitor: Visitor, size: int) -> None:
        self.size = size
        self._busy = 0
        self._visitor = visitor
        self._tasks: queue.SimpleQueue[FoundUrl | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        for number in range(size):
            # Daemons: a server that never ends its answer must not keep the process alive.
            threading.Thread(target=self._work, name=f"crew-{number}", daemon=True).start()

    @property
    def busy(self) -> int:
        """Visits whose outcome was not taken yet."""
        return self._busy

    def _work(self) -> None:
        while (entry := self._tasks.get()) is not None:
            self._done.put(self._visitor.fetch(entry))

    def start(self, entry: FoundUrl) -> None:
        """Hand a visit to the next free thread."""
        self._busy += 1
        self._tasks.put(entry)

    def next(self, timeout: float) -> Outcome | None:
        """The outcome of a visit, or None where none ends in time."""
        try:
            outcome = self._done.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            return None
        self._busy -= 1
        return self._visitor.read(outcome)

    def close(self) -> None:
        """Tell the threads to end after the visit that they are at."""
        for _ in range(self.size):
            self._tasks.put(None)


def hire(visitor: Visitor, size: int) -> Crew:
    """A crew of that size."""
    return LoneWorker(visitor) if size == 1 else ThreadCrew(visitor, size)
