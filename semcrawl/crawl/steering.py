"""Steering: policies and the distiller, run beside the crawl at their rhythm.

Jobs run one at a time in a process of their own, each on a snapshot of the
graph. Over the network the crawl goes on meanwhile, and jobs may take only a
share of its time; in a replay it waits for each job, so that a run can be
repeated.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.beside.jobs import DistilJob, PolicyJob
from semcrawl.beside.process import SideProcess
from semcrawl.crawl.events import Distilled, PolicyRan
from semcrawl.crawl.revision import Revised
from semcrawl.crawl.viewing import view_of
from semcrawl.distill import record
from semcrawl.graph import Changes
from semcrawl.graph.policy_changes import policy_ran
from semcrawl.graph.snapshot import remove_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from semcrawl.beside.jobs import Job, Reply
    from semcrawl.crawl.events import Event
    from semcrawl.crawl.frontier import Frontier
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.revision import Reviser
    from semcrawl.crawl.settings import Settings
    from semcrawl.distill import Distillation
    from semcrawl.graph import CrawlGraph
    from semcrawl.policies import Policy

__all__ = ["DISTIL_EVERY", "KEPT_SCORES", "MOST_ROWS", "Steering"]

MOST_ROWS = 100_000
"""How many rows of a policy count."""

DISTIL_EVERY = 200
"""Pages between two distillations where a policy needs them and no setting says more."""

KEPT_SCORES = 1000
"""How many of the best hubs and authorities keep their scores in the graph."""

_ALLOWANCE = 1.0
"""Seconds of CPU that may be spent before any share has grown."""

_DISTILLER = "distiller"


@dataclass(frozen=True, slots=True)
class _Running:
    """A job under way."""

    name: str
    snapshot: Path
    started: float


class Steering:
    """Runs what is due and applies what comes of it.

    A job that fails or takes too long is told of and skipped; the crawl goes
    on, and the job is tried again when it is next due.
    """

    def __init__(
        self,
        *,
        settings: Settings,
        graph: CrawlGraph,
        frontier: Frontier,
        policies: Sequence[Policy],
        reviser: Reviser,
        progress: Progress,
        threshold: float,
    ) -> None:
        self._settings = settings
        self._graph = graph
        self._frontier = frontier
        self._policies = {policy.name: policy for policy in policies}
        self._reviser = reviser
        self._progress = progress
        self._threshold = threshold
        self._waits = bool(settings.replay)
        self._side = SideProcess(settings.policy_seconds)
        self._rhythms = self._find_rhythms(policies)
        self._last_runs = dict.fromkeys(self._rhythms, 0) | self._earlier_runs()
        self._queue: list[str] = []
        self._running: _Running | None = None
        self._spent = 0.0
        self._cpu_before = time.process_time()
        self._crawl = graph.describe().id
        self._view = view_of(graph)

    def _find_rhythms(self, policies: Sequence[Policy]) -> dict[str, int]:
        """How many pages lie between two runs, by name; the distiller first, for others need it."""
        every = self._settings.distill_every
        if not every and any(policy.needs_distiller for policy in policies):
            every = DISTIL_EVERY
        first = {_DISTILLER: every} if every else {}
        return first | {policy.name: policy.every for policy in policies}

    def _earlier_runs(self) -> dict[str, int]:
        """After how many pages each ran last, in an earlier run of the crawl."""
        runs = {row["policy"]: row["last_step"] for row in self._graph.query("monitor/policy-runs")}
        distilled = self._graph.query("SELECT ?n { ?crawl sc:distilledAtStep ?n }").value()
        return {_DISTILLER: distilled or 0} | runs

    def run_now(self) -> None:
        """Let everything be due, whatever its rhythm."""
        self._queue = list(self._rhythms)

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way, or due and affordable."""
        return self._running is not None or (bool(self._queue) and self._may_spend())

    def turn(self) -> Iterator[Event]:
        """Called again and again by the loop: start what is due, apply what is done."""
        self._find_due()
        while self._running or (self._queue and self._may_spend()):
            if self._running is None:
                self._start(self._queue.pop(0))
            reply = self._side.poll(wait=self._waits)
            if reply is None:
                return
            yield self._finish(reply)

    def close(self) -> None:
        """Give up what is under way."""
        self._side.close()
        if self._running is not None:
            remove_snapshot(self._running.snapshot)
            self._running = None

    def _find_due(self) -> None:
        pages = self._progress.pages
        for name, every in self._rhythms.items():
            if pages - self._last_runs[name] >= every and name not in self._queue:
                self._queue.append(name)

    def _may_spend(self) -> bool:
        share = self._settings.policy_share * (time.process_time() - self._cpu_before)
        return self._waits or self._spent <= _ALLOWANCE + share

    def _start(self, name: str) -> None:
        cpu = time.process_time()
        snapshot = self._graph.snapshot()
        self._side.start(self._job(name, str(snapshot)))
        self._last_runs[name] = self._progress.pages
        self._running = _Running(name, snapshot, time.monotonic())
        self._spent += time.process_time() - cpu

    def _job(self, name: str, snapshot: str) -> Job:
        settings = self._settings
        if name == _DISTILLER:
            across, share = settings.distill_across, settings.distill_share
            return DistilJob(snapshot, across, share, KEPT_SCORES)
        policy = self._policies[name]
        text = policy.text(
            {
                "across": settings.distill_across,
                "since": self._last_runs[name],
                "step": self._progress.pages,
                "threshold": self._threshold,
            }
        )
        return PolicyJob(snapshot, text, policy.form.name, MOST_ROWS, self._view)

    def _finish(self, reply: Reply) -> Event:
        assert self._running is not None
        running, self._running = self._running, None
        remove_snapshot(running.snapshot)
        cpu = time.process_time()
        if running.name == _DISTILLER and reply.distillation is not None:
            event: Event = self._record(reply.distillation, running)
        else:
            event = self._revise(running, reply)
        self._spent += reply.cpu + time.process_time() - cpu
        self._progress.waiting = len(self._frontier)
        return event

    def _record(self, found: Distillation, running: _Running) -> Distilled:
        record(self._graph, found, best=KEPT_SCORES)
        seconds = time.monotonic() - running.started
        return Distilled(len(found.hubs), len(found.authorities), seconds, self._progress)

    def _revise(self, running: _Running, reply: Reply) -> PolicyRan:
        name, error = running.name, reply.error
        revised = Revised()
        if not error and name in self._policies:
            revised = self._reviser.apply(self._policies[name], reply.rows)
        if reply.left_out:
            error = f"{reply.left_out:,} of its rows could not be read, or were too many"
        changes = Changes()
        policy_ran(
            changes,
            self._crawl,
            name=name,
            step=self._last_runs[name],
            changed=revised.changed + revised.dropped + revised.revisits,
            error=error,
        )
        self._graph.apply(changes)
        return PolicyRan(
            name,
            revised.changed,
            revised.dropped,
            revised.revisits,
            time.monotonic() - running.started,
            error,
            self._progress,
        )
