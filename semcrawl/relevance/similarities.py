"""Text similarities: how near a text is to a topic, by a name that users give.

`SIMILARITIES` has the names. That of the judge ``labels`` is in label_similarity.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import partial
from heapq import nlargest
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Self

from semcrawl.errors import ConfigError
from semcrawl.relevance.explanation import (
    Explanation,
    Match,
    ScoreFactor,
    explain,
    explanation_of,
    found_labels,
    weighted_match,
)
from semcrawl.relevance.label_forms import key_idf
from semcrawl.relevance.lens import Lens, Reason, TopicPart, longest_runs, topic_graphs, usual_senses
from semcrawl.relevance.measures import Ehrig, Li, Measure, WuPalmer
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser, language_code
from semcrawl.text.phrases import Counts, OrderedWords, WrittenText
from semcrawl.text.terms import Remembered
from semcrawl.text.vectors import Vector, norm, tf_idf
from semcrawl.text.vocabulary import ByWord

if TYPE_CHECKING:
    from semcrawl.page import Page
    from semcrawl.topics.topic import Topic


TOP_CLASSES = 3  # "some of the top-scoring classes" (Chakrabarti et al. 2002, section 3.8)


class TextSimilarity(ABC):
    """A topic made ready to be compared with many texts, by several threads at once; it may have a ``lens``."""

    for_short_texts: bool = True  # such as anchors, not only whole pages
    lens: Lens | None = None

    @abstractmethod
    def __call__(self, counts: Counts, words: OrderedWords | None = None, text: WrittenText | None = None) -> float:
        """Return the similarity of the text with these term counts; 0 for a text without terms.

        ``words`` is called where the text may hold phrases, ``text`` where it may hold
        acronyms; without them none is found.
        """

    def for_page(self, page: Page) -> TextSimilarity:  # noqa: ARG002
        """Return what compares the texts of a page: another one in another language."""
        return self

    @property
    def through_lens(self) -> TextSimilarity:
        """What the lens alone says of texts: itself, unless something is learnt beside it."""
        return self

    def each_language(self) -> tuple[TextSimilarity, ...]:
        """Return the similarities of the topic's languages: itself where there is one."""
        return (self,)

    def of_page(self, page: Page) -> float:
        """Return the similarity of a page to the topic."""
        return self(page.terms, lambda: page.words, lambda: page.text)

    def judge(self, page: Page) -> tuple[float, tuple[str, ...]]:
        """Return the similarity of a page, and the concepts that it fits best, where they are known."""
        return self.of_page(page), ()

    @abstractmethod
    def of_text(self, text: str) -> float:
        """Return the similarity of a text in the topic's language to the topic."""

    def of_texts(self, texts: Collection[str]) -> list[float]:
        """Return the similarity of each of many short texts: may be quicker than one by one."""
        return list(map(self.of_text, texts))

    @abstractmethod
    def explain(self, text: str) -> Explanation:
        """Return which words of a text gave how much."""

    def explain_page(self, page: Page) -> Explanation:
        """Return which words of a page gave how much."""
        return self.explain(page.text)


