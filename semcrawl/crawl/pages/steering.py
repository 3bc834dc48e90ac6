"""Steering: policies and the distiller, run beside the crawl at their rhythm.

Jobs run one at a time in a process of their own, each on a snapshot of the graph. Over the network the crawl goes on
meanwhile, and jobs may take only a share of its CPU; in a replay it waits, so that a run can be repeated. A policy can
be tried on a crawl, without changing it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from semcrawl.crawl.events import Distilled, Event, PolicyRan
from semcrawl.crawl.pages.priorities import PolicyEffect, Priorities
from semcrawl.crawl.pages.state import SECOND_CHANCE, PageState
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.trust import VIEW, require_trust
from semcrawl.errors import QueryError
from semcrawl.graph import SC, Changes, CrawlGraph, require_graph
from semcrawl.graph.changes import policy_ran
from semcrawl.graph.snapshots import remove_snapshot
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.steering import Policy, PolicyRow, RowForm, load_policy, record
from semcrawl.steering.jobs import DistillJob, Job, PolicyJob, Reply, SideProcess, View, query_functions, run_policy

_ALLOWANCE = 0.05  # seconds of CPU that each job may spend before any share has grown
_LONGEST = 64  # a job that fails again and again is tried after so many times its rhythm at least


class Turn(Struct):
    """The rhythm of a job, and what its runs cost."""

    every: int  # pages
    last: int = 0  # the number of pages at the last run
    last_good: int = 0  # at the last run that did not fail
    spent: float = 0.0  # CPU seconds of all runs
    cost: float = 0.0  # CPU seconds of the last run
    failures: int = 0


class Schedule:
    """Which job comes next; each failure halves how often a job is tried, until it succeeds.

    All jobs together may spend ``share`` of this process's CPU (None: no limit), equally divided.
    Jobs that are due together run in the order of ``turns``.
    """

    def __init__(self, turns: dict[str, Turn], share: float | None) -> None:
        self._turns = turns
        self._share = None if share is None else share / max(len(turns), 1)
        self._cpu_before = time.process_time()
        self._due: list[str] = []

    def __getitem__(self, name: str) -> Turn:
        return self._turns[name]

    def run_all(self) -> None:
        """Let everything be due, whatever its rhythm."""
        self._due = list(self._turns)

    def look(self, pages: int) -> None:
        """Note what has become due with so many pages."""
        for name, turn in self._turns.items():
            pause = turn.every * min(2**turn.failures, _LONGEST)
            if pages - turn.last >= pause and name not in self._due:
                self._due.append(name)

    def next(self) -> str | None:
        """The first job that is due and affordable, None where there is none."""
        return next((name for name in self._due if self._may_spend(name)), None)

    def _may_spend(self, name: str) -> bool:
        if self._share is None:
            return True
        earned = self._share * (time.process_time() - self._cpu_before)
        turn = self._turns[name]
        # It will cost about what it cost the last time.
        return turn.spent + turn.cost <= _ALLOWANCE + earned

    def started(self, name: str, pages: int) -> None:
        """A job begins."""
        self._due.remove(name)
        self._turns[name].last = pages

    def finished(self, name: str, cpu: float, *, failed: bool) -> None:
        """A job has ended, after so many seconds of CPU in all."""
        turn = self._turns[name]
        turn.spent += cpu
        turn.cost = cpu
        if failed:
            turn.failures += 1
        else:
            turn.failures, turn.last_good = 0, turn.last


def view_of(graph: CrawlGraph) -> View:
    """The topic, judge and background of a crawl; UntrustedError if they are a stranger's files."""
    require_trust(graph, VIEW)
    about = graph.describe()
    settings = Settings.from_json(about.settings)
    return View(about.topic, settings.judge, settings.background)


def give_functions(graph: CrawlGraph) -> None:
    """Let queries over a crawl graph call ``sc:similarity``."""
    graph.store.functions = query_functions(lambda: view_of(graph))


MOST_ROWS = 100_000  # how many rows of a policy count
DISTIL_EVERY = 200
"""Pages between two distillations where a policy needs them and no setting says more."""

