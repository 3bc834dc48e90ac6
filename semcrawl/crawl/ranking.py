"""What a strategy says of a page's links, checked, as one priority for each URL."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.strategies import JudgedPage

if TYPE_CHECKING:
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import FoundUrl
    from semcrawl.judges import Judgement
    from semcrawl.page import Page
    from semcrawl.strategies import Strategy

__all__ = ["Ranking"]


class Ranking:
    """Asks the strategy which URLs to follow from a page."""

    def __init__(self, settings: Settings, strategy: Strategy, threshold: float) -> None:
        self._name = settings.strategy
        self._strategy = strategy
        self._threshold = threshold
        # In a recording nobody is asked, so that nobody's wish not to be followed applies.
        self._obeys = settings.nofollow and not settings.replay

    def rank(self, entry: FoundUrl, page: Page, judgement: Judgement) -> dict[str, float]:
        """The URLs to follow, each with the best priority among its links.

        Raises:
            ConfigError: the strategy gave other than one finite number, or None, a link.
        """
        if not page.links or (self._obeys and page.nofollow):
            return {}
        priorities = self._strategy.rank(self._judged(entry, page, judgement))
        if len(priorities) != len(page.links):
            raise ConfigError(
                f"the strategy {self._name!r} gave {len(priorities)} priorities for "
                f"the {len(page.links)} links of {page.url}: it must give one for each"
            )
        best: dict[str, float] = {}
        for link, priority in zip(page.links, priorities, strict=True):
            if priority is None or (self._obeys and link.nofollow):
                continue
            if not math.isfinite(priority):
                raise ConfigError(
                    f"the strategy {self._name!r} gave the priority {priority} to "
                    f"{link.url} on {page.url}: it must be a finite number"
                )
            # Six places, as in the graph: a resumed crawl must see the same order.
            best[link.url] = max(round(priority, 6), best.get(link.url, -math.inf))
        return best

    def _judged(self, entry: FoundUrl, page: Page, judgement: Judgement) -> JudgedPage:
        on_topic = judgement.on_topic
        if on_topic is None:
            on_topic = judgement.relevance >= self._threshold
        return JudgedPage(
            page,
            judgement.relevance,
            entry.depth,
            judgement.concept,
            judgement.log_relevance,
            on_topic,
        )
