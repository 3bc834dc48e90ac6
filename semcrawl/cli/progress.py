"""Showing a running crawl: a live line in a terminal, plain lines elsewhere, or JSON."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import fields
from typing import TYPE_CHECKING, Protocol, Self

import click
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from semcrawl.cli.screen import count, one_line
from semcrawl.crawl.events import (
    AlarmEnded,
    AlarmRaised,
    CrawlStopped,
    Distilled,
    FrontierRevised,
    PageRevisited,
    PageVisited,
    PolicyRan,
    UrlDropped,
)

if TYPE_CHECKING:
    from semcrawl.crawl.events import Event
    from semcrawl.crawl.progress import Progress
    from semcrawl.steering.alarms import Alarm

# The events of a crawl in words for a person, and in names and values for a program.


def warning(event: Event) -> str:
    """What a person should hear of at once, in one line; empty for all that goes as it should."""
    if isinstance(event, AlarmRaised):
        return f"alarm: {_alarm(event.alarm)}"
    if isinstance(event, AlarmEnded):
        return f"alarm over: {_alarm(event.alarm)}"
    if isinstance(event, PolicyRan) and event.error:
        return f"the policy {one_line(event.name)} failed and was skipped: {one_line(event.error)}"
    return ""


def _alarm(alarm: Alarm) -> str:
    return f"{alarm.kind.lower()} at page {alarm.ended or alarm.step:,}: {alarm.note}"


def aside(event: Event) -> str:
    """What went on beside the visits, in one line; empty for all other events."""
    if isinstance(event, PolicyRan) and not event.error:
        done = f"{count(event.changed, 'URL')} changed, {event.dropped:,} dropped"
        again = f", {event.revisits:,} to revisit" if event.revisits else ""
        return f"policy {one_line(event.name)}: {done}{again} ({event.seconds:.1f} s)"
    if isinstance(event, FrontierRevised):
        return f"the strategy has learnt: {count(event.changed, 'waiting URL')} ranked anew"
    if isinstance(event, Distilled):
        found = f"{count(event.hubs, 'hub')}, {event.authorities:,} authorities"
        return f"distilled: {found} ({event.seconds:.1f} s)"
    if isinstance(event, PageRevisited):
        found = f"changed, relevance now {event.relevance:.2f}" if event.changed else "unchanged"
        return f"revisited: {one_line(event.url)}: {found}"
    return ""


def as_row(event: Event) -> dict[str, object]:
    """The event as names and values for a line of JSON, its figures left out."""
    match event:
        case PageVisited():
            return {
                "event": "page",
                "step": event.step,
                "url": event.url,
                "title": event.title,
                "relevance": round(event.relevance, 6),
                "relevant": event.is_relevant,
                "priority": event.priority,
                "depth": event.depth,
            }
        case UrlDropped():
            return {
                "event": "dropped",
                "url": event.url,
                "reason": event.reason,
                "note": event.note,
            }
        case AlarmRaised():
            return {"event": "alarm", **_alarm_row(event.alarm)}
        case AlarmEnded():
            ended = {"ended": event.alarm.ended}
            return {"event": "alarm_over", **_alarm_row(event.alarm), **ended}
        case CrawlStopped():
            return {"event": "stopped", "reason": str(event.reason)}
        case _:
            return _aside_row(event)


def _alarm_row(alarm: Alarm) -> dict[str, object]:
    return {
        "kind": str(alarm.kind),
        "number": alarm.number,
        "step": alarm.step,
        "value": round(alarm.value, 6),
        "limit": round(alarm.limit, 6),
        "note": alarm.note,
    }


def _aside_row(
    event: PageRevisited | PolicyRan | FrontierRevised | Distilled,
) -> dict[str, object]:
    names = {
        PageRevisited: "revisited",
        PolicyRan: "policy",
        FrontierRevised: "revised",
        Distilled: "distilled",
    }
    values = {f.name: getattr(event, f.name) for f in fields(event) if f.name != "progress"}
    rounded = {n: round(v, 6) if isinstance(v, float) else v for n, v in values.items()}
    return {"event": names[type(event)], **rounded}


class View(Protocol):
    """Shows events as they come, until its ``with`` block ends."""

    def __call__(self, event: Event) -> None:
        """Show one event."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def choose_view(*, quiet: bool, as_json: bool, goal: int) -> View:
    """The view that suits the options and the place that output goes to."""
    if as_json:
        return JsonView()
    if quiet:
        return QuietView()
    return TerminalView(goal) if sys.stderr.isatty() else PlainView()


