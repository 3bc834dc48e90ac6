"""Crawlers without concepts: breadth-first, best-first, soft and hard focus, unfocused."""

from collections.abc import Sequence
from typing import ClassVar
from zlib import crc32

from semcrawl.errors import ConfigError
from semcrawl.relevance import Judge
from semcrawl.strategies.link_text import LinkText, LinkTextStrategy, topic_similarity
from semcrawl.strategies.strategy import BaseStrategy, JudgedPage
from semcrawl.text.background import Background
from semcrawl.topics import Topic


class BreadthFirst(BaseStrategy):
    """First found, first fetched: no focus at all (Batsakis 2007, section 3.2)."""

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return the same priority for every link: the frontier keeps equals in the order found."""
        return [0.0] * len(judged.page.links)


class BestFirstPage(LinkTextStrategy):
    """A link is as good as the page that it stands on: cos(p, q) (Batsakis 2007, eq. 2)."""

    on: ClassVar[str] = "page"

    def __init__(self, topic: Topic, background: Background, judge: Judge | None = None) -> None:
        self._text = LinkText(self.on, topic_similarity("cosine", topic, background, judge))


class BestFirstAnchor(BestFirstPage):
    """A link is as good as its anchor text: cos(a, q) (Batsakis 2007, section 3.2.2)."""

    on = "anchor"


class BestFirstPageAnchor(BestFirstPage):
    """Mean of page and anchor similarity: (cos(p, q) + cos(a, q)) / 2 (Batsakis 2007, eq. 7)."""

    on = "page-anchor"


def checked_rotation(rotation: int) -> int:
    """Return a number of picks between two of one host; ConfigError below 0."""
    if rotation < 0:
        raise ConfigError(f"rotation={rotation}: give 0 or more picks between two of one host")
    return rotation


class NaiveBestFirst(LinkTextStrategy):
    """A link is as good as its page, by term frequencies alone (Pant, Menczer 2003, section 4.3).

    The same as best-first-page but for the weights of terms and ``rotation``, their D (section
    4.1): of so many URLs picked, each is of another host, if so many have any.
    """

    def __init__(self, topic: Topic, background: Background, rotation: int = 50) -> None:
        self.rotation = checked_rotation(rotation)
        self._text = LinkText("page", topic_similarity("tf", topic, background))


_RANKED_BY = ("page", "anchor", "page-anchor")


class NBestFirst(LinkTextStrategy):
    """Best-first that fetches the N best URLs before it chooses again (Batsakis 2007, section 2.3).

    ``by`` is what a link is ranked by: ``page``, ``anchor`` or ``page-anchor``.
    """

    def __init__(
        self, topic: Topic, background: Background, judge: Judge | None = None, n: int = 10, by: str = "page-anchor"
    ) -> None:
        if by not in _RANKED_BY:
            raise ValueError(f"by must be one of {', '.join(_RANKED_BY)}, not {by!r}")
        self.batch = _batch(n)
        self._text = LinkText(by, topic_similarity("cosine", topic, background, judge))


def _batch(n: int) -> int:
    if n < 1:
        raise ValueError(f"n must be at least 1, not {n}")
    return n


def relevance_as_priority(relevance: float, log_relevance: float | None) -> float:
    """Return a priority that grows with the relevance, and tells small relevances apart.

    With the logarithm of R(d), as Chakrabarti et al. 1999 (section 3.1), it is 1 / (1 - ln R).

    >>> relevance_as_priority(0.25, None)
    0.25
    >>> relevance_as_priority(1.0, 0.0), relevance_as_priority(0.0, -99.0)
    (1.0, 0.01)
    """
    return relevance if log_relevance is None else 1.0 / (1.0 - min(log_relevance, 0.0))


class SoftFocus(BaseStrategy):
    """All links enter with the page's relevance (Chakrabarti et al. 1999, section 4.2).

    Batches of ``n`` are picked by (tries, relevance, pages taken from that server, random).
    """

    ordering = "load"

    def __init__(self, n: int = 24) -> None:
        self.batch = _batch(n)

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return the relevance of the page, for every link."""
        priority = relevance_as_priority(judged.relevance, judged.log_relevance)
        return [priority] * len(judged.page.links)


class HardFocus(SoftFocus):
    """Only pages on topic are expanded (Chakrabarti et al. 1999, section 4.2).

    With a taxonomy a page is on topic if some category on its best path is marked good;
    with another judge, if it reaches the crawl's threshold. The crawl may run out of URLs.
    """

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return the relevance of a page on topic, for every link; nothing from any other page."""
        if not judged.on_topic:
            return [None] * len(judged.page.links)
        return super().rank(judged)


class Unfocused(BaseStrategy):
    """Links in the order of a hash of their URL, in batches (Chakrabarti et al. 1999, section 5.2).

    What focused crawlers are compared with there: a pseudo-random order, the same in every run.
    """

    def __init__(self, n: int = 24) -> None:
        self.batch = _batch(n)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return a hash of each link's URL, from 0 to 1; neither page nor topic counts."""
        return [crc32(link.url.encode("utf-8", "replace")) / 2**32 for link in judged.page.links]
