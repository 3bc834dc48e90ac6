"""The driver of a crawl in shards: who may visit how many pages, who gets which links.

It has no state that is not in the shards: after its end by any means another one goes on. All
limits hold for the whole crawl. The best URLs of all shards together are visited first: a shard
may start as many visits as it has URLs among them.
"""

import dataclasses
import heapq
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext, suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from semcrawl.closing import Closing
from semcrawl.crawl.engine import longest_pause
from semcrawl.crawl.events import AlarmEnded, AlarmRaised, CrawlStopped, CrawlWarned, Event, PageVisited
from semcrawl.crawl.kind import limit_reached
from semcrawl.crawl.pages.page_kind import alarm_watch
from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.crawl.shards.beginning import BegunShards
from semcrawl.crawl.shards.copies import Copies
from semcrawl.crawl.shards.gathering import mirrored_shards
from semcrawl.crawl.shards.host import HostLink
from semcrawl.crawl.shards.layout import STATUS
from semcrawl.crawl.shards.messages import Orders, ShardReport, taken
from semcrawl.errors import StoreError
from semcrawl.graph.mirror import Mirror, MirrorThread
from semcrawl.whole_files import write_whole

_AT_A_TIME = 8  # visits, for each host, that shards may start; more where it has more workers
_MOST_AT_A_TIME, _PART = 128, 32  # the same when there are many pages: of so many one, so that there are fewer turns
_NEARLY = 0.5  # of the best priority: a host that would wait visits what has as much
_LOOK = 0.25  # seconds after which the driver looks around again
_TOLD = 1.0  # seconds between two notes of how the shards do
_HANGS = 300.0  # seconds without a word after which a host is ended and begun anew
_STOPS = 60.0  # seconds that shards are waited for at the end
_MOST_LOSSES = 8  # of a host that says nothing
_OF_RUN = ["retries", "revisits", "changed", "gone", "failed", "bytes"]  # figures that are in no graph
_SUMMED = ["pages", "relevant", "waiting", "hosts", "pages_before", *_OF_RUN]


class _ShardState(msgspec.Struct):
    """What the driver knows of a shard."""

    number: int
    report: ShardReport
    orders: Orders = msgspec.field(default_factory=Orders)  # to be given in the next turn
    given: int = 0  # visits, since it was opened
    earlier: Progress = msgspec.field(default_factory=Progress)  # until it was opened last, in this run

    @property
    def may_start(self) -> int:
        """Visits that it may start, those among them that it has not heard of yet."""
        return self.report.visits + self.given - self.report.given

    @property
    def under_way(self) -> int:
        """Visits that are under way, or that it may start."""
        return self.report.busy + self.may_start

    @property
    def is_open(self) -> bool:
        """Whether it runs, as far as is known."""
        return bool(self.report.opened)


class _HostState(msgspec.Struct):
    """A host, its shards, and the call that it is at."""

    link: HostLink
    shards: list[_ShardState]
    call: Future[list[ShardReport]] | None = None
    called: float = 0.0
    losses: int = 0
    answers: int = 0