def figures(progress: Progress) -> str:
    """The running figures in one line of words."""
    return (
        f"{count(progress.pages, 'page')}, {progress.relevant:,} relevant "
        f"({progress.harvest_rate:.0%}), {progress.pages_per_second:.1f} pages/s, "
        f"{progress.waiting:,} waiting, {count(progress.hosts, 'host')}, "
        f"{count(progress.errors, 'error')}"
    )


class QuietView:
    """Shows nothing."""

    def __call__(self, event: Event) -> None:
        """Pass over the event."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the screen in order; there is nothing to do for plain lines."""


class PlainView(QuietView):
    """A line every few seconds, for logs and pipes; warnings at once."""

    def __init__(self, every: float = 5.0) -> None:
        self._every = every
        self._next = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Print the figures when it is time; the last ones are the command's to tell."""
        if words := warning(event):
            click.echo(words, err=True)
        if not isinstance(event, CrawlStopped) and time.monotonic() >= self._next:
            click.echo(figures(event.progress), err=True)
            self._next = time.monotonic() + self._every


class JsonView(QuietView):
    """One JSON object a line, for programs."""

    def __call__(self, event: Event) -> None:
        """Print the event with its figures."""
        row = {**as_row(event), "progress": event.progress.to_dict()}
        click.echo(json.dumps(row, ensure_ascii=False))


class TerminalView:
    """The running figures, alarms and latest pages, redrawn in place."""

    def __init__(self, goal: int, console: Console | None = None) -> None:
        self._goal = goal
        self._latest: list[PageVisited] = []
        self._alarms: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._aside = ""
        self._live = Live(
            "waiting for the first page …",
            console=console or Console(stderr=True),
            refresh_per_second=8,
            transient=True,
        )

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        """Take the picture off the screen."""
        self._live.stop()

    def __call__(self, event: Event) -> None:
        """Take the event into the picture."""
        if isinstance(event, PageVisited):
            self._latest = [*self._latest[-4:], event]
        elif isinstance(event, AlarmRaised):
            self._alarms[event.alarm.kind] = warning(event)
        elif isinstance(event, AlarmEnded):
            self._alarms.pop(event.alarm.kind, None)
            self._aside = warning(event)
        else:
            if isinstance(event, PolicyRan):
                self._failed |= {event.name: warning(event)}
            self._aside = aside(event) or self._aside
        self._live.update(self._picture(event.progress))

    def _picture(self, progress: Progress) -> Table:
        table = Table.grid(padding=(0, 1))
        table.add_column()
        table.add_column(no_wrap=True, overflow="ellipsis")
        table.add_row("", f"[bold]{figures(progress)}[/bold]{self._share(progress)}")
        for words in self._alarms.values():
            table.add_row("[red]![/red]", f"[red]{escape(words)}[/red]")
        for page in self._latest:
            mark = "[green]●[/green]" if page.is_relevant else "[dim]○[/dim]"
            name = escape(one_line(page.title or page.url)[:60])
            table.add_row(mark, f"{page.relevance:.2f}  {name}  [dim]{escape(page.url[:80])}[/dim]")
        for words in filter(None, self._failed.values()):
            table.add_row("[yellow]![/yellow]", f"[yellow]{escape(words)}[/yellow]")
        if self._aside:
            table.add_row("", f"[dim]{escape(self._aside)}[/dim]")
        return table

    def _share(self, progress: Progress) -> str:
        if not self._goal:
            return ""
        return f"  [dim]{progress.pages / self._goal:.0%} of {self._goal:,}[/dim]"
