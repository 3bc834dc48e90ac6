"""How far a crawl has come, why it stops, and the signals that stop it."""

import math
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from semcrawl.resources import facts_beside
from semcrawl.web.response import ReasonInWords


@dataclass(slots=True)
class Progress:
    """The running figures of a crawl; times and revisits are those of the present run."""

    pages: int = 0
    relevant: int = 0
    waiting: int = 0
    hosts: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    retries: int = 0
    revisits: int = 0
    changed: int = 0  # by revisits, as are the next two
    gone: int = 0
    failed: int = 0
    bytes: int = 0
    pages_before: int = 0
    started: float = field(default_factory=time.monotonic)
    held_since: float | None = None

    @property
    def harvest_rate(self) -> float:
        """The share of visited pages that are relevant."""
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def seconds(self) -> float:
        """How long the present run has lasted, without the time that it was paused."""
        now = time.monotonic() if self.held_since is None else self.held_since
        return now - self.started

    def hold_clock(self) -> None:
        """From now on time does not count."""
        if self.held_since is None:
            self.held_since = time.monotonic()

    def go_on(self) -> None:
        """From now on time counts again."""
        if self.held_since is not None:
            self.started += time.monotonic() - self.held_since
            self.held_since = None

    @property
    def pages_per_second(self) -> float:
        """Pages visited per second in the present run."""
        return (self.pages - self.pages_before) / max(self.seconds, 1e-9)

    @property
    def errors(self) -> int:
        """URLs that were tried and given up."""
        none = {*NOT_TRIED, "LinkList", "NotInReplay"}
        return sum(count for reason, count in self.dropped.items() if reason not in none)

    @property
    def summary(self) -> str:
        """The figures in words; the reason of the stop follows."""
        rate = f"harvest rate {self.harvest_rate:.1%}"
        why = f"no URL gave a page ({', '.join(self.dropped)}); " if self.dropped and not self.pages else ""
        return f"{self.pages:,} pages, {self.relevant:,} relevant ({rate}); {why}"

    def __repr__(self) -> str:
        return f"<Progress: {self.summary.partition(';')[0].rstrip(', ')}, {self.waiting:,} waiting>"

    def to_dict(self) -> dict[str, float | int]:
        """The figures of progress.toml by name, for a line of JSON; without those that are infinite."""
        told = {name: round(getattr(self, name), places) for name, places in _FIGURES[type(self).__name__].items()}
        return {name: value for name, value in told.items() if math.isfinite(value)}


_FIGURES: dict[str, dict[str, int]] = facts_beside(__file__, "progress.toml")
NOT_TRIED = frozenset({"DroppedByPolicy", "FrontierFull", "HostLimit", "OutOfScope", "TooDeep", "TrapSuspected"})
"""Drop reasons of URLs that no request was made for."""


class StopReason(ReasonInWords):
    """Why a crawl stopped.

    >>> StopReason.FRONTIER_EMPTY.sentence
    'no URL is left to visit'
    """

    PAGES_REACHED = "PagesReached", "the wanted number of pages is visited"
    RELEVANT_REACHED = "RelevantReached", "the wanted number of relevant pages is found"
    SITES_REACHED = "SitesReached", "the wanted number of relevant sites is found"
    EFFORT_RISEN = "EffortRisen", "relevant sites cost too many pages by now"
    TIME_OVER = "TimeOver", "the time is over"
    FRONTIER_EMPTY = "FrontierEmpty", "no URL is left to visit"
    HOSTS_WAIT = "HostsWait", "all that is left waits for hosts that asked for a longer pause"
    MAINTAINED = "Maintained", "no page is left to revisit"
    INTERRUPTED = "Interrupted", "it was told to stop"
    FAILED = "Failed", "an error ended it"


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """In the main thread, the first SIGINT or SIGTERM calls ``stop``, the next acts as before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def first(_number: int, _frame: FrameType | None) -> None:
        restore()
        stop()

    for number in before:
        signal.signal(number, first)
    try:
        yield
    finally:
        restore()
