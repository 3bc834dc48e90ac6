"""The is-a hierarchy of a concept graph, ready for measures: distances, sweeps, depths.

Concepts are numbered by their position in the graph. A path between two
concepts goes up to a concept above both and down again, as in WordNet's
measures. Cycles, several roots and several parents are all survived: a sweep
only goes on where it found something better.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from semcrawl.similarity.depths import longest_depths, shortest_depths
from semcrawl.similarity.information import intrinsic_content
from semcrawl.similarity.leaving import distinct, leaving

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.topics.concepts import ConceptGraph

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["FAR", "Hierarchy", "hierarchy_of"]

FAR = np.iinfo(np.int64).max // 4
"""The distance of concepts that nothing connects; two of them can still be added."""


class Hierarchy:
    """The is-a edges of a graph with what is computed from them once."""

    def __init__(self, graph: ConceptGraph) -> None:
        self.size = len(graph)
        self.up = graph.is_a
        self.down = graph.has_kind

    @cached_property
    def depths(self) -> Ints:
        """The number of edges from each concept up to its nearest root."""
        return shortest_depths(self.up, self.down)

    @cached_property
    def longest(self) -> Ints:
        """The number of edges of each concept's longest path to a root."""
        return longest_depths(self.up, self.down, self.depths)

    @cached_property
    def content(self) -> Floats:
        """The intrinsic information content of each concept."""
        return intrinsic_content(self.up)

    def above(self, position: int) -> dict[int, int]:
        """The concepts above a concept with their distance in edges, itself at 0."""
        found = {position: 0}
        level = [position]
        far = 0
        while level:
            far += 1
            parents = [parent for node in level for parent in self.up.of(node)]
            level = [node for node in dict.fromkeys(parents) if node not in found]
            found.update(dict.fromkeys(level, far))
        return found

    def distances(self, position: int, *, virtual_root: bool = False) -> Ints:
        """The length of the shortest is-a path from one concept to every other, or FAR."""
        found = self._sweep(self.above(position))
        if virtual_root:
            np.minimum(found, self.depths[position] + self.depths + 2, out=found)
            found[position] = 0
        return found

    def distance(self, a: int, b: int, *, virtual_root: bool = False) -> int:
        """The length of the shortest is-a path between two concepts, or FAR."""
        if a == b:
            return 0
        far = min((up + down for _, up, down in self.common(a, b)), default=FAR)
        if virtual_root:
            far = min(far, int(self.depths[a] + self.depths[b]) + 2)
        return far

    def below(self, position: int) -> Ints:
        """The number of edges from one concept down to every other, or FAR."""
        return self._sweep({position: 0})

    def common(self, a: int, b: int) -> list[tuple[int, int, int]]:
        """The concepts above both of two concepts: (concept, edges from a, edges from b)."""
        above_b = self.above(b)
        return [
            (node, far, above_b[node]) for node, far in self.above(a).items() if node in above_b
        ]

    def spread_down(self, scores: Floats, decay: float) -> None:
        """Give every concept the best score of those above it, times ``decay`` per edge.

        Works in place. ``decay`` lies in [0, 1], so that going round a cycle
        brings nothing.
        """
        active = np.flatnonzero(scores)
        while len(active):
            places, children = leaving(self.down, active)
            offered = scores[active][places] * decay
            better = offered > scores[children]
            children = children[better]
            np.maximum.at(scores, children, offered[better])
            active = distinct(children, self.size)

    def path(self, a: int, b: int) -> list[int]:
        """The concepts on a shortest is-a path from a to b, both included; [] if there is none."""
        shared = self.common(a, b)
        if not shared:
            return []
        top = min(shared, key=lambda found: (found[1] + found[2], found[1]))[0]
        return self._climb(a, top) + self._climb(b, top)[-2::-1]

    def _climb(self, start: int, top: int) -> list[int]:
        """A shortest way up, from a concept to one above it."""
        came_from = {start: start}
        level = [start]
        while top not in came_from:
            steps = [(parent, node) for node in level for parent in self.up.of(node)]
            new = {parent: node for parent, node in reversed(steps) if parent not in came_from}
            came_from |= new
            level = list(new)
        trail = [top]
        while trail[-1] != start:
            trail.append(came_from[trail[-1]])
        return trail[::-1]

    def _sweep(self, start: dict[int, int]) -> Ints:
        """Distances by going down from concepts that have one already, level by level."""
        found = np.full(self.size, FAR, np.int64)
        nodes = np.fromiter(start, np.int64, len(start))
        given = np.fromiter(start.values(), np.int64, len(start))
        found[nodes] = given
        level, farthest = 0, int(given.max())
        active = nodes[given == 0]
        while len(active) or level < farthest:
            children = leaving(self.down, active)[1]
            children = children[found[children] > level + 1]
            found[children] = level = level + 1
            own = nodes[(given == level) & (found[nodes] == level)]
            active = distinct(np.concatenate((children, own)), self.size)
        return found


# Graphs never change once built, and their hierarchies are asked for by every
# measure: one is kept for as long as its graph lives.
_HIERARCHIES: WeakKeyDictionary[ConceptGraph, Hierarchy] = WeakKeyDictionary()


def hierarchy_of(graph: ConceptGraph) -> Hierarchy:
    """The hierarchy of a graph; made once per graph."""
    found = _HIERARCHIES.get(graph)
    if found is None:
        found = _HIERARCHIES[graph] = Hierarchy(graph)
    return found
