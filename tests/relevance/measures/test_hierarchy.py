from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.relevance.hierarchy import FAR, Hierarchy, count_below, hierarchy_of, longest_depths, shortest_depths
from semcrawl.topics.concepts import Edges

from .graphs import build, hierarchies

if TYPE_CHECKING:
    from semcrawl.topics import ConceptGraph


def walked_down(graph: ConceptGraph, start: int) -> dict[int, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        for child in graph.has_kind.of(node):
            if child not in found:
                found[child] = found[node] + 1
                queue.append(child)
    return found


@given(graph=hierarchies(), data=st.data())
def test_a_path_has_the_length_of_the_distance(graph: ConceptGraph, data: st.DataObject) -> None:
    hierarchy = hierarchy_of(graph)
    a, b = (data.draw(st.integers(0, len(graph) - 1)) for _ in range(2))
    path, distance = hierarchy.path(a, b), hierarchy.distances(a)[b]
    if distance == FAR:
        assert path == []
    else:
        assert len(path) - 1 == distance
        assert (path[0], path[-1]) == (a, b)
        for one, next_ in pairwise(path):
            assert next_ in graph.is_a.of(one) or one in graph.is_a.of(next_)


@given(hierarchies())
def test_distances_down_and_counts_are_those_of_a_plain_walk(graph: ConceptGraph) -> None:
    hierarchy = hierarchy_of(graph)
    for node in range(len(graph)):
        expected = walked_down(graph, node)
        below = hierarchy.below(node)
        assert {n: int(below[n]) for n in np.flatnonzero(below < FAR).tolist()} == expected
        assert count_below(graph.is_a)[node] == len(expected) - 1


@given(hierarchies(cycles=False))
def test_depths_are_the_shortest_and_longest_paths_to_a_root(graph: ConceptGraph) -> None:
    hierarchy = hierarchy_of(graph)
    for node, concept in enumerate(graph):
        assert hierarchy.depths[node] == len(graph.path_to_root(concept)) - 1
        above = [int(hierarchy.longest[graph.position(one)]) for one in graph.broader(concept)]
        assert hierarchy.longest[node] == 1 + max(above, default=-1)


@given(hierarchies())
def test_cycles_end_and_leave_no_depth_out(graph: ConceptGraph) -> None:
    depths = shortest_depths(graph.is_a, graph.has_kind)
    longest = longest_depths(graph.is_a, graph.has_kind, depths)
    assert depths.min() >= 0
    assert np.all(longest >= 0)


def test_a_very_long_chain_is_no_burden() -> None:
    size = 3_000
    up = Edges(range(1, size), range(size - 1), size)
    assert count_below(up)[:3].tolist() == [size - 1, size - 2, size - 3]


def test_the_hierarchy_of_a_graph_is_made_once() -> None:
    graph = build(2, [(1, 0)], [])
    assert hierarchy_of(graph) is hierarchy_of(graph)
    assert isinstance(hierarchy_of(graph), Hierarchy)
