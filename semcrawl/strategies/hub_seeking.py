"""The hub-seeking crawler: what a page that points to several seeds points to comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from semcrawl.errors import ConfigError
from semcrawl.strategies.dom import Dom

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.judges import Judge
    from semcrawl.page import Page
    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["HubSeeking", "hub_score"]

_SEEDS_BY = ("hosts", "pages", "sections")


def hub_score(seeds: int) -> float:
    """n(n - 1) / (1 + n²) for a page that points to n seed hosts (Pant, Menczer 2003, figure 3).

    >>> [round(hub_score(n), 3) for n in range(6)]
    [0.0, 0.0, 0.4, 0.6, 0.706, 0.769]
    """
    return seeds * (seeds - 1) / (1 + seeds**2)


class HubSeeking:
    """The larger of hub score and DOM score (Pant, Menczer 2003, eq. 5).

    Args:
        topic: the topic.
        background: document frequencies.
        judge: the crawl's judge, whose similarity need not be computed again.
        seeds: the crawl's seeds, which are taken to be on the topic.
        seeds_by: what of the seeds is counted: ``hosts`` as in the paper; where all seeds are
            on one host, the seed ``pages`` themselves, or ``sections``, the folders they are in.
        alpha: as for the DOM crawler, and so are the others.
        level: the aggregation node: 1 is the link's parent.
        words: if given, the smallest enclosing block with at least so many words.
        by: how texts are compared.
        measure: how near concepts are.
        min_weight: how near a concept must be to count; below 0 it is the measure's cut-off.

    Raises:
        ConfigError: there are several seeds, and they all count as one.
    """

    batch = 1

    def __init__(
        self,
        topic: Topic,
        background: Background,
        judge: Judge | None = None,
        seeds: Sequence[str] = (),
        seeds_by: str = "hosts",
        alpha: float = 0.25,
        level: int = 1,
        words: int = 0,
        by: str = "cosine",
        measure: str = "",
        min_weight: float = -1.0,
    ) -> None:
        if seeds_by not in _SEEDS_BY:
            raise ConfigError(f"seeds_by={seeds_by} is none of {', '.join(_SEEDS_BY)}")
        self._dom = Dom(topic, background, judge, alpha, level, words, by, measure, min_weight)
        self._by = seeds_by
        self._seeds = frozenset(key for seed in seeds for key in _keys(seed, seeds_by)[:1])
        # One seed makes no hub, and this the DOM crawler; but several look as if they did.
        if len(set(seeds)) > 1 and len(self._seeds) < 2:
            others = "sections or pages" if seeds_by == "hosts" else "pages"
            raise ConfigError(
                f"hub-seeking: all {len(set(seeds))} seeds are in one of seeds_by={seeds_by}, and "
                f"a hub points to two or more: give seeds elsewhere, or seeds_by={others}"
            )

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The hub score of the page, or the DOM score of the link where that is larger."""
        hub = hub_score(self.seeds_pointed_to(judged.page))
        return [max(hub, score) for score in self._dom.rank(judged)]

    def seeds_pointed_to(self, page: Page) -> int:
        """How many seed hosts (or pages, or sections) a page has links to."""
        urls = {link.url for link in page.links}
        return len(self._seeds & {key for url in urls for key in _keys(url, self._by)})


def _keys(url: str, by: str) -> list[str]:
    """What a URL counts for, the nearest first: its host, itself, or its folders.

    >>> _keys("http://a.test/wp/b/Bird.htm", "sections")
    ['http://a.test/wp/b/', 'http://a.test/wp/', 'http://a.test/']
    """
    if by == "pages":
        return [url]
    parts = urlsplit(url)
    if by == "hosts":
        return [parts.hostname or ""]
    steps = (parts.path or "/").split("/")[:-1]
    start = f"{parts.scheme}://{parts.netloc}"
    return [f"{start}{'/'.join(steps[: n + 1])}/" for n in range(len(steps) - 1, -1, -1)]
