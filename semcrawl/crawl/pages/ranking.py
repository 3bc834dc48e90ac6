"""What a strategy says of a page's links, checked, as one priority for each URL.

Strategies that learn also observe every page, note something with it, and may
give waiting URLs other priorities later.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.graph import SC
from semcrawl.registry import split_spec
from semcrawl.strategies import JudgedPage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.kind import CrawlState
    from semcrawl.graph import FoundUrl
    from semcrawl.page import Page
    from semcrawl.relevance import Judgement
    from semcrawl.strategies.strategy import FullStrategy

_FOUND_ON, _MEMO, _REDIRECTS_TO = SC + "foundOn", SC + "memo", SC + "redirectsTo"


@dataclass(frozen=True, slots=True)
class Ranked:
    """The URLs to follow from a page with their priorities, and what the strategy noted of it."""

    links: dict[str, float]
    memo: str = ""


_NOTHING = Ranked({})


class Ranking:
    """Asks the strategy which URLs to follow from a page."""

    def __init__(self, state: CrawlState, strategy: FullStrategy) -> None:
        self._name = state.settings.strategy
        self._strategy = strategy
        self._learner = strategy if strategy.learns else None
        self._threshold = state.threshold
        self._graph = state.graph
        self._obeys = state.settings.obeys_nofollow
        if self._learner is not None:
            self._begin(self._learner, is_resumed=state.is_resumed)

    def _begin(self, learner: FullStrategy, *, is_resumed: bool) -> None:
        """Let a strategy that learns take up its memory."""
        rows = self._graph.query("analyse/harvest") if is_resumed else ()
        visited = {row["url"]: row["relevance"] for row in rows}
        name = Path(split_spec(self._name)[0]).name
        learner.begin(self._graph.strategy_folder(name), visited)

    def rank(self, outcome: Outcome) -> Ranked:
        """Return the URLs to follow, each with the best priority among its links.

        From a second visit to a page nothing is learnt.

        Raises:
            ConfigError: the strategy gave other than one finite number, or None, a link.
        """
        if outcome.page is None or outcome.judgement is None:
            return _NOTHING
        judged = self._judged(outcome.entry, outcome.page, outcome.judgement)
        links = self._links(judged)
        if self._learner is None or outcome.entry.known is not None:
            return Ranked(links)
        memo = self._learner.note(judged)
        self._learner.observe(judged)
        return Ranked(links, memo)

    def revised(self) -> Mapping[str, float]:
        """New priorities for waiting URLs, where the strategy has learnt something."""
        return {} if self._learner is None else self._learner.revise()

    def close(self) -> None:
        """Let a strategy that learns close its files."""
        if self._learner is not None:
            self._learner.close()

    def _links(self, judged: JudgedPage) -> dict[str, float]:
        page = judged.page
        shut = self._obeys and page.nofollow
        # One that learns looks at the links of every page, followed or not.
        if not page.links or (shut and self._learner is None):
            return {}
        priorities = self._strategy.rank(judged)
        if len(priorities) != len(page.links):
            raise ConfigError(
                f"the strategy {self._name!r} gave {len(priorities)} priorities for "
                f"the {len(page.links)} links of {page.url}: it must give one for each"
            )
        best: dict[str, float] = {}
        for link, priority in zip(page.links, priorities, strict=True):
            if priority is None or shut or (self._obeys and link.nofollow):
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
            fetch_priority=entry.priority,
            **self._origin(entry.url),
        )

    def _origin(self, url: str) -> dict[str, str]:
        """Where a URL was found and what was noted there, for strategies that ask."""
        if self._learner is None:
            return {}
        value = self._graph.store.value
        page = found_on = value(url, _FOUND_ON)
        # A redirect has no memo of its own; what led to it has.
        while page is not None and value(page, _REDIRECTS_TO) is not None:
            page = value(page, _FOUND_ON)
        memo = value(page, _MEMO) if page is not None else None
        return {"memo": memo or ""} | ({"found_on": found_on} if found_on else {})
