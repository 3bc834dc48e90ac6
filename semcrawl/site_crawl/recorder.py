"""Taking in what came of visits, for the site that each belongs to. One transaction each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from semcrawl.crawl.events import PageVisited, UrlDropped
from semcrawl.crawl.page_record import page_record
from semcrawl.crawl.recorder import FLUSH_EVERY
from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.site_changes import site_judged
from semcrawl.site_crawl.evidence import PageNote, SiteJudgement
from semcrawl.site_crawl.site_stop import SiteStop
from semcrawl.web.reasons import HOST_DOWN, DropReason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.visit import Outcome
    from semcrawl.errors import FetchError, PageError
    from semcrawl.graph import CrawlGraph
    from semcrawl.page import Page
    from semcrawl.site_crawl.directing import SiteDirector
    from semcrawl.site_crawl.events import SiteEvent
    from semcrawl.site_crawl.internal import InternalCrawl
    from semcrawl.site_crawl.page_links import LinkSorter
    from semcrawl.site_crawl.progress import SiteProgress
    from semcrawl.web import Response, TrapGuard

__all__ = ["SiteRecorder"]


class SiteRecorder:
    """Writes outcomes to the graph and to the internal crawlers, and tells what happened."""

    def __init__(
        self,
        *,
        settings: Settings,
        graph: CrawlGraph,
        director: SiteDirector,
        sorter: LinkSorter,
        guard: TrapGuard,
        progress: SiteProgress,
    ) -> None:
        self._settings = settings
        self._graph = graph
        self._director = director
        self._sorter = sorter
        self._guard = guard
        self._progress = progress

    def take(self, site: InternalCrawl, outcome: Outcome) -> Iterator[SiteEvent]:
        """Record an outcome wholly or not at all, and close the site where it is done."""
        changes = Changes()
        site.under_way = None
        events: list[SiteEvent] = list(self._take(changes, site, outcome))
        moved = self._is_moved(changes, site, outcome)
        reason = SiteStop.MOVED if moved else site.reason_to_stop()
        if reason is SiteStop.UNREACHABLE and self._director.try_entry(changes, site):
            reason = None
        if reason is not None:
            events.append(self._director.close(changes, site, reason))
        self._graph.apply(changes)
        if events and isinstance(events[0], PageVisited) and not events[0].step % FLUSH_EVERY:
            self._graph.store.flush()
        yield from events

    def _take(
        self, changes: Changes, site: InternalCrawl, outcome: Outcome
    ) -> Iterator[PageVisited | UrlDropped]:
        entry, response = outcome.entry, outcome.response
        if outcome.error is not None:
            yield from self._take_error(changes, site, entry, outcome.error)
        elif outcome.page is not None and isinstance(outcome.judgement, SiteJudgement):
            assert response is not None
            yield self._take_page(changes, site, entry, response, outcome.page, outcome.judgement)
        elif response is not None:
            yield from self._take_redirect(changes, site, entry, response)

    # Pages

    def _take_page(
        self,
        changes: Changes,
        site: InternalCrawl,
        entry: FoundUrl,
        response: Response,
        page: Page,
        judgement: SiteJudgement,
    ) -> PageVisited:
        progress = self._progress
        progress.pages += 1
        progress.bytes += len(response.body)
        relevant = judgement.relevance >= self._director.threshold
        progress.relevant += relevant
        note = PageNote(judgement.confidences, self._sorter.ignored(page))
        changes.left_frontier(entry)
        changes.visited(
            page_record(
                entry,
                progress.pages,
                response,
                page,
                judgement,
                sketched=self._settings.sketches,
                memo=note.to_json(),
            )
        )
        links = self._sorter.sort(site.site, (link.url for link in page.links), note.ignored)
        weight = site.read(note, links.others, entry.url, entry.depth)
        self._judge_site(changes, site)
        for url in links.inside:
            self._offer(changes, site, url, weight, entry)
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

    def _judge_site(self, changes: Changes, site: InternalCrawl) -> None:
        judged = site.confidence, site.pages
        site_judged(changes, site.site, old=site.judged, new=judged)
        site.judged = judged

    def _offer(
        self, changes: Changes, site: InternalCrawl, url: str, weight: float, entry: FoundUrl
    ) -> None:
        if site.knows(url):
            if moved := site.raise_or_lower(url, weight):
                changes.prioritised(url, *moved)
            return
        if site.has_room and self._admits(changes, site, url):
            order = self._director.next_order()
            found = FoundUrl(url, site.site, weight, order, entry.depth + 1, entry.url)
            changes.found(found)
            site.offer(found, weight)

    def _admits(self, changes: Changes, site: InternalCrawl, url: str) -> bool:
        """Whether a new URL may wait; one that may not is dropped."""
        if not self._sorter.allows(url):
            self._drop(changes, site, url, DropReason.OUT_OF_SCOPE)
            return False
        if trap := self._guard.check(url):
            self._drop(changes, site, url, DropReason.TRAP_SUSPECTED, trap)
            return False
        return True

    def _drop(
        self, changes: Changes, site: InternalCrawl, url: str, reason: str, note: str = ""
    ) -> None:
        site.settle(url)
        self._progress.dropped[reason] += 1
        changes.dropped(url, reason, note)

    # What is no page

    def _take_error(
        self,
        changes: Changes,
        site: InternalCrawl,
        entry: FoundUrl,
        error: FetchError | PageError,
    ) -> Iterator[UrlDropped]:
        reason, note = error.reason, str(error)
        entry.tries += 1
        if getattr(error, "temporary", False) and entry.tries < self._settings.tries:
            wait = self._settings.retry_delay * 2 ** (entry.tries - 1)
            asked = min(getattr(error, "retry_after", None) or 0.0, self._settings.max_delay)
            changes.tried(entry)
            self._progress.retries += 1
            site.offer_later(entry, time.monotonic() + max(wait, asked))
            return
        changes.left_frontier(entry)
        site.failed(note, host_down=reason in HOST_DOWN)
        self._drop(changes, site, entry.url, reason, note)
        yield UrlDropped(entry.url, reason, note, self._progress)

    def _take_redirect(
        self, changes: Changes, site: InternalCrawl, entry: FoundUrl, response: Response
    ) -> Iterator[UrlDropped]:
        target = response.redirect
        assert target is not None
        changes.left_frontier(entry)
        if entry.redirects >= self._settings.max_redirects:
            note = f"more than {self._settings.max_redirects} redirects in a row"
            site.failed(note)
            self._drop(changes, site, entry.url, DropReason.TOO_MANY_REDIRECTS, note)
            yield UrlDropped(entry.url, DropReason.TOO_MANY_REDIRECTS, note, self._progress)
            return
        changes.redirected(entry.url, target, response.status)
        if self._director.site_of(target) != site.site or site.knows(target):
            return
        if self._admits(changes, site, target):
            order, more = self._director.next_order(), entry.redirects + 1
            found = FoundUrl(
                target, site.site, entry.priority, order, entry.depth, entry.url, redirects=more
            )
            changes.found(found)
            site.offer(found)

    def _is_moved(self, changes: Changes, site: InternalCrawl, outcome: Outcome) -> bool:
        """Whether a site that has given no page yet sends its visitors to another site."""
        target = outcome.response.redirect if outcome.response else None
        if target is None or outcome.error is not None or site.pages or any(site.waiting):
            return False
        name = self._director.site_of(target)
        if name == site.site or not self._sorter.allows(target):
            return False
        self._director.moved(changes, site, name, target, outcome.entry)
        return True