class CosineSimilarity(TextSimilarity):
    """Cosine of a text's tf·idf vector with the topic's (Batsakis 2007, eq. 1 and 2).

    Equal to ``cosine(tf_idf(counts, background), topic_vector)``: dividing by the
    largest frequency cancels out in a cosine.

    >>> plain = Background.from_counts({"cat": 1, "dog": 1}, documents=10)
    >>> round(CosineSimilarity({"cat": 1.0}, plain)({"cat": 3, "dog": 4}), 6)
    0.6
    """

    name: ClassVar[str] = "cosine"

    def __init__(self, topic: Vector, background: Background, language: str = "en") -> None:
        length = norm(topic)
        self._unit = {term: weight / length for term, weight in topic.items()} if length else {}
        self._background = background
        self._idfs = background.idfs
        self._is_in_topic = ByWord(self._unit.__contains__, bool)
        self._analyser = analyser(language)

    @classmethod
    def of_topic(cls, topic: Topic, background: Background) -> CosineSimilarity:
        """Return the cosine with a topic's tf·idf vector."""
        vector = topic.vector(background, topic.language)
        return CosineSimilarity(vector, background, topic.language)

    def of_text(self, text: str) -> float:
        """Return the cosine of a text and the topic."""
        return self(self._analyser.count_terms(text))

    def of_texts(self, texts: Collection[str]) -> list[float]:
        """Return the cosine of each of many short texts and the topic."""
        read = self._analyser.read_all(texts)
        # Few anchors have a word of the topic: the others need no counts.
        near = set(read.text_of_term[self._is_in_topic.of(read.words)].tolist())
        return [self.of_text(text) if place in near else 0.0 for place, text in enumerate(texts)]

    def __call__(self, counts: Counts, words: OrderedWords | None = None, text: WrittenText | None = None) -> float:  # noqa: ARG002
        """Return the cosine of the text with these term counts and the topic."""
        idfs = self._idfs
        if counts.keys().isdisjoint(self._unit):
            return 0.0
        length = sqrt(sum([(count * idfs[term]) ** 2 for term, count in counts.items()]))
        return self._cosine(counts, length)

    def of_page(self, page: Page) -> float:
        """Return the cosine of a page and the topic."""
        words = page.words
        counts = words.count_terms(self._is_in_topic)
        if not counts:
            return 0.0
        vector = words.counts * self._background.idfs_of(words)
        return self._cosine(counts, sqrt(vector @ vector))

    def _cosine(self, counts: Counts, length: float) -> float:
        """Return the cosine of a text with these counts, whose vector has this length."""
        unit, idfs = self._unit, self._idfs
        fewer, more = (counts, unit) if len(counts) < len(unit) else (unit, counts)
        shared = [term for term in fewer if term in more]
        dot = sum([counts[term] * idfs[term] * unit[term] for term in shared])
        return min(1.0, dot / length) if length else 0.0

    def explain(self, text: str) -> Explanation:
        """Return which words of a text gave how much."""
        counts = self._analyser.count_terms(text)
        length = sqrt(sum((count * self._idfs[term]) ** 2 for term, count in counts.items()))
        shown = (ScoreFactor("length of the text's vector", length),)
        parts = [TopicPart(term, weight) for term, weight in self._unit.items()]
        reasons = {part.name: (Reason(number, None, part.name, 1.0, 1.0),) for number, part in enumerate(parts)}
        lens = Lens(self.name, parts, reasons, language=self._analyser.language)
        return explain(lens, text, self.name, idfs=self._idfs, normalisers=shown, limit=1.0)


_LONGEST = 4


class SynonymSimilarity(CosineSimilarity):
    """cos(p, q^) for pages and cos(a^, q^) for anchors, q^ and a^ expanded (Batsakis 2007, eq. 10).

    q^ holds every label of the topic's concepts and the synonyms of its keywords. In a^ each
    word, or the longest run of up to four words that is a label, brings those of its first
    ``senses``. They come from the topic's graphs, or from WordNet where it has none.

    >>> from semcrawl.topics import Topic
    >>> similarity = SynonymSimilarity(Topic.parse("keywords:car"), Background.default())
    >>> similarity.of_anchor("automobile") > similarity.of_text("automobile") > 0
    True
    """

    name = "synonym-sets"

    def __init__(self, topic: Topic, background: Background, senses: int = 1) -> None:
        if senses < 1:
            raise ConfigError(f"synonyms: senses={senses} must be 1 or more")
        self._senses = senses
        self._analyser = analyser(topic.language)
        self._graphs = topic_graphs(topic, topic.language)
        self._synonyms = Remembered(self._looked_up)
        counts = dict(topic.counts(topic.language, background))
        for keyword in topic.keywords:
            for term, count in self._added(keyword.text).items():
                counts[term] = counts.get(term, 0.0) + count * keyword.weight
        super().__init__(tf_idf(counts, background), background, topic.language)

    def of_anchor(self, text: str) -> float:
        """Return the cosine of an anchor text, expanded, and the expanded topic."""
        return self(self.expand(text))

    def expand(self, text: str) -> dict[str, int]:
        """Return the term counts of a text together with the synonyms of its words."""
        return Counter(self._analyser.count_terms(text)) + self._added(text)

    def _added(self, text: str) -> Counter[str]:
        runs = longest_runs(self._analyser.tokens(text), _LONGEST, self._synonyms.__getitem__)
        return Counter(term for _, added in runs for term in added)

    def _looked_up(self, phrase: str) -> tuple[str, ...] | None:
        """Return the terms that the synonyms of a phrase add to it; None if it is no label."""
        own = self._analyser.terms(phrase)
        if not own:
            return None
        labels = [
            label.text
            for graph in self._graphs
            for sense in usual_senses(graph, phrase)[: self._senses]
            for label in graph.labels(sense)
        ]
        if not labels:
            return None
        added = dict.fromkeys(term for label in labels for term in self._analyser.terms(label))
        return tuple(term for term in added if term not in own)


