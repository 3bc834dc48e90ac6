"""Crawling for pages, as the engine sees it: a frontier of URLs, ranked by a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.crawl.engine import CrawlKind
from semcrawl.crawl.events import Event, FrontierRevised
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.pages.intake import Intake
from semcrawl.crawl.pages.priorities import Priorities
from semcrawl.crawl.pages.ranking import Ranked, Ranking
from semcrawl.crawl.pages.recorder import PageRecorder
from semcrawl.crawl.pages.revisits import Revisits
from semcrawl.crawl.pages.steering import Steering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.pages.state import PageState
    from semcrawl.graph import FoundUrl
    from semcrawl.steering import Policy
    from semcrawl.strategies.strategy import FullStrategy


class PageKind(CrawlKind[Event, Ranked]):
    """Visits the best URLs first, and beside them pages whose revisit is wanted."""

    def __init__(
        self, state: PageState, strategy: FullStrategy, policies: Sequence[Policy]
    ) -> None:
        self._progress = state.progress
        self._settled = state.known.settled
        is_maintenance = state.settings.is_maintenance
        # In maintenance what waits to be visited for the first time goes on waiting.
        self._frontier = Frontier() if is_maintenance else state.frontier
        self._batch = 1 if is_maintenance else strategy.batch
        self._ranking = Ranking(state, strategy)
        self._revisits = Revisits(state)
        intake = Intake(state)
        self._priorities = Priorities(state, intake, self._revisits)
        self._recorder = PageRecorder(state, intake, self._revisits)
        self.steering = Steering(state, policies, self._priorities)

    def begin(self) -> Iterator[Event]:
        """A crawl may have ended between a page and what was learnt from it."""
        yield from self._learn()

    def between_visits(self, is_told_to_stop: Callable[[], bool]) -> Iterator[Event]:
        """Run policies and distiller where they are due, and let revisits take their turn."""
        yield from self.steering.turn(is_told_to_stop)
        while (page := self._revisits.next()) is not None:
            self._frontier.push(page)

    @property
    def is_empty(self) -> bool:
        """Whether no URL waits and no policy may bring one."""
        return not len(self._frontier) and not self.steering.is_busy

    def picks(self, now: float, busy: int) -> Iterator[FoundUrl]:
        """Yield the best URLs of hosts that may be asked now."""
        frontier, batch = self._frontier, self._batch
        # A batch is chosen when the last one is done, from all that it found.
        if batch > 1 and frontier.batch_is_served and (busy or not frontier.take(batch)):
            return
        while (entry := frontier.pop(now)) is not None:
            self._settled.add(entry.url)
            self._revisits.visit_started(entry)
            yield entry
            if batch > 1 and frontier.batch_is_served:
                return

    def next_due(self) -> float | None:
        """Return when a host or a URL that has to wait may be visited."""
        return self._frontier.next_due()

    def release(self, host: str, ready_at: float) -> None:
        """The visit to a host has ended; the next may begin at ``ready_at``."""
        self._frontier.release(host, ready_at)

    def rank(self, outcome: Outcome) -> Ranked:
        """Let the strategy rank the links of the page."""
        return self._ranking.rank(outcome)

    def record(self, outcome: Outcome, links: Ranked) -> Iterator[Event]:
        """Record the outcome, then what the strategy has learnt from it."""
        yield from self._recorder.record(outcome, links)
        yield from self._learn()

    def _learn(self) -> Iterator[Event]:
        if priorities := self._ranking.revised():
            changed = self._priorities.reprioritise(priorities)
            yield FrontierRevised(changed, self._progress)

    def close(self) -> None:
        """Give up what runs beside the crawl, and close the strategy's files."""
        self.steering.close()
        self._ranking.close()
