"""Taking in what came of visits, for the site that each belongs to. One transaction each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from semcrawl.crawl.events import PageVisited, UrlDropped
from semcrawl.crawl.pages.recorder import FLUSH_EVERY, page_record
from semcrawl.crawl.sites.internal import Detour, PageNote, SiteJudgement
from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.site_changes import site_failed, site_judged
from semcrawl.web.response import HOST_DOWN, DropReason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.sites.director import SiteDirector
    from semcrawl.crawl.sites.internal import InternalCrawl, LinkSorter
    from semcrawl.crawl.sites.progress import SiteEvent, SiteProgress
    from semcrawl.errors import FetchError, PageError
    from semcrawl.graph import CrawlGraph
    from semcrawl.page import Page
    from semcrawl.web import Response, TrapGuard


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
        events += self._close(changes, site)
        self._graph.apply(changes)
        if events and isinstance(events[0], PageVisited) and not events[0].step % FLUSH_EVERY:
            self._graph.store.flush()
        yield from events

    def close_idle(self) -> Iterator[SiteEvent]:
        """Close the sites that nothing waits of, as other patterns on a resume can leave them."""
        for site in list(self._director.open.values()):
            if not any(site.waiting):
                changes = Changes()
                events = list(self._close(changes, site))
                self._graph.apply(changes)
                yield from events

    def _close(self, changes: Changes, site: InternalCrawl) -> Iterator[SiteEvent]:
        reason = self._director.reason_to_close(changes, site)
        if reason is not None:
            yield self._director.close(changes, site, reason)

    def _take(
        self, changes: Changes, site: InternalCrawl, outcome: Outcome
    ) -> Iterator[PageVisited | UrlDropped]:
        entry, response = outcome.entry, outcome.response
        detour = site.end_detour(entry.url)
        if response is not None and response.redirect is not None and outcome.error is None:
            yield from self._take_redirect(changes, site, entry, response, detour)
        elif detour is not None:
            # The way ends at another site. Whatever is there is for that one to find.
            self._leave(changes, site, detour, entry.url)
        elif outcome.error is not None:
            yield from self._take_error(changes, site, entry, outcome.error)
        elif outcome.page is not None and isinstance(outcome.judgement, SiteJudgement):
            assert response is not None
            yield self._take_page(changes, site, entry, response, outcome.page, outcome.judgement)

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
                self._settings,
                memo=note.to_json(),
            )
        )
        links = self._sorter.sort(site.site, (link.url for link in page.links), note.ignored)
        site_failed(changes, site.site, first="", old=site.down_in_a_row, new=0)
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
        yield self._fail(changes, site, entry, reason, note)

    def _fail(
        self, changes: Changes, site: InternalCrawl, entry: FoundUrl, reason: str, note: str
    ) -> UrlDropped:
        first, before = not site.first_failure, site.down_in_a_row
        site.failed(note, host_down=reason in HOST_DOWN)
        now = site.down_in_a_row
        site_failed(changes, site.site, first=note if first else "", old=before, new=now)
        changes.left_frontier(entry)
        self._drop(changes, site, entry.url, reason, note)
        return UrlDropped(entry.url, reason, note, self._progress)

    # Redirects

    def _take_redirect(
        self,
        changes: Changes,
        site: InternalCrawl,
        entry: FoundUrl,
        response: Response,
        detour: Detour | None,
    ) -> Iterator[UrlDropped]:
        target = response.redirect
        assert target is not None
        way = detour or Detour(entry, response.status)
        if entry.redirects >= self._settings.max_redirects:
            note = f"more than {self._settings.max_redirects} redirects in a row"
            yield self._fail(changes, site, way.start, DropReason.TOO_MANY_REDIRECTS, note)
        elif detour is not None and target == way.start.url:
            note = f"redirects to itself through {entry.url}"
            yield self._fail(changes, site, way.start, DropReason.TOO_MANY_REDIRECTS, note)
        elif self._director.site_of(target) == site.site:
            self._turn(changes, site, way, target, entry.redirects + 1)
        elif self._is_worth_following(site, target):
            start, more = way.start, entry.redirects + 1
            stop = FoundUrl(target, site.site, start.priority, start.order, start.depth, start.url)
            stop.redirects = more
            site.follow(way, stop)
        else:
            self._leave(changes, site, way, target)

    def _is_worth_following(self, site: InternalCrawl, target: str) -> bool:
        """Whether a way to another site may lead back: where a site begins, once.

        Pages that ask for consent do so. A homepage does not, and is left for
        the crawler of its own site to ask for.
        """
        if site.pages or site.is_on_detour or self._director.is_homepage(target):
            return False
        away = site.out.leads_away_to(self._director.site_of(target))
        return not away and self._sorter.allows(target)

    def _turn(
        self, changes: Changes, site: InternalCrawl, way: Detour, target: str, redirects: int
    ) -> None:
        """A URL redirects to another one of its site, which is read instead."""
        start = way.start
        changes.left_frontier(start)
        changes.redirected(start.url, target, way.status)
        site.out.turned(start)
        if not site.knows(target) and self._admits(changes, site, target):
            order = self._director.next_order()
            found = FoundUrl(target, site.site, start.priority, order, start.depth, start.url)
            found.redirects = redirects
            changes.found(found)
            site.offer(found)

    def _leave(self, changes: Changes, site: InternalCrawl, way: Detour, target: str) -> None:
        """A URL redirects to another site: an edge leads there, as by a link."""
        changes.left_frontier(way.start)
        changes.redirected(way.start.url, target, way.status)
        if self._sorter.allows(target):
            site.out.left(way.start, self._director.site_of(target), target)