class LensSimilarity(TextSimilarity):
    """A similarity that knows concepts: texts are looked at through a lens."""

    usual_measure: ClassVar[type[Measure]]
    by_idf: ClassVar[bool] = True  # else terms weigh tf, which needs no background
    lens: Lens

    def __init__(self, lens: Lens, background: Background | None = None, *, squash: bool = False) -> None:
        """Take a lens compiled with the same background; with ``squash`` x is x / (1 + x)."""
        self.lens = lens
        self._squash = squash
        self._background = background
        self._version = 0 if background is None else background.version
        self._idfs: Mapping[str, float] = {} if background is None else background.idfs

    @classmethod
    def of_topic(
        cls,
        topic: Topic,
        background: Background | None = None,
        measure: str | Measure | None = None,
        *,
        squash: bool = False,
        **options: Any,
    ) -> Self:
        """Return the similarity to a topic; the options are those of :meth:`Lens.compile`."""
        if background is None and cls.by_idf:
            background = topic.background()
        seen_with = background if cls.by_idf else None
        lens = Lens.compile(topic, measure or cls.usual_measure(), background=seen_with, **options)
        return cls(lens, background, squash=squash)

    def __call__(self, counts: Counts, words: OrderedWords | None = None, text: WrittenText | None = None) -> float:
        """Return the similarity of the text with these term counts to the topic."""
        return self.score(*self.lens.split(counts, words, text))

    def for_page(self, page: Page) -> TextSimilarity:  # noqa: ARG002
        """Return itself, with the idfs of now."""
        if self._background is not None and self._background.version != self._version:
            self._version = self._background.version
            self.weigh()
        return self

    def weigh(self) -> None:
        """Work out anew what was made from idfs."""

    def judge(self, page: Page) -> tuple[float, tuple[str, ...]]:
        """Return the similarity of a page, and the concepts that give most of it, the best first."""
        stems, phrases = self.lens.split(page.terms, lambda: page.words, lambda: page.text)
        value = self.score(stems, phrases)
        return value, self.best_concepts(stems, phrases) if value else ()

    def best_concepts(self, stems: Counts, phrases: Counts) -> tuple[str, ...]:
        """Return the concepts that give a text most of its weight, the best first."""
        weights, given = self.lens.weights, dict[str, float]()
        for term, count in (*stems.items(), *phrases.items()):
            if term in weights:
                concept = max(self.lens.reasons[term], key=lambda why: why.similarity).concept
                if concept is not None:
                    given[concept] = given.get(concept, 0.0) + count * weights[term]
        return tuple(nlargest(TOP_CLASSES, given, key=given.__getitem__))

    @abstractmethod
    def score(self, stems: Counts, phrases: Counts) -> float:
        """Return the similarity of a text, parted as by ``PhraseMatcher.split``, to the topic."""

    def of_text(self, text: str) -> float:
        """Return the similarity of a text to the topic, phrases included."""
        return self.score(*self.lens.read(text))


class EhrigSimilarity(LensSimilarity):
    """sum_j sum_k sim(t_j, t_k) w_ij w_qk with tf weights (Batsakis 2007, eq. 8).

    It has no upper bound: fit for ordering links, and with ``squash`` for a judge.

    >>> from semcrawl.topics import Topic
    >>> similarity = EhrigSimilarity.of_topic(Topic.parse("wordnet:asthma"))
    >>> similarity.of_text("Asthma and bronchitis"), similarity.of_text("Steam engines")
    (1.25, 0.0)
    """

    usual_measure = Ehrig
    by_idf = False

    def score(self, stems: Counts, phrases: Counts) -> float:
        """Return the sum over the terms of a text."""
        weights = self.lens.weights
        dot = sum([count * weights[stem] for stem, count in stems.items() if stem in weights])
        dot += sum([count * weights[phrase] for phrase, count in phrases.items()])
        if not dot:
            return 0.0
        value = dot / _largest(stems, phrases)
        return value / (1 + value) if self._squash else value

    def explain(self, text: str) -> Explanation:
        """Return which words of a text gave how much."""
        largest = ScoreFactor("largest frequency in the text", _largest(*self.lens.read(text)))
        return explain(self.lens, text, "ehrig", normalisers=(largest,), squashed=self._squash)


def _largest(stems: Counts, phrases: Counts) -> float:
    return float(max(max(stems.values(), default=1), max(phrases.values(), default=1)))


