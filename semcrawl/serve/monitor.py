"""The monitor: one look at the crawl a second, while somebody listens or has asked of late."""

import asyncio
import json
import sys
import time
import traceback
from array import array
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from math import isnan, nan
from typing import Any

import pyoxigraph as ox

from semcrawl.crawl.progress import StopReason
from semcrawl.crawl.shards.layout import is_gathered
from semcrawl.errors import SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.columns import CRAWL
from semcrawl.graph.vocabulary import DCTERMS, SC
from semcrawl.serve import api_types as api
from semcrawl.serve.control import Control
from semcrawl.serve.pool import QueryPool
from semcrawl.serve.rows import cut_title, later_pages, local_name, rows_of, steps_to_last, url_at_step
from semcrawl.serve.snapshots import Snapshot, Snapshots
from semcrawl.serve.worker import Job, plain

_INTERVAL = 1.0
_LATEST = 20


class _CrawlFacts(Job, frozen=True):
    """The crawl itself and its alarms: little to read, however large the crawl is."""

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        from semcrawl.crawl.marks import judge_learns  # here, for the server itself judges nothing

        about = graph.describe()
        return {
            "name": about.name,
            "topic": about.topic,
            "settings": json.loads(about.settings),
            "threshold": about.threshold,
            "started": about.started.timestamp(),
            "started_text": about.started.isoformat(),
            "ended": plain(about.ended),
            "stopped": about.stopped and about.stopped.rpartition("#")[2],
            "rejudgements": graph.store.value(about.id, CRAWL["rejudgements"].iri) or 0,
            "kind": graph.kind,
            "judge_learns": judge_learns(graph),
            "alarms": [
                api.AlarmNote(local_name(row["kind"]).lower(), row["raised"], row["ended"], row["note"])
                for row in graph.query("monitor/alarms")
            ],
        }


class CrawlCounts(Job, frozen=True):
    """The numbers of waiting URLs, hosts, dropped URLs by reason, and pages by concept."""

    threshold: float

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Count."""
        census = rows_of(graph, "serve/pages-by-concept", min_relevance=self.threshold, limit=50)
        concepts: dict[str, api.ConceptCount] = {}
        for row in census:
            # A concept with labels in several languages has a row for each.
            note = api.ConceptCount(row["concept"], row["label"], row["pages"], row["relevant"])
            concepts.setdefault(row["concept"], note)
        (counts,) = graph.query("serve/waiting-count")
        return {
            **counts,
            "errors": [api.ErrorCount(local_name(row["reason"]), row["urls"]) for row in graph.query("monitor/errors")],
            "census": list(concepts.values()),
        }


class NewPages(Job, frozen=True):
    """Relevances and times of later steps, None for one without a page, and the latest pages."""

    after: int

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Read them."""
        found = _new_pages(graph, self.after) if self.after else _all_pages(graph)
        steps = steps_to_last(found, self.after)
        rows = [found.get(step, (None, None)) for step in steps]
        return {
            "relevances": [relevance for relevance, _ in rows],
            "times": [moment for _, moment in rows],
            "latest": [page for step in reversed(steps[-_LATEST:]) if step in found and (page := _page(graph, step))],
        }


def _all_pages(graph: CrawlGraph) -> dict[int, tuple[float, float]]:
    """All pages by their steps; terms are read here, which takes half of the time."""
    return {
        int(step.value): (float(relevance.value), datetime.fromisoformat(time.value).timestamp())
        for step, relevance, time in graph.query("serve/history").rows
        if isinstance(step, ox.Literal) and isinstance(relevance, ox.Literal) and isinstance(time, ox.Literal)
    }


def _new_pages(graph: CrawlGraph, after: int) -> dict[int, tuple[float, float]]:
    found = {}
    for step, url in later_pages(graph, after):
        fetched = graph.store.value(url, SC + "fetchedAt")
        moment = fetched.timestamp() if isinstance(fetched, datetime) else 0.0
        found[step] = graph.store.value(url, SC + "relevance"), moment
    return found


def _page(graph: CrawlGraph, step: int) -> api.LatestPage | None:
    url = url_at_step(graph, step)
    if url is None:
        return None
    title = graph.store.value(url, DCTERMS + "title")
    return api.LatestPage(step, url, cut_title(title or ""), graph.store.value(url, SC + "relevance"))


