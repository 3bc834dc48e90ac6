"""A page classifier that needs no training: a judge looks at the page through a lens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.judges import JUDGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.similarity.text_similarity import OrderedTerms, TextSimilarity
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["LENS_CLASSES", "LENS_ERROR", "LensClassifier", "relevance_confidence"]

LENS_CLASSES = ("target", "other")
"""The classes of a classifier that knows the topic only."""

LENS_ERROR = 0.3
"""p_err of a lens. There are no pages to estimate it with. A concept misses about half of
the pages that people count to a topic (docs/judges.md) and seldom takes one too many, which
makes about 0.3 where as many pages are on the topic as not."""

_FEW_WORDS = 20.0


def relevance_confidence(relevance: float, threshold: float, words: float) -> float:
    """Pr[target|p] of a page by its relevance: odds against those of the judge's threshold.

    c = r (1 - t) / (r (1 - t) + (1 - r) t) is 1/2 at the threshold, 0 and 1 at the
    ends, and grows with r. What a page of n words does not say is no evidence, so
    1/2 + (c - 1/2) · n / (n + 20) is returned: a page of frames or pictures is undecided.

    >>> round(relevance_confidence(0.5, 0.2, words=1980), 3)  # c = 0.8
    0.797
    >>> relevance_confidence(0.2, 0.2, words=300), relevance_confidence(0.0, 0.2, words=0)
    (0.5, 0.5)
    """
    above = relevance * (1 - threshold)
    below = (1 - relevance) * threshold
    # A threshold of 0 or 1 calls everything, or all but the surest page, one thing.
    confidence = above / (above + below) if above + below else 0.5
    return 0.5 + (confidence - 0.5) * words / (words + _FEW_WORDS)


class LensClassifier:
    """Two classes, target and other, by what a judge says of a page and its threshold.

    Args:
        topic: the topic.
        background: document frequencies.
        judge: the name of a judge with options, such as ``ssrm:measure=resnik``.
        threshold: the relevance at which a page is undecided; None: the judge's own.
        error: p_err.
    """

    classes = LENS_CLASSES

    def __init__(
        self,
        topic: Topic,
        background: Background,
        judge: str = "ssrm",
        *,
        threshold: float | None = None,
        error: float = LENS_ERROR,
    ) -> None:
        made = JUDGES.create(judge, topic=topic, background=background)
        similarity: TextSimilarity | None = getattr(made, "similarity", None)
        if not callable(similarity):
            raise ConfigError(
                f"the judge {judge!r} looks at whole pages, and sites are classified by the words "
                "of their pages: choose another judge, such as ssrm or cosine"
            )
        self.error = error
        self.threshold = made.threshold if threshold is None else threshold
        if not 0 <= self.threshold <= 1:
            raise ConfigError(f"a threshold lies in [0, 1], not at {self.threshold}")
        self._similarity = similarity

    def confidences(
        self, terms: Mapping[str, int], ordered: OrderedTerms | None = None
    ) -> tuple[float, float]:
        """How likely a page with these term counts is in each class; the sum is 1.

        Phrases of the topic are found only where ``ordered`` gives the terms in order.
        """
        relevance = min(1.0, max(0.0, self._similarity(terms, ordered)))
        target = relevance_confidence(relevance, self.threshold, sum(terms.values()))
        return target, 1 - target
