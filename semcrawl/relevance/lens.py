"""A lens: the labels of a topic with their weights, and finding them in texts.

`Lens.compile` chooses labels through a measure: those of all near concepts. The other way to
choose them is in :mod:`~semcrawl.relevance.topic_labels`. In which forms a label is matched is
said by :mod:`~semcrawl.relevance.label_forms`.

Ehrig's and SSRM's double sums are linear in the text's term vector: the sum over the topic's
terms is taken once, before the crawl; a text's score is then one sparse dot product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from math import isfinite, sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.garbage_collection import no_garbage_collection
from semcrawl.notebook import bars
from semcrawl.relevance import label_forms
from semcrawl.relevance.hierarchy import hierarchy_of
from semcrawl.relevance.measures import Li, Measure, measure_named, senses, spread_from_topic
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser, language_code
from semcrawl.text.phrases import EXACT, Counts, ExactMatcher, OrderedWords, PhraseMatcher, WrittenText
from semcrawl.text.terms import Analyser
from semcrawl.topics.concepts import ConceptGraph
from semcrawl.topics.topic import Topic
from semcrawl.topics.wordnet import wordnet

if TYPE_CHECKING:
    from semcrawl.relevance.explanation import Explanation

    Found = dict[str, "Reason"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TopicPart:
    """A concept or a keyword of the topic, with its weight w_qk."""

    name: str
    weight: float
    concept: str | None = None  # the id in the graph; both are None for a keyword
    graph: ConceptGraph | None = field(default=None, compare=False, repr=False)
    alone: bool = False  # without what is narrower


class Reason(NamedTuple):
    """Why a label is in a lens: its ``similarity`` to a part of the topic."""

    part: int  # the place in Lens.parts
    concept: str | None  # the label's nearest sense, None for a word of a keyword
    label: str
    similarity: float
    label_weight: float  # how good a name of the concept the label is, at most 1

    @property
    def value(self) -> float:
        """The similarity times the label's weight."""
        return self.similarity * self.label_weight


class LensLabel(NamedTuple):
    """A label of a lens, for people: its text, weight, and the concept it comes from."""

    text: str
    weight: float
    concept: str | None
    share: float = 1.0  # of the label's weight, how good a name of the concept it is


