"""Similarity by the share of their way from the root that two concepts have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.similarity.hierarchy import FAR, hierarchy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.similarity.hierarchy import Hierarchy
    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["WuPalmer"]


class WuPalmer:
    """2 N / (N1 + N2 + 2 N), N the depth in common, N1, N2 edges to it (Wu, Palmer 1994).

    As in nltk, the common concept is the one deepest by the shortest path, N
    counts concepts on its longest path to the root, the root being 1, and N1,
    N2 are shortest paths to it, also by way of a concept above. Where several
    are as deep, the one that gives most counts; nltk takes the first by name.

    Args:
        virtual_root: whether all roots hang below one more concept.

    >>> from semcrawl.topics import wordnet
    >>> similarity = WuPalmer().similarity
    >>> round(similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 6)
    0.857143
    """

    cut_off = 0.8

    def __init__(self, virtual_root: bool = False) -> None:
        self._virtual = virtual_root

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        hierarchy = hierarchy_of(graph)
        first, second = graph.position(a), graph.position(b)
        shared = hierarchy.common(first, second)
        if not shared:
            edges = int(hierarchy.depths[first] + hierarchy.depths[second]) + 2
            return float(_value(1, edges)) if self._virtual else 0.0
        deepest = max(hierarchy.depths[node] for node, _, _ in shared)
        return max(
            float(
                _value(
                    self._depth(hierarchy, node),
                    hierarchy.distance(first, node) + hierarchy.distance(second, node),
                )
            )
            for node, _, _ in shared
            if hierarchy.depths[node] == deepest
        )

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        hierarchy = hierarchy_of(graph)
        position = graph.position(concept)
        scores = np.zeros(len(graph))
        if self._virtual:
            scores[:] = _value(1, hierarchy.depths[position] + hierarchy.depths + 2)
        deepest = np.full(len(graph), -1, np.int64)
        # From the root downward: what lies below a deeper common concept is overwritten.
        for node in sorted(hierarchy.above(position), key=hierarchy.depths.__getitem__):
            reached = hierarchy.below(node) < FAR
            edges = hierarchy.distances(node)
            values = _value(self._depth(hierarchy, node), edges + edges[position])
            tied = reached & (deepest == hierarchy.depths[node])
            values = np.where(tied, np.maximum(values, scores), values)
            scores[reached] = values[reached]
            deepest[reached] = hierarchy.depths[node]
        return scores

    def _depth(self, hierarchy: Hierarchy, node: int) -> int:
        return int(hierarchy.longest[node]) + 1 + self._virtual


def _value(depth: int, edges: NDArray[np.int64] | int) -> NDArray[np.float64] | float:
    return 2 * depth / (edges + 2 * depth)
