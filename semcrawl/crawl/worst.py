"""The worst of the waiting URLs, which a full frontier gives up."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from semcrawl.graph import FoundUrl

__all__ = ["Worst"]


class Worst:
    """Finds the lowest priority, and among equals the one found last.

    Built when it is first asked for: most crawls never fill their frontier.
    Factors of hosts do not count here; they say what comes first, not what is
    worth keeping.

    Args:
        entries: the waiting URLs, as the frontier keeps them.
        aside: those among them that cannot be given up now.
        capacity: how many URLs the frontier keeps.
    """

    def __init__(
        self, entries: Mapping[str, FoundUrl], aside: Container[str], capacity: int
    ) -> None:
        self._entries = entries
        self._aside = aside
        self._capacity = capacity
        self._heap: list[tuple[float, int, str]] | None = None

    def note(self, entry: FoundUrl) -> None:
        """A URL came, or has another priority."""
        if self._heap is not None:
            heapq.heappush(self._heap, (entry.priority, -entry.order, entry.url))

    def find(self) -> FoundUrl | None:
        """The worst URL, None where nothing can be given up."""
        heap = self._heap
        if heap is None or len(heap) > 4 * self._capacity:
            heap = [(e.priority, -e.order, e.url) for e in self._entries.values()]
            heapq.heapify(heap)
            self._heap = heap
        while heap:
            priority, order, url = heap[0]
            entry = self._entries.get(url)
            if (
                entry is not None
                and (entry.priority, -entry.order) == (priority, order)
                and url not in self._aside
            ):
                return entry
            heapq.heappop(heap)
        return None
