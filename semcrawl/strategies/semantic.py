"""The Ehrig crawler: links by the concepts near the topic that their text names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.relevance.similarities import (
    EhrigSimilarity,
    MihalceaSimilarity,
    SsrmSimilarity,
    SynonymSimilarity,
)
from semcrawl.strategies.link_text import LinkText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic


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


# The SSRM crawler: a cosine that also counts related terms.


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


# The Mihalcea crawler: how well a link's text and the topic cover each other.


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


# The synonym-set crawler: page and anchor against a topic that is expanded by synonyms.


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


# Ehrig's original crawler: pages by the concepts of their text that are relevant to the topic.


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
