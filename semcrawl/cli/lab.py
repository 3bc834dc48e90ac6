"""``semcrawl lab``: crawlers side by side on a recorded web."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import Display, LiveTable, PlainLines, number_read
from semcrawl.cli.screen import count, harmless, one_line
from semcrawl.errors import LabError, StoreError, os_errors
from semcrawl.graph.result_formats import aligned
from semcrawl.lab import Lab, load_experiment
from semcrawl.lab.comparing import SideBySide, find_side, put_side_by_side
from semcrawl.lab.experiment import Experiment
from semcrawl.lab.loading import vary
from semcrawl.lab.plan import RunPlan
from semcrawl.lab.racing import LabEvent, PagesRead, RunEvent
from semcrawl.lab.report import report_text, write_report
from semcrawl.lab.report_tables import Lookup
from semcrawl.lab.results import METRICS, OverTopics, Results
from semcrawl.plots.axes import NONE, interval_text, number, p_text

if TYPE_CHECKING:
    from rich.console import Console

FORMATS = {"html": "report.html", "md": "report.md", "csv": "results.csv", "ttl": "results.ttl"}


@click.group()
@parameters("lab")
def lab() -> None:
    """Race crawlers on a recorded web, and tell who won."""


@lab.command()
@parameters("run")
def run(
    experiment: Path,
    folder: Path,
    jobs: int | None,
    seconds: float | None,
    fresh: bool,
    no_report: bool,
    quiet: bool,
    **changes: Any,
) -> None:
    """Run the EXPERIMENT of a TOML file, and tell what came out."""
    if seconds and jobs == 0:
        raise click.UsageError("--seconds needs processes that can be ended: give --jobs 1 or more")
    loaded, varied = _loaded(experiment, **changes)
    name = f"{experiment.stem}-part" if varied else experiment.stem
    place = Lab(folder)
    shown: Display[LabEvent] = Display() if quiet else LabScreen() if sys.stderr.isatty() else LabLines()
    try:
        with shown as display:
            results = place.run(
                loaded,
                name=name,
                file=experiment,
                varied=varied,
                jobs=jobs,
                fresh=fresh,
                seconds=seconds or 0.0,
                listener=display,
            )
    except KeyboardInterrupt:
        click.echo("\nsemcrawl: stopped; runs that are finished are kept, and the same command goes on", err=True)
        raise
    for line in summary_lines(results):
        click.echo(harmless(line))
    if not no_report:
        click.echo(f"\nThe report: {write_report(results, place.place(name))[0]}")
    if results.failures:
        sys.exit(1)


def _loaded(file: Path, pages: int | None, only: tuple[str, ...], extra: tuple[str, ...]) -> tuple[Experiment, str]:
    """The experiment of a file with the changes of options, and these in words."""
    loaded = load_experiment(file)
    told = [f"--pages {pages}"] if pages else []
    told += [f"--only {name!r}" for name in only] + [f"--with {spec!r}" for spec in extra]
    if told:
        loaded = vary(loaded, pages=pages or 0, only=only, extra=extra)
    return loaded, " ".join(told)


@lab.command()
@parameters("check")
def check(experiment: Path, folder: Path, **changes: Any) -> None:
    """Tell what the EXPERIMENT would do, without running it."""
    loaded, _ = _loaded(experiment, **changes)
    preview = Lab(folder).preview(loaded)
    rows = [("topic", "pages on it", "for training", "seeds")]
    rows += [(topic.name, f"{topic.pages:,}", f"{topic.training:,}", f"{topic.seeds:,}") for topic in preview.topics]
    click.echo(f"{one_line(loaded.title)}: {count(len(loaded.strategy), 'crawler')}")
    click.echo("\n".join(aligned(rows)))
    click.echo(
        f"{count(preview.runs, 'run')} of at most {count(loaded.pages, 'page')}; {preview.known:,} known already"
    )
    for text in preview.warnings:
        click.echo(f"warning: {one_line(text)}", err=True)


@lab.command(name="list")
@parameters("list")
def list_(folder: Path) -> None:
    """List the experiments that were run."""
    place = Lab(folder)
    rows = []
    for name in place.experiments():
        try:
            results = place.results(name)
        except LabError as error:
            click.echo(f"warning: {one_line(str(error))}", err=True)
            continue
        outcomes = [verdict.outcome for verdict in results.verdicts]
        rows.append((
            one_line(name),
            one_line(results.title),
            str(len(results.contenders)),
            str(len(results.topics)),
            f"{outcomes.count('reproduced')} of {len(outcomes)}" if outcomes else "-",
            str(len(results.failures)),
        ))  # fmt: skip
    if not place.experiments():
        click.echo(f"(no experiment was run in {folder})", err=True)
    if rows:
        head = ("name", "title", "crawlers", "topics", "reproduced", "failed runs")
        click.echo("\n".join(aligned([head, *rows], left=2)))


@lab.command()
@parameters("report")
def report(name: str, folder: Path, form: str, output: Path | None) -> None:
    """Write the report of experiment NAME, or of a results.json."""
    place = Lab(folder)
    results = place.results(name)
    if form == "all":
        beside = Path(name).parent if name.endswith(".json") else place.place(name)
        for path in write_report(results, output or beside):
            click.echo(path)
        return
    text = report_text(results, FORMATS[form])
    if output is None:
        click.echo(harmless(text) if sys.stdout.isatty() else text, nl=False)
        return
    with os_errors(StoreError, f"cannot write {output}"):
        output.write_text(text, encoding="utf-8")
    click.echo(output)


@lab.command()
@parameters("compare")
def compare(first: str, second: str, folder: Path, measure: str, at: int | None) -> None:
    """Compare the results A and B over the topics that both have."""
    place = Lab(folder)
    left, right = (find_side(text, place.results) for text in (first, second))
    for line in _comparison_lines(put_side_by_side(left, right, measure, at or 0)):
        click.echo(harmless(line))


@dataclass
class Tally:
    """How many runs came to what end, and how long the rest will take."""

    ends: Counter[str] = field(default_factory=Counter)  # by the kinds of events
    total: int = 0
    running: dict[str, tuple[RunPlan, float]] = field(default_factory=dict)
    started: float | None = None

    def take(self, event: RunEvent, now: float) -> None:
        """Count an event that came at the time ``now``, in seconds."""
        self.total = event.total
        if event.kind == "started":
            self.started = now if self.started is None else self.started
            self.running[event.plan.key] = event.plan, now
            return
        self.running.pop(event.plan.key, None)
        self.ends[event.kind] += 1

    def seconds_left(self, now: float) -> float | None:
        """How long the rest will take if it goes on like this; None before anything is known."""
        made = self.ends.total() - self.ends["reused"]
        if not made or self.started is None:
            return None
        return (now - self.started) / made * (self.total - self.ends.total())

    def words(self, now: float) -> str:
        """The figures in a line."""
        parts = [f"{self.ends.total():,} of {count(self.total, 'run')}"]
        parts += [f"{self.ends['finished']:,} made", f"{self.ends['reused']:,} known"]
        parts += [f"{self.ends['failed']:,} failed"] if self.ends["failed"] else []
        left = self.seconds_left(now)
        return ", ".join(parts) + (f"; about {_time(left)} left" if left else "")


def _time(seconds: float) -> str:
    """A time in words.

    >>> _time(8.2), _time(200), _time(7300)
    ('8 s', '3 min', '2 h 2 min')
    """
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def _run_words(plan: RunPlan) -> str:
    return one_line(f"{plan.contender.name} for {plan.topic.name}")


def failure(event: RunEvent) -> str:
    """What went wrong in a run; empty where nothing did."""
    if event.kind != "failed" or event.record is None:
        return ""
    return f"{_run_words(event.plan)}: {one_line(event.record.error)}"


class LabLines(PlainLines["LabEvent"]):
    """The figures every few seconds; failures at once."""

    def __init__(self, every: float = 10.0) -> None:
        super().__init__(every, after=min(every, 3.0))
        self._tally = Tally()

    def __call__(self, event: LabEvent) -> None:
        """Print a failure, or the figures when it is time."""
        if isinstance(event, PagesRead):
            self.say_when_due(number_read(event.done, event.total))
        elif isinstance(event, RunEvent):
            now = time.monotonic()
            self._tally.take(event, now)
            if failed := failure(event):
                self.say(f"failed: {failed}")
            self.say_when_due(self._tally.words(now))


class LabScreen(LiveTable["LabEvent"]):
    """The figures and a line for each run that is under way, redrawn in place."""

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(console)
        self._tally = Tally()
        self._failures: list[str] = []
        self._reading = ""

    def __call__(self, event: LabEvent) -> None:
        """Take the event into the picture."""
        self._reading = ""
        if isinstance(event, PagesRead):
            self._reading = number_read(event.done, event.total)
        elif isinstance(event, RunEvent):
            self._tally.take(event, time.monotonic())
            if failed := failure(event):
                self._failures = [*self._failures[-2:], failed]

    def rows(self) -> Iterator[tuple[str, str]]:
        """The figures, the runs under way and the latest failures."""
        now = time.monotonic()
        if self._reading or not self._tally.total:
            yield "", escape(self._reading or "opening the recorded web …")
            return
        yield "", f"[bold]{self._tally.words(now)}[/bold]"
        for plan, since in tuple(self._tally.running.values()):
            yield f"[dim]{now - since:.0f} s[/dim]", escape(_run_words(plan))
        for failed in self._failures:
            yield "[red]![/red]", f"[red]{escape(failed)}[/red]"


_SHOWN = 5


def summary_lines(results: Results) -> Iterator[str]:
    """The headline of every crawler, the findings, and what went wrong."""
    look = Lookup(results)
    if look.headline is not None:
        topics = look.topics_of(*results.headline)
        over = "1 topic" if topics == 1 else f"mean of {topics} topics, interval of 95 %"
        yield f"{look.headline.title} after {count(results.headline[1], 'page')}, {over}"
        yield from aligned(list(_headline_rows(look, look.headline.unit)))
    for verdict in results.verdicts:
        yield ""
        yield f"{verdict.outcome.upper()}: {one_line(verdict.says)}"
        told = f"{verdict.measure} after {count(verdict.at, 'page')}: {one_line(verdict.figures)}"
        yield from wrap(told, 100, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    if results.warnings or results.failures:
        yield ""
    yield from _first(f"warning: {one_line(text)}" for text in results.warnings)
    yield from _first(
        f"failed: {one_line(one.contender)} for {one.topic}: {one_line(one.error)}" for one in results.failures
    )


def _headline_rows(look: Lookup, unit: str) -> Iterator[tuple[str, ...]]:
    measure, at = look.results.headline
    means = {name: look.over(name, measure, at) for name in look.results.contenders}
    costs = {cost.contender: cost for cost in look.results.costs}
    # Over how many topics is told only where it is not the same for all.
    told = any(found and not look.is_whole(found) for found in means.values())
    head = ("crawler", "mean", "interval", "of the oracle", "ms of CPU a page")
    yield (*head, "over") if told else head
    for name, found in means.items():
        cost = costs.get(name)
        mean = interval = NONE
        if found is not None:
            ends = found.interval
            mean = number(ends.mean, unit)
            interval = interval_text(ends.low, ends.high, unit) if found.topics > 1 else NONE
        row = (
            one_line(name)[:40],
            mean,
            interval,
            _share(look, look.over(name, "oracle-share", at)),
            f"{1e3 * cost.cpu_per_page:.1f}" if cost and cost.pages else NONE,
        )
        yield (*row, look.share_of_topics(found) if found else "") if told else row


def _share(look: Lookup, found: OverTopics | None) -> str:
    if found is None:
        return NONE
    fewer = look.share_of_topics(found)
    return f"{found.interval.mean:.0%}" + (f" ({fewer})" if fewer else "")


def _first(lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    yield from found[:_SHOWN]
    if len(found) > _SHOWN:
        yield f"… and {len(found) - _SHOWN:,} more; the report has them all"


def _comparison_lines(found: SideBySide) -> Iterator[str]:
    note = METRICS.get(found.measure)
    unit = note.unit if note else "?"
    better = "" if note is None or note.higher_is_better else " (less is better)"
    yield f"{note.title if note else found.measure} after {count(found.at, 'page')}{better}"
    head = ("first", "second", "mean", "mean", "topics", "better in", "t", "Wilcoxon", "Holm")
    rows = [
        (
            one_line(one.left),
            one_line(one.right),
            number(left, unit),
            number(right, unit),
            str(one.topics),
            str(one.wins),
            p_text(one.t),
            p_text(one.wilcoxon),
            p_text(one.corrected),
        )
        for one, (left, right) in zip(found.comparisons, found.means, strict=True)
    ]
    yield from aligned([head, *rows], left=2)
    yield ""
    yield "p that the first is better, one-tailed: paired t, Wilcoxon, t corrected for all lines"
    yield from (f"note: {one_line(text)}" for text in found.notes)
