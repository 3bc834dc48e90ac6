"""Comparing pages and the texts of links with the topic, by the similarity that a user names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from semcrawl.errors import ConfigError
from semcrawl.relevance import Judge
from semcrawl.relevance.judges import CosineJudge, as_judge
from semcrawl.relevance.similarities import SIMILARITIES, WITH_CONCEPTS, TextSimilarity, similarity_named
from semcrawl.strategies.strategy import BaseStrategy, JudgedPage
from semcrawl.text.background import Background
from semcrawl.text.terms import Remembered
from semcrawl.topics import Topic

_PARTS = ("page", "anchor", "context")
_BY = (*SIMILARITIES, "judge")


class TopicSimilarity:
    """A text similarity applied to pages, anchors and other texts at links.

    ``is_judged`` says whether the judge has computed the same for the page already;
    ``of_anchor`` compares anchors, where they are compared in another way.
    """

    def __init__(
        self, similarity: TextSimilarity, *, is_judged: bool = False, of_anchor: Callable[[str], float] | None = None
    ) -> None:
        compare = of_anchor or similarity.of_text
        self.anchors = Remembered(lambda text: compare(text) if text else 0.0)
        self._similarity = similarity
        self._is_judged = is_judged
        self._reads_together = of_anchor is None

    def of_anchors(self, texts: Sequence[str]) -> list[float]:
        """Return the similarity of each anchor to the topic; those not met before are read together."""
        known = self.anchors
        if self._reads_together and (new := {text for text in texts if text not in known}):
            for text, similarity in zip(new, self._similarity.of_texts(new), strict=True):
                known.keep(text, similarity)
        return list(map(known.__getitem__, texts))

    def of_page(self, judged: JudgedPage) -> float:
        """Return the similarity of a judged page's text to the topic."""
        if self._is_judged:
            return judged.relevance
        return self._similarity.of_page(judged.page)

    def of_text(self, text: str) -> float:
        """Return the similarity of a text to the topic."""
        return self._similarity.of_text(text) if text else 0.0


def topic_similarity(
    by: str,
    topic: Topic,
    background: Background,
    judge: Judge | None = None,
    measure: str = "",
    min_weight: float = -1.0,
) -> TopicSimilarity:
    """Return the similarity to a topic that ``by`` names, in [0, 1].

    ``by`` is a key of ``SIMILARITIES``, or ``judge`` for what the judge uses; ``measure`` and ``min_weight`` are as in
    :func:`~semcrawl.relevance.similarities.similarity_named`. Raises ConfigError: a similarity or weight that is none,
    or a measure for a similarity that has no concepts.

    >>> from semcrawl.text import Background
    >>> from semcrawl.topics import Topic
    >>> asthma = Topic.parse("keywords:asthma")
    >>> topic_similarity("tf", asthma, Background.default()).of_text("asthma car car car car")
    0.24253562503633297
    """
    if by not in _BY:
        raise ConfigError(f"by={by} is no similarity; choose one of {', '.join(_BY)}")
    if not min_weight <= 1.0:  # nor is NaN
        raise ConfigError(
            f"min_weight={min_weight:g} is no weight: give a number from 0 to 1, or leave it "
            "out for the measure's cut-off"
        )
    if by not in WITH_CONCEPTS and (measure or min_weight >= 0):
        raise ConfigError(
            f"by={by} knows no concepts, so that measure and min_weight mean nothing to it; "
            f"leave them out, or choose one of {', '.join(WITH_CONCEPTS)}"
        )
    if by == "judge":
        return TopicSimilarity(_of_judge(judge), is_judged=True)
    similarity = similarity_named(by, topic, background, measure=measure, min_weight=min_weight)
    is_judged = by == "cosine" and isinstance(judge, CosineJudge)
    return TopicSimilarity(similarity, is_judged=is_judged)


def _of_judge(judge: Judge | None) -> TextSimilarity:
    similarity = as_judge(judge).similarity if judge is not None else None
    if similarity is None or not similarity.for_short_texts:
        raise ConfigError(
            "by=judge: the crawl's judge compares whole pages only; choose another judge, "
            "such as cosine or ssrm, or give by=cosine"
        )
    return similarity


def mixed(one: float, other: float, share: float) -> float:
    """Return share · one + (1 - share) · other.

    >>> mixed(0.4, 0.8, share=0.25)
    0.7000000000000001
    """
    return share * one + (1.0 - share) * other


@dataclass(eq=False, repr=False)
class SimilarityStrategy(BaseStrategy):
    """A strategy that compares texts as :func:`topic_similarity` says."""

    topic: Topic
    background: Background
    judge: Judge | None = None
    by: str = field(default="cosine", kw_only=True)
    measure: str = field(default="", kw_only=True)
    min_weight: float = field(default=-1.0, kw_only=True)

    def __post_init__(self) -> None:
        self._similarity = topic_similarity(
            self.by, self.topic, self.background, self.judge, self.measure, self.min_weight
        )


class LinkText:
    """The texts of a link that are compared with the topic, given as ``page-anchor`` or the like.

    The similarity of several is their mean (Batsakis 2007, eq. 7 and 10). Raises ConfigError: a
    text that is none, or none at all.
    """

    def __init__(self, on: str, similarity: TopicSimilarity) -> None:
        self._parts = on.split("-")
        self._similarity = similarity
        for part in self._parts:
            if part not in _PARTS or self._parts.count(part) > 1:
                raise ConfigError(
                    f"on={on} is no text of a link; join some of {', '.join(_PARTS)} with hyphens, such as page-anchor"
                )

    def similarities(self, judged: JudgedPage) -> list[float]:
        """Return the similarity of every link of a page to the topic, in order."""
        columns = [self._column(part, judged) for part in self._parts]
        if len(columns) == 1:
            return columns[0]
        if len(columns) == 2:  # the usual case; adding up rows takes three times as long
            return [(one + other) / 2 for one, other in zip(*columns, strict=True)]
        return [sum(row) / len(row) for row in zip(*columns, strict=True)]

    def _column(self, part: str, judged: JudgedPage) -> list[float]:
        page = judged.page
        if part == "page":
            return [self._similarity.of_page(judged)] * len(page.links)
        if part == "anchor":
            return self._similarity.of_anchors([link.anchor for link in page.links])
        of_context = cache(self._similarity.of_text)  # links of one block have one context
        return [of_context(page.context(link)) for link in page.links]


class LinkTextStrategy(BaseStrategy):
    """A link is as good as its texts."""

    _text: LinkText

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return the similarity of each link's text to the topic."""
        return self._text.similarities(judged)
