"""The engine: the one loop of every crawl.

The kind picks a URL from its frontier, the crew fetches it; the engine's own thread reads,
judges, ranks its links and records it all, which brings new URLs to the frontier.
"""

import math
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Generic

from semcrawl.crawl.crew import Crew, Outcome, Visitor
from semcrawl.crawl.events import CrawlWarned
from semcrawl.crawl.kind import CrawlKind, CrawlState, EventT
from semcrawl.crawl.progress import StopReason
from semcrawl.crawl.settings import Settings
from semcrawl.web import Politeness

_TICK = 0.25  # seconds after which a loop that waits looks around again
_LOOK = 0.02  # seconds that readers wait for a fast crawl to look for them
_GRACE = 5.0  # seconds that visits under way are waited for when the crawl stops


def longest_pause(settings: Settings) -> float:
    """Return how many seconds a crawl waits for hosts before it stops for them."""
    # The last wait between two tries of a URL is the crawl's own, and may be longer.
    last_wait = settings.retry_delay * 2.0 ** min(max(settings.tries - 2, 0), 60)
    delay = 0.0 if settings.replay else settings.delay
    return max(settings.max_delay, delay, last_wait) + 1.0


class Engine(Generic[EventT]):
    """Runs a crawl until a stop rule is met. The only writer of graph and frontier."""

    def __init__(self, state: CrawlState, kind: CrawlKind[EventT, Any], visitor: Visitor) -> None:
        settings = state.settings
        self.kind = kind
        self._state = state
        self._visitor = visitor
        # A recording was fetched once already: its hosts need no pauses.
        delay = 0.0 if settings.replay else settings.delay
        self._politeness = Politeness(delay, settings.max_delay)
        self._longest_pause = longest_pause(settings)
        self._crew = Crew(visitor.fetch, settings.worker_count)
        self._look_at = 0.0  # when readers may be answered again
        self.notices: Callable[[], Iterable[str]] = tuple  # what is to be told beside the visits
        # Set from any thread.
        self.told_to_stop = threading.Event()
        self.told_to_pause = threading.Event()

    def close(self) -> None:
        """Let the workers go, and what the kind of crawl holds."""
        self.kind.close()
        self._crew.close()

    def run(self) -> Generator[EventT | CrawlWarned, None, StopReason]:
        """Crawl, yielding an event for whatever happens; return the reason when it stops."""
        reason = yield from self._crawl()
        yield from self.kind.finish()
        return reason

    def _crawl(self) -> Generator[EventT | CrawlWarned, None, StopReason]:
        kind, crew = self.kind, self._crew
        if self._state.lens_watch is not None:
            yield from self._warned(self._state.lens_watch.warnings)
        yield from kind.begin()
        while True:
            stopped = StopReason.INTERRUPTED if self.told_to_stop.is_set() else None
            if (reason := stopped or kind.reason_to_stop()) is not None:
                yield from self._finish_visits()
                return reason
            if self.told_to_pause.is_set():
                self._state.progress.hold_clock()
            else:
                self._state.progress.go_on()
                yield from kind.between_visits(self.told_to_stop.is_set)
                self._start_visits()
                if not crew.busy and kind.is_empty:
                    is_maintenance = self._state.settings.is_maintenance
                    return StopReason.MAINTAINED if is_maintenance else StopReason.FRONTIER_EMPTY
                if not crew.busy and (pause := self._pause_of_all()) > self._longest_pause:
                    yield from self._warned([self._who_waits(pause)])
                    return StopReason.HOSTS_WAIT
            outcome = crew.next(self._time_to_wait())
            if outcome is not None:
                yield from self._take(outcome)
            if (now := time.monotonic()) >= self._look_at:
                self._state.graph.answer_readers()
                self._look_at = now + _LOOK
            yield from self._warned(self.notices())

    def _start_visits(self) -> None:
        crew, settings = self._crew, self._state.settings
        wanted = crew.size
        if settings.pages and not settings.is_maintenance:
            wanted = min(wanted, settings.pages - self._state.progress.pages)
        picks = self.kind.picks(time.monotonic(), crew.busy)
        while crew.busy < wanted and (entry := next(picks, None)) is not None:
            self._politeness.started(self.kind.host_of(entry))
            crew.start(entry)

    def _warned(self, notes: Iterable[str]) -> Iterator[CrawlWarned]:
        for note in notes:
            yield CrawlWarned(note, progress=self._state.progress)

    def _take(self, outcome: Outcome) -> Iterator[EventT | CrawlWarned]:
        if outcome.bug is not None:
            raise outcome.bug
        self._visitor.read(outcome)
        self._release_host(outcome)
        links = self.kind.rank(outcome)
        yield from self.kind.record(outcome, links)
        if self._state.lens_watch is not None:
            yield from self._warned(self._state.lens_watch.saw(outcome))

    def _release_host(self, outcome: Outcome) -> None:
        host, response, error = self.kind.host_of(outcome.entry), outcome.response, outcome.error
        status = response.status if response else error.status if error else None
        ready_at = self._politeness.finished(
            host,
            outcome.elapsed,
            status=status,
            error=error.reason if error else None,
            retry_after=error.retry_after if error else None,
            robots_delay=outcome.robots_delay,
        )
        self.kind.release(host, ready_at)

    def _time_to_wait(self) -> float:
        due = None if self.told_to_pause.is_set() else self.kind.next_due()
        wait = _TICK if due is None else min(_TICK, max(due - time.monotonic(), 0.0))
        if not self._crew.busy and wait:
            # No worker can end the wait: sleep, but hear a call to stop.
            self.kind.wait(wait, self.told_to_stop)
            return 0.0
        return wait

    def _pause_of_all(self) -> float:
        """Seconds in which nothing at all may be visited."""
        due = self.kind.next_due()
        return 0.0 if due is None else due - time.monotonic()

    def _who_waits(self, pause: float) -> str:
        waiting = self._state.progress.waiting
        return (
            f"{waiting:,} URL{'s wait' if waiting != 1 else ' waits'} for hosts that asked not to "
            f"be asked for a while: the next may be asked in {pause / 3600:.3g} h; "
            "go on then with 'semcrawl resume'"
        )

    def _finish_visits(self) -> Iterator[EventT | CrawlWarned]:
        """Take in what is nearly done; what is not goes back, for the graph still has it."""
        deadline, most = time.monotonic() + _GRACE, self._state.settings.pages or math.inf
        while self._crew.busy and time.monotonic() < deadline:
            outcome = self._crew.next(deadline - time.monotonic())
            if outcome is not None and (self._state.progress.pages < most or outcome.entry.known is not None):
                yield from self._take(outcome)
