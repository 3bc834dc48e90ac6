"""The crawl loop: frontier, visit, record, frontier; and what runs beside it. One thread."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from semcrawl.crawl.progress import PauseSwitch, StopReason, reason_to_stop

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from semcrawl.crawl.crew import Crew, Outcome
    from semcrawl.crawl.events import Event
    from semcrawl.crawl.frontier import Frontier
    from semcrawl.crawl.pages.intake import KnownUrls
    from semcrawl.crawl.pages.recorder import Recorder
    from semcrawl.crawl.pages.revisits import Revisits
    from semcrawl.crawl.pages.steering import Steering
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import CrawlGraph
    from semcrawl.web import Politeness

_TICK = 0.25
_GRACE = 5.0


class CrawlLoop:
    """Runs a crawl until a stop rule is met. The only writer of the graph and the frontier.

    Args:
        settings: the settings of the crawl.
        graph: the crawl graph, whose readers are answered between visits.
        frontier: what is visited; in maintenance it holds revisits only.
        known: what is known of URLs that do not wait.
        crew: who visits.
        batch: how many URLs are chosen at a time.
        recorder: takes in what came of visits.
        revisits: pages that wait for another visit.
        steering: policies and the distiller.
        politeness: when a host may be asked again.
        progress: the running figures.
    """

    def __init__(
        self,
        *,
        settings: Settings,
        graph: CrawlGraph,
        frontier: Frontier,
        known: KnownUrls,
        crew: Crew,
        batch: int,
        recorder: Recorder,
        revisits: Revisits,
        steering: Steering,
        politeness: Politeness,
        progress: Progress,
    ) -> None:
        self.progress = progress
        self._settings = settings
        self._graph = graph
        self._frontier = frontier
        self._known = known
        self._crew = crew
        self._batch = batch
        self._recorder = recorder
        self._revisits = revisits
        self._steering = steering
        self._politeness = politeness
        self._told_to_stop = threading.Event()
        self.pause = PauseSwitch()

    def stop(self) -> None:
        """Ask the loop to stop after the visits under way; may be called from any thread."""
        self._told_to_stop.set()

    def run(self) -> Generator[Event, None, StopReason]:
        """Crawl, giving an event for each visit; returns the reason when it stops."""
        yield from self._recorder.revise()
        while True:
            reason = self._reason_to_stop()
            if reason is not None:
                yield from self._finish_visits()
                return reason
            if not self.pause.heed(self.progress):
                yield from self._steering.turn(self._told_to_stop.is_set)
                self._start_visits()
                if not self._crew.busy and not len(self._frontier) and not self._steering.is_busy:
                    is_maintenance = self._revisits.is_maintenance
                    return StopReason.MAINTAINED if is_maintenance else StopReason.FRONTIER_EMPTY
            outcome = self._crew.next(self._patience())
            if outcome is not None:
                yield from self._take(outcome)
            self._graph.answer_readers()

    def _reason_to_stop(self) -> StopReason | None:
        if self._told_to_stop.is_set():
            return StopReason.INTERRUPTED
        return reason_to_stop(self._settings, self.progress)

    def _start_visits(self) -> None:
        crew, frontier, batch = self._crew, self._frontier, self._batch
        while (page := self._revisits.next()) is not None:
            frontier.push(page)
        # A batch is chosen when the last one is done, from all that it found.
        if batch > 1 and frontier.batch_is_served and (crew.busy or not frontier.take(batch)):
            return
        wanted = crew.size
        if self._settings.pages and not self._revisits.is_maintenance:
            wanted = min(wanted, self._settings.pages - self.progress.pages)
        while crew.busy < wanted:
            if batch > 1 and frontier.batch_is_served:
                return
            entry = frontier.pop(time.monotonic())
            if entry is None:
                return
            self._known.settled.add(entry.url)
            self._politeness.started(entry.host)
            self._revisits.visit_started(entry)
            crew.start(entry)

    def _patience(self) -> float:
        """How long to wait for an outcome before looking at the frontier again."""
        due = None if self.pause.is_on else self._frontier.next_due()
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
            if outcome is not None and not self._is_over(outcome):
                yield from self._take(outcome)

    def _is_over(self, outcome: Outcome) -> bool:
        """Whether a visit that ended late is one page more than wanted."""
        pages = self._settings.pages
        return bool(pages) and self.progress.pages >= pages and outcome.entry.known is None

    def _take(self, outcome: Outcome) -> Iterator[Event]:
        if outcome.bug is not None:
            raise outcome.bug
        self._release_host(outcome)
        yield from self._recorder.take(outcome)

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
