"""Which hosts may be asked now: one request at a time each, not before their time."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["HostGate"]


class HostGate:
    """The state of every host that is not simply free: busy, waiting for its time, or resting.

    ``rotation`` asks that so many other picks lie between two picks of one
    host, as long as other hosts have something to offer (Pant, Menczer 2003:
    50 consecutive picks from 50 different hosts).
    """

    def __init__(self, rotation: int = 0) -> None:
        self.rotation = rotation
        self._busy: dict[str, int] = {}
        self._ready_at: dict[str, float] = {}
        self._waiting: list[tuple[float, str]] = []
        self._resting: list[tuple[int, str]] = []
        self._rests: set[str] = set()
        self._picks = 0

    def is_free(self, host: str) -> bool:
        """Whether the host may be asked now, as far as :meth:`due` has been told the time."""
        return host not in self._busy and host not in self._ready_at and host not in self._rests

    def pick(self, host: str) -> None:
        """A request to the host begins."""
        self._picks += 1
        self._busy[host] = self._picks

    def release(self, host: str, ready_at: float) -> None:
        """The request has ended; the next may begin at ``ready_at``."""
        picked = self._busy.pop(host, 0)
        self._ready_at[host] = ready_at
        heapq.heappush(self._waiting, (ready_at, host))
        if self.rotation:
            self._rests.add(host)
            heapq.heappush(self._resting, (picked, host))

    def due(self, now: float) -> Iterator[str]:
        """The hosts that have become free by now, each once."""
        while self._waiting and self._waiting[0][0] <= now:
            ready_at, host = heapq.heappop(self._waiting)
            if self._ready_at.get(host) == ready_at:
                del self._ready_at[host]
                if self.is_free(host):
                    yield host
        while self._resting and self._picks - self._resting[0][0] >= self.rotation:
            host = self._wake()
            if self.is_free(host):
                yield host

    def wake_longest_resting(self) -> str | None:
        """End the rest of the host that was picked longest ago, where it is free otherwise."""
        awake = [h for _, h in self._resting if h not in self._busy and h not in self._ready_at]
        if not awake:
            return None
        while self._resting:
            host = self._wake()
            if self.is_free(host):
                return host
        return None

    def next_due(self) -> float | None:
        """When the next waiting host becomes free, or None where none waits."""
        while self._waiting and self._ready_at.get(self._waiting[0][1]) != self._waiting[0][0]:
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else None

    def _wake(self) -> str:
        _, host = heapq.heappop(self._resting)
        self._rests.discard(host)
        return host
