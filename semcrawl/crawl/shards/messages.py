"""What the driver of a crawl in shards tells a shard, and what a shard tells the driver."""

import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from semcrawl.crawl.events import CrawlWarned, Event
from semcrawl.crawl.progress import Progress, StopReason

T = TypeVar("T")


class Orders(Struct):
    """What a shard is told in a turn."""

    visits: int = 0  # that it may start, beside those that it may already
    takes_back: bool = False  # what it has not started it may no longer start
    stop: StopReason | None = None
    opened: int = 0  # the visits are for the shard as it was opened then, and not for a later time


class ShardReport(Struct):
    """What a shard tells in a turn; the figures are of one moment."""

    number: int
    progress: Progress = field(default_factory=Progress)
    opened: int = 0  # differs each time that the shard is opened; 0 where it is not open
    given: int = 0  # visits that it was allowed, of which it has heard
    visits: int = 0  # that it may still start
    busy: int = 0  # visits under way
    tops: list[float] = []  # priorities of what it could visit now
    pause: float | None = None  # seconds until a host may be asked again
    is_busy: bool = False  # a policy runs, or links are to be handed over
    bytes_sent: int = 0  # to other shards
    batches_sent: int = 0
    speed: float = 0.0  # pages per second, by the clock of its machine
    ended: StopReason | None = None
    told: float = field(default_factory=time.monotonic)
    silent: float = 0.0  # seconds since it was told
    where: str = field(default_factory=lambda: f"{platform.node()}, process {os.getpid()}")
    events: list[Event] = []  # whose figures are those of the report


class Mailbox(Struct):
    """Where the thread of a shard and that of its host leave things for each other."""

    report: ShardReport
    news: threading.Event  # set when the driver should hear of the shard soon
    orders: SimpleQueue[Orders] = field(default_factory=SimpleQueue)
    events: SimpleQueue[Event] = field(default_factory=SimpleQueue)

    def closed(self, reason: StopReason | None, problem: str = "") -> None:
        """The shard is not open any more: it has stopped, or, without a reason, failed for now."""
        if problem:
            self.events.put(CrawlWarned(problem, progress=self.report.progress))
        self.report = replace(self.report, ended=reason, opened=0, tops=[])
        self.news.set()

    def collect(self) -> ShardReport:
        """Return the latest report, with all that has happened since the last time."""
        report = self.report
        events = [replace(event, progress=report.progress) for event in taken(self.events)]
        return replace(report, events=events, silent=time.monotonic() - report.told)


def taken(queue: SimpleQueue[T]) -> Iterator[T]:
    """Take all out of a queue."""
    with suppress(Empty):
        while True:
            yield queue.get_nowait()
