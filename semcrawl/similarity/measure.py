"""The Measure protocol, the registry of measures, and the similarity of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from semcrawl.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["MEASURES", "FittingMeasure", "Measure", "measure_named", "word_similarity"]


class Measure(Protocol):
    """How near two concepts of a graph are: from 0, nothing in common, to 1.

    Symmetric. ``cut_off`` is for lenses where the user gives none: the share of
    the topic's similarity with itself below which a concept is too far off.
    """

    cut_off: float

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """The similarity of two concepts, given by their ids."""
        ...

    def spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        """The similarity of one concept to every concept, by position, in one sweep."""
        ...


@runtime_checkable
class FittingMeasure(Protocol):
    """A measure that a lens may fit to the topic concept it is about to look from."""

    def fitted(self, graph: ConceptGraph, concept: str) -> Measure:
        """The measure to use for a topic that is this concept; often the measure itself."""
        ...


MEASURES = Registry("measure", "semcrawl.measures", frozenset())
"""Measures by name, ours and the user's."""


def measure_named(measure: str | Measure) -> Measure:
    """The measure of a name with options, such as ``li:alpha=0.3``; a measure is passed through."""
    found: Measure = MEASURES.create(measure) if isinstance(measure, str) else measure
    return found


def word_similarity(
    measure: Measure, graph: ConceptGraph, a: str | Sequence[str], b: str | Sequence[str]
) -> float:
    """The similarity of the two nearest senses of two words, 0 for a word without senses.

    A word is given as text, looked up among the labels, or as the ids of its senses.

    >>> from semcrawl.similarity import Path
    >>> from semcrawl.topics import wordnet
    >>> word_similarity(Path(), wordnet().graph, "car", "automobile")
    1.0
    """
    senses_a, senses_b = _senses(graph, a), _senses(graph, b)
    return max((measure.similarity(graph, x, y) for x in senses_a for y in senses_b), default=0.0)


def _senses(graph: ConceptGraph, word: str | Sequence[str]) -> Sequence[str]:
    return graph.find(word) or graph.find(word, stemmed=True) if isinstance(word, str) else word