@dataclass(eq=False, repr=False)
class Lens:
    """Stems and phrases with their weights for a topic; :meth:`compile` makes one.

    The weight of a label is the sum over the topic's parts k of w_k times the similarity of k and the label's nearest
    sense; with ``nearest_part`` it is the largest of them. ``weights`` and ``reasons`` are keyed as in
    :mod:`~semcrawl.relevance.label_forms`; ``length`` is that of the vector of w_k.
    """

    name: str
    parts: Sequence[TopicPart]
    reasons: Mapping[str, tuple[Reason, ...]]
    language: str = "en"
    nearest_part: bool = False

    def __post_init__(self) -> None:
        self._join = max if self.nearest_part else sum
        self.weights = {key: self._weight(why) for key, why in self.reasons.items()}
        self.length = sqrt(sum(part.weight**2 for part in self.parts))
        self.phrases = PhraseMatcher(key for key in self.reasons if " " in key and key[0] != EXACT)
        self.exact = ExactMatcher(label_forms.exact_stems(self.reasons, self.analyser))

    @cached_property
    def analyser(self) -> Analyser:
        """What makes terms of the texts that the lens is for."""
        return analyser(self.language)

    @classmethod
    def compile(
        cls,
        topic: Topic,
        measure: str | Measure | None = None,
        *,
        background: Background | None = None,
        min_weight: float | None = None,
        max_distance: int | None = None,
        senses: int = 0,
    ) -> Lens:
        """Compile a topic.

        Args:
            topic: its concepts and keywords are the parts of the lens.
            measure: a measure, or the name of one with options; li without it.
            background: where the parts' weights shall be tf·idf instead of tf.
            min_weight: least similarity times label weight; by default the measure's
                ``cut_off`` times the part's similarity with itself; 0 as in the papers.
            max_distance: the longest is-a path from a part that is followed.
            senses: in how many senses keywords are also looked up, the most usual first, in
                the topic's graphs, or in WordNet if it has no concepts; 0 for none. What is
                no label as a whole is looked up word by word, each for its share.

        Raises:
            ConfigError: a number out of range, or no such measure.

        >>> from semcrawl.topics import Topic
        >>> lens = Lens.compile(Topic.parse("wordnet:asthma"))
        >>> [label.text for label in lens.strongest(3)]
        ['asthma', 'asthma attack', 'bronchial asthma']
        """
        if min_weight is not None and not (isfinite(min_weight) and min_weight >= 0):
            raise ConfigError(f"a lens with min_weight={min_weight}: it must be a number >= 0")
        if max_distance is not None and max_distance < 0:
            raise ConfigError(f"a lens with max_distance={max_distance}: it must be 0 or more")
        if senses < 0:
            raise ConfigError(f"a lens with senses={senses}: it must be 0 or more")
        chosen = measure_named(measure or Li())
        with no_garbage_collection():
            compiler = _LensCompiler(topic, chosen, min_weight, max_distance, senses)
            parts = _weighted_parts(topic, background)
            return cls(topic.name, parts, compiler.reasons(parts), language=topic.language)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<Lens on {self.name}: {len(self):,} labels, {len(self.phrases):,} of them phrases>"

    def _repr_html_(self) -> str:
        return bars(repr(self)[1:-1], {label.text: label.weight for label in self.strongest()})

    def weight(self, label: str) -> float:
        """Return the weight of a word or phrase, 0 where the lens does not show it."""
        keys = (EXACT + label, label_forms.label_key(label, self.analyser))
        return max(self.weights.get(key, 0.0) for key in keys)

    def strongest(self, n: int = 20, *, first: Collection[str] = ()) -> list[LensLabel]:
        """Return the heaviest labels; of equal ones the topic's own, then the most usual.

        Words go before phrases, and both before acronyms. ``first`` are keys that come before
        all others. A label with several forms is one.
        """
        common, named = label_forms.background_of(self.language), {*first}
        steps = self._steps_down()

        def order(key: str) -> tuple[bool, float, bool, bool, int, int, int, str]:
            stems = key.split(" ")
            usual = 0 if common is None else -min(map(common.df, stems))
            weight = round(self.weights[key], 9)
            far = min(steps.get((why.part, why.concept), 0) for why in self.reasons[key])
            is_exact = key.startswith(EXACT)
            return key not in named, -weight, far > 0, is_exact, len(stems), usual, far, key

        shown: dict[tuple[str, str | None], LensLabel] = {}
        for key in sorted(self.weights, key=order):
            best = max(self.reasons[key], key=lambda why: self._weight((why,)))
            text = label_forms.without_notation(best.label)
            label = LensLabel(text, self.weights[key], best.concept, best.label_weight)
            shown.setdefault((best.label, best.concept), label)
            if len(shown) == n:
                break
        return list(shown.values())

    def _steps_down(self) -> dict[tuple[int, str | None], int]:
        """Return how far below its part the concept of a reason is; part by part: each takes as much as its graph."""
        concepts: dict[int, set[str]] = {}
        for why in chain.from_iterable(self.reasons.values()):
            concepts.setdefault(why.part, set()).add(why.concept or "")
        found: dict[tuple[int, str | None], int] = {}
        for number, known in concepts.items():
            part, graph = self.parts[number], self.parts[number].graph
            if graph is not None and part.concept is not None:
                below = hierarchy_of(graph).below(graph.position(part.concept))
                found |= {(number, one): int(below[graph.position(one)]) for one in known if one in graph}
        return found

    def read(self, text: str) -> tuple[Counts, Counts]:
        """Return the counts of a text's single stems, and those of the lens's labels in it."""
        if not len(self.phrases):
            return self.split(self.analyser.count_terms(text), list, lambda: text)
        words = self.analyser.words(text)
        counts = Counter(self.analyser.terms_among(words))
        return self.split(counts, lambda: words, lambda: text)

    def split(self, counts: Counts, words: OrderedWords, text: WrittenText) -> tuple[Counts, Counts]:
        """Count stems outside phrases, and phrases (by ``words``) with acronyms (by ``text``)."""
        stems, phrases = self.phrases.split(counts, words)
        exact = self.exact.count(counts, text)
        return stems, {**phrases, **exact} if exact else phrases

    def labels_in(self, counts: Counts, words: OrderedWords, text: WrittenText) -> Counts:
        """Return how often each phrase and each acronym of the lens is in a text."""
        phrases = self.phrases.count(counts, words)
        exact = self.exact.count(counts, text)
        return {**phrases, **exact} if exact else phrases

    def explain(self, text: str) -> Explanation:
        """Return what the lens sees in a text: the sum of counts times weights, piece by piece."""
        from semcrawl.relevance.explanation import explain

        return explain(self, text, "lens")

    def _weight(self, reasons: tuple[Reason, ...]) -> float:
        if len(reasons) == 1:
            (why,) = reasons
            return self.parts[why.part].weight * why.similarity * why.label_weight
        return self._join(self.parts[why.part].weight * why.similarity * why.label_weight for why in reasons)


def topic_parts(topic: Topic) -> list[TopicPart]:
    """Return the concepts and keywords of a topic, the weightiest at 1."""
    parts = [
        TopicPart(part.graph.label(part.id), part.weight, part.id, part.graph, part.alone) for part in topic.concepts
    ] + [TopicPart(keyword.text, keyword.weight) for keyword in topic.keywords]
    largest = max((part.weight for part in parts), default=1.0)
    return [replace(part, weight=part.weight / largest) for part in parts if part.weight > 0]


