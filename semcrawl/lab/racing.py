"""The race: all runs of an experiment, in several processes, each once."""

import os
import pickle
import queue
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from semcrawl.companions.process import Companion, ParentPipe, end_with_parent
from semcrawl.lab.experiment import WebSource
from semcrawl.lab.ground_truth import GroundTruth
from semcrawl.lab.plan import RunPlan
from semcrawl.lab.records import RecordStore, RunRecord
from semcrawl.lab.run import failed_run, run_one
from semcrawl.lab.web import LabWeb, open_web

Kind = Literal["started", "finished", "failed", "reused"]

_TOLD = 400
_PATIENCE = 10.0


class Workplace(msgspec.Struct, frozen=True):
    """What all runs of an experiment share: its web, its truth, and the lab's folder."""

    source: WebSource
    truth: GroundTruth
    folder: Path

    @property
    def runs(self) -> RecordStore:
        """The records of runs."""
        return RecordStore(self.folder / "runs")


class RunWorker(Companion):
    """A process for one run at a time; it tells ``done`` of each (True) and of its end (False)."""

    def __init__(self, workplace: Workplace, done: "queue.SimpleQueue[tuple[RunWorker, bool]]") -> None:
        self.plan: RunPlan  # the last that it was given
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        super().__init__(
            # A script that uses the lab need not be safe to import twice.
            "semcrawl.lab.racing:main",
            heard=lambda message: done.put((self, message is not None)),
            errors=self._errors,
            # A strategy of a user may go by the order of a set: let it be the same every time.
            environment={"PYTHONHASHSEED": "0"},
        )
        self.send(pickle.dumps(workplace))

    def start(self, plan: RunPlan, seconds: float = 0.0) -> None:
        """Begin a run; there must be none under way. It may take so long, 0 for any time."""
        self.plan = plan
        self.allow(seconds)
        self.send(pickle.dumps(plan))

    def last_words(self) -> str:
        """How the process ended."""
        code = self.exit_code(_PATIENCE) or 0
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        hint = ", perhaps for want of memory" if code == -9 else ""
        return f"its process {how}{hint}" + (f": {said[-1][:_TOLD]}" if said else "")

    def close(self, grace: float = 0.0) -> None:
        """End the process, whatever it is doing; closing twice is fine."""
        super().close(grace)
        self._errors.close()


def main() -> None:
    """Make runs until there are no more; a run's record is stored before it is told."""
    parent = ParentPipe()
    end_with_parent()
    messages = iter(parent)
    first = next(messages, None)
    if first is None:
        return
    workplace: Workplace = pickle.loads(first)  # noqa: S301 - from our own parent
    with open_web(workplace.source, workplace.folder / "pages") as web:
        for message in messages:
            plan: RunPlan = pickle.loads(message)  # noqa: S301
            record = run_one(plan, web, workplace.truth, workplace.folder)
            workplace.runs.put(record)
            try:
                parent.send(plan.key.encode())
            except OSError:  # the lab is gone; what is stored it will find
                return


class PagesRead(msgspec.Struct, frozen=True):
    """The recorded web is looked through for the first time: so many of its URLs are read."""

    done: int
    total: int


class RunEvent(msgspec.Struct, frozen=True):
    """A run has started, finished or failed, or was known."""

    kind: Kind
    plan: RunPlan
    record: RunRecord | None  # None where it has only started
    done: int  # runs of the same key count once
    total: int


LabEvent = PagesRead | RunEvent


def known_records(plans: Iterable[RunPlan], workplace: Workplace) -> dict[str, RunRecord]:
    """The records of runs that were made before and did not fail, under their plans' names."""
    store, known = workplace.runs, dict[str, "RunRecord"]()
    for plan in plans:
        record = None if plan.key in known else store.get(plan.key)
        if record is not None and not record.error:
            known[plan.key] = msgspec.structs.replace(record, **plan.names)
    return known


