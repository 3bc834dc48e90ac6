"""Measures that only say yes or no: the same concept, a neighbour, a near kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.similarity.hierarchy import hierarchy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["NearKinds", "Related", "Synonyms"]


class Synonyms:
    """1 within a concept, that is between synonyms, 0 else.

    >>> from semcrawl.topics import wordnet
    >>> Synonyms().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.0
    """

    cut_off = 0.5

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        return 1.0 if graph.position(a) == graph.position(b) else 0.0

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        scores = np.zeros(len(graph))
        scores[graph.position(concept)] = 1.0
        return scores


class Related:
    """1 for a concept and all at distance 1 by any relation, 0 else (Batsakis 2007, 2.4 a).

    >>> from semcrawl.topics import wordnet
    >>> Related().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:feline.n.01")
    1.0
    """

    cut_off = 0.5

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        near = a == b or _is_neighbour(graph, a, b) or _is_neighbour(graph, b, a)
        return 1.0 if near else 0.0

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        position = graph.position(concept)
        scores = np.zeros(len(graph))
        scores[[position, *graph.is_a.of(position), *graph.has_kind.of(position)]] = 1.0
        scores[[graph.position(near) for _, near in graph.relations(concept)]] = 1.0
        for name in graph.relation_names():
            edges = graph.relation(name)
            scores[edges.sources()[edges.target == position]] = 1.0
        return scores


class NearKinds:
    """1 within a distance by is-a alone, 0 beyond (Batsakis 2007, section 2.4 b).

    Args:
        distance: the longest is-a path that still counts.

    >>> from semcrawl.topics import wordnet
    >>> NearKinds().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.0
    """

    cut_off = 0.5

    def __init__(self, distance: int = 2) -> None:
        if distance < 0:
            raise ConfigError(f"is-a-2: distance={distance} must be 0 or more")
        self._distance = distance

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts."""
        far = hierarchy_of(graph).distance(graph.position(a), graph.position(b))
        return 1.0 if far <= self._distance else 0.0

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept."""
        far = hierarchy_of(graph).distances(graph.position(concept))
        return np.where(far <= self._distance, 1.0, 0.0)


def _is_neighbour(graph: ConceptGraph, a: str, b: str) -> bool:
    return b in graph.broader(a) or any(target == b for _, target in graph.relations(a))
