"""Best-first crawlers: by the page's text, by the link's anchor text, by both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.relevance.judges import CosineJudge
from semcrawl.relevance.similarities import CosineSimilarity
from semcrawl.strategies.link_text import LinkText

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from semcrawl.relevance import Judge
    from semcrawl.relevance.similarities import TextSimilarity
    from semcrawl.strategies.strategy import JudgedPage, Strategy
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic


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


# N-best-first: best-first in batches of N pages.


_RANKED_BY: dict[str, Callable[..., Strategy]] = {
    "page": BestFirstPage,
    "anchor": BestFirstAnchor,
    "page-anchor": BestFirstPageAnchor,
}


class NBestFirst:
    """Best-first that fetches the N best URLs before it chooses again (Batsakis 2007, section 2.2).

    Args:
        topic: the topic.
        background: document frequencies.
        judge: the crawl's judge, whose cosine need not be computed again.
        n: how many URLs are picked at a time.
        by: what a link is ranked by: ``page``, ``anchor`` or ``page-anchor``.
    """

    def __init__(
        self,
        topic: Topic,
        background: Background,
        judge: Judge | None = None,
        n: int = 10,
        by: str = "page-anchor",
    ) -> None:
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        if by not in _RANKED_BY:
            raise ValueError(f"by must be one of {', '.join(_RANKED_BY)}, not {by!r}")
        self.batch = n
        self._inner: Strategy = _RANKED_BY[by](topic, background, judge)

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """The priorities of the best-first crawler that ``by`` names."""
        return self._inner.rank(judged)


# Breadth-first: the crawler that every focused crawler is measured against.


class BreadthFirst:
    """First found, first fetched: no focus at all (Batsakis 2007, section 3.1)."""

    batch = 1

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The same priority for every link: the frontier keeps equals in the order found."""
        return [0.0] * len(judged.page.links)


# Hard and soft focus: crawlers that follow what the judge says of the page that a link stands on.
#
# Both work with any judge: one that knows categories says itself whether a page
# is on topic, for any other the crawl's threshold decides.


def relevance_as_priority(relevance: float, log_relevance: float | None) -> float:
    """A priority that grows with the relevance, and tells small relevances apart.

    Products of many word probabilities are nearly always almost 0 or almost 1,
    which is why Chakrabarti et al. 1999 (section 3.1) keep the logarithm of
    R(d). Where a judge gives it, the priority is 1 / (1 - ln R): in the order
    of R, and between 0 and 1 as all priorities are.

    >>> relevance_as_priority(0.25, None)
    0.25
    >>> relevance_as_priority(1.0, 0.0), relevance_as_priority(0.0, -99.0)
    (1.0, 0.01)
    """
    return relevance if log_relevance is None else 1.0 / (1.0 - min(log_relevance, 0.0))


class SoftFocus:
    """All links enter with the page's relevance (Chakrabarti et al. 1999, section 4.2).

    A batch is picked in the order of (tries, relevance, pages taken from that
    server, random).

    Args:
        n: how many URLs are picked at a time ("a few dozen per thread" in the paper).
    """

    ordering = "load"

    def __init__(self, n: int = 24) -> None:
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        self.batch = n

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """The relevance of the page, for every link."""
        priority = relevance_as_priority(judged.relevance, judged.log_relevance)
        return [priority] * len(judged.page.links)


class HardFocus(SoftFocus):
    """Only pages on topic are expanded (Chakrabarti et al. 1999, section 4.2).

    With a taxonomy a page is on topic if some category on its best path is
    marked good; with another judge, if it reaches the crawl's threshold. What
    is followed is picked as in soft focus. The crawl may come to an end of its
    own: that is stagnation.
    """

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """The relevance of a page on topic, for every link; nothing from any other page."""
        if not judged.on_topic:
            return [None] * len(judged.page.links)
        return super().rank(judged)
