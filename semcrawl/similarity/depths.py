"""How deep concepts lie below their roots, by the shortest and by the longest path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.similarity.leaving import distinct, leaving

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.topics.edges import Edges

    Ints = NDArray[np.int64]

__all__ = ["longest_depths", "shortest_depths"]


def shortest_depths(up: Edges, down: Edges) -> Ints:
    """The number of edges from every concept to its nearest root, 0 for a root.

    Concepts that reach no root hang below a cycle: the concepts of the cycle
    are taken as roots.

    >>> from semcrawl.topics.edges import Edges
    >>> up = Edges([1, 2, 3, 4], [0, 1, 4, 3], size=5)
    >>> shortest_depths(up, up.reversed()).tolist()
    [0, 1, 2, 0, 0]
    """
    depths = np.full(len(up.start) - 1, -1, np.int64)
    _number_levels(depths, np.flatnonzero(np.diff(up.start) == 0), down)
    if np.any(depths < 0):
        _number_levels(depths, _rootless_cycles(up, np.flatnonzero(depths < 0)), down)
    return depths


def longest_depths(up: Edges, down: Edges, shortest: Ints) -> Ints:
    """The number of edges on every concept's longest path to a root.

    A cycle has no longest path: it is opened at its concepts nearest to a root,
    which keep the longest path known so far.

    >>> from semcrawl.topics.edges import Edges
    >>> up = Edges([1, 2, 2], [0, 0, 1], size=3)
    >>> down = up.reversed()
    >>> longest_depths(up, down, shortest_depths(up, down)).tolist()
    [0, 1, 2]
    """
    waiting = np.diff(up.start).astype(np.int64)
    depths = np.zeros(len(waiting), np.int64)
    open_ = np.ones(len(waiting), np.bool_)
    ready = np.flatnonzero(waiting == 0)
    while True:
        if not len(ready):
            left = np.flatnonzero(open_)
            if not len(left):
                return depths
            ready = left[shortest[left] == shortest[left].min()]
        open_[ready] = False
        places, children = leaving(down, ready)
        useful = open_[children]
        children = children[useful]
        np.maximum.at(depths, children, depths[ready][places[useful]] + 1)
        np.subtract.at(waiting, children, 1)
        children = distinct(children, len(depths))
        ready = children[waiting[children] == 0]


def _number_levels(depths: Ints, roots: Ints, down: Edges) -> None:
    level = 0
    while len(roots):
        depths[roots] = level
        level += 1
        children = leaving(down, roots)[1]
        roots = distinct(children[depths[children] < 0], len(depths))


def _rootless_cycles(up: Edges, left: Ints) -> Ints:
    """The concepts of the cycles that nothing lies above."""
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(left.tolist())
    graph.add_edges_from((node, parent) for node in left.tolist() for parent in up.of(node))
    members = networkx.condensation(graph)
    tops = [node for node in members if members.out_degree(node) == 0]
    return np.asarray([n for top in tops for n in members.nodes[top]["members"]], np.int64)
