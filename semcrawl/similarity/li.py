"""Similarity by path length and by the depth of what two concepts have in common."""

from __future__ import annotations

from math import exp, tanh
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.similarity.hierarchy import FAR, hierarchy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.similarity.hierarchy import Hierarchy
    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["Li"]

_COMMON = ("any", "deepest")


class Li:
    """e^(-alpha L) tanh(beta H), L edges between, H depth in common (Batsakis 2007, eq. 4).

    The equation is taken as Li, Bandar and McLean (2003) wrote it; the print
    in the thesis pulls the second factor into the exponent.

    Args:
        alpha: how fast similarity falls with the path.
        beta: how fast it rises with the depth.
        root_depth: the depth of a root. At -1 the root's children are at 0,
            as the root itself, since neither says anything in WordNet; this
            agrees best with people. 0 counts from the root.
        common: which common concept gives H. "any" tries all of them, each with
            the path through it, and takes the best; "deepest" takes the deepest
            one, with the shortest path of all.
        least_depth: in a lens, a topic nearer to the root than this is counted
            as this deep: what a user names says something, wherever it stands.

    >>> from semcrawl.topics import wordnet
    >>> round(Li().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 3)
    0.449
    """

    cut_off = 0.6

    def __init__(
        self,
        alpha: float = 0.2,
        beta: float = 0.6,
        root_depth: int = -1,
        common: str = "any",
        least_depth: int = 3,
    ) -> None:
        if not (0 <= alpha < float("inf") and 0 < beta < float("inf")):
            raise ConfigError(f"li: alpha={alpha}, beta={beta}: alpha must be >= 0 and beta > 0")
        if common not in _COMMON:
            raise ConfigError(f"li: common={common!r} is neither 'any' nor 'deepest'")
        self._alpha = alpha
        self._beta = beta
        self._root_depth = root_depth
        self._common = common
        self._least_depth = least_depth

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        hierarchy = hierarchy_of(graph)
        shared = hierarchy.common(graph.position(a), graph.position(b))
        if not shared:
            return 0.0
        if self._common == "deepest":
            far = min(up + down for _, up, down in shared)
            return max(self._value(far, hierarchy, node) for node, _, _ in shared)
        return max(self._value(up + down, hierarchy, node) for node, up, down in shared)

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        hierarchy = hierarchy_of(graph)
        position = graph.position(concept)
        scores = np.zeros(len(graph))
        if self._common == "any":
            for node, far in hierarchy.above(position).items():
                scores[node] = self._value(far, hierarchy, node)
            hierarchy.spread_down(scores, exp(-self._alpha))
            return scores
        for node in hierarchy.above(position):
            scores[node] = self._value(0, hierarchy, node)
        hierarchy.spread_down(scores, 1.0)
        distances = hierarchy.distances(position)
        decays = np.exp(-self._alpha * np.where(distances < FAR, distances, 0))
        return scores * np.where(distances < FAR, decays, 0.0)

    def fitted(self, graph: ConceptGraph, concept: str) -> Li:
        """This measure, or one that counts a topic near the root as ``least_depth`` deep."""
        depth = int(hierarchy_of(graph).depths[graph.position(concept)])
        root_depth = max(self._root_depth, self._least_depth - depth)
        return Li(self._alpha, self._beta, root_depth, self._common, self._least_depth)

    def _value(self, far: int, hierarchy: Hierarchy, node: int) -> float:
        depth = max(int(hierarchy.depths[node]) + self._root_depth, 0)
        return exp(-self._alpha * far) * tanh(self._beta * depth)
