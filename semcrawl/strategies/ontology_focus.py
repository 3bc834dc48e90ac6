"""Ehrig's original crawler: pages by the concepts of their text that are relevant to the topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.strategies.ehrig import EhrigStrategy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.topics import Topic

__all__ = ["OntologyFocus"]


class OntologyFocus:
    """All links by the relevant terms of their page (Batsakis 2007, section 2.4; Maedche 2002).

    Every term of the page that names a relevant concept adds its weight. Which
    concepts are relevant, and how much, the measure says: this is the strategy
    ``ehrig`` on page text, with the relevance sets of the original.

    Args:
        topic: the topic; meant for a topic ontology.
        measure: the relevance set: ``related-1``, the concepts one relation away; ``is-a-2``,
            those at most two is-a steps away; ``ehrig``, all, weighted 0.5 to the distance.
    """

    batch = 1

    def __init__(self, topic: Topic, measure: str = "related-1") -> None:
        self._by_page = EhrigStrategy(topic, on="page", measure=measure)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The sum over the page's terms, for every link; it has no upper bound."""
        return self._by_page.rank(judged)
