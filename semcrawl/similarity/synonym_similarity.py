"""Cosine with a topic, and with anchor texts, that are expanded by their synonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.similarity.cosine import CosineSimilarity
from semcrawl.text.terms import count_terms, terms, tokens
from semcrawl.text.vectors import tf_idf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.similarity.explanation import Explanation
    from semcrawl.similarity.text_similarity import OrderedTerms
    from semcrawl.text.background import Background
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.topic import Topic

__all__ = ["SynonymSimilarity"]

_LONGEST = 4
_REMEMBERED = 50_000


class SynonymSimilarity:
    """cos(p, q^) for pages and cos(a^, q^) for anchors, q^ and a^ expanded (Batsakis 2007, eq. 10).

    q^ holds every label of the topic's concepts and the synonyms of its
    keywords. In a^ each word, or the longest run of up to four words that is a
    label, brings its synonyms with it, each as often as itself.

    Args:
        topic: the topic; its graphs give the synonyms, WordNet where it has none.
        background: for idf.
        senses: how many senses of an undetermined word bring synonyms; the
            paper leaves it open, and the most usual one is right most often.

    >>> from semcrawl.text import Background
    >>> from semcrawl.topics import Topic
    >>> similarity = SynonymSimilarity(Topic.parse("keywords:car"), Background.default())
    >>> similarity.of_anchor("automobile") > similarity.of_text("automobile") > 0
    True
    """

    def __init__(self, topic: Topic, background: Background, senses: int = 1) -> None:
        if senses < 1:
            raise ConfigError(f"synonyms: senses={senses} must be 1 or more")
        self._senses = senses
        self._graphs = _graphs(topic)
        self._known: dict[str, tuple[str, ...] | None] = {}
        counts = dict(topic.counts())
        for keyword in topic.keywords:
            for term, count in self._added(keyword.text).items():
                counts[term] = counts.get(term, 0.0) + count * keyword.weight
        self._cosine = CosineSimilarity(tf_idf(counts, background), background)

    def __call__(self, counts: Mapping[str, int], ordered: OrderedTerms | None = None) -> float:
        """The cosine of the text with these term counts and the expanded topic."""
        return self._cosine(counts, ordered)

    def of_text(self, text: str) -> float:
        """The cosine of a text, as it is, and the expanded topic."""
        return self._cosine.of_text(text)

    def explain(self, text: str) -> Explanation:
        """Which words of a text gave how much."""
        return self._cosine.explain(text, "synonym-sets")

    def of_anchor(self, text: str) -> float:
        """The cosine of an anchor text, expanded, and the expanded topic."""
        return self._cosine(self.expand(text))

    def expand(self, text: str) -> dict[str, int]:
        """The term counts of a text together with the synonyms of its words."""
        counts = count_terms(text)
        for term, count in self._added(text).items():
            counts[term] = counts.get(term, 0) + count
        return counts

    def _added(self, text: str) -> dict[str, int]:
        words = tokens(text)
        counts: dict[str, int] = {}
        place = 0
        while place < len(words):
            size, added = self._longest_at(words, place)
            for term in added:
                counts[term] = counts.get(term, 0) + 1
            place += size
        return counts

    def _longest_at(self, words: list[str], place: int) -> tuple[int, tuple[str, ...]]:
        for size in range(min(_LONGEST, len(words) - place), 0, -1):
            added = self._synonyms(" ".join(words[place : place + size]))
            if added is not None:
                return size, added
        return 1, ()

    def _synonyms(self, phrase: str) -> tuple[str, ...] | None:
        """The terms that the synonyms of a phrase add to it; None if it is no label."""
        if phrase not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[phrase] = self._looked_up(phrase)
        return self._known.get(phrase)

    def _looked_up(self, phrase: str) -> tuple[str, ...] | None:
        own = terms(phrase)
        if not own:
            return None
        labels = [
            label.text
            for graph in self._graphs
            for sense in _senses(graph, phrase)[: self._senses]
            for label in graph.labels(sense)
        ]
        if not labels:
            return None
        added = dict.fromkeys(term for label in labels for term in terms(label))
        return tuple(term for term in added if term not in own)


def _graphs(topic: Topic) -> list[ConceptGraph]:
    graphs = {id(concept.graph): concept.graph for concept in topic.concepts}
    if graphs:
        return list(graphs.values())
    from semcrawl.topics.wordnet import wordnet

    return [wordnet().graph]


def _senses(graph: ConceptGraph, phrase: str) -> list[str]:
    from semcrawl.topics.wordnet import wordnet

    if graph is wordnet().graph:  # WordNet knows inflected forms better than stems do
        return wordnet().senses(phrase)
    return graph.find(phrase) or graph.find(phrase, stemmed=True)
