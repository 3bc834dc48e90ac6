"""The Mihalcea crawler: how well a link's text and the topic cover each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.similarity.mihalcea import MihalceaSimilarity
from semcrawl.strategies.link_text import LinkText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["MihalceaStrategy"]


class MihalceaStrategy:
    """Text similarity by the nearest concept of each word, both ways (Corley, Mihalcea 2005).

    Args:
        topic: the topic.
        background: document frequencies.
        on: the text of a link: ``anchor``, ``page``, ``context``, joined with hyphens.
        measure: how near concepts are.
        min_weight: how near a concept must be to count; 0 counts all.
        max_distance: the longest is-a path that is followed from the topic; 0 for no limit.
    """

    batch = 1

    def __init__(
        self,
        topic: Topic,
        background: Background,
        on: str = "anchor",
        measure: str = "wu-palmer",
        min_weight: float = 0.0,
        max_distance: int = 0,
    ) -> None:
        self._text = LinkText(on)
        self._similarity = MihalceaSimilarity.of_topic(
            topic, background, measure, min_weight=min_weight, max_distance=max_distance or None
        )

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The similarity of each link's text to the topic."""
        return self._text.similarities(judged.page, self._similarity)
