"""How far a page is about a topic, by the topic's labels in its title, its beginning and its text.

Weights were chosen by the mean F on the ten development topics; see docs/judges.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import takewhile
from math import log1p, sqrt
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyoxigraph as ox
from numpy.typing import NDArray

from semcrawl.relevance.explanation import Explanation, Match, ScoreFactor, explanation_of, found_labels, weighted_match
from semcrawl.relevance.label_forms import LONGEST_ACRONYM, exact_stems, key_idf
from semcrawl.relevance.lens import Reason, TopicPart
from semcrawl.relevance.similarities import TOP_CLASSES, LensSimilarity
from semcrawl.relevance.topic_labels import TopicLabels, relation_to_topic, topic_labels
from semcrawl.text.background import Background
from semcrawl.text.phrases import Counts, Phrase, WrittenText, acronym_uses, counted
from semcrawl.text.vocabulary import ByWord, ShortTexts, WordSequence
from semcrawl.topics.sources import concept_iri
from semcrawl.topics.topic import Topic

if TYPE_CHECKING:
    from semcrawl.page import Page

LEAD = 40  # words of a page that count as its beginning, besides as many as its title has
HALF = 0.56  # the sum at which a page is as likely on the topic as not

_LABELS = 0.5  # what a label of the topic weighs
_OWN_IN_TEXT = 4.0  # what the topic's own names weigh besides, in the text
_OWN_IN_LEAD = 2.0  # and in its beginning
_TITLE = 0.25  # what the best label in the title adds, and once more if it is all of it
_CLEAR = 0.5  # a label that weighs less does not tell the concept of a title that has more words
_OWN_IRIS = "https://w3id.org/semcrawl/"  # which no page of others names
NOISE = 0.09  # a smaller sum is a mention in passing: one label, once, in thousands of words
_COVERAGE = 0.6  # how much of the score needs the keywords to be there

_LEAD_PIECES, _LEAD_CHARACTERS = 200, 1_000  # in which acronyms of the lead are looked for


class _Logs(dict[int, float]):
    """log(1 + count), worked out when first asked for: a dict is the fastest to ask."""

    def __missing__(self, count: int) -> float:
        value = self[count] = log1p(count)
        return value


_LOGS = _Logs()


class _PagePart(NamedTuple):
    """A part of a page: how often it has each term, and each phrase and acronym of the lens."""

    counts: Counts  # of a page's text only those that the lens looks for
    labels: Counts
    words: int  # how many words it has
    length: Callable[[], float]  # that of its vector

    def among(self, keys: Container[str]) -> Iterator[tuple[str, int]]:
        """Yield those of some keys that it has, with their counts."""
        for key, count in (*self.counts.items(), *self.labels.items()):
            if key in keys:
                yield key, count


class LabelsFound(NamedTuple):
    """The labels in a short text, such as an anchor."""

    best: float  # the weight of the heaviest
    whole: float  # the same where the text is nothing else, else 0
    similarity: float  # of the text to the topic


_NO_LABELS = LabelsFound(0.0, 0.0, 0.0)


class LabelPlaces(NamedTuple):
    """Where labels stand in the words of a page, and the share that each use has of what all labels give."""

    places: NDArray[np.int64]
    sizes: NDArray[np.int64]  # in words
    shares: NDArray[np.float64]


NO_PLACES = LabelPlaces(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


class LabelSimilarity(LensSimilarity):
    """The weights of a topic's labels in a page, over the length of its vector.

    x = (½ w + 4 q) · text + (½ w + 2 q) · lead + ¼ best label of the title + ¼ if that is all of it; and ½ label of a
    concept that the page says in RDF to be about. Texts are vectors of log(1 + tf) idf of length 1, w are the weights
    of the lens, q is the vector of length 1 of the topic's own names. Where the topic is keywords only, x counts times
    0.4 + 0.6 c, c being the share of them, by idf, that the text has. The similarity is x / (x + 0.56).

    >>> from semcrawl.topics import Topic
    >>> similarity = LabelSimilarity.of_topic(Topic.parse("wordnet:asthma"))
    >>> similarity.of_text("Asthma attacks") > 0.5 > similarity.of_text("Attack on Pearl Harbour")
    True
    """

    def __init__(self, labels: TopicLabels, background: Background) -> None:
        super().__init__(labels.lens, background)
        self.labels = labels
        best = {key: max(why, key=lambda reason: reason.value) for key, why in labels.lens.reasons.items()}
        short = (key for key in best if len(key) <= LONGEST_ACRONYM and key.isalpha())
        self._in_capitals = {key: key.upper() for key in short if key.upper() != key}
        self._concepts = {key: why.concept for key, why in best.items() if why.concept is not None}
        # What stands in every text that has a label: all of it, its first word, its stem.
        exact = exact_stems(best, labels.lens.analyser)
        self._beginnings = {key.partition(" ")[0] for key in best} | set(exact.values())
        self._is_beginning = ByWord(self._beginnings.__contains__, bool)
        # The heaviest label of each concept, by the IRI that others can know it by.
        lens, keys = labels.lens, dict[str, str]()
        for key, concept in self._concepts.items():
            iri = concept_iri(concept)
            if not iri.startswith(_OWN_IRIS) and lens.weights[key] > lens.weights.get(keys.get(iri, ""), 0):
                keys[iri] = key
        self._keys_of_iris = keys
        looked_for = {*best, *labels.keywords, *lens.phrases.first_stems, *lens.exact.stems}
        self._is_looked_for = ByWord(looked_for.__contains__, bool)
        self.weigh()

    @classmethod
    def of_topic(
        cls, topic: Topic, background: Background | None = None, *, related: float = 0.6, decay: float = 1.0
    ) -> LabelSimilarity:
        """Return the similarity to a topic; the options are those of :func:`topic_labels`."""
        if background is None:
            background = topic.background()
        return cls(topic_labels(topic, background, related=related, decay=decay), background)

    def weigh(self) -> None:
        """Work out what each label adds, by the idfs of now."""
        weights = self.lens.weights
        idf = {key: key_idf(key, self._idfs) for key in weights}
        vector = {key: weight * idf[key] for key, weight in self.labels.own.items()}
        length = sqrt(sum(weight * weight for weight in vector.values())) or 1.0
        self._own = {key: weight / length for key, weight in vector.items()}
        self._label_idfs = idf
        self._keywords = {key: idf[key] for key in self.labels.keywords}
        self._text_gains = self._gains(_OWN_IN_TEXT)
        self._lead_gains = self._gains(_OWN_IN_LEAD)

    def _gains(self, own_weight: float) -> dict[str, float]:
        own, idf = self._own, self._label_idfs
        return {
            key: (_LABELS * weight + own_weight * own.get(key, 0.0)) * idf[key]
            for key, weight in self.lens.weights.items()
        }

    def of_text(self, text: str) -> float:
        """Return the similarity of a short text, such as an anchor: it is its own title."""
        return self._of_short_text(self._seen(self.lens.analyser.words(text), text))

    def _of_short_text(self, seen: _PagePart) -> float:
        value = self._share(self._text_gains, seen)
        if not value:
            return 0.0
        value = (value + self._title_share(seen)) * self._coverage(seen)
        return value / (value + HALF)

    def judge(self, page: Page) -> tuple[float, tuple[str, ...]]:
        """Return the similarity of a page, by text, beginning and title; and the concepts that it fits best."""
        return self.look(page)[:2]

    def look(self, page: Page) -> tuple[float, tuple[str, ...], LabelPlaces]:
        """Return the same, and where labels stand in the text."""
        text, lead, title, phrases = self._parts(page)
        gained = _gained(self._text_gains, text)
        by_text = self._product(gained, text) + self._share(self._lead_gains, lead)
        value = by_text + self._title_share(title)
        if (named := self._named(page)) is not None:
            value += 2 * _TITLE * self.lens.weights[named]
        coverage = self._coverage(text)
        if value * coverage < NOISE:
            return 0.0, (), NO_PLACES
        places = self._places(page.words, phrases, gained, by_text / value)
        value *= coverage
        return value / (value + HALF), self._best_concepts(gained, title), places

    def _places(
        self, words: WordSequence, phrases: Sequence[tuple[int, Phrase]], gained: Mapping[str, float], share: float
    ) -> LabelPlaces:
        """Return where labels stand, but for acronyms, with equal parts of the ``share`` that each has by its gain."""
        found = np.flatnonzero(self._is_looked_for.of_all(words))
        texts = words.vocabulary.texts_of(words.numbers[found])
        at = [(place, 1, key) for place, key in zip(found.tolist(), texts, strict=True) if key in gained]
        at += [(place, len(phrase), " ".join(phrase)) for place, phrase in phrases]
        at.sort()
        often, total = Counter(key for _, _, key in at), sum(gained.values())
        shares = np.array([share * gained[key] / total / often[key] for _, _, key in at])
        places, sizes = (np.array([use[column] for use in at], np.int64) for column in (0, 1))
        return LabelPlaces(places, sizes, shares)

    @property
    def own_words(self) -> Mapping[str, float]:
        """The topic's own names, of one word, with their weights in a vector of length 1."""
        return {key: weight for key, weight in self._own.items() if " " not in key}

    def may_have_labels(self, texts: ShortTexts) -> list[int]:
        """Return which of many short texts, read by the lens' analyser, `in_short_text` need look at."""
        if "" in self._beginnings:
            return list(range(texts.size))
        found: list[int] = np.unique(texts.text_of_word[self._is_beginning.of_all(texts.words)]).tolist()
        return found

    def in_short_text(self, text: str, words: Sequence[str] | None = None) -> LabelsFound:
        """Return which labels of the topic and of what is narrower a short text has.

        ``words``: those of the text, as the lens' analyser gives them, where they are known.
        """
        words = self.lens.analyser.words(text) if words is None else words
        if self._beginnings.isdisjoint(words) and "" not in self._beginnings:
            return _NO_LABELS
        seen = self._seen(words, text)
        best = self._best(seen)
        if best is None:
            return _NO_LABELS
        weight = self.lens.weights[best]
        is_whole = best.count(" ") + 1 == seen.words
        return LabelsFound(weight, weight if is_whole else 0.0, self._of_short_text(seen))

    def _named(self, page: Page) -> str | None:
        """Return the heaviest label of the concepts that a page says to be about, in RDF."""
        found = (key for _, key in self._said_of_things(page))
        return max(found, key=self.lens.weights.__getitem__, default=None)

    def named_things(self, page: Page) -> dict[str, str]:
        """Return a label for each thing, by IRI, that a page says to be about a concept, in RDF."""
        found: dict[str, str] = {}
        for iri, key in self._said_of_things(page):
            if self.lens.weights[key] > self.lens.weights.get(found.get(iri, ""), 0.0):
                found[iri] = key
        reasons = self.lens.reasons
        return {iri: max(reasons[key], key=lambda why: why.value).label for iri, key in found.items()}

    def _said_of_things(self, page: Page) -> Iterator[tuple[str, str]]:
        """Yield what is said to be about a concept, an IRI, and the concept's heaviest label."""
        iris = self._keys_of_iris
        if not iris:
            return
        # Whoever only compares texts need not load what reads pages.
        from semcrawl.page.rdf_document import ABOUT

        for thing, relation, value in page.statements.triples:
            if relation.value in ABOUT and isinstance(value, ox.NamedNode) and value.value in iris:
                named = isinstance(thing, ox.NamedNode)
                yield thing.value if named else "", iris[value.value]

    def _best_concepts(self, gained: Mapping[str, float], title: _PagePart) -> tuple[str, ...]:
        """Return the concept of the title's label, if it has a clear one, then those whose labels give most."""
        concepts, weights, given = self._concepts, self.lens.weights, dict[str, float]()
        for key, gain in gained.items():
            if (concept := concepts.get(key)) is not None:
                given[concept] = given.get(concept, 0.0) + gain
        best = nlargest(TOP_CLASSES, given, key=given.__getitem__)
        named = [key for key, _ in title.among(concepts) if weights[key] >= _CLEAR or title.words == len(key.split())]
        # Swine influenza is meant where it is named, not influenza, though its text has that word more often.
        whole = [key for key in named if not any(f" {key} " in f" {one} " for one in named if one != key)]
        if whole:
            best.insert(0, concepts[max(whole, key=lambda key: (weights[key], given.get(concepts[key], 0.0)))])
        return tuple(dict.fromkeys(best))[:TOP_CLASSES]

    def explain(self, text: str) -> Explanation:
        """Return which words of a short text gave how much."""
        seen = self._seen(self.lens.analyser.words(text), text)
        forms = found_labels(self.lens, text)
        matches = [*self._matches("text", _OWN_IN_TEXT, seen, forms), *self._title_matches(seen, forms)]
        return self._explanation(matches, seen)

    def explain_page(self, page: Page) -> Explanation:
        """Return which words of a page gave how much, and where they stand."""
        text, lead, title, _ = self._parts(page)
        forms = found_labels(self.lens, page.text)
        matches = [
            *self._matches("text", _OWN_IN_TEXT, text, forms),
            *self._matches("beginning", _OWN_IN_LEAD, lead, forms),
            *self._title_matches(title, found_labels(self.lens, page.title)),
        ]
        if (named := self._named(page)) is not None:
            matches.append(self._match(named, "statements", {}, 1, 2 * _TITLE))
        return self._explanation(matches, text)

    def _parts(self, page: Page) -> tuple[_PagePart, _PagePart, _PagePart, list[tuple[int, Phrase]]]:
        """Return its text, its beginning, its title, and where phrases stand in the text."""
        words = page.words
        all_counts = words.count_terms(self._is_looked_for)
        counts = self._without_acronyms(all_counts, lambda: "".join(page.pieces))
        title_words = self.lens.analyser.words(page.title)
        title = self._seen(title_words, page.title)
        lead = words[: LEAD + len(title_words)]
        places = self.lens.phrases.places(counts, lambda: words)
        # Acronyms have no blanks, so the text need not be tidied up.
        exact = self.lens.exact.count(counts, lambda: "".join(page.pieces))
        labels = {**counted(places), **exact}
        text = _PagePart(counts, labels, len(words), lambda: self._text_length(words, all_counts, counts))
        # What the text does not have, its beginning has not either.
        early = takewhile(lambda place: place[0] < len(lead), places)
        in_lead = counted(place for place in early if place[0] + len(place[1]) <= len(lead))
        lead_counts = self._counts(lead)
        if exact or counts is not all_counts:
            start = "".join(page.pieces[:_LEAD_PIECES])[:_LEAD_CHARACTERS]
            lead_counts = self._without_acronyms(lead_counts, lambda: start)
            in_lead = {**in_lead, **self.lens.exact.count(lead_counts, lambda: start)}
        return text, self._part(lead_counts, in_lead, len(lead)), title, places

    def _seen(self, words: Sequence[str], text: str) -> _PagePart:
        counts = self._without_acronyms(self._counts(words), lambda: text)
        labels = self.lens.labels_in(counts, lambda: words, lambda: text)
        return self._part(counts, labels, len(words))

    def _part(self, counts: Counts, labels: Counts, words: int) -> _PagePart:
        return _PagePart(counts, labels, words, lambda: self._length(counts))

    def _without_acronyms(self, counts: Counts, text: WrittenText) -> Counts:
        """Return counts without ordinary labels in capitals: GNU in a licence is no gnu."""
        capitals = self._in_capitals
        wanted = counts.keys() & capitals.keys()
        if not wanted:
            return counts
        written = text()
        there = (key for key in wanted if capitals[key] in written)
        uses = {key: acronym_uses(capitals[key], written) for key in there}
        if not any(uses.values()):
            return counts
        left = dict(counts)
        for key, count in uses.items():
            left[key] -= count
            if left[key] <= 0:
                del left[key]
        return left

    def _counts(self, words: Sequence[str]) -> Counts:
        return Counter(self.lens.analyser.terms_among(words))

    def _share(self, gains: Mapping[str, float], seen: _PagePart) -> float:
        """Return the product of the gains and the vector of a text, of length 1."""
        return self._product(_gained(gains, seen), seen)

    def _product(self, gained: Mapping[str, float], seen: _PagePart) -> float:
        dot = sum(gained.values())
        return dot / seen.length() if dot else 0.0

    def _text_length(self, words: WordSequence, found: Counts, left: Counts) -> float:
        """Return the length of a page's vector; some counts ``found`` are only ``left`` now."""
        assert self._background is not None
        counts = words.counts
        if left is not found:
            counts = counts.copy()
            places = np.flatnonzero(self._is_looked_for.of(words))
            counts[places] = [left.get(word, 0) for word in found]
        vector = np.log1p(counts) * self._background.idfs_of(words)
        return float(np.sqrt(vector @ vector)) or 1.0

    def _length(self, counts: Counts) -> float:
        logs = map(_LOGS.__getitem__, counts.values())
        vector = list(map(mul, logs, map(self._idfs.__getitem__, counts)))
        return sqrt(sum(map(mul, vector, vector))) or 1.0

    def _title_share(self, seen: _PagePart) -> float:
        best = self._best(seen)
        if best is None:
            return 0.0
        is_all = best.count(" ") + 1 == seen.words
        return _TITLE * self.lens.weights[best] * (2 if is_all else 1)

    def _best(self, seen: _PagePart) -> str | None:
        """Return the heaviest label; of several, one of many words."""
        weights = self.lens.weights
        keys = (key for key, _ in seen.among(weights))
        return max(keys, key=lambda key: (weights[key], key.count(" ")), default=None)

    def _coverage(self, seen: _PagePart) -> float:
        if not self._keywords:
            return 1.0
        found = sum(idf for key, idf in self._keywords.items() if key in seen.counts or key in seen.labels)
        return 1 - _COVERAGE + _COVERAGE * found / (sum(self._keywords.values()) or 1.0)

    def _matches(
        self, place: str, own_weight: float, seen: _PagePart, forms: Mapping[str, Sequence[str]]
    ) -> Iterator[Match]:
        length = seen.length()
        weights = self.lens.weights
        for key, count in seen.among(weights):
            both = _LABELS + own_weight * self._own.get(key, 0.0) / weights[key]
            yield self._match(key, place, forms, count, _LOGS[count] * self._label_idfs[key] * both / length)

    def _title_matches(self, seen: _PagePart, forms: Mapping[str, Sequence[str]]) -> Iterator[Match]:
        best = self._best(seen)
        if best is not None:
            share = self._title_share(seen) / self.lens.weights[best]
            yield self._match(best, "title", forms, 1, share)

    def _match(self, key: str, place: str, forms: Mapping[str, Sequence[str]], count: int, weight: float) -> Match:
        why = max(self.lens.reasons[key], key=lambda why: self.lens.parts[why.part].weight * why.value)
        part = self.lens.parts[why.part]
        found = tuple(forms.get(key, ()))[:count] or (why.label,)
        match = weighted_match(part, why, found, text_weight=weight, topic_weight=part.weight)
        relation = _relation(part, why)
        # What belongs to the topic otherwise has an is-a path, too, but over the root.
        path = () if relation else match.path
        return replace(match, count=count, place=place, path=path, relation=relation)

    def _explanation(self, matches: Iterable[Match], text: _PagePart) -> Explanation:
        normalisers = [ScoreFactor("sum that is as likely on the topic as not", HALF)]
        if self._keywords:
            missing = ScoreFactor("factor for keywords that are missing", 1 / self._coverage(text))
            normalisers.append(missing)
        return explanation_of("labels", matches, tuple(normalisers), squashed=True)


def _relation(part: TopicPart, why: Reason) -> str:
    """Return how a label's concept belongs to the topic, if not as a narrower one."""
    if part.graph is None or part.concept is None or why.concept is None:
        return ""
    found = relation_to_topic(part.graph, part.concept, why.concept)
    return "" if found in ("topic", "narrower") else found


def _gained(gains: Mapping[str, float], seen: _PagePart) -> dict[str, float]:
    """Return what each label in a text adds to its product with the topic."""
    counts = seen.counts
    keys: Collection[str] = counts.keys() & gains.keys()
    if len(keys) > 2:  # a sum depends on the order: that of the text
        keys = [key for key in counts if key in keys]
    found = {key: _LOGS[counts[key]] * gains[key] for key in keys}
    for key, count in seen.labels.items():
        found[key] = _LOGS[count] * gains[key]
    return found
