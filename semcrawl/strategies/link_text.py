"""Which words a link is ranked by: its anchor, its context, its page, or a mean of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.relevance.judges import CosineJudge
from semcrawl.relevance.similarities import (
    CosineSimilarity,
    EhrigSimilarity,
    MihalceaSimilarity,
    SsrmSimilarity,
    SynonymSimilarity,
)
from semcrawl.text.background import Background

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.page import Page
    from semcrawl.relevance import Judge
    from semcrawl.relevance.similarities import TextSimilarity
    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.topics import Topic

_PARTS = ("page", "anchor", "context")
_REMEMBERED = 50_000


class LinkText:
    """The parts of a link that are compared with the topic, given as ``page-anchor`` or the like.

    Several parts count the same: a link's similarity is their mean, as in
    Batsakis 2007, eq. 7 and 10.

    Raises:
        ConfigError: a part that is none, or none at all.

    >>> LinkText("page-anchor").parts
    ('page', 'anchor')
    """

    def __init__(self, on: str) -> None:
        self.parts = tuple(on.split("-"))
        # The same words stand in many links; a LinkText serves one similarity.
        self._known: dict[str, float] = {"": 0.0}
        for part in self.parts:
            if part not in _PARTS or self.parts.count(part) > 1:
                raise ConfigError(
                    f"on={on} is no text of a link; join some of {', '.join(_PARTS)} "
                    "with hyphens, such as page-anchor"
                )

    def similarities(
        self,
        page: Page,
        similarity: TextSimilarity,
        of_anchor: Callable[[str], float] | None = None,
    ) -> list[float]:
        """The similarity of every link of a page to the topic, in order.

        ``of_anchor`` compares anchors, where they are compared in another way.
        """
        of_anchor = of_anchor or similarity.of_text
        if len(self._known) > _REMEMBERED:
            self._known = {"": 0.0}
        columns = [self._column(part, page, similarity, of_anchor) for part in self.parts]
        if len(columns) == 1:
            return columns[0]
        return [sum(row) / len(row) for row in zip(*columns, strict=True)]

    def _column(
        self,
        part: str,
        page: Page,
        similarity: TextSimilarity,
        of_anchor: Callable[[str], float],
    ) -> list[float]:
        if part == "page":
            return [similarity(page.terms, lambda: page.term_sequence)] * len(page.links)
        if part == "anchor":
            return [self._remembered(link.anchor, of_anchor, self._known) for link in page.links]
        # Links of one block have one context: compare it once.
        contexts = {"": 0.0}
        return [
            self._remembered(page.context(link), similarity.of_text, contexts)
            for link in page.links
        ]

    @staticmethod
    def _remembered(text: str, of_text: Callable[[str], float], known: dict[str, float]) -> float:
        value = known.get(text)
        if value is None:
            value = known[text] = of_text(text)
        return value


# How near pages and texts are to the topic, by the text similarity that an option names.


_BY = ("cosine", "tf", "ehrig", "ssrm", "mihalcea", "synonym-sets", "judge")
_WITH_LENS = ("ehrig", "ssrm", "mihalcea")
_REMEMBERED_TEXTS = 50_000


class TopicSimilarity:
    """A text similarity chosen by name; the judge's own figure, where it has computed the same.

    All similarities are in [0, 1]: the sums of ``ehrig`` and ``ssrm`` are taken
    as x / (1 + x), as the judges of these names do, so that they can be
    compared with scores of another origin.

    Args:
        by: ``cosine`` (of tf·idf vectors), ``tf`` (cosine of term frequencies), ``ehrig``,
            ``ssrm``, ``mihalcea``, ``synonym-sets``, or ``judge`` for what the judge uses.
        topic: the topic.
        background: document frequencies.
        judge: the crawl's judge.
        measure: how near concepts are; "" for what the text similarity uses by itself.
        min_weight: how near a concept must be to count; below 0 it is the measure's cut-off.

    Raises:
        ConfigError: a similarity or weight that is none, or a measure for a similarity that
            has no concepts.

    >>> from semcrawl.topics import Topic
    >>> asthma = Topic.parse("keywords:asthma")
    >>> TopicSimilarity("tf", asthma, Background.default()).of_text("asthma car car car car")
    0.24253562503633297
    """

    def __init__(
        self,
        by: str,
        topic: Topic,
        background: Background,
        judge: Judge | None = None,
        measure: str = "",
        min_weight: float = -1.0,
    ) -> None:
        if by not in _BY:
            raise ConfigError(f"by={by} is no similarity; choose one of {', '.join(_BY)}")
        if not min_weight <= 1.0:  # nor is NaN
            raise ConfigError(
                f"min_weight={min_weight:g} is no weight: give a number from 0 to 1, or leave it "
                "out for the measure's cut-off"
            )
        if by not in _WITH_LENS and (measure or min_weight >= 0):
            raise ConfigError(
                f"by={by} knows no concepts, so that measure and min_weight mean nothing to it; "
                f"leave them out, or choose one of {', '.join(_WITH_LENS)}"
            )
        self._is_judged = by == "judge" or (by == "cosine" and isinstance(judge, CosineJudge))
        self._similarity = (
            _of_judge(judge)
            if by == "judge"
            else _similarity(by, topic, background, measure or None, min_weight)
        )
        # The same words stand in many links.
        self._anchors: dict[str, float] = {"": 0.0}

    def of_page(self, judged: JudgedPage) -> float:
        """The similarity of a judged page's text to the topic."""
        if self._is_judged:
            return judged.relevance
        page = judged.page
        return self._similarity(page.terms, lambda: page.term_sequence)

    def of_text(self, text: str) -> float:
        """The similarity of a text to the topic."""
        return self._similarity.of_text(text) if text else 0.0

    def of_anchor(self, text: str) -> float:
        """The same for the text of a link, which is remembered: many links have the same."""
        value = self._anchors.get(text)
        if value is None:
            if len(self._anchors) > _REMEMBERED_TEXTS:
                self._anchors = {"": 0.0}
            value = self._anchors[text] = self._similarity.of_text(text)
        return value


def _of_judge(judge: Judge | None) -> TextSimilarity:
    similarity: TextSimilarity | None = getattr(judge, "similarity", None)
    if similarity is None or not hasattr(similarity, "of_text"):
        raise ConfigError(
            "by=judge: the crawl's judge compares whole pages only; choose another judge, "
            "such as cosine or ssrm, or give by=cosine"
        )
    return similarity


def _similarity(
    by: str, topic: Topic, background: Background, measure: str | None, min_weight: float
) -> TextSimilarity:
    least = None if min_weight < 0 else min_weight
    if by == "ehrig":
        return EhrigSimilarity.of_topic(topic, measure, min_weight=least, squash=True)
    if by == "ssrm":
        return SsrmSimilarity.of_topic(topic, background, measure, min_weight=least, squash=True)
    if by == "mihalcea":
        return MihalceaSimilarity.of_topic(topic, background, measure, min_weight=least)
    if by == "synonym-sets":
        return SynonymSimilarity(topic, background)
    # Where no document has any term, all terms have one idf, and a cosine does not see it.
    weighed = Background.from_counts({}, documents=2) if by == "tf" else background
    return CosineSimilarity(topic.vector(weighed), weighed)
