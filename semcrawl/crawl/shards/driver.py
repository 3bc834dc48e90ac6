"""The driver of a crawl in shards: who may visit how many pages, who gets which links.

It has no state that is not in the shards: after its end by any means another one goes on. All
limits hold for the whole crawl. The best URLs of all shards together are visited first: a shard
may start as many visits as it has URLs among them.
"""

import heapq
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from semcrawl.closing import Closing
from semcrawl.crawl.engine import longest_pause
from semcrawl.crawl.events import (
    AlarmEnded,
    AlarmRaised,
    CrawlStopped,
    CrawlWarned,
    Event,
    PageVisited,
)
from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.shards.host import HostLink
from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.crawl.shards.messages import Orders, ShardReport
from semcrawl.errors import StoreError
from semcrawl.models.crawl_memory import added_sums, pack_sums, unpack_sums
from semcrawl.steering.alarms import AlarmWatch
from semcrawl.topics import Topic

ShardEvent = Event | CrawlWarned | CrawlStopped

_AT_A_TIME = 8  # visits, for each host, that shards may start; more where it has more workers
_LOOK = 0.25  # seconds after which the driver looks around again
_MERGED_AGAIN = 1.25  # by how much the crawl grows between two exchanges of what was learnt
_MERGED_FIRST = 16  # pages before the first
_HANGS = 300.0  # seconds without a word after which a host is ended and begun anew
_STOPS = 60.0  # seconds that shards are waited for at the end
_MOST_FAILURES = 8  # in a row, after which a shard is given up
_SUMMED = [
    "pages", "relevant", "waiting", "hosts", "retries", "revisits", "changed", "gone", "failed",
    "bytes", "pages_before",
]  # fmt: skip


@dataclass(slots=True)
class _ShardState:
    """What the driver knows of a shard."""

    number: int
    report: ShardReport
    orders: Orders = field(default_factory=Orders)  # to be given in the next turn
    is_up: bool = False
    has_reported: bool = False  # since it was opened
    failures: int = 0
    given: int = 0  # visits, since it was opened
    again_at: float = 0.0  # when to open it
    reason: StopReason | None = None  # it has ended

    @property
    def may_become_pages(self) -> int:
        """Visits that are under way, or that it may start."""
        return self.report.busy + self.may_start

    @property
    def may_start(self) -> int:
        """Visits that it may start, those among them that it has not heard of yet."""
        return self.report.visits + self.given - self.report.given


@dataclass(slots=True)
class _HostState:
    """A host, its shards, and the call that it is at."""

    link: HostLink
    shards: list[_ShardState]
    call: Future[Any] | None = None
    opens: _ShardState | None = None  # the shard that the call opens
    called: float = 0.0
    failures: int = 0