class History:
    """Relevances and times by step; steps begin at 1.

    >>> history = History(threshold=0.5)
    >>> history.extend([0.25, None, 0.75], [10.0, None, 12.0])
    >>> history.pages, history.relevant, history.last, history.relevances(after=1)
    (2, 1, 3, [None, 0.75])
    """

    def __init__(self, threshold: float = 0.05) -> None:
        self.threshold = threshold
        self.pages = 0
        self.relevant = 0
        self._relevances = array("d")
        self._times = array("d")
        self._active = 0.0

    @property
    def last(self) -> int:
        """The last step."""
        return len(self._relevances)

    def extend(self, relevances: list[float | None], times: list[float | None]) -> None:
        """Add the pages of the next steps; None where a step has none."""
        for relevance, moment in zip(relevances, times, strict=True):
            self._relevances.append(nan if relevance is None else relevance)
            at = nan if moment is None else moment
            if self._times and 0 < (since := at - self._times[-1]) < 60:  # longer is a pause
                self._active += since
            self._times.append(at)
            self.pages += relevance is not None
            self.relevant += relevance is not None and relevance >= self.threshold

    def relevances(self, after: int = 0) -> list[float | None]:
        """The relevance of every later step, None where a step has no page."""
        return [None if isnan(value) else round(value, 4) for value in self._relevances[max(after, 0) :]]

    def times(self, started: float) -> list[list[float]]:
        """Pairs of a step and its seconds since the start, of some hundred steps; the last too."""
        every = max(1, -(-self.last // 500))
        steps = [*range(0, self.last, every), self.last - 1] if self.last else []
        return [
            [step + 1, round(self._times[step] - started, 1)]
            for step in dict.fromkeys(steps)
            if not isnan(self._times[step])
        ]

    def pages_per_second(self) -> float:
        """The mean speed over all steps, without pauses."""
        return (self.pages - 1) / self._active if self._active > 0 else 0.0


class Monitor:
    """What is known of the crawl now, and of its history; used from one event loop."""

    def __init__(self, snapshots: Snapshots, pool: QueryPool, control: Control) -> None:
        self.history = History()
        self.alarms: list[api.AlarmNote] = []
        self.errors: list[api.ErrorCount] = []
        self.census: list[api.ConceptCount] = []
        self.latest: list[api.LatestPage] = []
        self.version = 0
        self.snapshot: Snapshot | None = None
        self.is_closed = False
        self.listeners = 0
        self.about: dict[str, Any] = {}  # as _CrawlFacts gives it
        self._snapshots, self._pool, self._control = snapshots, pool, control
        self._waiting: int | None = None  # until they were counted
        self._hosts: int | None = None
        self._counts_due = 0.0
        self._rejudgements = 0  # of the judge, when the history was read
        self._history_due = 0.0
        self._counting: asyncio.Task[None] | None = None
        self._speeds: deque[tuple[float, int]] = deque(maxlen=15)
        self._seen: object = None
        self._asked_at = 0.0
        self._changed = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None
        self._look_lock = asyncio.Lock()

    async def ready(self) -> None:
        """Look at the crawl, unless that was done of late; SemcrawlError where it cannot be."""
        idle_for = time.monotonic() - self._asked_at
        self._asked_at = time.monotonic()
        if not self.about or (idle_for > _INTERVAL and self._looking is None):
            await self._look()
        self._keep_looking()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Look at the crawl for as long as the block lasts."""
        await self.ready()
        self.listeners += 1
        try:
            yield
        finally:
            self.listeners -= 1
            self._asked_at = time.monotonic()

    async def change(self, version: int, seconds: float) -> None:
        """Wait for a change since a version, at most so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self.version != version or self.is_closed)

    @property
    def state(self) -> api.StateName:
        """What the crawl does."""
        if self._control.is_there:
            return "paused" if self._control.state == "paused" else "running"
        # It runs until its end can be read, and with it the reason.
        return "running" if self.snapshot is not None and self.snapshot.is_live else "stopped"

    @property
    def reason(self) -> str:
        """Why the crawl is in its state, "" where there is nothing to say."""
        if self._control.is_there and self._control.state == "stopping":
            return "it stops after the visits under way"
        if self.state != "stopped":
            return ""
        if stopped := self.about.get("stopped"):
            return StopReason(stopped).sentence
        if is_gathered(self._snapshots.folder):
            return "this is how far its shards were when they were gathered"
        return "it was ended from outside: go on with 'semcrawl resume'"

    @property
    def progress(self) -> api.CrawlFigures:
        """The figures of the crawl."""
        history, told = self.history, self._control.progress or {}
        dropped = sum(row.urls for row in self.errors)
        return api.CrawlFigures(
            pages=history.pages,
            relevant=history.relevant,
            harvest_rate=round(history.relevant / history.pages, 4) if history.pages else 0.0,
            waiting=told.get("waiting", self._waiting),
            dropped=max(told.get("dropped", 0), dropped) if told or self._waiting is not None else None,
            hosts=told.get("hosts", self._hosts),
            pages_per_second=round(self._speed(), 2),
        )

    @property
    def window(self) -> int:
        """How many pages the moving average covers."""
        return int(self.about.get("settings", {}).get("alarm_window") or 100)

    def _speed(self) -> float:
        if self.state == "paused":
            return 0.0
        if self.state == "stopped" or len(self._speeds) < 2:
            return self.history.pages_per_second() or self._mean_speed()
        (began, before), (ended, after) = self._speeds[0], self._speeds[-1]
        return (after - before) / (ended - began) if ended > began else 0.0

    def _mean_speed(self) -> float:
        """The speed from start to end, for pages without times."""
        ended = self.about.get("ended")
        took = datetime.fromisoformat(ended).timestamp() - self.about["started"] if ended else 0.0
        return self.history.pages / took if took > 0 else 0.0

    def _keep_looking(self) -> None:
        if self._looking is None and not self.is_closed:
            self._looking = asyncio.create_task(self._go_on_looking())

    async def _go_on_looking(self) -> None:
        try:
            while self.listeners or time.monotonic() - self._asked_at < 10:
                await asyncio.sleep(_INTERVAL)
                with suppress(SemcrawlError):
                    await self._look()
        except Exception:  # noqa: BLE001 - a bug must not end the monitor silently
            traceback.print_exc(file=sys.stderr)
        finally:
            self._looking = None

    async def _look(self) -> None:
        async with self._look_lock:
            if self._control.state == "stopped" and self.snapshot and self.snapshot.is_live:
                self._snapshots.hurry()
            snapshot = await self._snapshots.current()
            if self.snapshot is None or snapshot.number != self.snapshot.number:
                await self._read(snapshot)
            else:
                self._count(snapshot, self.history.threshold)
            seen = self.snapshot, self._control.state, self.history.last, self._counts_due
            if seen != self._seen:
                self._seen = seen
                await self.tell()

    async def _read(self, snapshot: Snapshot) -> None:
        about = await self._pool.ask(_CrawlFacts())
        history = self.history
        # To read all relevances anew may take a tenth of one processor.
        is_due = not snapshot.is_live or time.monotonic() >= self._history_due
        is_rejudged = is_due and about["rejudgements"] != self._rejudgements
        if about["threshold"] != history.threshold or is_rejudged:
            history = History(about["threshold"])
        # Beside the history: the first request waits for both.
        self._count(snapshot, about["threshold"])
        began, is_whole = time.monotonic(), not history.last
        new = await self._pool.ask(NewPages(history.last), fresh=True)
        # A recorded page has the time of its recording, which says nothing of this crawl.
        times = [None] * len(new["times"]) if about["settings"].get("replay") else new["times"]
        history.extend(new["relevances"], times)
        if is_whole:
            self._rejudgements = about["rejudgements"]
            self._history_due = time.monotonic() + 9 * (time.monotonic() - began)
        latest = [api.LatestPage(**page) for page in new["latest"]]
        self.latest = [*latest, *([] if is_whole else self.latest)][:_LATEST]
        self.history = history
        self.alarms = [api.AlarmNote(**alarm) for alarm in about["alarms"]]
        self.about = about
        self.snapshot = snapshot
        if self.state == "paused":
            self._speeds.clear()
        self._speeds.append((snapshot.taken_at, self.history.pages))

    def _count(self, snapshot: Snapshot, threshold: float) -> None:
        """Begin to count again, where the last time is long enough ago."""
        is_final = not snapshot.is_live and snapshot is not self.snapshot
        if self._counting is None and (is_final or time.monotonic() >= self._counts_due):
            self._counting = asyncio.create_task(self._count_now(snapshot, threshold))

    async def _count_now(self, snapshot: Snapshot, threshold: float) -> None:
        began = time.monotonic()
        try:
            found = await self._pool.ask(CrawlCounts(threshold))
            self._waiting, self._hosts = found["waiting"], found["hosts"]
            self.errors = [api.ErrorCount(**row) for row in found["errors"]]
            self.census = [api.ConceptCount(**row) for row in found["census"]]
        except SemcrawlError:
            pass  # what was counted last stays
        finally:
            took = time.monotonic() - began
            # Counting may take a tenth of one processor; the last count of a crawl stays.
            wait = max(_INTERVAL, 9 * took) if snapshot.is_live else 120.0
            self._counts_due = time.monotonic() + wait
            self._counting = None
        await self.tell()

    async def counted(self, seconds: float) -> None:
        """Wait for the first counts, at most so many seconds."""
        if self._counting is not None and self._waiting is None:
            await asyncio.wait({self._counting}, timeout=seconds)

    async def tell(self) -> None:
        """Wake all who wait for a change."""
        async with self._changed:
            self.version += 1
            self._changed.notify_all()

    async def close(self) -> None:
        """End all streams and tasks."""
        self.is_closed = True
        await self.tell()
        for task in (self._looking, self._counting):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