KEPT_SCORES = 1000  # how many of the best hubs and authorities keep their scores in the graph
_SLICE = 0.2
"""Seconds between two looks at readers and at a call to stop, while a job is waited for."""

_DISTILLER = "distiller"


class _Running(NamedTuple):
    name: str
    snapshot: Path
    started: float
    cpu: float


class Steering:
    """Runs what is due and applies it; a job that fails or takes too long is tried later."""

    def __init__(self, state: PageState, policies: Sequence[Policy], priorities: Priorities) -> None:
        settings = state.settings
        self._state = state
        self._policies = {policy.name: policy for policy in policies}
        self._priorities = priorities
        self._waits = bool(settings.replay)
        self._side = SideProcess(settings.policy_seconds)
        self._runs = 0
        self._schedule = Schedule(self._turns(), None if self._waits else settings.policy_share)
        self._running: _Running | None = None
        self._crawl = state.graph.describe().id
        self._view = view_of(state.graph)
        if settings.is_maintenance:
            self._schedule.run_all()

    def _turns(self) -> dict[str, Turn]:
        """Return the jobs, the distiller first, for others need it."""
        every = self._state.settings.distill_every
        if not every and any(policy.needs_distiller for policy in self._policies.values()):
            every = DISTIL_EVERY
        turns = {_DISTILLER: Turn(every)} if every else {}
        turns |= {name: Turn(policy.every) for name, policy in self._policies.items()}
        distilled = self._state.graph.query("SELECT ?n { ?crawl sc:distilledAtStep ?n }").value() or 0
        if _DISTILLER in turns:
            turns[_DISTILLER].last = turns[_DISTILLER].last_good = distilled
        for row in self._state.graph.query("monitor/policy-runs"):
            self._runs += row["runs"]
            if (turn := turns.get(row["policy"])) is not None:
                turn.last, turn.last_good = row["last_step"], row["last_good"] or 0
        return turns

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way, or due and affordable."""
        return self._running is not None or self._schedule.next() is not None

    def turn(self, is_told_to_stop: Callable[[], bool]) -> Iterator[Event]:
        """Called again and again by the loop: start what is due, apply what is done."""
        self._schedule.look(self._state.progress.pages)
        while not is_told_to_stop():
            if self._running is None:
                name = self._schedule.next()
                if name is None:
                    return
                self._start(name)
            reply = self._side.poll(_SLICE if self._waits else 0.0)
            if reply is not None:
                yield self._finish(reply)
            elif not self._waits:
                return
            self._state.graph.answer_readers()

    def close(self) -> None:
        """Give up what is under way."""
        self._side.close()
        if self._running is not None:
            remove_snapshot(self._running.snapshot)
            self._running = None

    def _start(self, name: str) -> None:
        cpu = time.process_time()
        snapshot = self._state.graph.snapshot()
        self._side.start(self._job(name, str(snapshot)))
        self._schedule.started(name, self._state.progress.pages)
        spent = time.process_time() - cpu
        self._running = _Running(name, snapshot, time.monotonic(), spent)

    def _job(self, name: str, snapshot: str) -> Job:
        settings = self._state.settings
        if name == _DISTILLER:
            across, share = settings.distill_across, settings.distill_share
            return DistillJob(snapshot, across, share, KEPT_SCORES)
        policy = self._policies[name]
        pages, since = self._state.progress.pages, self._schedule[name].last_good
        context = {"across": settings.distill_across, "since": since, "step": pages, "threshold": self._state.threshold}
        return PolicyJob(snapshot, policy.text(context), policy.form.name, MOST_ROWS, self._view)

    def _finish(self, reply: Reply) -> Event:
        assert self._running is not None
        running, self._running = self._running, None
        remove_snapshot(running.snapshot)
        cpu = time.process_time()
        if running.name == _DISTILLER and reply.distillation is not None:
            found = reply.distillation
            record(self._state.graph, found, best=KEPT_SCORES)
            seconds = time.monotonic() - running.started
            counts = len(found.hubs), len(found.authorities)
            event: Event = Distilled(*counts, seconds, progress=self._state.progress)
        else:
            event = self._apply(running, reply)
        spent = running.cpu + reply.cpu + time.process_time() - cpu
        self._schedule.finished(running.name, spent, failed=bool(reply.error))
        self._state.progress.waiting = len(self._state.frontier)
        return event

    def _apply(self, running: _Running, reply: Reply) -> PolicyRan:
        name, error = running.name, reply.error
        effect = PolicyEffect()
        if not error and name in self._policies:
            effect = self._priorities.apply(self._policies[name], reply.rows)
        if reply.left_out:
            error = f"{reply.left_out:,} of its rows could not be read, or were too many"
        self._runs += 1
        changes, step = Changes(), self._schedule[name].last
        changed = effect.changed + effect.dropped + effect.revisits
        policy_ran(changes, self._crawl, self._runs, policy_name=name, at_step=step, urls_changed=changed, note=error)
        self._state.graph.apply(changes)
        return PolicyRan(
            name,
            effect.changed,
            effect.dropped,
            effect.revisits,
            time.monotonic() - running.started,
            error,
            progress=self._state.progress,
        )


class TrialRow(Struct, frozen=True):
    """What would become of one URL or site: priorities, or factors of sites."""

    subject: str
    before: float | None  # None where the URL does not wait yet
    after: float | None  # None where it would be dropped


class Trial(Struct, frozen=True):
    """What a policy would do: the rows that change something, and how many do not."""

    policy: Policy
    rows: tuple[TrialRow, ...]
    ignored: int
    unread: int = 0  # without URL or number, a negative number, or too many


def try_policy(graph: CrawlGraph, spec: str, seconds: float = 60.0) -> Trial:
    """See what a policy would change, all pages new to it; QueryError if it fails or is slow."""
    require_graph(graph)
    policy = load_policy(spec)
    about = graph.describe()
    settings = Settings.from_json(about.settings)
    step = next(iter(graph.query("monitor/progress")))["pages"]
    context = {"across": settings.distill_across, "since": 0, "step": step, "threshold": about.threshold}
    # A graph that is open for reading only can be read from elsewhere as it is.
    stored = graph.store.path
    place = stored if stored and graph.store.is_read_only else graph.snapshot()
    try:
        with SideProcess(seconds, option="--seconds") as side:
            reply = run_policy(side, policy, str(place), context, MOST_ROWS, view_of(graph))
    finally:
        if place != stored:
            remove_snapshot(Path(place))
    # As when it steers: of several rows on one URL or site the last counts.
    rows = [_trial(graph, policy, row) for row in {row.subject: row for row in reply.rows}.values()]
    changing = tuple(row for row in rows if row is not None)
    return Trial(policy, changing, len(rows) - len(changing), reply.left_out)


def _trial(graph: CrawlGraph, policy: Policy, row: PolicyRow) -> TrialRow | None:
    """What the row would change, None where it would change nothing."""
    url, after, value = row.subject, row.value, graph.store.value
    of_site = policy.form is RowForm.SITE_FACTOR
    name = "factor" if of_site else "revisitPriority" if policy.revisits else "priority"
    found = value(url, SC + name)
    before = (1.0 if of_site else None) if found is None else float(found)
    if of_site:
        applies = host_of_site(url) is not None
    elif policy.revisits:
        applies = value(url, SC + "step") is not None
    elif before is None:
        applies = policy.form is RowForm.PRIORITY and after is not None and _would_enter(graph, url, after)
    else:
        applies = True
        if policy.form is RowForm.FACTOR and after is not None:
            after = round(before / (value(url, SC + "factor") or 1.0) * after, 6)
    return TrialRow(url, before, after) if applies and before != after else None


def _would_enter(graph: CrawlGraph, url: str, priority: float) -> bool:
    """Whether a page links to a URL that was neither visited nor given up for good."""
    dropped = (graph.store.value(url, SC + "droppedBecause") or "").removeprefix(SC)
    settled = any(graph.store.value(url, SC + name) for name in ("step", "redirectsTo"))
    if settled or (dropped and dropped not in SECOND_CHANCE):
        return False
    to_beat = graph.store.value(url, SC + "priorityToBeat")
    if to_beat is not None and priority <= to_beat:
        return False
    try:
        return bool(graph.query("frontier/shortest-way", url=url))
    except QueryError:
        return False
