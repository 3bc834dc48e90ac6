"""The crawl loop: frontier, visit, rank, record, frontier. One thread, one transaction per page."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from semcrawl.crawl.events import PageVisited, UrlDropped
from semcrawl.crawl.stopping import StopReason, reason_to_stop
from semcrawl.errors import ConfigError, FetchError
from semcrawl.graph import Changes, VisitedPage
from semcrawl.strategies import JudgedPage
from semcrawl.web.reasons import HOST_DOWN, DropReason

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from semcrawl.crawl.crew import Crew
    from semcrawl.crawl.events import Event
    from semcrawl.crawl.frontier import Frontier
    from semcrawl.crawl.intake import Intake
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.visit import Outcome
    from semcrawl.graph import CrawlGraph, FoundUrl
    from semcrawl.judges import Judgement
    from semcrawl.page import Page
    from semcrawl.strategies import Strategy
    from semcrawl.web import Politeness, Response

__all__ = ["CrawlLoop"]

FLUSH_EVERY = 1000
"""Pages between two flushes: reopening after a crash replays at most so many."""

HOST_FAILURES = 5
"""Failed connections in a row after which a host is given up."""

_TICK = 0.25
_GRACE = 5.0


class CrawlLoop:
    """Runs a crawl until a stop rule is met. The only writer of the graph and the frontier."""

    def __init__(
        self,
        *,
        settings: Settings,
        graph: CrawlGraph,
        frontier: Frontier,
        intake: Intake,
        crew: Crew,
        strategy: Strategy,
        politeness: Politeness,
        progress: Progress,
        threshold: float,
    ) -> None:
        self.progress = progress
        self._settings = settings
        self._graph = graph
        self._frontier = frontier
        self._intake = intake
        self._crew = crew
        self._strategy = strategy
        self._politeness = politeness
        self._threshold = threshold
        self._failures: Counter[str] = Counter()
        self._told_to_stop = threading.Event()

    def stop(self) -> None:
        """Ask the loop to stop after the visits under way; may be called from any thread."""
        self._told_to_stop.set()

    def run(self) -> Generator[Event, None, StopReason]:
        """Crawl, giving an event for each visit; returns the reason when it stops."""
        while True:
            reason = self._reason_to_stop()
            if reason is not None:
                yield from self._finish_visits()
                return reason
            self._start_visits()
            if not self._crew.busy and not len(self._frontier):
                return StopReason.FRONTIER_EMPTY
            outcome = self._crew.next(self._patience())
            if outcome is not None:
                yield from self._take(outcome)
            self._graph.answer_readers()

    def _reason_to_stop(self) -> StopReason | None:
        if self._told_to_stop.is_set():
            return StopReason.INTERRUPTED
        return reason_to_stop(self._settings, self.progress)

    def _start_visits(self) -> None:
        crew, frontier = self._crew, self._frontier
        batch = self._strategy.batch
        # A batch is chosen when the last one is done, from all that it found.
        if batch > 1 and frontier.batch_is_served and (crew.busy or not frontier.take(batch)):
            return
        wanted = self._settings.pages - self.progress.pages if self._settings.pages else crew.size
        while crew.busy < min(crew.size, wanted):
            if batch > 1 and frontier.batch_is_served:
                return
            entry = frontier.pop(time.monotonic())
            if entry is None:
                return
            self._intake.known.settled.add(entry.url)
            self._politeness.started(entry.host)
            crew.start(entry)

    def _patience(self) -> float:
        """How long to wait for an outcome before looking at the frontier again."""
        due = self._frontier.next_due()
        wait = _TICK if due is None else min(_TICK, max(due - time.monotonic(), 0.0))
        if not self._crew.busy and wait:
            # No worker can end the wait: sleep, but hear a call to stop.
            self._told_to_stop.wait(wait)
            return 0.0
        return wait

    def _finish_visits(self) -> Iterator[Event]:
        """Take in what is nearly done; what is not goes back, for the graph still has it."""
        deadline = time.monotonic() + _GRACE
        while self._crew.busy and time.monotonic() < deadline:
            outcome = self._crew.next(deadline - time.monotonic())
            over = self._settings.pages and self.progress.pages >= self._settings.pages
            if outcome is not None and not over:
                yield from self._take(outcome)

    # Taking in outcomes

    def _take(self, outcome: Outcome) -> Iterator[Event]:
        if outcome.bug is not None:
            raise outcome.bug
        self._release_host(outcome)
        changes = Changes()
        event: Event | None = None
        if outcome.error is not None:
            event = self._take_error(changes, outcome.entry, outcome.error)
        elif outcome.page is not None and outcome.judgement is not None:
            assert outcome.response is not None
            event = self._take_page(
                changes, outcome.entry, outcome.response, outcome.page, outcome.judgement
            )
        elif outcome.response is not None:
            self._take_redirect(changes, outcome.entry, outcome.response)
        self._graph.apply(changes)
        self.progress.waiting = len(self._frontier)
        if isinstance(event, PageVisited) and event.step % FLUSH_EVERY == 0:
            self._graph.store.flush()
        if event is not None:
            yield event

    def _release_host(self, outcome: Outcome) -> None:
        host, error = outcome.entry.host, outcome.error
        ready_at = self._politeness.finished(
            host,
            outcome.elapsed,
            status=outcome.response.status if outcome.response else getattr(error, "status", None),
            error=getattr(error, "reason", None),
            retry_after=getattr(error, "retry_after", None),
            robots_delay=outcome.robots_delay,
        )
        self._frontier.release(host, ready_at)

    def _take_error(
        self, changes: Changes, entry: FoundUrl, error: FetchError | Exception
    ) -> UrlDropped | None:
        reason, note = getattr(error, "reason", DropReason.UNREADABLE), str(error)
        down = reason in HOST_DOWN
        self._failures[entry.host] = self._failures[entry.host] + 1 if down else 0
        entry.tries += 1
        if getattr(error, "temporary", False) and entry.tries < self._settings.tries:
            self._try_again(changes, entry, error)
            return None
        changes.left_frontier(entry)
        self._intake.drop(changes, entry.url, reason, note)
        if self._failures[entry.host] >= HOST_FAILURES:
            gone = f"given up with its host, which failed {HOST_FAILURES} times in a row"
            self._intake.give_up_host(changes, entry.host, reason, gone)
        return UrlDropped(entry.url, reason, note, self.progress)

    def _try_again(self, changes: Changes, entry: FoundUrl, error: Exception) -> None:
        wait = self._settings.retry_delay * 2 ** (entry.tries - 1)
        wait = max(wait, min(getattr(error, "retry_after", None) or 0.0, self._settings.max_delay))
        changes.tried(entry)
        self.progress.retries += 1
        self._intake.known.settled.discard(entry.url)
        self._frontier.push(entry, not_before=time.monotonic() + wait)

    def _take_redirect(self, changes: Changes, entry: FoundUrl, response: Response) -> None:
        target = response.redirect
        assert target is not None
        changes.left_frontier(entry)
        if entry.redirects >= self._settings.max_redirects:
            note = f"more than {self._settings.max_redirects} redirects in a row"
            self._intake.drop(changes, entry.url, DropReason.TOO_MANY_REDIRECTS, note)
            return
        changes.redirected(entry.url, target, response.status)
        self._intake.offer(
            changes,
            target,
            entry.priority,
            depth=entry.depth,
            found_on=entry.url,
            redirects=entry.redirects + 1,
        )

    def _take_page(
        self,
        changes: Changes,
        entry: FoundUrl,
        response: Response,
        page: Page,
        judgement: Judgement,
    ) -> PageVisited:
        self._failures.pop(entry.host, None)
        progress = self.progress
        progress.pages += 1
        progress.bytes += len(response.body)
        relevant = judgement.relevance >= self._threshold
        progress.relevant += relevant
        known = self._intake.known
        if entry.host not in known.pages_by_host:
            progress.hosts += 1
        known.pages_by_host[entry.host] += 1
        links = self._rank(entry, page, judgement)
        changes.left_frontier(entry)
        changes.visited(self._record(entry, response, page, judgement))
        if known.pages_by_host[entry.host] == self._settings.pages_per_host:
            note = f"the host has given {self._settings.pages_per_host} pages"
            self._intake.give_up_host(changes, entry.host, DropReason.HOST_LIMIT, note)
        for url, priority in links.items():
            self._intake.offer(changes, url, priority, depth=entry.depth + 1, found_on=entry.url)
        return PageVisited(
            progress.pages,
            entry.url,
            page.title,
            judgement.relevance,
            relevant,
            entry.priority,
            entry.depth,
            progress,
        )

    def _rank(self, entry: FoundUrl, page: Page, judgement: Judgement) -> dict[str, float]:
        """The URLs to follow from a page, each with the best priority among its links."""
        # In a recording nobody is asked, so that nobody's wish not to be followed applies.
        obeys = self._settings.nofollow and not self._settings.replay
        if not page.links or (obeys and page.nofollow):
            return {}
        judged = JudgedPage(page, judgement.relevance, entry.depth, judgement.concept)
        priorities = self._strategy.rank(judged)
        if len(priorities) != len(page.links):
            raise ConfigError(
                f"the strategy {self._settings.strategy!r} gave {len(priorities)} priorities for "
                f"the {len(page.links)} links of {page.url}: it must give one for each"
            )
        best: dict[str, float] = {}
        for link, priority in zip(page.links, priorities, strict=True):
            if obeys and link.nofollow:
                continue
            if not math.isfinite(priority):
                raise ConfigError(
                    f"the strategy {self._settings.strategy!r} gave the priority {priority} to "
                    f"{link.url} on {page.url}: it must be a finite number"
                )
            # Six places, as in the graph: a resumed crawl must see the same order.
            best[link.url] = max(round(priority, 6), best.get(link.url, -math.inf))
        return best

    def _record(
        self, entry: FoundUrl, response: Response, page: Page, judgement: Judgement
    ) -> VisitedPage:
        return VisitedPage(
            url=entry.url,
            step=self.progress.pages,
            relevance=judgement.relevance,
            fetch_priority=entry.priority,
            status=response.status,
            fetched_at=response.fetched_at,
            size=len(response.body),
            title=page.title,
            language=page.language,
            description=page.description,
            canonical=page.canonical,
            concept=judgement.concept,
            digest=response.digest,
            links=dict.fromkeys(link.url for link in page.links),
        )
