"""Similarities by how much the concept says that two concepts have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.similarity.hierarchy import hierarchy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.topics.concepts import ConceptGraph

    Floats = NDArray[np.float64]

__all__ = ["Lin", "Resnik"]


class Resnik:
    """The information content of the most telling common concept (Resnik 1995).

    The content is intrinsic (Seco, Veale, Hayes 2004), 1 - log(hypo + 1) / log(N),
    which lies in [0, 1] and needs no corpus.

    >>> from semcrawl.topics import wordnet
    >>> similarity = Resnik().similarity
    >>> round(similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 3)
    0.478
    """

    cut_off = 0.9

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        hierarchy = hierarchy_of(graph)
        shared = hierarchy.common(graph.position(a), graph.position(b))
        return max((float(hierarchy.content[node]) for node, _, _ in shared), default=0.0)

    def spread(self, graph: ConceptGraph, concept: str) -> Floats:
        """The similarity of one concept to every concept."""
        hierarchy = hierarchy_of(graph)
        scores = np.zeros(len(graph))
        above = list(hierarchy.above(graph.position(concept)))
        scores[above] = hierarchy.content[above]
        hierarchy.spread_down(scores, 1.0)
        return scores


class Lin:
    """2 IC(common) / (IC(a) + IC(b)), with intrinsic information content (Lin 1998).

    >>> from semcrawl.topics import wordnet
    >>> similarity = Lin().similarity
    >>> round(similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 3)
    0.789
    """

    cut_off = 0.7

    def __init__(self) -> None:
        self._common = Resnik()

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        if a == b:
            return 1.0
        content = hierarchy_of(graph).content
        both = float(content[graph.position(a)] + content[graph.position(b)])
        common = self._common.similarity(graph, a, b)
        return min(2 * common / both, 1.0) if common else 0.0

    def spread(self, graph: ConceptGraph, concept: str) -> Floats:
        """The similarity of one concept to every concept."""
        position = graph.position(concept)
        content = hierarchy_of(graph).content
        common = self._common.spread(graph, concept)
        both = content + content[position]
        # Above a cycle's concepts others may say more than they do: hence the minimum.
        scores = np.minimum(2 * common / np.where(common > 0, both, 1.0), 1.0)
        scores[position] = 1.0
        return scores
