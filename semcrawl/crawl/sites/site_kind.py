"""Crawling for websites: sites are opened, read one page at a time, recorded and closed."""

from collections.abc import Callable, Iterator

import msgspec

from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.events import UrlDropped
from semcrawl.crawl.frontier import HostGate
from semcrawl.crawl.kind import CrawlKind
from semcrawl.crawl.progress import StopReason
from semcrawl.crawl.sites.internal import Detour, InternalCrawl, PageLinks, PageNote, SiteJudgement
from semcrawl.crawl.sites.open_sites import OpenSites, SiteState
from semcrawl.crawl.sites.progress import SiteEvent
from semcrawl.graph import Changes, FoundUrl
from semcrawl.web import Response
from semcrawl.web.response import HOST_DOWN, DropReason
from semcrawl.web.urls import host_of


class SiteVisit(msgspec.Struct, frozen=True):
    """The site that a visit was for; of a judged page what is noted of it, and its links."""

    site: InternalCrawl
    note: PageNote | None = None
    links: PageLinks | None = None


class SiteKind(CrawlKind[SiteEvent, SiteVisit]):
    """Reads the best sites first, several at once."""

    def __init__(self, state: SiteState, sites: OpenSites) -> None:
        super().__init__(state)
        self._state = state
        self._sites = sites
        self._sorter = state.sorter
        self._site_of = state.sorter.naming.of
        self._at_once = state.site_settings.sites_at_once or state.settings.worker_count
        self._gate = HostGate()
        self._under_way: dict[str, InternalCrawl] = {}
        self._looked_at = 0.0

    def begin(self) -> Iterator[SiteEvent]:
        """Close the sites that nothing waits of, as other patterns on a resume leave them."""
        for site in list(self._sites.open.values()):
            if not any(site.waiting):
                changes = Changes()
                events = list(self._close(changes, site))
                self._graph.apply(changes)
                yield from events

    def between_visits(self, is_told_to_stop: Callable[[], bool]) -> Iterator[SiteEvent]:  # noqa: ARG002
        """Open sites until enough are being read."""
        while len(self._sites.open) < self._at_once:
            before = len(self._sites.open)
            yield from self._sites.open_next()
            if len(self._sites.open) == before:
                return

    @property
    def is_empty(self) -> bool:
        """Whether no site is being read."""
        return not self._sites.open

    def picks(self, now: float, busy: int) -> Iterator[FoundUrl]:  # noqa: ARG002
        """Yield the next URL of each site that has no visit under way, best sites first."""
        self._looked_at = now
        for _ in self._gate.due(now):
            pass
        idle = (site for site in self._sites.open.values() if site.under_way is None)
        for site in sorted(idle, key=lambda site: -site.priority):
            if (entry := site.pick(now, lambda url: self._gate.is_free(host_of(url)))) is not None:
                self._gate.pick(host_of(entry.url), now)
                self._under_way[entry.url] = site
                yield entry

    def next_due(self) -> float | None:
        """Return when a host or a URL that has to wait may be visited."""
        # What was due at the last look and is still there waits for something else.
        due = [site.next_due(self._looked_at) for site in self._sites.open.values()]
        return min((when for when in (*due, self._gate.next_due()) if when is not None), default=None)

    def host_of(self, entry: FoundUrl) -> str:
        """Return the host that a visit asks; a site may have several."""
        return host_of(entry.url)

    def release(self, host: str, ready_at: float) -> None:
        """The visit to a host has ended; the next may begin at ``ready_at``."""
        self._gate.release(host, ready_at)

    def rank(self, outcome: Outcome) -> SiteVisit:
        """Sort the links of a page: those inside its site, and the other sites it leads to."""
        site = self._under_way.pop(outcome.entry.url)
        page, judgement = outcome.page, outcome.judgement
        if page is None or not isinstance(judgement, SiteJudgement):
            return SiteVisit(site)
        note = PageNote(judgement.confidences, self._sorter.ignored(page))
        links = self._sorter.sort(site.site, (link.url for link in page.links), note.ignored)
        return SiteVisit(site, note, links)

    def reason_to_stop(self) -> StopReason | None:
        """Beside the rules of all crawls: enough relevant sites, or too much effort for them."""
        state = self._state
        wanted = state.site_settings.sites
        if wanted and state.progress.relevant_sites >= wanted:
            return StopReason.SITES_REACHED
        reason = super().reason_to_stop()
        return StopReason.EFFORT_RISEN if reason is None and state.watch.has_risen else reason

    def _close(self, changes: Changes, site: InternalCrawl) -> Iterator[SiteEvent]:
        if (reason := self._sites.reason_to_close(changes, site)) is not None:
            yield self._sites.close(changes, site, reason)

    def _take(self, changes: Changes, outcome: Outcome, links: SiteVisit) -> Iterator[SiteEvent]:
        entry, response, site = outcome.entry, outcome.response, links.site
        site.under_way = None
        detour = site.detours.pop(entry.url, None)
        if response is not None and response.redirect is not None and outcome.error is None:
            yield from self._take_redirect(changes, site, entry, response, detour)
        elif detour is not None:
            # The way ends at another site, whose own crawler reads what is there.
            self._leave(changes, site, detour, entry.url)
        elif outcome.error is not None:
            if (not_before := self._next_try(changes, entry, outcome.error)) is not None:
                site.offer_later(entry, not_before)
            else:
                yield self._fail(changes, site, entry, outcome.error.reason, str(outcome.error))
        elif links.note is not None and links.links is not None:
            yield self._page_visited(changes, outcome, msgspec.json.encode(links.note).decode())
            self._host_answered(changes, site)
            weight = site.read(links.note, links.links.others, entry.url, entry.depth)
            before, now = site.judged or (None, None), (site.confidence, site.pages)
            changes.site_replaced(site.site, "site_confidence", before[0], now[0])
            changes.site_replaced(site.site, "pages_read", before[1], now[1])
            site.judged = now
            for url in links.links.inside:
                self._offer(changes, site, url, weight, entry)
        yield from self._close(changes, site)

    def _host_answered(self, changes: Changes, site: InternalCrawl) -> None:
        changes.site_replaced(site.site, "failures_in_a_row", site.down_in_a_row or None, None)
        site.down_in_a_row = 0

    def _offer(self, changes: Changes, site: InternalCrawl, url: str, weight: float, entry: FoundUrl) -> None:
        if site.knows(url):
            if moved := site.raise_or_lower(url, weight):
                changes.prioritised(url, *moved)
            return
        if site.has_room and self._admits(changes, site, url):
            found = FoundUrl(url, site.site, weight, self._sites.next_order(), entry.depth + 1, entry.url)
            changes.found(found)
            site.offer(found, weight)

    def _admits(self, changes: Changes, site: InternalCrawl, url: str) -> bool:
        """Whether a new URL may wait; one that may not is dropped."""
        if not self._sorter.allows(url):
            self._drop(changes, site, url, DropReason.OUT_OF_SCOPE)
            return False
        if trap := self._state.guard.check(url):
            self._drop(changes, site, url, DropReason.TRAP_SUSPECTED, trap)
            return False
        return True

    def _drop(self, changes: Changes, site: InternalCrawl, url: str, reason: str, note: str = "") -> None:
        site.settle(url)
        self._state.drop(changes, url, reason, note)

    def _fail(self, changes: Changes, site: InternalCrawl, entry: FoundUrl, reason: str, note: str) -> UrlDropped:
        first, before = not site.first_failure, site.down_in_a_row or None
        site.failed(note, host_down=reason in HOST_DOWN)
        changes.site_replaced(site.site, "failures_in_a_row", before, site.down_in_a_row or None)
        if first and note:
            changes.site_states(site.site, note=[note])
        changes.left_frontier(entry)
        self._drop(changes, site, entry.url, reason, note)
        return UrlDropped(entry.url, reason, note, progress=self._progress)

    def _take_redirect(
        self, changes: Changes, site: InternalCrawl, entry: FoundUrl, response: Response, detour: Detour | None
    ) -> Iterator[UrlDropped]:
        target = response.redirect
        assert target is not None
        way = detour or Detour(entry, response.status)
        if detour is None:
            self._host_answered(changes, site)
        if note := self._redirected_too_often(entry):
            yield self._fail(changes, site, way.start, DropReason.TOO_MANY_REDIRECTS, note)
        elif detour is not None and target == way.start.url:
            note = f"redirects to itself through {entry.url}"
            yield self._fail(changes, site, way.start, DropReason.TOO_MANY_REDIRECTS, note)
        elif self._site_of(target) == site.site:
            self._turn(changes, site, way, target, entry.redirects + 1)
        elif self._is_worth_following(site, target):
            start, hops = way.start, entry.redirects + 1
            site.follow(way, FoundUrl(target, site.site, start.priority, start.order, start.depth, start.url, 0, hops))
        else:
            self._leave(changes, site, way, target)

    def _is_worth_following(self, site: InternalCrawl, target: str) -> bool:
        """Whether another site may lead back, as for consent: only where a site begins, once."""
        if site.pages or site.detours or self._sorter.naming.homepage_for(target) == target:
            return False
        return not site.out.leads_away_to(self._site_of(target)) and self._sorter.allows(target)

    def _turn(self, changes: Changes, site: InternalCrawl, way: Detour, target: str, redirects: int) -> None:
        """A URL redirects to another one of its site, which is read instead."""
        start = way.start
        changes.left_frontier(start)
        changes.redirected(start.url, target, way.status)
        site.out.turned(start)
        if not site.knows(target) and self._admits(changes, site, target):
            order = self._sites.next_order()
            found = FoundUrl(target, site.site, start.priority, order, start.depth, start.url, 0, redirects)
            changes.found(found)
            site.offer(found)

    def _leave(self, changes: Changes, site: InternalCrawl, way: Detour, target: str) -> None:
        """A URL redirects to another site: an edge leads there, as by a link."""
        changes.left_frontier(way.start)
        changes.redirected(way.start.url, target, way.status)
        if self._sorter.allows(target):
            site.out.left(way.start, self._site_of(target), target)
