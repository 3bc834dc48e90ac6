"""Best-first crawlers: by the page's text, by the link's anchor text, by both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.judges.cosine import CosineJudge
from semcrawl.similarity.cosine import CosineSimilarity
from semcrawl.strategies.link_text import LinkText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.judges import Judge
    from semcrawl.similarity.text_similarity import TextSimilarity
    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["BestFirstAnchor", "BestFirstPage", "BestFirstPageAnchor"]


class PageSimilarity:
    """The cosine of a page and the topic: the judge's own, where it has computed the same."""

    def __init__(self, similarity: TextSimilarity, judge: Judge | None) -> None:
        self._similarity = similarity
        self._is_judged = isinstance(judge, CosineJudge)

    def __call__(self, judged: JudgedPage) -> float:
        """The similarity of a judged page to the topic."""
        return judged.relevance if self._is_judged else self._similarity(judged.page.terms)


class BestFirstPage:
    """A link is as good as the page that it stands on: cos(p, q) (Batsakis 2007, eq. 2)."""

    batch = 1

    def __init__(self, topic: Topic, background: Background, judge: Judge | None = None) -> None:
        similarity = CosineSimilarity(topic.vector(background), background)
        self._page = PageSimilarity(similarity, judge)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The cosine of the page and the topic, for every link."""
        return [self._page(judged)] * len(judged.page.links)


class BestFirstAnchor:
    """A link is as good as its anchor text: cos(a, q) (Batsakis 2007, section 3.2.2)."""

    batch = 1

    def __init__(
        self,
        topic: Topic,
        background: Background,
        judge: Judge | None = None,  # noqa: ARG002 - as its sisters; a judge sees no anchors
    ) -> None:
        self._similarity = CosineSimilarity(topic.vector(background), background)
        self._anchors = LinkText("anchor")

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The cosine of each anchor and the topic."""
        return self._anchors.similarities(judged.page, self._similarity)


class BestFirstPageAnchor:
    """Mean of page and anchor similarity: (cos(p, q) + cos(a, q)) / 2 (Batsakis 2007, eq. 7)."""

    batch = 1

    def __init__(self, topic: Topic, background: Background, judge: Judge | None = None) -> None:
        self._similarity = CosineSimilarity(topic.vector(background), background)
        self._page = PageSimilarity(self._similarity, judge)
        self._anchors = LinkText("anchor")

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The mean of the page's cosine and each anchor's."""
        page = self._page(judged)
        anchors = self._anchors.similarities(judged.page, self._similarity)
        return [(page + anchor) / 2 for anchor in anchors]