def race(
    plans: Sequence[RunPlan],
    workplace: Workplace,
    *,
    web: LabWeb,
    jobs: int | None = None,
    fresh: bool = False,
    seconds: float = 0.0,
    listener: Callable[[RunEvent], None] | None = None,
) -> dict[str, RunRecord]:
    """Make the runs that are not known, and return the records of all by their keys.

    Records are stored as runs end. A run that fails, or whose process dies, has a record with an
    error, and is made again the next time. For the arguments see `Lab.run`.
    """
    race = _Race(plans, workplace, fresh, seconds, listener)
    if jobs is None:  # as many as there are cores for this process
        jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs:
        race.run_beside(jobs)
    else:
        race.run_here(web)
    return race.records


class _Race(msgspec.Struct):
    plans: Sequence[RunPlan]
    workplace: Workplace
    fresh: bool
    seconds: float
    listener: Callable[[RunEvent], None] | None
    records: dict[str, RunRecord] = {}
    waiting: deque[RunPlan] = msgspec.field(default_factory=deque)

    def __post_init__(self) -> None:
        different = {plan.key: plan for plan in reversed(self.plans)}
        self.plans = [plan for plan in self.plans if different[plan.key] is plan]
        known = {} if self.fresh else known_records(self.plans, self.workplace)
        for plan in self.plans:
            if plan.key in known:
                self._end(plan, known[plan.key], "reused")
        self.waiting.extend(plan for plan in self.plans if plan.key not in known)

    def run_here(self, web: LabWeb) -> None:
        place = self.workplace
        while self.waiting:
            plan = self.waiting.popleft()
            self._tell("started", plan)
            record = run_one(plan, web, place.truth, place.folder)
            place.runs.put(record)
            self._end(plan, record)

    def run_beside(self, jobs: int) -> None:
        done: queue.SimpleQueue[tuple[RunWorker, bool]] = queue.SimpleQueue()
        workers: set[RunWorker] = set()
        try:
            while self.waiting or workers:
                while self.waiting and len(workers) < jobs:
                    worker = RunWorker(self.workplace, done)
                    workers.add(worker)
                    self._give(worker)
                for late in [one for one in workers if one.is_late]:
                    self._give_up(late, f"it took more than {self.seconds:g} s and was ended")
                    workers.discard(late)
                now = time.monotonic()
                deadlines = (one.deadline for one in workers if one.deadline is not None)
                try:
                    worker, is_there = done.get(timeout=max(0.0, min(deadlines, default=now + 60.0) - now))
                except queue.Empty:
                    continue
                if worker in workers and not self._take(worker, is_there):
                    workers.discard(worker)
        finally:
            for worker in workers:
                worker.close()

    def _give(self, worker: RunWorker) -> None:
        plan = self.waiting.popleft()
        self._tell("started", plan)
        worker.start(plan, self.seconds)

    def _take(self, worker: RunWorker, is_there: bool) -> bool:
        """Take what a worker has done, and give it more; whether it goes on."""
        if not is_there:
            self._give_up(worker, worker.last_words())
            return False
        plan = worker.plan
        record = self.workplace.runs.get(plan.key)
        self._end(plan, record or failed_run(plan, "its record cannot be read"))
        if not self.waiting:
            worker.close()
            return False
        self._give(worker)
        return True

    def _give_up(self, worker: RunWorker, why: str) -> None:
        worker.close()
        record = failed_run(worker.plan, why)
        self.workplace.runs.put(record)
        self._end(worker.plan, record)

    def _end(self, plan: RunPlan, record: RunRecord, kind: Kind | None = None) -> None:
        self.records[plan.key] = record
        self._tell(kind or ("failed" if record.error else "finished"), plan, record)

    def _tell(self, kind: Kind, plan: RunPlan, record: RunRecord | None = None) -> None:
        if self.listener is not None:
            done, total = len(self.records), len(self.plans)
            self.listener(RunEvent(kind, plan, record, done, total))
