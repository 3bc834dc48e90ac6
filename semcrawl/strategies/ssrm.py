"""The SSRM crawler: a cosine that also counts related terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.similarity.ssrm import SsrmSimilarity
from semcrawl.strategies.link_text import LinkText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["SsrmStrategy"]


class SsrmStrategy:
    """Double sum of Li similarities over both vector lengths (Batsakis 2007, eq. 4 and 9).

    Args:
        topic: the topic.
        background: document frequencies.
        on: the text of a link: ``anchor`` as in the thesis, or ``page``, ``context``, joined
            with hyphens.
        measure: how near concepts are.
        min_weight: how near a concept must be to count; 0 counts all, as the thesis does.
        max_distance: the longest is-a path that is followed from the topic; 0 for no limit.
    """

    batch = 1

    def __init__(
        self,
        topic: Topic,
        background: Background,
        on: str = "anchor",
        measure: str = "li",
        min_weight: float = 0.0,
        max_distance: int = 0,
    ) -> None:
        self._text = LinkText(on)
        self._similarity = SsrmSimilarity.of_topic(
            topic, background, measure, min_weight=min_weight, max_distance=max_distance or None
        )

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The similarity of each link's text to the topic."""
        return self._text.similarities(judged.page, self._similarity)
