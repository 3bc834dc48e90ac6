"""Crawling for websites, as the engine sees it: sites are opened, read page by page, closed.

Each site has one visit at a time, so that its next page is chosen by all pages read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.crawl.engine import CrawlKind
from semcrawl.crawl.frontier import HostGate
from semcrawl.crawl.progress import StopReason, reason_to_stop
from semcrawl.crawl.sites.internal import PageNote, SiteJudgement
from semcrawl.crawl.sites.progress import SiteEvent
from semcrawl.crawl.sites.recorder import SiteRecorder, SiteVisit
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.sites.internal import InternalCrawl
    from semcrawl.crawl.sites.open_sites import OpenSites, SiteState
    from semcrawl.graph import FoundUrl


class SiteKind(CrawlKind[SiteEvent, SiteVisit]):
    """Reads the best sites first, several at once."""

    def __init__(self, state: SiteState, sites: OpenSites) -> None:
        self._state = state
        self._sites = sites
        self._recorder = SiteRecorder(state, sites)
        self._at_once = state.site_settings.sites_at_once or state.settings.worker_count
        self._gate = HostGate()
        self._under_way: dict[str, InternalCrawl] = {}
        self._looked_at = 0.0

    def begin(self) -> Iterator[SiteEvent]:
        """Close the sites that nothing waits of, as other patterns on a resume leave them."""
        yield from self._recorder.close_idle()

    def between_visits(
        self,
        is_told_to_stop: Callable[[], bool],  # noqa: ARG002
    ) -> Iterator[SiteEvent]:
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
            entry = site.pick(now, lambda url: self._gate.is_free(host_of(url)))
            if entry is not None:
                self._gate.pick(host_of(entry.url))
                self._under_way[entry.url] = site
                yield entry

    def next_due(self) -> float | None:
        """Return when a host or a URL that has to wait may be visited."""
        # What was due at the last look and is still there waits for something else.
        due = [site.next_due(self._looked_at) for site in self._sites.open.values()]
        times = (when for when in (*due, self._gate.next_due()) if when is not None)
        return min(times, default=None)

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
        sorter = self._state.sorter
        note = PageNote(judgement.confidences, sorter.ignored(page))
        links = sorter.sort(site.site, (link.url for link in page.links), note.ignored)
        return SiteVisit(site, note, links)

    def record(self, outcome: Outcome, links: SiteVisit) -> Iterator[SiteEvent]:
        """Record the outcome, and close the site where it is done."""
        return self._recorder.record(outcome, links)

    def reason_to_stop(self) -> StopReason | None:
        """Return the stop rule that is met: enough relevant sites, or too much effort for them."""
        state = self._state
        wanted = state.site_settings.sites
        if wanted and state.progress.relevant_sites >= wanted:
            return StopReason.SITES_REACHED
        reason = reason_to_stop(state.settings, state.progress)
        return StopReason.EFFORT_RISEN if reason is None and state.watch.has_risen else reason
