"""Compiling a topic into a lens: from near concepts to weighted labels."""

from __future__ import annotations

from heapq import nlargest
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.relevance.hierarchy import hierarchy_of
from semcrawl.relevance.lens import Lens, Reason, TopicPart, in_language, label_key, term_idf
from semcrawl.relevance.measures import FittingMeasure, Li, measure_named
from semcrawl.text.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from semcrawl.relevance.measures import Measure
    from semcrawl.text.background import Background
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.topic import Topic

if TYPE_CHECKING:
    Found = dict[str, Reason]


class LensCompiler:
    """One topic on its way to a lens; :meth:`Lens.compile` says what the arguments mean."""

    def __init__(
        self,
        topic: Topic,
        measure: str | Measure | None,
        min_weight: float | None,
        max_distance: int | None,
    ) -> None:
        self._topic = topic
        self._measure = Li() if measure is None else measure_named(measure)
        if min_weight is not None and not (isfinite(min_weight) and min_weight >= 0):
            raise ConfigError(f"a lens with min_weight={min_weight}: it must be a number >= 0")
        if max_distance is not None and max_distance < 0:
            raise ConfigError(f"a lens with max_distance={max_distance}: it must be 0 or more")
        self._min_weight = min_weight
        self._max_distance = max_distance
        self._labels: dict[tuple[int, int], list[tuple[str, str, float]]] = {}

    def lens(self, background: Background | None, *, max_labels: int | None, look_up: bool) -> Lens:
        """The lens of the topic."""
        if max_labels is not None and max_labels < 1:
            raise ConfigError(f"a lens with max_labels={max_labels}: it must be 1 or more")
        parts = self._parts(background)
        reasons: dict[str, list[Reason]] = {}
        for number, part in enumerate(parts):
            found = self._of_concept(number, part) if part.graph else self._of_keyword(number, part)
            if look_up and part.graph is None:
                self._look_up(number, part, found)
            for key, why in found.items():
                reasons.setdefault(key, []).append(why)
        lens = Lens(self._topic.name, parts, {key: tuple(why) for key, why in reasons.items()})
        return lens if max_labels is None else _heaviest(lens, max_labels)

    def _parts(self, background: Background | None) -> list[TopicPart]:
        parts = [
            TopicPart(concept.graph.label(concept.id), concept.weight, concept.id, concept.graph)
            for concept in self._topic.concepts
        ] + [TopicPart(keyword.text, keyword.weight) for keyword in self._topic.keywords]
        largest = max((part.weight for part in parts), default=1.0)
        return [
            TopicPart(
                part.name,
                part.weight / largest * _idf(part.name, background),
                part.concept,
                part.graph,
            )
            for part in parts
            if part.weight > 0
        ]

    def _of_keyword(self, number: int, part: TopicPart) -> Found:
        """The keyword as a phrase, and each of its n words by itself as one n-th of it."""
        stems = terms(part.name)
        found = {stem: Reason(number, None, stem, 1 / len(stems), 1.0) for stem in stems}
        if stems:
            found[" ".join(stems)] = Reason(number, None, part.name, 1.0, 1.0)
        return found

    def _look_up(self, number: int, part: TopicPart, found: Found) -> None:
        for graph in self._graphs():
            for sense in graph.find(part.name) or graph.find(part.name, stemmed=True):
                _keep_best(found, self._near(number, graph, sense))

    def _graphs(self) -> list[ConceptGraph]:
        graphs = {id(concept.graph): concept.graph for concept in self._topic.concepts}
        if not graphs:
            from semcrawl.topics.wordnet import wordnet

            return [wordnet().graph]
        return list(graphs.values())

    def _of_concept(self, number: int, part: TopicPart) -> Found:
        assert part.graph is not None
        assert part.concept is not None
        found: Found = {}
        _keep_best(found, self._near(number, part.graph, part.concept))
        return found

    def _near(self, number: int, graph: ConceptGraph, concept: str) -> Iterator[tuple[str, Reason]]:
        """Every label of every near concept, with its reason."""
        similarities = self._spread(graph, concept)
        least = self._min_weight
        if least is None:
            least = self._measure.cut_off * float(similarities[graph.position(concept)])
        near = np.flatnonzero((similarities >= least) & (similarities > 0))
        for position, similarity in zip(near.tolist(), similarities[near].tolist(), strict=True):
            for key, text, weight in self._labels_at(graph, position):
                if similarity * weight >= least and weight > 0:
                    yield key, Reason(number, graph.ids[position], text, similarity, weight)

    def _spread(self, graph: ConceptGraph, concept: str) -> NDArray[np.float64]:
        measure = self._measure
        if isinstance(measure, FittingMeasure):
            measure = measure.fitted(graph, concept)
        similarities = measure.spread(graph, concept)
        if self._max_distance is not None:
            far = hierarchy_of(graph).distances(graph.position(concept))
            similarities = np.where(far <= self._max_distance, similarities, 0.0)
        return similarities

    def _labels_at(self, graph: ConceptGraph, position: int) -> list[tuple[str, str, float]]:
        place = (id(graph), position)
        if place not in self._labels:
            labels = in_language(graph.labels(graph.ids[position]), self._topic.language)
            keyed = ((label_key(label.text), label) for label in labels)
            self._labels[place] = [(key, label.text, label.weight) for key, label in keyed if key]
        return self._labels[place]


def _keep_best(found: Found, offered: Iterator[tuple[str, Reason]]) -> None:
    for key, why in offered:
        known = found.get(key)
        if known is None or (
            why.similarity * why.label_weight > known.similarity * known.label_weight
        ):
            found[key] = why


def _idf(name: str, background: Background | None) -> float:
    if background is None:
        return 1.0
    return term_idf(" ".join(terms(name)), background.idfs)


def _heaviest(lens: Lens, limit: int) -> Lens:
    kept = nlargest(limit, lens.weights, key=lambda key: (lens.weights[key], key))
    return Lens(lens.name, lens.parts, {key: lens.reasons[key] for key in sorted(kept)})
