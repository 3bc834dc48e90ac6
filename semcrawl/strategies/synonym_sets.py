"""The synonym-set crawler: page and anchor against a topic that is expanded by synonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.similarity.synonym_similarity import SynonymSimilarity
from semcrawl.strategies.link_text import LinkText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["SynonymSets"]


class SynonymSets:
    """Mean of cos(p, q^) and cos(a^, q^), topic and anchor expanded (Batsakis 2007, eq. 10).

    Args:
        topic: the topic.
        background: document frequencies.
        on: the text of a link: ``page-anchor`` as in the thesis, or ``anchor``, ``page``,
            ``context``, joined with hyphens.
        senses: how many senses of an undetermined word bring their synonyms.
    """

    batch = 1

    def __init__(
        self, topic: Topic, background: Background, on: str = "page-anchor", senses: int = 1
    ) -> None:
        self._text = LinkText(on)
        self._similarity = SynonymSimilarity(topic, background, senses)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The similarity of each link's text to the topic; anchors are expanded."""
        return self._text.similarities(judged.page, self._similarity, self._similarity.of_anchor)