def _weighted_parts(topic: Topic, background: Background | None) -> list[TopicPart]:
    def idf(name: str) -> float:
        stems = " ".join(analyser(topic.language).terms(name))
        return 1.0 if background is None else label_forms.key_idf(stems, background.idfs)

    return [replace(part, weight=part.weight * idf(part.name)) for part in topic_parts(topic)]


_LONGEST_LABEL = 6  # words of a keyword that are looked up together


@dataclass(slots=True)
class _LensCompiler:
    topic: Topic
    measure: Measure
    min_weight: float | None
    max_distance: int | None
    senses: int

    def reasons(self, parts: Sequence[TopicPart]) -> dict[str, tuple[Reason, ...]]:
        reasons: dict[str, list[Reason]] = {}
        for number, part in enumerate(parts):
            for key, why in self._found(number, part).items():
                reasons.setdefault(key, []).append(why)
        return {key: tuple(why) for key, why in reasons.items()}

    def _found(self, number: int, part: TopicPart) -> Found:
        if part.graph is not None and part.concept is not None:
            found: Found = {}
            _keep_best(found, self._near(number, part.graph, part.concept))
            return found
        language = analyser(self.topic.language)
        # The keyword as a phrase, and each of its n words by itself as one n-th of it.
        stems = language.terms(part.name)
        found = {stem: Reason(number, None, stem, 1 / len(stems), 1.0) for stem in stems}
        for form in label_forms.read_label(part.name, language).forms:
            found[form.key] = Reason(number, None, part.name, 1.0, 1.0)
        for graph in topic_graphs(self.topic, self.topic.language) if self.senses else ():
            for phrase, share in _named_in(graph, part.name, language):
                for sense in usual_senses(graph, phrase, "n")[: self.senses]:
                    _keep_best(found, self._near(number, graph, sense, share))
        return found

    def _near(self, number: int, graph: ConceptGraph, concept: str, share: float = 1.0) -> Iterator[tuple[str, Reason]]:
        similarities = spread_from_topic(self.measure, graph, concept)
        if self.max_distance is not None:
            far = hierarchy_of(graph).distances(graph.position(concept))
            similarities = np.where(far <= self.max_distance, similarities, 0.0)
        least = self.min_weight
        if least is None:
            least = self.measure.cut_off * float(similarities[graph.position(concept)])
        near = np.flatnonzero((similarities >= least) & (similarities > 0))
        readings = label_forms.label_readings(graph, self.topic.language)
        for position, similarity in zip(near.tolist(), similarities[near].tolist(), strict=True):
            for key, text, weight in readings.of_concept(position):
                if similarity * weight >= least and weight > 0:
                    near_by = similarity * share
                    yield key, Reason(number, graph.ids[position], text, near_by, weight)


def topic_graphs(topic: Topic, language: str = "en") -> list[ConceptGraph]:
    """Return the graphs of a topic's concepts; WordNet for one without, in English."""
    graphs = {id(concept.graph): concept.graph for concept in topic.concepts}
    if not graphs and language_code(language) == "en":
        return [wordnet().graph]
    return list(graphs.values())


def usual_senses(graph: ConceptGraph, phrase: str, pos: str | None = None) -> list[str]:
    """Return the concepts that a phrase may name, usual first; in WordNet of one part of speech."""
    words = wordnet()
    if graph is not words.graph:
        return senses(graph, phrase)
    # WordNet knows inflected forms better than stems do.
    return words.senses(phrase, pos) or words.senses(phrase)


def longest_runs(words: Sequence[str], most: int, look_up: Callable[[str], T | None]) -> Iterator[tuple[str, T]]:
    """Yield runs of up to ``most`` words, the longest from left to right, for which something is found, and that.

    >>> list(longest_runs(["a", "cat", "in", "bed"], 2, {"a cat": 1, "cat": 2, "bed": 3}.get))
    [('a cat', 1), ('bed', 3)]
    """
    place = 0
    while place < len(words):
        for size in range(min(most, len(words) - place), 0, -1):
            phrase = " ".join(words[place : place + size])
            if (found := look_up(phrase)) is not None:
                yield phrase, found
                break
        place += size


def _named_in(graph: ConceptGraph, keyword: str, language: Analyser) -> Iterator[tuple[str, float]]:
    """Yield the longest runs of a keyword's words that name a concept, with their shares of it."""
    whole = len(language.terms(keyword))

    def share(phrase: str) -> float | None:
        terms = len(language.terms(phrase))
        return terms / whole if terms and usual_senses(graph, phrase, "n") else None

    return longest_runs(language.tokens(keyword), _LONGEST_LABEL, share)


def _keep_best(found: Found, offered: Iterator[tuple[str, Reason]]) -> None:
    for key, why in offered:
        if key not in found or why.value > found[key].value:
            found[key] = why
