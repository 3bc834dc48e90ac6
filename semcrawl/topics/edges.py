"""Edges between numbered nodes, kept in two arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Edges"]


class Edges:
    """Directed edges from the nodes 0 .. size-1, grouped by source, in the order given.

    The targets of node ``n`` are ``target[start[n]:start[n + 1]]``.

    >>> edges = Edges([2, 0, 2], [1, 1, 0], size=3)
    >>> edges.of(2), edges.of(1), edges.reversed().of(1)
    ([1, 0], [], [0, 2])
    """

    __slots__ = ("start", "target")

    def __init__(self, sources: ArrayLike, targets: ArrayLike, size: int) -> None:
        """Take the two ends of every edge, and the number of nodes."""
        source = np.asarray(sources, np.int64)
        self.start: NDArray[np.int64] = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(source, minlength=size), out=self.start[1:])
        self.target: NDArray[np.int64] = np.asarray(targets, np.int64)
        if len(source) and np.any(source[1:] < source[:-1]):
            self.target = self.target[np.argsort(source, kind="stable")]

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.target)

    def of(self, node: int) -> list[int]:
        """Return the targets of the edges that leave a node."""
        found: list[int] = self.target[self.start[node] : self.start[node + 1]].tolist()
        return found

    def sources(self) -> NDArray[np.int64]:
        """Return the source of every edge, beside ``target``."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def reversed(self) -> Edges:
        """Return the same edges the other way round."""
        return Edges(self.target, self.sources(), len(self.start) - 1)
