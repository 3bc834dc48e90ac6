"""Taking in what came of a second visit: as it was, changed, or gone."""

from __future__ import annotations

import heapq
import time
from typing import TYPE_CHECKING

from semcrawl.crawl.crew import is_as_before
from semcrawl.crawl.events import PageRevisited, UrlDropped
from semcrawl.crawl.pages.recorder import page_record
from semcrawl.graph import SC, FoundUrl, KnownPage
from semcrawl.web.response import DropReason
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.events import Event
    from semcrawl.crawl.pages.intake import Intake
    from semcrawl.crawl.pages.ranking import Ranking
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import Changes, CrawlGraph

_GONE = frozenset({404, 410})


class Revisiting:
    """Records revisits. A page keeps its step; what it says is replaced where it has changed."""

    def __init__(
        self,
        intake: Intake,
        ranking: Ranking,
        revisits: Revisits,
        progress: Progress,
        threshold: float,
        settings: Settings,
    ) -> None:
        self._intake = intake
        self._ranking = ranking
        self._revisits = revisits
        self._progress = progress
        self._threshold = threshold
        self._settings = settings

    def take(self, changes: Changes, outcome: Outcome, known: KnownPage) -> Iterator[Event]:
        """Record one revisit in the changes."""
        entry, response = outcome.entry, outcome.response
        self._revisits.done(entry.url)
        self._progress.revisits += 1
        if response is not None and is_as_before(outcome):
            changes.found_unchanged(entry.url, known, time.time())
            yield PageRevisited(entry.url, False, known.relevance, self._progress)
        elif outcome.page is not None and outcome.judgement is not None:
            yield self._take_changed(changes, outcome, known)
        else:
            yield self._take_failure(changes, outcome, known)

    def _take_changed(self, changes: Changes, outcome: Outcome, known: KnownPage) -> PageRevisited:
        entry, response, page = outcome.entry, outcome.response, outcome.page
        judgement = outcome.judgement
        assert response is not None
        assert page is not None
        assert judgement is not None
        record = page_record(
            entry,
            known.step,
            response,
            page,
            judgement,
            self._settings,
        )
        changes.visited_again(record, known, time.time())
        self._progress.changed += 1
        links = self._ranking.rank(entry, page, judgement, is_first=False).links
        self._intake.offer_links(changes, links, entry)
        now, before = judgement.relevance, known.relevance
        self._progress.relevant += (now >= self._threshold) - (before >= self._threshold)
        return PageRevisited(entry.url, True, now, self._progress)

    def _take_failure(self, changes: Changes, outcome: Outcome, known: KnownPage) -> UrlDropped:
        """A page that cannot be had now; its record stays, for it was true when it was made."""
        entry, response, error = outcome.entry, outcome.response, outcome.error
        if response is not None and response.redirect is not None:
            self._find_gone(changes, entry.url, known)
            self._offer_target(changes, entry, response.redirect)
            note = f"revisited: it now redirects to {response.redirect}"
            return UrlDropped(entry.url, DropReason.HTTP_ERROR, note, self._progress)
        if getattr(error, "status", None) in _GONE:
            self._find_gone(changes, entry.url, known)
        else:
            changes.found_unreachable(entry.url, time.time())
            self._progress.failed += 1
        reason = getattr(error, "reason", DropReason.UNREADABLE)
        return UrlDropped(entry.url, reason, f"revisited: {error}", self._progress)

    def _find_gone(self, changes: Changes, url: str, known: KnownPage) -> None:
        self._progress.gone += 1
        changes.found_gone(url, known, time.time())

    def _offer_target(self, changes: Changes, entry: FoundUrl, target: str) -> None:
        self._intake.offer(changes, target, 1.0, depth=entry.depth, found_on=entry.url, redirects=1)


# Pages that wait for another visit, and their share of a crawl's visits.


_AHEAD = 1e6
"""The priority of a revisit in the frontier: the share decides how many there are, and when
one is there its turn has come."""


class Revisits:
    """Chooses which visits go to pages that were visited before.

    In the graph ``sc:revisitPriority`` marks the pages that wait, so that a
    resumed crawl goes on with them.

    Args:
        graph: the crawl graph.
        share: the share of the visits that revisits may have; with 1 nothing
            else is visited (maintenance).
    """

    def __init__(self, graph: CrawlGraph, share: float) -> None:
        self.share = share
        self._graph = graph
        self._wanted: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []
        self._under_way: set[str] = set()
        self._visits = 0
        self._revisits = 0

    def restore(self) -> None:
        """Take over what waited when the crawl last stopped."""
        for row in self._graph.query("frontier/revisits"):
            self._put(row["url"], row["priority"])

    def __len__(self) -> int:
        return len(self._wanted) + len(self._under_way)

    @property
    def is_maintenance(self) -> bool:
        """Whether nothing but revisits is made."""
        return self.share >= 1.0

    def want(self, changes: Changes, url: str, priority: float) -> bool:
        """Let a visited page wait for another visit; whether that changes anything."""
        before = self._wanted.get(url)
        if url in self._under_way or before == priority:
            return False
        if before is None and self._graph.store.value(url, SC + "step") is None:
            return False
        changes.revisit_wanted(url, before, priority)
        self._put(url, priority)
        return True

    def _put(self, url: str, priority: float) -> None:
        self._wanted[url] = priority
        heapq.heappush(self._heap, (-priority, url))

    def visit_started(self, entry: FoundUrl) -> None:
        """Count a visit, of whichever kind."""
        self._visits += 1
        self._revisits += entry.known is not None

    def next(self) -> FoundUrl | None:
        """The page whose turn it is, None where none waits or the share is used up."""
        pending = self._revisits + len(self._under_way)
        if not self.is_maintenance and pending + 1 > self.share * (self._visits + 1):
            return None
        while self._heap:
            priority, url = heapq.heappop(self._heap)
            if self._wanted.get(url) != -priority:
                continue
            del self._wanted[url]
            entry = self._entry(url)
            if entry is not None:
                self._under_way.add(url)
                return entry
        return None

    def _entry(self, url: str) -> FoundUrl | None:
        row = next(iter(self._graph.query("frontier/known-page", url=url)), None)
        if row is None:
            return None
        order, depth = row.pop("order"), row.pop("depth")
        known = KnownPage(**{name: value for name, value in row.items() if value is not None})
        return FoundUrl(url, host_of(url), _AHEAD, order, depth, found_on=url, known=known)

    def done(self, url: str) -> None:
        """The revisit of a page has ended."""
        self._under_way.discard(url)
