"""The Semantic Similarity Retrieval Model: a cosine that also counts related terms."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from semcrawl.similarity.explanation import Normaliser, explain
from semcrawl.similarity.label_terms import term_idf
from semcrawl.similarity.lens import Lens
from semcrawl.similarity.li import Li

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.similarity.explanation import Explanation
    from semcrawl.similarity.measure import Measure
    from semcrawl.similarity.text_similarity import OrderedTerms
    from semcrawl.text.background import Background
    from semcrawl.topics.topic import Topic

__all__ = ["SsrmSimilarity"]


class SsrmSimilarity:
    """The double sum of similarities, over the two vector lengths (Batsakis 2007, eq. 9).

    Weights are tf·idf on both sides. Dividing by the largest frequency cancels
    out and is left out. The double sum can exceed the lengths' product where
    many terms are related to one another: fit for ordering links. With
    ``squash`` it is x / (1 + x), in [0, 1) and in the same order, fit for a judge.

    The lens should be compiled with the same background; :meth:`of_topic` does.

    >>> from semcrawl.text import Background
    >>> from semcrawl.topics import Topic
    >>> topic = Topic.parse("wordnet:asthma")
    >>> similarity = SsrmSimilarity.of_topic(topic, Background.default())
    >>> round(similarity.of_text("Asthma and bronchitis"), 3), similarity.of_text("Steam engines")
    (1.18, 0.0)
    """

    def __init__(self, lens: Lens, background: Background, *, squash: bool = False) -> None:
        self.lens = lens
        self._squash = squash
        self._idfs = background.idfs
        self._phrase_idfs = {key: term_idf(key, self._idfs) for key in lens.weights if " " in key}
        # idf times weight of every label: what one occurrence adds to the dot product.
        self._gains = {
            key: weight * term_idf(key, self._idfs) for key, weight in lens.weights.items()
        }

    @classmethod
    def of_topic(
        cls,
        topic: Topic,
        background: Background,
        measure: str | Measure | None = None,
        *,
        min_weight: float | None = None,
        max_distance: int | None = None,
        squash: bool = False,
    ) -> SsrmSimilarity:
        """The similarity to a topic, by Li's measure unless another is given."""
        lens = Lens.compile(
            topic,
            measure or Li(),
            background=background,
            min_weight=min_weight,
            max_distance=max_distance,
        )
        return cls(lens, background, squash=squash)

    def __call__(self, counts: Mapping[str, int], ordered: OrderedTerms | None = None) -> float:
        """The similarity of the text with these term counts to the topic."""
        stems, phrases = self.lens.split(counts, ordered)
        gains = self._gains
        found = [stem for stem in stems if stem in gains]
        if not found and not phrases:
            return 0.0
        dot = sum([stems[stem] * gains[stem] for stem in found])
        dot += sum([count * gains[phrase] for phrase, count in phrases.items()])
        lengths = self._length(stems, phrases) * self.lens.length
        value = dot / lengths if lengths else 0.0
        return value / (1 + value) if self._squash else value

    def of_text(self, text: str) -> float:
        """The similarity of a text to the topic."""
        return self(*self.lens.read(text))

    def explain(self, text: str) -> Explanation:
        """Which words of a text gave how much."""
        stems, phrases = self.lens.split(*self.lens.read(text))
        lengths = (
            Normaliser("length of the text's vector", self._length(stems, phrases)),
            Normaliser("length of the topic's vector", self.lens.length),
        )
        return explain(
            self.lens, text, "ssrm", idfs=self._idfs, normalisers=lengths, squashed=self._squash
        )

    def _length(self, stems: Mapping[str, int], phrases: Mapping[str, int]) -> float:
        idfs, phrase_idfs = self._idfs, self._phrase_idfs
        squares = sum([(count * idfs[stem]) ** 2 for stem, count in stems.items()])
        for phrase, count in phrases.items():
            squares += (count * phrase_idfs[phrase]) ** 2
        return sqrt(squares)
