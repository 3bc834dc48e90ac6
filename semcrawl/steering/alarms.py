"""Alarms of a crawl that goes wrong: stagnation and diffusion (Chakrabarti 1999, section 4.3).

Of the latest ``window`` pages, hardly any is relevant, or they came far more slowly than those of the fastest window so
far (section 2.4); or their mean relevance has fallen far below that of the best window so far: by more than twice its
standard error, to tell a noisy from a systematic drop (section 5.2). An alarm ends when the crawl has recovered.
"""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import accumulate
from operator import sub
from typing import Self

from msgspec import Struct

from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph.columns import ALARM
from semcrawl.graph.vocabulary import iri

# Relevance has six places; sums of whole millionths never drift, however long a crawl is.
_ONE = 1_000_000


def in_millionths(relevance: float) -> int:
    """Return a relevance as a whole number, exactly as the graph has it.

    >>> in_millionths(0.1234567)
    123457
    """
    return round(round(relevance, 6) * _ONE)


class AlarmKind(StrEnum):
    """What an alarm is about; the value is the local name in the vocabulary."""

    STAGNATION = "Stagnation"
    DIFFUSION = "Diffusion"


class Alarm(Struct, frozen=True):
    """An alarm that begins, or that is over when ``ended`` is a step."""

    kind: AlarmKind
    number: int  # of the alarms of a crawl, from 1
    step: int
    value: float  # a share, pages a second, or a mean relevance
    limit: float  # what the value fell below or has come back to
    note: str
    ended: int | None = None

    def record(self, changes: Changes, crawl: str, now: float) -> None:
        """Let the graph of the crawl, by its IRI, say that the alarm begins or is over."""
        alarm = iri(f"{crawl}#alarm-{self.number}")
        if self.ended is not None:
            changes.state(f"{alarm} {ALARM.write(ended_at_step=self.ended)}")
            return
        said = ALARM.write(raised_at_step=self.step, started_at=now, note=self.note)
        changes.state(f"{iri(crawl)} sc:alarm {alarm} . {alarm} a sc:{self.kind} ; {said}")


class _Window(Struct, frozen=True):
    # Sums are in millionths.
    step: int
    sum: int
    squares: int

    def mean(self, size: int) -> float:
        return self.sum / size / _ONE

    def variance(self, size: int) -> float:
        spread = self.squares * size - self.sum * self.sum
        return spread / (size * max(size - 1, 1)) / _ONE**2


