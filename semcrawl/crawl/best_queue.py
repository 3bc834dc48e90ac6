"""A priority queue that stays fast when it is large.

A binary heap of half a million tuples spends its time waiting for memory: each
pop compares items that lie far apart. Here most items lie in one sorted run,
whose best is its last, so that a pop touches one item; only the newest are in
a small heap, which is merged into the run when it has grown.
"""

from __future__ import annotations

import heapq

__all__ = ["BestQueue"]

_Item = tuple[float, int, str]
_SMALL, _LARGE = 32, 8192


class BestQueue:
    """Items ``(-priority, order, name)``, smallest first.

    >>> queue = BestQueue()
    >>> for item in [(-0.2, 1, "b"), (-0.9, 2, "a")]:
    ...     _ = queue.push(item)
    >>> queue.pop()
    (-0.9, 2, 'a')
    """

    __slots__ = ("_fresh", "_run")

    def __init__(self) -> None:
        self._run: list[_Item] = []
        self._fresh: list[_Item] = []

    def __len__(self) -> int:
        return len(self._run) + len(self._fresh)

    def push(self, item: _Item) -> bool:
        """Add an item; whether it is now the first."""
        fresh = self._fresh
        heapq.heappush(fresh, item)
        if len(fresh) > _SMALL and len(fresh) > min(len(self._run) >> 3, _LARGE):
            self._run += fresh
            # Nearly sorted already: the sort finds the long run and merges, in linear time.
            self._run.sort(reverse=True)
            self._fresh = []
            return self._run[-1] is item
        return fresh[0] is item and (not self._run or item < self._run[-1])

    def peek(self) -> _Item:
        """The first item.

        Raises:
            IndexError: the queue is empty.
        """
        if self._fresh and (not self._run or self._fresh[0] < self._run[-1]):
            return self._fresh[0]
        return self._run[-1]

    def pop(self) -> _Item:
        """Take the first item out."""
        if self._fresh and (not self._run or self._fresh[0] < self._run[-1]):
            return heapq.heappop(self._fresh)
        return self._run.pop()
