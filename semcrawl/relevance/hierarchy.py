"""The is-a hierarchy of a concept graph, ready for measures: distances, sweeps, depths.

Concepts are numbered by their position in the graph. A path between two goes up to a concept
above both and down again. There may be cycles, several roots and several parents.
"""

from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from semcrawl.arrays import Floats, Ints, spans
from semcrawl.topics.concepts import ConceptGraph, Edges
from semcrawl.topics.rdf_statements import reachable


def leaving(edges: Edges, nodes: Ints) -> tuple[Ints, Ints]:
    """Return the edges from ``nodes``: the place of each source in ``nodes``, and each target.

    >>> from semcrawl.topics.concepts import Edges
    >>> places, targets = leaving(Edges([0, 2, 2], [1, 0, 1], size=3), np.array([2, 1, 0]))
    >>> places.tolist(), targets.tolist()
    ([0, 0, 2], [0, 1, 1])
    """
    first = edges.start[nodes]
    places, members = spans(first, edges.start[nodes + 1] - first)
    return places, edges.target[members]


def distinct(nodes: Ints, size: int) -> Ints:
    """Return the different ones of some nodes below ``size``, in order; faster than sorting.

    >>> distinct(np.array([3, 1, 3]), size=5).tolist()
    [1, 3]
    """
    marked = np.zeros(size, np.bool_)
    marked[nodes] = True
    return np.flatnonzero(marked)


def shortest_depths(up: Edges, down: Edges) -> Ints:
    """Return the number of edges from every concept to its nearest root, 0 for a root.

    Where nothing lies above a cycle, its concepts are taken as roots.

    >>> from semcrawl.topics.concepts import Edges
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
    """Return the number of edges on every concept's longest path to a root.

    A cycle is opened at its concepts nearest to a root, which keep the longest path known so far.

    >>> from semcrawl.topics.concepts import Edges
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
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(left.tolist())
    graph.add_edges_from((node, parent) for node in left.tolist() for parent in up.of(node))
    members = networkx.condensation(graph)
    tops = [node for node in members if members.out_degree(node) == 0]
    return np.asarray([n for top in tops for n in members.nodes[top]["members"]], np.int64)


def intrinsic_content(up: Edges) -> Floats:
    """Return the intrinsic information content of every concept (Seco, Veale, Hayes 2004).

    It is 1 - log(hypo + 1) / log(N): hypo is the number of concepts below, N that of
    all concepts of the same connected hierarchy.

    >>> from semcrawl.topics.concepts import Edges
    >>> intrinsic_content(Edges([1, 2, 3], [0, 0, 1], size=4)).round(3).tolist()
    [0.0, 0.5, 1.0, 1.0]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = len(up.start) - 1
    edges = csr_array((np.ones(len(up.target)), up.target, up.start), shape=(size, size))
    group: Ints = connected_components(edges, directed=False)[1]
    logs = np.log(np.maximum(np.bincount(group)[group], 2))
    return np.asarray(np.maximum(1.0 - np.log(count_below(up) + 1) / logs, 0.0))


def count_below(up: Edges) -> Ints:
    """Return the number of different concepts below every concept.

    >>> from semcrawl.topics.concepts import Edges
    >>> count_below(Edges([1, 2, 3, 3], [0, 0, 1, 2], size=4)).tolist()
    [3, 1, 1, 0]
    """
    parents = {node: up.of(node) for node in range(len(up.start) - 1)}
    counts, core = _fold_trees(parents)
    totals = list(counts)
    for node in core:
        totals[node] -= counts[node]
    for node in core:
        for above in reachable(node, parents):
            totals[above] += counts[node]
    return np.asarray(totals, np.int64) - 1


def _fold_trees(parents: dict[int, list[int]]) -> tuple[list[int], list[int]]:
    """Fold concepts with one parent into it; return how many each has, and those left over."""
    children = [0] * len(parents)
    for above in parents.values():
        for parent in above:
            children[parent] += 1
    counts = [1] * len(parents)
    folded = [False] * len(parents)
    leaves = [node for node, kinds in enumerate(children) if not kinds]
    while leaves:
        node = leaves.pop()
        if len(parents[node]) > 1:
            continue
        folded[node] = True
        for parent in parents[node]:
            counts[parent] += counts[node]
            children[parent] -= 1
            if not children[parent]:
                leaves.append(parent)
    return counts, [node for node, is_folded in enumerate(folded) if not is_folded]


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
        """Return the concepts above a concept with their distance in edges, itself at 0."""
        return self.up.reached(position)

    def distances(self, position: int, *, virtual_root: bool = False) -> Ints:
        """Return the length of the shortest is-a path from one concept to every other, or FAR."""
        found = self._sweep(self.above(position))
        if virtual_root:
            np.minimum(found, self.depths[position] + self.depths + 2, out=found)
            found[position] = 0
        return found

    def below(self, position: int) -> Ints:
        """Return the number of edges from one concept down to every other, or FAR."""
        return self._sweep({position: 0})

    def spread_down(self, scores: Floats, decay: float | Floats) -> None:
        """Raise scores in place to the best above, times ``decay`` (one, or one each) an edge."""
        factors = np.broadcast_to(decay, self.size)
        active = np.flatnonzero(scores)
        while len(active):
            places, children = leaving(self.down, active)
            offered = scores[active][places] * factors[children]
            better = offered > scores[children]
            children = children[better]
            np.maximum.at(scores, children, offered[better])
            active = distinct(children, self.size)

    def path(self, a: int, b: int) -> list[int]:
        """Return the concepts on a shortest is-a path from a to b, both included, or []."""
        above_a, above_b = self.above(a), self.above(b)
        shared = [node for node in above_a if node in above_b]
        if not shared:
            return []
        top = min(shared, key=lambda node: (above_a[node] + above_b[node], above_a[node]))
        return self._climb(a, top) + self._climb(b, top)[-2::-1]

    def _climb(self, start: int, top: int) -> list[int]:
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
        """Return distances by going down from concepts that have one already, level by level."""
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


# Graphs never change once built: one hierarchy is kept for as long as its graph lives.
_HIERARCHIES: WeakKeyDictionary[ConceptGraph, Hierarchy] = WeakKeyDictionary()


def hierarchy_of(graph: ConceptGraph) -> Hierarchy:
    """Return the hierarchy of a graph; made once per graph."""
    found = _HIERARCHIES.get(graph)
    if found is None:
        found = _HIERARCHIES[graph] = Hierarchy(graph)
    return found
