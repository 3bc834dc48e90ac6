"""The Ehrig crawler: links by the concepts near the topic that their text names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.similarity.ehrig_similarity import EhrigSimilarity
from semcrawl.strategies.link_text import LinkText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.topics import Topic

__all__ = ["EhrigStrategy"]


class EhrigStrategy:
    """Sum of 0.5^distance over the concepts named by a link's text (Batsakis 2007, eq. 3 and 8).

    Args:
        topic: the topic.
        on: the text of a link: ``anchor`` as in the thesis, or ``page``, ``context``, joined
            with hyphens.
        measure: how near concepts are; ``related-1`` and ``is-a-2`` are Ehrig's two simpler
            relevance sets.
        min_weight: how near a concept must be to count; 0 counts all, as the thesis does.
        max_distance: the longest is-a path that is followed from the topic; 0 for no limit.
    """

    batch = 1

    def __init__(
        self,
        topic: Topic,
        on: str = "anchor",
        measure: str = "ehrig",
        min_weight: float = 0.0,
        max_distance: int = 0,
    ) -> None:
        self._text = LinkText(on)
        self._similarity = EhrigSimilarity.of_topic(
            topic, measure, min_weight=min_weight, max_distance=max_distance or None
        )

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The sum for each link; it has no upper bound."""
        return self._text.similarities(judged.page, self._similarity)