class SsrmSimilarity(LensSimilarity):
    """The double sum of similarities, over the two vector lengths (Batsakis 2007, eq. 9).

    The double sum can exceed 1: fit for ordering links, and with ``squash`` for a judge.

    >>> from semcrawl.topics import Topic
    >>> topic = Topic.parse("wordnet:asthma")
    >>> similarity = SsrmSimilarity.of_topic(topic, Background.default())
    >>> round(similarity.of_text("Asthma and bronchitis"), 3), similarity.of_text("Steam engines")
    (1.18, 0.0)
    """

    usual_measure = Li

    def __init__(self, lens: Lens, background: Background, *, squash: bool = False) -> None:
        super().__init__(lens, background, squash=squash)
        self.weigh()

    def weigh(self) -> None:
        """Work out what one occurrence of each label adds, by the idfs of now."""
        self._key_idfs = {key: key_idf(key, self._idfs) for key in self.lens.weights}
        # What one occurrence of a label adds to the dot product.
        self._gains = {key: weight * self._key_idfs[key] for key, weight in self.lens.weights.items()}

    def score(self, stems: Counts, phrases: Counts) -> float:
        """Return the double sum over the lengths of both vectors."""
        gains = self._gains
        found = [stem for stem in stems if stem in gains]
        if not found and not phrases:
            return 0.0
        dot = sum([stems[stem] * gains[stem] for stem in found])
        dot += sum([count * gains[phrase] for phrase, count in phrases.items()])
        lengths = self._length(stems, phrases) * self.lens.length
        value = dot / lengths if lengths else 0.0
        return value / (1 + value) if self._squash else value

    def explain(self, text: str) -> Explanation:
        """Return which words of a text gave how much."""
        lengths = (
            ScoreFactor("length of the text's vector", self._length(*self.lens.read(text))),
            ScoreFactor("length of the topic's vector", self.lens.length),
        )
        return explain(self.lens, text, "ssrm", idfs=self._idfs, normalisers=lengths, squashed=self._squash)

    def _length(self, stems: Counts, phrases: Counts) -> float:
        idfs, key_idfs = self._idfs, self._key_idfs
        squares = sum([(count * idfs[stem]) ** 2 for stem, count in stems.items()])
        for phrase, count in phrases.items():
            squares += (count * key_idfs[phrase]) ** 2
        return sqrt(squares)


class MihalceaSimilarity(LensSimilarity):
    """Mean of two directions of maxSim weighted by idf (Corley, Mihalcea 2005, eq. 5 and 6).

    Every different term of the text with the part of the topic nearest to it, and every part with the term nearest to
    it; the topic's mean is also weighted by its parts. ``squash`` does nothing.

    >>> from semcrawl.topics import Topic
    >>> topic = Topic.parse("wordnet:asthma")
    >>> similarity = MihalceaSimilarity.of_topic(topic, Background.default())
    >>> similarity.of_text("Asthma"), similarity.of_text("Steam engines")
    (1.0, 0.0)
    """

    usual_measure = WuPalmer

    def __init__(self, lens: Lens, background: Background, *, squash: bool = False) -> None:
        super().__init__(lens, background, squash=squash)
        self._total = sum(part.weight for part in lens.parts)

    def score(self, stems: Counts, phrases: Counts) -> float:
        """Return the mean of both directions."""
        idfs, reasons = self._idfs, self.lens.reasons
        found = {stem: idfs[stem] for stem in stems if stem in reasons}
        whole = {phrase: key_idf(phrase, idfs) for phrase in phrases}
        if not found and not whole:
            return 0.0
        from_text, best = self._nearest({**found, **whole})
        total = sum([idfs[stem] for stem in stems]) + sum(whole.values())
        from_topic = sum(part.weight * value for part, value in zip(self.lens.parts, best, strict=True))
        if not total or not self._total:
            return 0.0
        return min(1.0, (from_text / total + from_topic / self._total) / 2)

    def _nearest(self, found: Mapping[str, float]) -> tuple[float, list[float]]:
        best = [0.0] * len(self.lens.parts)
        from_text = 0.0
        for term, idf in found.items():
            near = 0.0
            for why in self.lens.reasons[term]:
                value = why.value
                near = max(near, value)
                best[why.part] = max(best[why.part], value)
            from_text += near * idf
        return from_text, best

    def explain(self, text: str) -> Explanation:
        """Return which words gave how much: half from the text's terms, half from the topic's."""
        found = found_labels(self.lens, text)
        stems, phrases = self.lens.read(text)
        idfs = self._idfs
        total = sum(idfs[stem] for stem in stems) + sum(key_idf(key, idfs) for key in phrases)
        matches: list[Match] = []
        nearest: dict[int, tuple[Reason, str]] = {}
        for key, forms in found.items() if total and self._total else ():
            best = max(self.lens.reasons[key], key=lambda why: why.value)
            share = key_idf(key, idfs) / (2 * total)
            part = self.lens.parts[best.part]
            matches.append(weighted_match(part, best, forms, text_weight=share, topic_weight=1.0))
            for why in self.lens.reasons[key]:
                if why.part not in nearest or why.value > nearest[why.part][0].value:
                    nearest[why.part] = why, key
        for number, (why, key) in nearest.items():
            part = self.lens.parts[number]
            share = part.weight / (2 * self._total)
            matches.append(weighted_match(part, why, found[key], text_weight=1.0, topic_weight=share))
        return explanation_of("mihalcea", matches, limit=1.0)


