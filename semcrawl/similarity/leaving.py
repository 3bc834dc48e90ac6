"""All edges that leave a set of nodes, found at once; and sets of nodes without repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.topics.edges import Edges

    Ints = NDArray[np.int64]

__all__ = ["distinct", "leaving"]


def leaving(edges: Edges, nodes: Ints) -> tuple[Ints, Ints]:
    """The edges from ``nodes``: for each the place of its source in ``nodes``, and its target.

    >>> from semcrawl.topics.edges import Edges
    >>> places, targets = leaving(Edges([0, 2, 2], [1, 0, 1], size=3), np.array([2, 1, 0]))
    >>> places.tolist(), targets.tolist()
    ([0, 0, 2], [0, 1, 1])
    """
    first = edges.start[nodes]
    counts = edges.start[nodes + 1] - first
    ends = np.cumsum(counts)
    inside = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
    places = np.repeat(np.arange(len(nodes)), counts)
    return places, edges.target[first[places] + inside]


def distinct(nodes: Ints, size: int) -> Ints:
    """The different ones of some nodes below ``size``, in order; marking beats sorting.

    >>> distinct(np.array([3, 1, 3]), size=5).tolist()
    [1, 3]
    """
    marked = np.zeros(size, np.bool_)
    marked[nodes] = True
    return np.flatnonzero(marked)
