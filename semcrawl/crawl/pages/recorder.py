"""Taking in what came of visits: judged pages, redirects, errors. One transaction each."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from semcrawl.crawl.events import AlarmEnded, AlarmRaised, FrontierRevised, PageVisited, UrlDropped
from semcrawl.graph import Changes, VisitedPage
from semcrawl.graph.changes import alarm_ended, alarm_raised
from semcrawl.page import PageStatements
from semcrawl.text.vectors import bands
from semcrawl.web.response import HOST_DOWN, DropReason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.events import Event
    from semcrawl.crawl.frontier import Frontier
    from semcrawl.crawl.pages.intake import Intake
    from semcrawl.crawl.pages.ranking import Ranking
    from semcrawl.crawl.pages.revision import Reviser
    from semcrawl.crawl.pages.revisits import Revisiting
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.settings import Settings
    from semcrawl.errors import FetchError
    from semcrawl.graph import CrawlGraph, FoundUrl
    from semcrawl.page import Page
    from semcrawl.relevance import Judgement
    from semcrawl.steering.alarms import AlarmWatch
    from semcrawl.web import Response

# What is recorded of a page, put together from its answer, its reading and its judgement.


def page_record(
    entry: FoundUrl,
    step: int,
    response: Response,
    page: Page,
    judgement: Judgement,
    settings: Settings,
    *,
    memo: str = "",
) -> VisitedPage:
    """What is recorded of a page that was fetched, read and judged.

    The settings say whether that has what near duplicates are found by, and what
    the page says itself; ``memo`` is what the strategy wants to find again.
    """
    said = page.statements if settings.statements else PageStatements()
    return VisitedPage(
        url=entry.url,
        step=step,
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
        log_relevance=judgement.log_relevance,
        on_topic=judgement.on_topic,
        etag=response.headers.get("etag", ""),
        last_modified=response.headers.get("last-modified", ""),
        memo=memo,
        bands=bands(page.terms) if settings.sketches else (),
        statements=said.triples,
        statement_problems=said.problems,
        links=dict.fromkeys(link.url for link in page.links),
    )


FLUSH_EVERY = 1000
"""Pages between two flushes: reopening after a crash replays at most so many."""

HOST_FAILURES = 5
"""Failed connections in a row after which a host is given up."""


class Recorder:
    """Writes outcomes to the graph and the frontier, and tells what happened."""

    def __init__(
        self,
        *,
        settings: Settings,
        graph: CrawlGraph,
        frontier: Frontier,
        intake: Intake,
        ranking: Ranking,
        reviser: Reviser,
        revisiting: Revisiting,
        alarms: AlarmWatch,
        progress: Progress,
        threshold: float,
    ) -> None:
        self._settings = settings
        self._graph = graph
        self._frontier = frontier
        self._intake = intake
        self._ranking = ranking
        self._reviser = reviser
        self._revisiting = revisiting
        self._alarms = alarms
        self._progress = progress
        self._threshold = threshold
        self._failures: Counter[str] = Counter()
        self._crawl = graph.describe().id

    def take(self, outcome: Outcome) -> Iterator[Event]:
        """Record an outcome wholly or not at all; the events are given when it is recorded."""
        changes = Changes()
        events = list(self._take(changes, outcome))
        self._graph.apply(changes)
        self._progress.waiting = len(self._frontier)
        if events and isinstance(events[0], PageVisited) and not events[0].step % FLUSH_EVERY:
            self._graph.store.flush()
        yield from events
        yield from self.revise()

    def revise(self) -> Iterator[Event]:
        """Write down what the strategy has learnt; before the first visit, too.

        A crawl may have ended between a page and what was learnt from it.
        """
        if priorities := self._ranking.revised():
            changed = self._reviser.reprioritise(priorities)
            yield FrontierRevised(changed, self._progress)

    def _take(self, changes: Changes, outcome: Outcome) -> Iterator[Event]:
        entry, response = outcome.entry, outcome.response
        if entry.known is not None:
            yield from self._revisiting.take(changes, outcome, entry.known)
        elif outcome.error is not None:
            yield from self._take_error(changes, entry, outcome.error)
        elif outcome.page is not None and outcome.judgement is not None:
            assert response is not None
            yield self._take_page(changes, entry, response, outcome.page, outcome.judgement)
            yield from self._watch(changes, outcome.judgement.relevance)
        elif response is not None:
            self._take_redirect(changes, entry, response)

    def _take_error(
        self, changes: Changes, entry: FoundUrl, error: FetchError | Exception
    ) -> Iterator[UrlDropped]:
        reason, note = getattr(error, "reason", DropReason.UNREADABLE), str(error)
        down = reason in HOST_DOWN
        self._failures[entry.host] = self._failures[entry.host] + 1 if down else 0
        entry.tries += 1
        if getattr(error, "temporary", False) and entry.tries < self._settings.tries:
            self._try_again(changes, entry, error)
            return
        changes.left_frontier(entry)
        self._intake.drop(changes, entry.url, reason, note)
        if self._failures[entry.host] >= HOST_FAILURES:
            gone = f"given up with its host, which failed {HOST_FAILURES} times in a row"
            self._intake.give_up_host(changes, entry.host, reason, gone)
        yield UrlDropped(entry.url, reason, note, self._progress)

    def _try_again(self, changes: Changes, entry: FoundUrl, error: Exception) -> None:
        wait = self._settings.retry_delay * 2 ** (entry.tries - 1)
        wait = max(wait, min(getattr(error, "retry_after", None) or 0.0, self._settings.max_delay))
        changes.tried(entry)
        self._progress.retries += 1
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
        progress = self._progress
        progress.pages += 1
        progress.bytes += len(response.body)
        relevant = judgement.relevance >= self._threshold
        progress.relevant += relevant
        ranked = self._ranking.rank(entry, page, judgement)
        changes.left_frontier(entry)
        record = page_record(
            entry,
            progress.pages,
            response,
            page,
            judgement,
            self._settings,
            memo=ranked.memo,
        )
        changes.visited(record)
        self._count_for_host(changes, entry.host)
        self._intake.offer_links(changes, ranked.links, entry)
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

    def _count_for_host(self, changes: Changes, host: str) -> None:
        pages = self._intake.known.pages_by_host
        self._progress.hosts += host not in pages
        pages[host] += 1
        if pages[host] == self._settings.pages_per_host:
            note = f"the host has given {self._settings.pages_per_host} pages"
            self._intake.give_up_host(changes, host, DropReason.HOST_LIMIT, note)

    def _watch(self, changes: Changes, relevance: float) -> Iterator[Event]:
        """Raise and end alarms, in the transaction of the page that did it."""
        relevant = relevance >= self._threshold
        for alarm in self._alarms.saw(self._progress.pages, relevance, is_relevant=relevant):
            if alarm.ended is None:
                alarm_raised(
                    changes,
                    self._crawl,
                    number=alarm.number,
                    kind=alarm.kind,
                    step=alarm.step,
                    note=alarm.note,
                    now=time.time(),
                )
                yield AlarmRaised(alarm, self._progress)
            else:
                alarm_ended(changes, self._crawl, number=alarm.number, step=alarm.ended)
                yield AlarmEnded(alarm, self._progress)