class ManyLanguages(TextSimilarity):
    """A similarity for each language of a topic: a page is compared in the one that it is in."""

    def __init__(self, by_language: Mapping[str, TextSimilarity]) -> None:
        self._by_language = by_language
        self._first = next(iter(by_language.values()))
        self.for_short_texts = self._first.for_short_texts
        self.lens = self._first.lens

    def for_page(self, page: Page) -> TextSimilarity:
        """Return the similarity of the language that the page is read in."""
        return self._by_language.get(page.reading_language, self._first).for_page(page)

    def each_language(self) -> tuple[TextSimilarity, ...]:
        """Return the similarities of the topic's languages."""
        return tuple(self._by_language.values())

    def of_page(self, page: Page) -> float:
        """Return the similarity of a page to the topic."""
        return self.for_page(page).of_page(page)

    def __call__(self, counts: Counts, words: OrderedWords | None = None, text: WrittenText | None = None) -> float:
        """Return the largest of the similarities: nobody says which language it is."""
        return max(each(counts, words, text) for each in self._by_language.values())

    def of_text(self, text: str) -> float:
        """Return the largest of the similarities of a text."""
        return max(each.of_text(text) for each in self._by_language.values())

    def explain(self, text: str) -> Explanation:
        """Return which words of a text gave how much, in the language that gave most."""
        best = max(self._by_language.values(), key=lambda each: each.of_text(text))
        return best.explain(text)

    def explain_page(self, page: Page) -> Explanation:
        """Return which words of a page gave how much."""
        return self.for_page(page).explain_page(page)


def in_languages(
    topic: Topic, background: Background | None, build: Callable[[Topic, Background], TextSimilarity]
) -> TextSimilarity:
    """Return what ``build`` makes of a topic, once for each of its languages."""
    if background is None:
        background = topic.background()
    codes = dict.fromkeys(map(language_code, topic.languages))
    made = {code: build(topic.in_language(code), background.of(code)) for code in codes}
    return ManyLanguages(made) if len(made) > 1 else made[language_code(topic.language)]


def _labels(topic: Topic, background: Background) -> TextSimilarity:
    from semcrawl.relevance.label_similarity import LabelSimilarity  # which is made of this module

    return LabelSimilarity.of_topic(topic, background)


SIMILARITIES: dict[str, Callable[..., TextSimilarity]] = {
    "labels": _labels,
    "cosine": CosineSimilarity.of_topic,
    # Where no document has any term, all terms have one idf, and a cosine does not see it.
    "tf": lambda topic, _: CosineSimilarity.of_topic(topic, Background.from_counts({}, documents=2)),
    "ehrig": EhrigSimilarity.of_topic,
    "ssrm": SsrmSimilarity.of_topic,
    "mihalcea": MihalceaSimilarity.of_topic,
    "synonym-sets": SynonymSimilarity,
}

WITH_CONCEPTS = ("ehrig", "ssrm", "mihalcea")
"""The similarities to which ``measure``, ``min_weight``, ``senses`` and the like mean something."""


def similarity_named(
    name: str,
    topic: Topic,
    background: Background | None = None,
    *,
    measure: str = "",
    min_weight: float = -1.0,
    max_distance: int = 0,
    senses: int = -1,
    squash: bool = True,
) -> TextSimilarity:
    """Return a text similarity to a topic, by a key of ``SIMILARITIES`` and options.

    The options are as users give them: ``measure`` "" is what the similarity uses by itself, ``min_weight`` below 0 the
    measure's cut-off, ``max_distance`` 0 no limit. ``senses`` is in how many senses keywords are looked up; below 0, in
    the first where the topic is keywords only (Batsakis 2007, section 3.3), and else in none.
    """
    build = SIMILARITIES[name]
    options: dict[str, object] = {}
    if name in WITH_CONCEPTS:
        options = {
            "measure": measure or None,
            "min_weight": None if min_weight < 0 else min_weight,
            "max_distance": max_distance or None,
            "senses": senses if senses >= 0 else int(not topic.concepts),
            "squash": squash,
        }
    return in_languages(topic, background, partial(build, **options))