class ShardedCrawl(Closing):
    """A crawl in shards that runs; like `Crawl`, it is run, stopped, paused and closed."""

    def __init__(
        self,
        folder: ShardedFolder,
        topic: Topic,
        settings: Settings,
        start_host: Callable[[], HostLink],
        hosts: int,
        *,
        values: Mapping[str, Any] | None = None,
        warnings: tuple[str, ...] = (),
    ) -> None:
        """Take a folder whose shards have begun; ``values`` are settings that change now."""
        self.folder = folder
        self.topic = topic
        self.settings = settings
        self.progress = Progress()
        self._values = dict(values or {})
        self._warnings = list(warnings)
        self._start_host = start_host
        self._shards = [
            _ShardState(number, ShardReport(number, Progress())) for number in range(folder.count)
        ]
        count = min(hosts, folder.count)
        self._places = [self._shards[first::count] for first in range(count)]
        self._hosts: list[_HostState] = []
        self._at_a_time = count * max(_AT_A_TIME, settings.worker_count)
        self._longest_pause = longest_pause(settings)
        self._told_to_stop = self._told_to_pause = False
        self._merge_at = _MERGED_FIRST
        self._sums: dict[int, bytes] | None = None  # while they are gathered
        self._failed = False
        self._told_pages = 0
        # A replay is as fast as the machine, which says nothing of the web.
        slowdown = 0.0 if settings.replay else settings.slowdown
        shares = settings.stagnation, settings.diffusion, slowdown
        self._alarms = AlarmWatch(settings.alarm_window, *shares)
        self.bytes_passed = self.batches_passed = self.turns = 0  # what is measured

    def stop(self) -> None:
        """Ask it, from any thread or signal handler, to stop after the visits under way."""
        self._told_to_stop = True

    def pause(self) -> None:
        """Let no visits be started; the clock is held."""
        self._told_to_pause = True

    def unpause(self) -> None:
        """Go on after a pause."""
        self._told_to_pause = False

    @property
    def is_paused(self) -> bool:
        """Whether it was asked to pause."""
        return self._told_to_pause

    def discard(self) -> None:
        """Remove what was recorded, and its folder."""
        self.folder.discard()

    def close(self) -> None:
        """End all hosts."""
        for host in self._hosts:
            host.link.kill()
        self._hosts = []

    def visits(self) -> Iterator[ShardEvent]:
        """Crawl step by step: yield an event for each visit, a CrawlStopped at the end.

        Raises:
            CrawlLockedError: another driver runs.
            StoreError: no shard can be opened.
        """
        with self.folder.driven():
            try:
                self._hosts = [_HostState(self._start_host(), shards) for shards in self._places]
                for note in self._warnings:
                    yield CrawlWarned(note, progress=self.progress)
                reason = yield from self._crawl()
                yield from self._end(reason)
            finally:
                self.close()
        yield CrawlStopped(reason, progress=self.progress)

    def _crawl(self) -> Generator[ShardEvent, None, StopReason]:
        while (reason := self._reason_to_stop()) is None:
            if self._told_to_pause:
                self.progress.hold_clock()
                for shard in self._shards:
                    shard.orders.takes_back = True
            else:
                self.progress.go_on()
                self._give_visits()
            self._merge()
            yield from self._turn()
        return reason

    def _end(self, reason: StopReason) -> Iterator[ShardEvent]:
        """Let every shard stop, and hear the last of it."""
        deadline = time.monotonic() + _STOPS
        for shard in self._shards:
            shard.orders.stop, shard.orders.takes_back = reason, True
        while any(shard.is_up for shard in self._shards) and time.monotonic() < deadline:
            yield from self._turn(opens=False)

    # Turns of the hosts

    def _turn(self, *, opens: bool = True) -> Iterator[ShardEvent]:
        """Let every host that waits have its turn, and take what those say that have answered."""
        for host in self._hosts:
            if host.call is None:
                self._call(host, opens=opens)
        calls = [host.call for host in self._hosts if host.call is not None]
        wait(calls, _LOOK, FIRST_COMPLETED)
        for host in self._hosts:
            if host.call is not None and host.call.done():
                yield from self._answered(host, host.call)
            elif host.call is not None and time.monotonic() - host.called > _HANGS:
                yield from self._lost(host, f"it did not answer for {_HANGS:.0f} s")

    def _call(self, host: _HostState, *, opens: bool) -> None:
        now = time.monotonic()
        due = [s for s in host.shards if not s.is_up and s.reason is None and now >= s.again_at]
        host.called, host.opens = now, None
        if due and opens:
            host.opens = min(due, key=lambda shard: shard.again_at)
            host.call = host.link.open(host.opens.number, self._values)
            return
        orders = {}
        down = frozenset(shard.number for shard in self._shards if not shard.is_up)
        for shard in host.shards:
            if shard.is_up:
                orders[shard.number] = replace(shard.orders, down=down)
                shard.orders = Orders(stop=shard.orders.stop)
        self.turns += 1
        host.call = host.link.turn(orders)

    def _answered(self, host: _HostState, call: Future[Any]) -> Iterator[ShardEvent]:
        host.call = None
        try:
            answer = call.result()
        except OSError as error:
            yield from self._lost(host, str(error))
            return
        host.failures = 0
        if host.opens is not None:
            yield from self._opened(host.opens, answer)
            return
        for report in answer:
            yield from self._heard(self._shards[report.number], report)
        if any(shard.is_up and shard.report.silent > _HANGS for shard in host.shards):
            yield from self._lost(host, f"a shard of it did nothing for {_HANGS:.0f} s")

    def _lost(self, host: _HostState, why: str) -> Iterator[ShardEvent]:
        """A host is gone, or is ended as it hangs; its shards are opened in a new one."""
        host.link.kill()
        host.failures += 1
        if host.failures > _MOST_FAILURES:
            raise StoreError(f"workers of the crawl end as soon as they begin: {why}")
        for shard in host.shards:
            self._down(shard, 0.0)
        host.call, host.link = None, self._start_host()
        numbers = ", ".join(str(shard.number) for shard in host.shards)
        note = f"a worker is lost and begun anew, with the shards {numbers}: {why}"
        yield CrawlWarned(note, progress=self.progress)

    def _down(self, shard: _ShardState, seconds: float) -> None:
        shard.is_up = False
        shard.again_at = time.monotonic() + seconds
        shard.orders = Orders(stop=shard.orders.stop)

    def _opened(self, shard: _ShardState, problem: str) -> Iterator[ShardEvent]:
        if problem:
            yield from self._failure(shard, problem)
            return
        shard.is_up, shard.has_reported = True, False
        shard.orders.wants_sums = self._sums is not None
        shard.report.tops = []  # until it reports, what it was given may still become pages
        # Others may have sent it what it never recorded; and it, what others did.
        for other in self._shards:
            other.orders.unheard.add(shard.number)

    def _failure(self, shard: _ShardState, problem: str) -> Iterator[ShardEvent]:
        """A shard cannot be opened, or has ended by itself: it is tried again, later and later."""
        shard.failures += 1
        self._down(shard, min(2.0 ** (shard.failures - 1), 60.0))
        note = f"shard {shard.number} failed: {problem}"
        if shard.failures >= _MOST_FAILURES:
            shard.reason, self._failed = StopReason.FAILED, True
            note += "; it is given up, and links to it are kept for 'semcrawl resume'"
        if all(one.reason is StopReason.FAILED for one in self._shards):
            raise StoreError(note)
        yield CrawlWarned(note, progress=self.progress)

    def _heard(self, shard: _ShardState, report: ShardReport) -> Iterator[ShardEvent]:
        """Take a report: figures, events, and what is for other shards."""
        if report.failed:
            yield from self._failure(shard, report.failed)
            return
        shard.failures = 0
        if not shard.has_reported:
            shard.has_reported, shard.given = True, 0
        shard.report = report
        for batch in report.batches:
            receiver = self._shards[batch.receiver]
            self.bytes_passed += len(batch.pages)
            self.batches_passed += 1
            if receiver.is_up:
                receiver.orders.batches.append(batch)
            else:
                shard.orders.unheard.add(batch.receiver)
        for batch in report.recorded:
            self._shards[batch.sender].orders.recorded.append(batch.number)
        if report.sums is not None and self._sums is not None:
            self._sums[shard.number] = report.sums
        self._count()
        yield from self._told(report)
        if report.ended is not None:
            shard.is_up, shard.reason = False, report.ended
        report.batches, report.recorded, report.events, report.sums = [], [], [], None

    def _told(self, report: ShardReport) -> Iterator[ShardEvent]:
        for event in report.events:
            if isinstance(event, PageVisited):
                self._told_pages += 1
                step = self.progress.pages_before + self._told_pages
                yield replace(event, step=step, progress=self.progress)
                yield from self._watch(step, event)
            elif not isinstance(event, CrawlStopped | AlarmRaised | AlarmEnded):
                yield replace(event, progress=self.progress)

    def _watch(self, step: int, page: PageVisited) -> Iterator[ShardEvent]:
        """Tell when the crawl as a whole goes wrong, or recovers."""
        seconds = self.progress.seconds
        for alarm in self._alarms.saw(
            step, page.relevance, is_relevant=page.is_relevant, seconds=seconds
        ):
            kind = AlarmRaised if alarm.ended is None else AlarmEnded
            yield kind(alarm, progress=self.progress)

    def _count(self) -> None:
        figures = [shard.report.progress for shard in self._shards]
        for name in _SUMMED:
            setattr(self.progress, name, sum(getattr(one, name) for one in figures))
        self.progress.dropped.clear()
        for one in figures:
            self.progress.dropped.update(one.dropped)

    # What is given and merged

    def _give_visits(self) -> None:
        """Let shards start visits, to those that have the best URLs of all."""
        given = sum(shard.may_become_pages for shard in self._shards)
        # At first little is known: what the first pages lead to is better than the rest of these.
        room = min(self._at_a_time, 1 + self.progress.pages // 4) - given
        if self.settings.pages:
            room = min(room, self.settings.pages - self.progress.pages - given)
        if room <= 0:
            return
        tops = (
            # Of equals, every shard has its turn.
            (priority, -place, shard.number)
            for shard in self._shards
            if shard.is_up and shard.has_reported
            for place, priority in enumerate(shard.report.tops)
            if place >= shard.may_start
        )
        for _, _, number in heapq.nlargest(room, tops):
            self._shards[number].orders.visits += 1
            self._shards[number].given += 1

    def _merge(self) -> None:
        """Exchange what the shards have learnt, when the crawl has grown."""
        up = [shard for shard in self._shards if shard.is_up]
        if self._sums is None:
            if self.progress.pages >= self._merge_at and len(up) > 1:
                self._sums = {}
                for shard in up:
                    shard.orders.wants_sums = True
        elif all(shard.number in self._sums for shard in up):
            self._merge_at = max(int(self.progress.pages * _MERGED_AGAIN), self._merge_at + 1)
            told, self._sums = self._sums, None
            sums = {number: unpack_sums(one) for number, one in told.items()}
            total = added_sums(sums.values())
            for shard in up:
                own = sums[shard.number]
                others = {
                    name: values - own[name] if name in own and not name.endswith("max") else values
                    for name, values in total.items()
                }
                shard.orders.sums = pack_sums(others) if others else None

    def _reason_to_stop(self) -> StopReason | None:
        settings, progress = self.settings, self.progress
        if self._told_to_stop:
            return StopReason.INTERRUPTED
        if settings.pages and progress.pages >= settings.pages:
            return StopReason.PAGES_REACHED
        if settings.relevant and progress.relevant >= settings.relevant:
            return StopReason.RELEVANT_REACHED
        if settings.seconds and progress.seconds >= settings.seconds:
            return StopReason.TIME_OVER
        return None if self._told_to_pause else self._reason_at_rest()

    def _reason_at_rest(self) -> StopReason | None:
        """Return why nothing can be visited any more, None where something can or may come."""
        running = [shard for shard in self._shards if shard.reason is None]
        for shard in running:
            report = shard.report
            if not (shard.is_up and shard.has_reported):
                return None
            if shard.may_become_pages or report.tops or report.is_steered:
                return None
            if report.unsent and not self._failed:
                return None
        if not any(shard.report.progress.waiting for shard in running):
            return StopReason.FAILED if self._failed else StopReason.FRONTIER_EMPTY
        pauses = [shard.report.pause for shard in running if shard.report.pause is not None]
        return StopReason.HOSTS_WAIT if min(pauses, default=0.0) > self._longest_pause else None
