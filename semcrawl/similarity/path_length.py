"""Similarities that know nothing but the length of the shortest is-a path."""

from __future__ import annotations

from math import isfinite, log
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.similarity.hierarchy import FAR, hierarchy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.similarity.hierarchy import Hierarchy
    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["LeacockChodorow", "Path"]


class Path:
    """1 / (1 + shortest path), as nltk's path_similarity (Rada et al. 1989).

    >>> from semcrawl.topics import wordnet
    >>> Path().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.2
    """

    cut_off = 0.3

    def __init__(self, virtual_root: bool = False) -> None:
        self._virtual = virtual_root

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        hierarchy = hierarchy_of(graph)
        far = hierarchy.distance(graph.position(a), graph.position(b), virtual_root=self._virtual)
        return 1 / (1 + far) if far < FAR else 0.0

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        far = hierarchy_of(graph).distances(graph.position(concept), virtual_root=self._virtual)
        scores: NDArray[np.float64] = np.where(far < FAR, 1 / (1 + far), 0.0)
        return scores


class LeacockChodorow:
    """-log((1 + shortest path) / (2 D)), D the depth of the hierarchy (Leacock, Chodorow 1998).

    Args:
        normalised: divide by the similarity of a concept with itself, log(2 D),
            which gives [0, 1]; without it the figures are nltk's.
        depth: D; 0 takes the longest path below a root in the whole graph.
        virtual_root: whether all roots hang below one more concept.

    >>> from semcrawl.topics import wordnet
    >>> measure = LeacockChodorow(normalised=False)
    >>> round(measure.similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 6)
    2.028148
    """

    cut_off = 0.65

    def __init__(
        self, normalised: bool = True, depth: float = 0, virtual_root: bool = False
    ) -> None:
        if not (depth >= 0 and isfinite(depth)):
            raise ConfigError(f"leacock-chodorow: depth={depth} is no depth of a hierarchy")
        self._normalised = normalised
        self._depth = depth
        self._virtual = virtual_root

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        hierarchy = hierarchy_of(graph)
        far = hierarchy.distance(graph.position(a), graph.position(b), virtual_root=self._virtual)
        if far >= FAR:
            return 0.0
        widest = 2 * self._depth_of(hierarchy)
        raw = log(widest / (1 + far))
        return max(raw / log(widest), 0.0) if self._normalised else raw

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        hierarchy = hierarchy_of(graph)
        far = hierarchy.distances(graph.position(concept), virtual_root=self._virtual)
        widest = 2 * self._depth_of(hierarchy)
        raw = np.where(far < FAR, np.log(widest / (1 + far)), 0.0)
        return np.maximum(raw / log(widest), 0.0) if self._normalised else raw

    def _depth_of(self, hierarchy: Hierarchy) -> float:
        if self._depth:
            return max(self._depth, 1)
        return max(int(hierarchy.longest.max(initial=0)), 1) + self._virtual
