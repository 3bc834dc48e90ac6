"""The cosine of tf·idf vectors, with the topic's side computed once."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from semcrawl.similarity.explanation import Normaliser, explain_terms
from semcrawl.text.terms import count_terms
from semcrawl.text.vectors import norm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.similarity.explanation import Explanation
    from semcrawl.similarity.text_similarity import OrderedTerms
    from semcrawl.text.background import Background
    from semcrawl.text.vectors import Vector

__all__ = ["CosineSimilarity"]


class CosineSimilarity:
    """Cosine of a text's tf·idf vector with the topic's (Batsakis 2007, eq. 1 and 2).

    Equal to ``cosine(tf_idf(counts, background), topic_vector)``. Dividing by
    the largest frequency cancels out in a cosine, so it is left out here, and
    a text that shares no term with the topic needs no length.

    >>> from semcrawl.text.background import Background
    >>> plain = Background.from_counts({"cat": 1, "dog": 1}, documents=10)
    >>> round(CosineSimilarity({"cat": 1.0}, plain)({"cat": 3, "dog": 4}), 6)
    0.6
    """

    def __init__(self, topic: Vector, background: Background) -> None:
        length = norm(topic)
        self._unit = {term: weight / length for term, weight in topic.items()} if length else {}
        self._idfs = background.idfs

    def explain(self, text: str, similarity: str = "cosine") -> Explanation:
        """Which words of a text gave how much."""
        counts = count_terms(text)
        length = sqrt(sum((count * self._idfs[term]) ** 2 for term, count in counts.items()))
        shown = Normaliser("length of the text's vector", length)
        return explain_terms(self._unit, text, similarity, idfs=self._idfs, normaliser=shown)

    def of_text(self, text: str) -> float:
        """The cosine of a text and the topic."""
        return self(count_terms(text))

    def __call__(
        self,
        counts: Mapping[str, int],
        ordered: OrderedTerms | None = None,  # noqa: ARG002 - a cosine knows no phrases
    ) -> float:
        """The cosine of the text with these term counts and the topic."""
        unit = self._unit
        idfs = self._idfs
        if len(counts) < len(unit):
            shared = [term for term in counts if term in unit]
        else:
            shared = [term for term in unit if term in counts]
        if not shared:
            return 0.0
        dot = sum([counts[term] * idfs[term] * unit[term] for term in shared])
        length = sqrt(sum([(count * idfs[term]) ** 2 for term, count in counts.items()]))
        return min(1.0, dot / length) if length else 0.0