class ShardedCrawl(Closing):
    """A crawl in shards that runs; like `Crawl`, it is run, stopped, paused and closed."""

    def __init__(self, begun: BegunShards, start_host: Callable[[Sequence[int]], HostLink], hosts: int) -> None:
        """Take shards that have begun, and what starts a host for some of them, by number."""
        self.folder = begun.folder
        self.topic = begun.topic
        self.settings = settings = begun.settings
        self.progress = Progress()
        self._warnings = begun.warnings
        self._start_host = start_host
        # A shard that opens late, or not at all, counts from the beginning: limits would be passed.
        before = begun.before or [Progress() for _ in range(begun.folder.count)]
        self._shards = [_ShardState(number, ShardReport(number, one), earlier=one) for number, one in enumerate(before)]
        count = min(hosts, begun.folder.count)
        self._places = [self._shards[first::count] for first in range(count)]
        self._hosts: list[_HostState] = []
        self._at_a_time = count * max(_AT_A_TIME, settings.worker_count)
        self._longest_pause = longest_pause(settings)
        self._told_to_stop = self._told_to_pause = False
        self._at_rest: list[int] | None = None  # answers of hosts, when nothing was left to do
        self._told_pages = 0
        self._noted = 0.0
        self._alarms = alarm_watch(settings)
        self.copies: Copies | None = None  # where shards are copied to
        self._mirror: MirrorThread | None = None
        self.turns = 0  # of hosts, for those who measure
        self._count()

    def stop(self) -> None:
        """Ask it, from any thread or signal handler, to stop after the visits under way."""
        self._told_to_stop = True

    def pause(self) -> None:
        """Let no visits be started; the clock is held."""
        self._told_to_pause = True

    def unpause(self) -> None:
        """Go on after a pause."""
        self._told_to_pause = False

    def discard(self) -> None:
        """Remove what was recorded, and its folder."""
        self.folder.discard()

    def close(self) -> None:
        """End all hosts."""
        for host in self._hosts:
            host.link.kill()
        self._hosts = []

    def visits(self) -> Iterator[Event]:
        """Crawl step by step: yield an event for each visit, a CrawlStopped at the end.

        Raises CrawlLockedError: another driver runs; StoreError: no shard can be run.
        """
        with self.folder.driven(), self._mirroring() as self._mirror:
            ended = threading.Event()
            copying = self.copies and threading.Thread(target=self.copies.follow, args=(self.folder, ended))
            try:
                if copying:
                    copying.start()
                for some in self._places:
                    link = self._start_host([shard.number for shard in some])
                    self._hosts.append(_HostState(link, some))
                for note in self._warnings:
                    yield CrawlWarned(note, progress=self.progress)
                reason = yield from self._crawl()
                deadline = time.monotonic() + _STOPS
                for shard in self._shards:
                    shard.orders.stop, shard.orders.takes_back = reason, True
                while any(one.is_open for one in self._shards) and time.monotonic() < deadline:
                    yield from self._turn()
                self._note_status()
            finally:
                self.close()
                ended.set()
                if copying:
                    copying.join()
            yield from self._warned()
            for note in self._mirror.finish() if self._mirror else ():
                yield CrawlWarned(note, progress=self.progress)
        yield CrawlStopped(reason, progress=self.progress)

    def _mirroring(self) -> MirrorThread | nullcontext[None]:
        address = self.settings.mirror
        return MirrorThread(Mirror(mirrored_shards(self.folder), address)) if address else nullcontext()

    def _crawl(self) -> Generator[Event, None, StopReason]:
        while (reason := self._reason_to_stop()) is None:
            if self._told_to_pause:
                self.progress.hold_clock()
                for shard in self._shards:
                    shard.orders.takes_back = True
            else:
                self.progress.go_on()
                self._give_visits()
            yield from self._turn()
            yield from self._warned()
            if time.monotonic() > self._noted + _TOLD:
                self._note_status()
        return reason

    def _warned(self) -> Iterator[Event]:
        notes = taken(self.copies.problems) if self.copies else ()
        for note in (*notes, *(self._mirror.problems() if self._mirror else ())):
            yield CrawlWarned(note, progress=self.progress)

    def _note_status(self) -> None:
        """Write how the shards do into the folder, for those who look at the crawl."""
        self._noted, rows = time.monotonic(), []
        for one in (shard.report for shard in self._shards):
            figures = {name: getattr(one.progress, name) for name in ("pages", "relevant", "waiting", "hosts")}
            full = round(one.progress.waiting / self.settings.frontier_size, 4)
            where = one.where if one.opened else ""
            rows.append({"shard": one.number, "where": where, "speed": round(one.speed, 2), "full": full, **figures})
        with suppress(OSError):  # a crawl goes on without
            write_whole(self.folder.folder / STATUS, msgspec.json.encode(rows))

    def _turn(self) -> Iterator[Event]:
        """Let every host that waits have its turn, and take what those say that have answered."""
        for host in self._hosts:
            if host.call is None:
                orders = {one.number: one.orders for one in host.shards if one.is_open}
                host.call, host.called = host.link.turn(orders), time.monotonic()
                self.turns += 1
                for shard in host.shards:
                    shard.orders = Orders(stop=shard.orders.stop)
        wait([host.call for host in self._hosts if host.call], _LOOK, FIRST_COMPLETED)
        for host in self._hosts:
            if host.call is not None and host.call.done():
                yield from self._answered(host, host.call)
            elif time.monotonic() - host.called > _HANGS:
                yield from self._lost(host, f"it did not answer for {_HANGS:.0f} s")

    def _answered(self, host: _HostState, call: Future[list[ShardReport]]) -> Iterator[Event]:
        host.call = None
        try:
            reports = call.result()
        except OSError as error:
            yield from self._lost(host, str(error))
            return
        host.losses, host.answers = 0, host.answers + 1
        for report in reports:
            yield from self._heard(self._shards[report.number], report)
        if any(shard.is_open and shard.report.silent > _HANGS for shard in host.shards):
            yield from self._lost(host, f"a shard of it did nothing for {_HANGS:.0f} s")

    def _lost(self, host: _HostState, why: str) -> Iterator[Event]:
        """A host is gone, or is ended as it hangs; its shards are opened in a new one."""
        host.link.kill()
        host.losses += 1
        if host.losses > _MOST_LOSSES:
            raise StoreError(f"workers of the crawl end as soon as they begin: {why}")
        for shard in host.shards:
            # Until it reports again, what it was allowed may have become pages.
            shard.report.opened, shard.report.tops = 0, []
        numbers = [shard.number for shard in host.shards]
        host.call, host.link = None, self._start_host(numbers)
        named = ", ".join(map(str, numbers))
        note = f"a worker is lost and begun anew, with the shards {named}: {why}"
        yield CrawlWarned(note, progress=self.progress)

    def _heard(self, shard: _ShardState, report: ShardReport) -> Iterator[Event]:
        """Take a report: figures, events, and what is for other shards."""
        if report.opened:
            if report.opened != shard.report.opened:
                shard.given, shard.earlier = 0, shard.report.progress
                shard.orders = Orders(stop=shard.orders.stop)
            shard.report = report
        else:
            shard.report.opened, shard.report.ended, shard.report.tops = 0, report.ended, []
            if report.ended is not None:
                # One that failed may never have been open: what is known of it counts.
                last = shard.report if report.ended is StopReason.FAILED else report
                shard.report, shard.given = last, last.given
                last.visits = last.busy = 0
        if report is shard.report:
            earlier, found = shard.earlier, report.progress
            sums: dict[str, Any] = {name: getattr(found, name) + getattr(earlier, name) for name in _OF_RUN}
            sums |= {"dropped": found.dropped + earlier.dropped, "pages_before": earlier.pages_before}
            report.progress = dataclasses.replace(found, **sums)
        self._count()
        events, report.events = report.events, []
        for event in events:
            if isinstance(event, PageVisited):
                self._told_pages += 1
                step = self.progress.pages_before + self._told_pages
                yield replace(event, step=step, progress=self.progress)
                seconds, is_relevant = self.progress.seconds, event.is_relevant
                for alarm in self._alarms.saw(step, event.relevance, is_relevant=is_relevant, seconds=seconds):
                    kind = AlarmRaised if alarm.ended is None else AlarmEnded
                    yield kind(alarm, progress=self.progress)
            elif not isinstance(event, CrawlStopped):
                yield replace(event, progress=self.progress)

    def _count(self) -> None:
        figures = [shard.report.progress for shard in self._shards]
        for name in _SUMMED:
            setattr(self.progress, name, sum(getattr(one, name) for one in figures))
        self.progress.dropped.clear()
        for one in figures:
            self.progress.dropped.update(one.dropped)

    def _give_visits(self) -> None:
        """Let shards start visits, to those that have the best URLs of all."""
        given = self._under_way
        # At first little is known: what the first pages lead to is better than the rest of these.
        many = min(self.progress.pages // _PART, len(self._places) * _MOST_AT_A_TIME)
        at_a_time = max(self._at_a_time, many)
        room = min(at_a_time, 1 + self.progress.pages // 4) - given
        if self.settings.pages:
            room = min(room, self.settings.pages - self.progress.pages - given)
        tops = [sorted(self._tops(shards), reverse=True) for shards in self._places]
        least = max((some[0][0] for some in tops if some), default=0.0) * _NEARLY
        share, found = at_a_time // len(self._places), []
        for some, shards in zip(tops, self._places, strict=True):
            busy = sum(shard.under_way for shard in shards)
            # No host waits while another has more than its share of what is nearly as good as the best.
            found += [(busy + place < share and top[0] >= least, *top) for place, top in enumerate(some)]
        for *_, number in heapq.nlargest(room, found):
            shard = self._shards[number]
            shard.orders.visits += 1
            shard.orders.opened = shard.report.opened
            shard.given += 1

    def _tops(self, shards: Sequence[_ShardState]) -> Iterator[tuple[float, int, int]]:
        """Yield the priorities of what shards could visit beside what they may; of equals, each has its turn."""
        for shard in shards:
            for place, priority in enumerate(shard.report.tops):
                if place >= shard.may_start:
                    yield priority, -place, shard.number

    @property
    def _under_way(self) -> int:
        """Visits that are under way, or that shards may start."""
        return sum(shard.under_way for shard in self._shards)

    def _reason_to_stop(self) -> StopReason | None:
        if self._told_to_stop:
            return StopReason.INTERRUPTED
        if (limit := limit_reached(self.settings, self.progress)) is not None:
            return limit
        reason = None if self._told_to_pause else self._reason_at_rest()
        if reason is None:
            self._at_rest = None
        elif self._at_rest is None:
            self._at_rest = [host.answers for host in self._hosts]
        elif all(
            # What is under way between two shards is in none of the reports before.
            host.answers >= before + 2
            for host, before in zip(self._hosts, self._at_rest, strict=True)
        ):
            return reason
        return None

    def _reason_at_rest(self) -> StopReason | None:
        """Return why nothing can be visited any more, None where something can or may come."""
        running = [shard.report for shard in self._shards if shard.report.ended is None]
        if not running:
            raise StoreError("no shard of the crawl could be run: see what was told of each")
        if self._under_way or not all(report.opened for report in running):
            return None
        if any(one.tops or one.is_busy or self.folder.has_links(one.number) for one in running):
            return None
        if not any(report.progress.waiting for report in running):
            has_failed = len(running) < len(self._shards)
            return StopReason.FAILED if has_failed else StopReason.FRONTIER_EMPTY
        pauses = [report.pause for report in running if report.pause is not None]
        return StopReason.HOSTS_WAIT if min(pauses, default=0.0) > self._longest_pause else None
