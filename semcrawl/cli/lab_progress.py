"""How far an experiment is: a line for each running crawl in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

import click
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from semcrawl.cli.screen import count, one_line
from semcrawl.lab.events import PagesRead, RunEvent

if TYPE_CHECKING:
    from semcrawl.lab.events import LabEvent
    from semcrawl.lab.plan import RunPlan

__all__ = ["LabView", "PlainLabView", "QuietLabView", "Tally", "TerminalLabView", "choose_view"]


class LabView(Protocol):
    """Shows what a lab tells, until its ``with`` block ends."""

    def __call__(self, event: LabEvent) -> None:
        """Show one event."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def choose_view(*, quiet: bool) -> LabView:
    """The view that suits the options and the place that output goes to."""
    if quiet:
        return QuietLabView()
    return TerminalLabView() if sys.stderr.isatty() else PlainLabView()


@dataclass
class Tally:
    """How many runs came to what end, and how long the rest will take."""

    finished: int = 0
    reused: int = 0
    failed: int = 0
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
        setattr(self, event.kind, getattr(self, event.kind) + 1)

    def seconds_left(self, now: float) -> float | None:
        """How long the rest will take if it goes on like this; None before anything is known."""
        made = self.finished + self.failed
        if not made or self.started is None:
            return None
        left = self.total - made - self.reused
        return (now - self.started) / made * left

    def words(self, now: float) -> str:
        """The figures in a line."""
        done = self.finished + self.reused + self.failed
        parts = [f"{done:,} of {count(self.total, 'run')}", f"{self.finished:,} made"]
        parts.append(f"{self.reused:,} known")
        parts += [f"{self.failed:,} failed"] if self.failed else []
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


def run_words(plan: RunPlan) -> str:
    """A run in a few words."""
    return one_line(f"{plan.contender.name or plan.contender.strategy} for {plan.topic.name}")


class QuietLabView:
    """Shows nothing."""

    def __call__(self, event: LabEvent) -> None:
        """Pass over the event."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to put in order."""


class PlainLabView(QuietLabView):
    """A line every few seconds, for logs and pipes; failures at once."""

    def __init__(self, every: float = 10.0) -> None:
        self._every = every
        self._next = time.monotonic() + min(every, 3.0)
        self._tally = Tally()

    def __call__(self, event: LabEvent) -> None:
        """Print a failure, or the figures when it is time."""
        now = time.monotonic()
        words = ""
        if isinstance(event, RunEvent):
            self._tally.take(event, now)
            words = self._tally.words(now)
            if event.kind == "failed" and event.record is not None:
                told = one_line(event.record.error)
                click.echo(f"failed: {run_words(event.plan)}: {told}", err=True)
        elif isinstance(event, PagesRead):
            words = f"{event.done:,} of {count(event.total, 'page')} read"
        if words and now >= self._next:
            click.echo(words, err=True)
            self._next = now + self._every


class TerminalLabView:
    """The figures and a line for each run that is under way, redrawn in place."""

    def __init__(self, console: Console | None = None) -> None:
        self._tally = Tally()
        self._failures: list[str] = []
        self._reading = ""
        self._live = Live(
            get_renderable=self._picture,
            console=console or Console(stderr=True),
            refresh_per_second=4,
            transient=True,
        )

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        """Take the picture off the screen."""
        self._live.stop()

    def __call__(self, event: LabEvent) -> None:
        """Take the event into the picture."""
        if isinstance(event, PagesRead):
            self._reading = f"{event.done:,} of {count(event.total, 'page')} read"
            return
        self._reading = ""
        if not isinstance(event, RunEvent):
            return
        self._tally.take(event, time.monotonic())
        if event.kind == "failed" and event.record is not None:
            told = f"{run_words(event.plan)}: {one_line(event.record.error)}"
            self._failures = [*self._failures[-2:], told]

    def _picture(self) -> Table:
        now = time.monotonic()
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right")
        table.add_column(no_wrap=True, overflow="ellipsis")
        if self._reading or not self._tally.total:
            table.add_row("", escape(self._reading or "opening the recorded web …"))
            return table
        table.add_row("", f"[bold]{self._tally.words(now)}[/bold]")
        for plan, since in self._tally.running.values():
            table.add_row(f"[dim]{now - since:.0f} s[/dim]", escape(run_words(plan)))
        for told in self._failures:
            table.add_row("[red]![/red]", f"[red]{escape(told)}[/red]")
        return table
