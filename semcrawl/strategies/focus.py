"""Hard and soft focus: crawlers that follow what the judge says of the page that a link stands on.

Both work with any judge: one that knows categories says itself whether a page
is on topic, for any other the crawl's threshold decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage

__all__ = ["HardFocus", "SoftFocus", "relevance_as_priority"]


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
