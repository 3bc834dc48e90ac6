"""Best-first crawlers: by the page's text, by the link's anchor text, by both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.judges.cosine import CosineJudge
from semcrawl.similarity.cosine import CosineSimilarity
from semcrawl.text.terms import count_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.judges import Judge
    from semcrawl.page import Page
    from semcrawl.similarity.text_similarity import TextSimilarity
    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["BestFirstAnchor", "BestFirstPage", "BestFirstPageAnchor"]

_REMEMBERED = 50_000


class PageSimilarity:
    """The cosine of a page and the topic: the judge's own, where it has computed the same."""

    def __init__(self, similarity: TextSimilarity, judge: Judge | None) -> None:
        self._similarity = similarity
        self._is_judged = isinstance(judge, CosineJudge)

    def __call__(self, judged: JudgedPage) -> float:
        """The similarity of a judged page to the topic."""
        return judged.relevance if self._is_judged else self._similarity(judged.page.terms)


class AnchorSimilarities:
    """The similarity of anchor texts to the topic, remembered: many links say the same."""

    def __init__(self, similarity: TextSimilarity) -> None:
        self._similarity = similarity
        self._known: dict[str, float] = {"": 0.0}

    def __call__(self, page: Page) -> list[float]:
        """The similarity of each link's anchor, in order; an empty anchor has 0."""
        if len(self._known) > _REMEMBERED:
            self._known = {"": 0.0}
        return [self._of(link.anchor) for link in page.links]

    def _of(self, anchor: str) -> float:
        value = self._known.get(anchor)
        if value is None:
            value = self._known[anchor] = self._similarity(count_terms(anchor))
        return value


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
        similarity = CosineSimilarity(topic.vector(background), background)
        self._anchors = AnchorSimilarities(similarity)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The cosine of each anchor and the topic."""
        return self._anchors(judged.page)


class BestFirstPageAnchor:
    """Mean of page and anchor similarity: (cos(p, q) + cos(a, q)) / 2 (Batsakis 2007, eq. 7)."""

    batch = 1

    def __init__(self, topic: Topic, background: Background, judge: Judge | None = None) -> None:
        similarity = CosineSimilarity(topic.vector(background), background)
        self._page = PageSimilarity(similarity, judge)
        self._anchors = AnchorSimilarities(similarity)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The mean of the page's cosine and each anchor's."""
        page = self._page(judged)
        return [(page + anchor) / 2 for anchor in self._anchors(judged.page)]
