"""Ehrig's text similarity: the double sum over terms of text and topic, as one dot product."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.similarity.ehrig import Ehrig
from semcrawl.similarity.explanation import Normaliser, explain
from semcrawl.similarity.lens import Lens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.similarity.explanation import Explanation
    from semcrawl.similarity.measure import Measure
    from semcrawl.similarity.text_similarity import OrderedTerms
    from semcrawl.topics.topic import Topic

__all__ = ["EhrigSimilarity"]


class EhrigSimilarity:
    """sum_j sum_k sim(t_j, t_k) w_ij w_qk with tf weights (Batsakis 2007, eq. 8).

    tf is frequency over the largest frequency. The sum is not divided by the
    lengths, so it has no upper bound: fit for ordering links. With ``squash``
    it is x / (1 + x), in [0, 1) and in the same order, fit for a judge.

    >>> from semcrawl.topics import Topic
    >>> similarity = EhrigSimilarity.of_topic(Topic.parse("wordnet:asthma"))
    >>> similarity.of_text("Asthma and bronchitis"), similarity.of_text("Steam engines")
    (1.25, 0.0)
    """

    def __init__(self, lens: Lens, *, squash: bool = False) -> None:
        self.lens = lens
        self._squash = squash

    @classmethod
    def of_topic(
        cls,
        topic: Topic,
        measure: str | Measure | None = None,
        *,
        min_weight: float | None = None,
        max_distance: int | None = None,
        squash: bool = False,
    ) -> EhrigSimilarity:
        """The similarity to a topic, by Ehrig's measure unless another is given."""
        lens = Lens.compile(
            topic, measure or Ehrig(), min_weight=min_weight, max_distance=max_distance
        )
        return cls(lens, squash=squash)

    def __call__(self, counts: Mapping[str, int], ordered: OrderedTerms | None = None) -> float:
        """The similarity of the text with these term counts to the topic."""
        stems, phrases = self.lens.split(counts, ordered)
        weights = self.lens.weights
        dot = sum([count * weights[stem] for stem, count in stems.items() if stem in weights])
        dot += sum([count * weights[phrase] for phrase, count in phrases.items()])
        if not dot:
            return 0.0
        value = dot / _largest(stems, phrases)
        return value / (1 + value) if self._squash else value

    def of_text(self, text: str) -> float:
        """The similarity of a text to the topic."""
        return self(*self.lens.read(text))

    def explain(self, text: str) -> Explanation:
        """Which words of a text gave how much."""
        stems, phrases = self.lens.split(*self.lens.read(text))
        largest = Normaliser("largest frequency in the text", _largest(stems, phrases))
        return explain(self.lens, text, "ehrig", normalisers=(largest,), squashed=self._squash)


def _largest(stems: Mapping[str, int], phrases: Mapping[str, int]) -> float:
    return float(max(max(stems.values(), default=1), max(phrases.values(), default=1)))
