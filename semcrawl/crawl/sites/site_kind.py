"""Crawling for websites: sites are opened, read one page at a time, recorded and closed.

That is the external crawler of Ester 2004, section 4.2.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import msgspec

from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.events import UrlDropped
from semcrawl.crawl.frontier import HostGate
from semcrawl.crawl.kind import CrawlKind, CrawlState
from semcrawl.crawl.progress import StopReason
from semcrawl.crawl.sites.belief import edge_weight, running_prior
from semcrawl.crawl.sites.frontier import ExternalFrontier, KnownSite
from semcrawl.crawl.sites.internal import Detour, InternalCrawl, LinkSorter, PageLinks, PageNote, SiteJudgement
from semcrawl.crawl.sites.progress import EffortWatch, SiteClosed, SiteEvent, SiteProgress, SiteStop
from semcrawl.crawl.sites.settings import SiteSettings
from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.vocabulary import site_iri
from semcrawl.models.site_classifiers import PageClassifier
from semcrawl.web import Response
from semcrawl.web.response import HOST_DOWN, DropReason
from semcrawl.web.urls import host_of


@dataclass(slots=True, kw_only=True)
class SiteState(CrawlState):
    """The state of a crawl for websites."""

    site_settings: SiteSettings
    progress: SiteProgress = field(default_factory=SiteProgress)
    frontier: ExternalFrontier
    sorter: LinkSorter
    watch: EffortWatch


class OpenSites:
    """Opens and closes sites, and keeps the edges between them."""

    def __init__(self, state: SiteState, classifier: PageClassifier) -> None:
        self.open: dict[str, InternalCrawl] = {}  # being read, in the order of opening
        self.order = 0  # the number of the URL found last
        self.closed = 0  # that were opened before
        self._state = state
        self._frontier = state.frontier
        self._progress = state.progress
        self._sorter = state.sorter
        self._classifier = classifier

    def next_order(self) -> int:
        """The number of a URL that is found now."""
        self.order += 1
        return self.order

    def open_next(self) -> Iterator[SiteClosed]:
        """Open the best site that may be read; those that may not are closed unread."""
        while (known := self._frontier.take()) is not None:
            changes = Changes()
            reason = SiteStop.DOMAIN_LIMIT
            if not self.may_open(known):
                reason = SiteStop.OUT_OF_SCOPE
            elif not self._frontier.is_over_limit(known):
                self._open(changes, known)
                self._state.graph.apply(changes)
                return
            closed = self.close_unread(changes, known, reason)
            self._state.graph.apply(changes)
            yield closed

    def may_open(self, known: KnownSite) -> bool:
        """Whether some URL that the site can be read from lies within the crawl's scope."""
        allows = self._sorter.allows
        return bool(known.starts) or allows(known.homepage) or allows(known.entry)

    def _open(self, changes: Changes, known: KnownSite) -> None:
        prior = round(running_prior(self._progress.relevant_sites, self._progress.sites), 6)
        site = self.reopen(known, prior)
        changes.site_states(
            known.name,
            opening_number=self.closed + len(self.open),
            opened_at_step=self._progress.pages,
            opening_rank=known.priority,
            site_prior=prior,
        )
        # A homepage out of the crawl's scope is not asked for.
        first = known.homepage if self._sorter.allows(known.homepage) else known.entry
        for entry in known.starts or [self._start(changes, known, first)]:
            site.offer(entry)
        self._count()

    def reopen(self, known: KnownSite, prior: float) -> InternalCrawl:
        """An internal crawler for a site, before any page."""
        settings, error = self._state.site_settings, self._classifier.error
        site = self.open[known.name] = InternalCrawl(known, settings, error=error, prior=prior)
        return site

    def _start(self, changes: Changes, known: KnownSite, url: str) -> FoundUrl:
        entry = FoundUrl(url, known.name, known.priority, self.next_order(), known.depth, known.found_on)
        changes.found(entry)
        return entry

    def reason_to_close(self, changes: Changes, site: InternalCrawl) -> SiteStop | None:
        """Why to read no more of a site, or None; without pages its entry page is tried first."""
        reason = site.reason_to_stop()
        if reason is not SiteStop.UNREACHABLE:
            return reason
        # Where the homepage gave nothing, it begins with the URL that led to the site instead.
        known = site.known
        if not site.knows(known.entry) and self._sorter.allows(known.entry):
            site.offer(self._start(changes, known, known.entry))
            return None
        return SiteStop.MOVED if site.out.moved_to else reason

    def close(self, changes: Changes, site: InternalCrawl, reason: SiteStop) -> SiteClosed:
        """Nothing more is read of a site: its edges count from now on, its URLs wait no more."""
        known = site.known
        del self.open[site.site]
        for entry in site.waiting:
            changes.left_frontier(entry)
        if reason is SiteStop.MOVED and site.out.moved_to:
            changes.site_states(site.site, moved_to=site_iri(site.out.moved_to))
        self._link(changes, site)
        note = site.first_failure if reason in (SiteStop.UNREACHABLE, SiteStop.FAILING) else ""
        name = site.class_name(self._classifier.classes) if site.pages else ""
        self.closed += 1
        changes.site_states(
            site.site,
            site_stopped_because=reason,
            closed_at_step=self._progress.pages,
            closing_number=self.closed,
            site_class=name,
        )
        if site.pages:
            self.count_closed(site.pages, is_relevant=site.is_relevant)
        else:
            self._frontier.give_back(known)
        self._count()
        return SiteClosed(
            site.site,
            known.homepage,
            site.confidence if site.pages else None,
            name,
            site.is_relevant,
            site.pages,
            reason,
            note,
            self._progress,
        )

    def count_closed(self, pages: int, *, is_relevant: bool) -> None:
        """Count a site that was classified."""
        self._state.watch.closed(pages, is_relevant=is_relevant)
        self._progress.sites += 1
        self._progress.relevant_sites += is_relevant

    def close_unread(self, changes: Changes, known: KnownSite, reason: SiteStop) -> SiteClosed:
        """Close a site that waits no more, unread."""
        self._progress.refused[reason] += 1
        for entry in known.starts:
            changes.left_frontier(entry)
        changes.site_states(known.name, site_stopped_because=reason, closed_at_step=self._progress.pages)
        return SiteClosed(known.name, known.homepage, None, "", False, 0, reason, "", self._progress)

    def _link(self, changes: Changes, site: InternalCrawl) -> None:
        for target, edge in sorted(site.out.all().items()):
            # Where a site that gave no page redirects to inherits its rank.
            weight = mean = edge.confidences.value
            if site.pages:
                weight = edge_weight(self._state.site_settings.weights, site.confidence, mean)
            weight = round(weight, 6)
            if not self._frontier.was_taken(target):
                if not self._frontier.waits(target):
                    number, homepage = self._frontier.next_number, self._sorter.naming.homepage_for(edge.entry)
                    self.enter(changes, KnownSite(target, number, homepage, edge.entry, edge.depth, edge.found_on))
                self._frontier.linked(target, weight)
            changes.site_linked(site.site, target, weight=weight, pages=edge.confidences.count)
            self.give_up_worst(changes)

    def give_up_worst(self, changes: Changes) -> None:
        """Close the sites that there is no room for among those that wait."""
        for lost in self._frontier.give_up_worst():
            self.close_unread(changes, lost, SiteStop.FRONTIER_FULL)

    def enter(self, changes: Changes, known: KnownSite) -> None:
        """Let a site wait that is known from now on, with the URLs to begin with."""
        changes.site_found(
            known.name,
            site_number=known.number,
            depth=known.depth,
            homepage=known.homepage,
            entry_page=known.entry,
            found_on=known.found_on,
        )
        for entry in known.starts:
            changes.found(entry)
        self._frontier.add(known)

    def _count(self) -> None:
        self._progress.open_sites = len(self.open)
        self._progress.waiting = len(self._frontier)


class SiteVisit(msgspec.Struct, frozen=True):
    """What is noted of a page that was judged, and its links."""

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
        page, judgement = outcome.page, outcome.judgement
        if page is None or not isinstance(judgement, SiteJudgement):
            return SiteVisit()
        note = PageNote(judgement.confidences, self._sorter.ignored(page))
        links = self._sorter.sort(outcome.entry.host, (link.url for link in page.links), note.ignored)
        return SiteVisit(note, links)

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
        entry, response, site = outcome.entry, outcome.response, self._sites.open[outcome.entry.host]
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
