"""Similarity that falls by a fixed factor with every edge between two concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.similarity.hierarchy import FAR, hierarchy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["Ehrig"]


class Ehrig:
    """factor ^ shortest path: 1 within a concept, half with every edge (Batsakis 2007, eq. 3).

    Args:
        factor: what one edge leaves of the similarity.
        virtual_root: whether all roots hang below one more concept, so that
            no two concepts are without a path.

    >>> from semcrawl.topics import wordnet
    >>> Ehrig().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.0625
    """

    cut_off = 0.2

    def __init__(self, factor: float = 0.5, virtual_root: bool = False) -> None:
        if not 0 < factor < 1:
            raise ConfigError(f"ehrig: factor={factor} must lie between 0 and 1")
        self._factor = factor
        self._virtual = virtual_root

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        hierarchy = hierarchy_of(graph)
        far = hierarchy.distance(graph.position(a), graph.position(b), virtual_root=self._virtual)
        return float(self._factor**far) if far < FAR else 0.0

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        far = hierarchy_of(graph).distances(graph.position(concept), virtual_root=self._virtual)
        scores: NDArray[np.float64] = np.where(far < FAR, self._factor ** far.astype(float), 0.0)
        return scores
