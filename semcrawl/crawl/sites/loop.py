"""The loop of a crawl for websites: open sites, visit their pages, record, close. One thread.

Several internal crawlers are at work side by side, each with one visit at a
time, so that each decides on its next page with all that it has read.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from semcrawl.crawl.frontier import HostGate
from semcrawl.crawl.progress import PauseSwitch, StopReason
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from semcrawl.crawl.crew import Crew, Outcome
    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.sites.director import SiteDirector
    from semcrawl.crawl.sites.internal import InternalCrawl
    from semcrawl.crawl.sites.progress import EffortWatch, SiteEvent, SiteProgress
    from semcrawl.crawl.sites.recorder import SiteRecorder
    from semcrawl.crawl.sites.settings import SiteSettings
    from semcrawl.graph import CrawlGraph
    from semcrawl.web import Politeness

_TICK = 0.25
_GRACE = 5.0


class SiteLoop:
    """Runs a crawl for websites until a stop rule is met. The only writer of the graph.

    Args:
        settings: how pages are fetched, and how many.
        site_settings: what is looked for, and how many sites.
        graph: the crawl graph, whose readers are answered between visits.
        director: opens and closes sites.
        recorder: takes in what came of visits.
        crew: who visits.
        at_once: how many sites are read side by side.
        politeness: when a host may be asked again.
        progress: the running figures.
        watch: the pages per relevant site of late.
    """

    def __init__(
        self,
        *,
        settings: Settings,
        site_settings: SiteSettings,
        graph: CrawlGraph,
        director: SiteDirector,
        recorder: SiteRecorder,
        crew: Crew,
        at_once: int,
        politeness: Politeness,
        progress: SiteProgress,
        watch: EffortWatch,
    ) -> None:
        self.progress = progress
        self._settings = settings
        self._site_settings = site_settings
        self._graph = graph
        self._director = director
        self._recorder = recorder
        self._crew = crew
        self._at_once = at_once
        self._politeness = politeness
        self._watch = watch
        self._gate = HostGate()
        self._under_way: dict[str, InternalCrawl] = {}
        self._looked_at = 0.0
        self._told_to_stop = threading.Event()
        self.pause = PauseSwitch()

    def stop(self) -> None:
        """Ask the loop to stop after the visits under way; may be called from any thread."""
        self._told_to_stop.set()

    def run(self) -> Generator[SiteEvent, None, StopReason]:
        """Crawl, giving an event for each page and site; returns the reason when it stops."""
        yield from self._recorder.close_idle()
        while True:
            reason = self._reason_to_stop()
            if reason is not None:
                yield from self._finish_visits()
                return reason
            if not self.pause.heed(self.progress):
                yield from self._open_sites()
                self._start_visits()
                if not self._crew.busy and not self._director.open:
                    return StopReason.FRONTIER_EMPTY
            outcome = self._crew.next(self._patience())
            if outcome is not None:
                yield from self._take(outcome)
            self._graph.answer_readers()

    def _reason_to_stop(self) -> StopReason | None:
        progress, settings = self.progress, self._settings
        if self._told_to_stop.is_set():
            return StopReason.INTERRUPTED
        wanted = self._site_settings.sites
        if wanted and progress.relevant_sites >= wanted:
            return StopReason.SITES_REACHED
        if settings.pages and progress.pages >= settings.pages:
            return StopReason.PAGES_REACHED
        if settings.seconds and progress.seconds >= settings.seconds:
            return StopReason.TIME_OVER
        return StopReason.EFFORT_RISEN if self._watch.has_risen else None

    def _open_sites(self) -> Iterator[SiteEvent]:
        while len(self._director.open) < self._at_once:
            before = len(self._director.open)
            yield from self._director.open_next()
            if len(self._director.open) == before:
                return

    def _start_visits(self) -> None:
        wanted = self._crew.size
        if self._settings.pages:
            wanted = min(wanted, self._settings.pages - self.progress.pages)
        now = self._looked_at = time.monotonic()
        for _ in self._gate.due(now):
            pass
        idle = (site for site in self._director.open.values() if site.under_way is None)
        for site in sorted(idle, key=lambda site: -site.priority):
            if self._crew.busy >= wanted:
                return
            entry = site.pick(now, lambda url: self._gate.is_free(host_of(url)))
            if entry is not None:
                host = host_of(entry.url)
                self._gate.pick(host)
                self._politeness.started(host)
                self._under_way[entry.url] = site
                self._crew.start(entry)

    def _patience(self) -> float:
        """How long to wait for an outcome before looking at the sites again."""
        # What was due at the last look and is still there waits for something else.
        due = [site.next_due(self._looked_at) for site in self._director.open.values()]
        times = [when for when in (*due, self._gate.next_due()) if when is not None]
        if self.pause.is_on:
            times = []  # nothing is due
        wait = min([_TICK, *(max(when - time.monotonic(), 0.0) for when in times)])
        if not self._crew.busy and wait:
            # No worker can end the wait: sleep, but hear a call to stop.
            self._told_to_stop.wait(wait)
            return 0.0
        return wait

    def _finish_visits(self) -> Iterator[SiteEvent]:
        """Take in what is nearly done; what is not goes back, for the graph still has it."""
        deadline = time.monotonic() + _GRACE
        while self._crew.busy and time.monotonic() < deadline:
            outcome = self._crew.next(deadline - time.monotonic())
            is_over = self._settings.pages and self.progress.pages >= self._settings.pages
            if outcome is not None and not is_over:
                yield from self._take(outcome)

    def _take(self, outcome: Outcome) -> Iterator[SiteEvent]:
        if outcome.bug is not None:
            raise outcome.bug
        host, error = host_of(outcome.entry.url), outcome.error
        ready_at = self._politeness.finished(
            host,
            outcome.elapsed,
            status=outcome.response.status if outcome.response else getattr(error, "status", None),
            error=getattr(error, "reason", None),
            retry_after=getattr(error, "retry_after", None),
            robots_delay=outcome.robots_delay,
        )
        self._gate.release(host, ready_at)
        site = self._under_way.pop(outcome.entry.url)
        yield from self._recorder.take(site, outcome)