class AlarmWatch:
    """Looks at every visited page in turn and tells which alarms begin or end with it.

    Of the latest ``window`` pages (0: no alarms) the share ``stagnation`` must be relevant, and
    the share ``diffusion`` of the best window's mean relevance kept (0: never raised). They must
    come at the share ``slowdown`` of the best window's rate, in pages a second of this run.

    >>> watch = AlarmWatch(window=4, stagnation=0.5, diffusion=0)
    >>> for step, relevant in enumerate((True, True, False, False, False), 1):
    ...     alarms = watch.saw(step, 0.9 if relevant else 0.1, is_relevant=relevant)
    >>> [(alarm.kind.value, alarm.step, alarm.value) for alarm in alarms]
    [('Stagnation', 5, 0.25)]
    """

    def __init__(self, window: int, stagnation: float, diffusion: float, slowdown: float = 0.0) -> None:
        self._window = window
        self._stagnation = stagnation
        self._diffusion = diffusion
        self._slowdown = slowdown
        self._times: deque[float] = deque(maxlen=window + 1)
        self._best_rate = 0.0
        self._latest: deque[tuple[int, bool]] = deque()
        self._sum = 0
        self._squares = 0
        self._relevant = 0
        self._best = _Window(0, 0, 0)
        self._open: dict[AlarmKind, tuple[int, int]] = {}
        self._raised = 0

    def resume(self, graph: CrawlGraph, threshold: float) -> Self:
        """Take in the pages and alarms that were recorded of a crawl that goes on."""
        if not self._window:
            return self
        rows = ((row["step"], row["relevance"]) for row in graph.query("analyse/harvest"))
        pages = ((step, relevance, relevance >= threshold) for step, relevance in rows)
        return self.replay(pages, graph.query("monitor/alarms"))

    def replay(self, pages: Iterable[tuple[int, float, bool]], alarms: Iterable[dict[str, object]] = ()) -> Self:
        """Take in pages seen before and the alarms raised with them, which stay as recorded."""
        for page in pages:
            self._take(*page)
        for row in alarms:
            number = int(str(row["alarm"]).rpartition("-")[2])
            self._raised = max(self._raised, number)
            if row["ended"] is None:
                kind = AlarmKind(str(row["kind"]).rpartition("#")[2])
                self._open[kind] = number, int(str(row["raised"]))
        return self

    def saw(self, step: int, relevance: float, *, is_relevant: bool, seconds: float | None = None) -> list[Alarm]:
        """Take in the page of this step, at ``seconds`` of the clock, if any; the alarms that begin or end with it."""
        self._take(step, relevance, is_relevant)
        if seconds is not None and self._slowdown:
            self._times.append(seconds)
        if not self._window or len(self._latest) < self._window:
            return []
        return list(filter(None, (self._look_at_stagnation(step), self._look_at_diffusion(step))))

    def _take(self, step: int, relevance: float, is_relevant: bool) -> None:
        if not self._window:
            return
        millionths = in_millionths(relevance)
        self._latest.append((millionths, is_relevant))
        self._sum += millionths
        self._squares += millionths * millionths
        self._relevant += is_relevant
        if len(self._latest) > self._window:
            oldest, was_relevant = self._latest.popleft()
            self._sum -= oldest
            self._squares -= oldest * oldest
            self._relevant -= was_relevant
        if len(self._latest) == self._window and self._sum > self._best.sum:
            self._best = _Window(step, self._sum, self._squares)

    def judged_anew(self, millionths: Sequence[int], threshold: float) -> None:
        """All pages have these relevances now, in their order; what was raised stays."""
        size = self._window
        if not size:
            return
        latest = millionths[-size:]
        self._latest = deque((one, one >= threshold * _ONE) for one in latest)
        self._relevant = sum(is_relevant for _, is_relevant in self._latest)
        self._sum, self._squares = sum(latest), sum(one * one for one in latest)
        sums = list(accumulate(millionths, initial=0))
        windows = list(map(sub, sums[size:], sums))
        best = max(windows, default=0)
        first = windows.index(best) if best else 0
        squares = sum(one * one for one in millionths[first : first + size]) if best else 0
        self._best = _Window(first + size if best else 0, best, squares)

    def _look_at_stagnation(self, step: int) -> Alarm | None:
        kind, limit = AlarmKind.STAGNATION, self._stagnation
        # Twice the limit, or half-way from it to all pages where that is less.
        recovered = min(2 * limit, (1 + limit) / 2)
        share = self._relevant / self._window
        rate = self._rate()
        slowest = self._slowdown * self._best_rate
        verb = "is" if self._relevant == 1 else "are"
        seen = f"{self._relevant} of the last {self._window} pages {verb} relevant"
        if kind in self._open:
            if rate < min(2 * slowest, (slowest + self._best_rate) / 2):
                return None
            return self._end(kind, step, share, recovered, f"{seen} again")
        few = self._raise(kind, step, share, limit, f"only {seen}, less than {100 * limit:g}%")
        if few or rate >= slowest:
            return few
        slow = (
            f"the last {self._window} pages came at {rate:.3g} a second, less than "
            f"{100 * self._slowdown:g}% of the {self._best_rate:.3g} before"
        )
        return self._raise(kind, step, rate, slowest, slow)

    def _rate(self) -> float:
        """Return the pages a second of the latest window, endless where no clock was told."""
        if len(self._times) <= self._window:
            return math.inf
        rate = self._window / max(self._times[-1] - self._times[0], 1e-6)
        self._best_rate = max(self._best_rate, rate)
        return rate

    def _look_at_diffusion(self, step: int) -> Alarm | None:
        kind, size, now = AlarmKind.DIFFUSION, self._window, _Window(step, self._sum, self._squares)
        mean, best = now.mean(size), self._best.mean(size)
        seen = f"the mean relevance of the last {size} pages is {mean:.3f}"
        if kind in self._open:
            # Half-way from the limit back to the best.
            recovered = (1 + self._diffusion) / 2 * best
            return self._end(kind, step, mean, recovered, f"{seen} again")
        error = math.sqrt(now.variance(size) / size + self._best.variance(size) / size)
        if best - mean <= 2 * error:  # noise
            return None
        before = f"less than {100 * self._diffusion:g}% of the {best:.3f} at page {self._best.step}"
        return self._raise(kind, step, mean, self._diffusion * best, f"{seen}, {before}")

    def _raise(self, kind: AlarmKind, step: int, value: float, limit: float, note: str) -> Alarm | None:
        if value >= limit:
            return None
        self._raised += 1
        self._open[kind] = self._raised, step
        return Alarm(kind, self._raised, step, value, limit, note)

    def _end(self, kind: AlarmKind, step: int, value: float, limit: float, note: str) -> Alarm | None:
        if value < limit:
            return None
        number, raised = self._open.pop(kind)
        return Alarm(kind, number, raised, value, limit, note, ended=step)
