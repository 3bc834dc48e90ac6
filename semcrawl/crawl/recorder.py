"""Recording what came of visits, for both kinds of crawl: one transaction for each outcome."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic

from semcrawl.crawl.engine import EventT, LinksT
from semcrawl.crawl.events import PageVisited
from semcrawl.graph import Changes, VisitedPage
from semcrawl.page import PageStatements
from semcrawl.text.vectors import bands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.state import CrawlState
    from semcrawl.errors import VisitError
    from semcrawl.graph import FoundUrl

FLUSH_EVERY = 1000
"""Pages between two flushes: reopening after a crash replays at most so many."""

HOST_FAILURES = 5
"""Failed connections in a row after which a host is given up."""


def page_record(outcome: Outcome, step: int, settings: Settings, memo: str = "") -> VisitedPage:
    """Return what is recorded of a judged page; ``memo`` is what the strategy notes with it."""
    entry, response = outcome.entry, outcome.response
    page, judgement = outcome.page, outcome.judgement
    assert response is not None
    assert page is not None
    assert judgement is not None
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


class Recorder(ABC, Generic[EventT, LinksT]):
    """Writes outcomes to graph and frontier, and tells what happened."""

    def __init__(self, state: CrawlState) -> None:
        self._settings = state.settings
        self._graph = state.graph
        self._progress = state.progress
        self._threshold = state.threshold

    def record(self, outcome: Outcome, links: LinksT) -> Iterator[EventT]:
        """Record an outcome wholly or not at all; yield the events when it is recorded."""
        changes = Changes()
        events = list(self._take(changes, outcome, links))
        self._graph.apply(changes)
        if events and isinstance(events[0], PageVisited) and not events[0].step % FLUSH_EVERY:
            self._graph.store.flush()
        yield from events

    @abstractmethod
    def _take(self, changes: Changes, outcome: Outcome, links: LinksT) -> Iterator[EventT]:
        """Collect the changes that an outcome makes, and change the frontier."""

    def _page_visited(self, changes: Changes, outcome: Outcome, memo: str) -> PageVisited:
        """Count and write down a page; its links are not looked at."""
        entry, progress = outcome.entry, self._progress
        progress.pages += 1
        record = page_record(outcome, progress.pages, self._settings, memo)
        progress.bytes += record.size
        relevant = record.relevance >= self._threshold
        progress.relevant += relevant
        changes.left_frontier(entry)
        changes.visited(record)
        return PageVisited(
            record.step,
            entry.url,
            record.title,
            record.relevance,
            relevant,
            entry.priority,
            entry.depth,
            progress,
        )

    def _next_try(self, changes: Changes, entry: FoundUrl, error: VisitError) -> float | None:
        """Count a failed try; return when the next may be made, None if none is left."""
        settings = self._settings
        entry.tries += 1
        if not error.temporary or entry.tries >= settings.tries:
            return None
        wait = settings.retry_delay * 2.0 ** (entry.tries - 1)
        asked = min(error.retry_after or 0.0, settings.max_delay)
        changes.tried(entry)
        self._progress.retries += 1
        return time.monotonic() + max(wait, asked)

    def _redirected_too_often(self, entry: FoundUrl) -> str:
        """Return what is wrong with one more redirect, an empty text if nothing is."""
        most = self._settings.max_redirects
        return f"more than {most} redirects in a row" if entry.redirects >= most else ""
