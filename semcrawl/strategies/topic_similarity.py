"""How near pages and texts are to the topic, by the text similarity that an option names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.judges.cosine import CosineJudge
from semcrawl.similarity.cosine import CosineSimilarity
from semcrawl.similarity.ehrig_similarity import EhrigSimilarity
from semcrawl.similarity.mihalcea import MihalceaSimilarity
from semcrawl.similarity.ssrm import SsrmSimilarity
from semcrawl.similarity.synonym_similarity import SynonymSimilarity
from semcrawl.text.background import Background

if TYPE_CHECKING:
    from semcrawl.judges import Judge
    from semcrawl.similarity.text_similarity import TextSimilarity
    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.topics import Topic

__all__ = ["TopicSimilarity"]

_BY = ("cosine", "tf", "ehrig", "ssrm", "mihalcea", "synonym-sets", "judge")
_WITH_LENS = ("ehrig", "ssrm", "mihalcea")
_REMEMBERED = 50_000


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
            if len(self._anchors) > _REMEMBERED:
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
