"""``semcrawl status`` and ``semcrawl watch``: a crawl as it is now, read from its graph."""

from __future__ import annotations

import json
import sys
import textwrap
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import working
from semcrawl.cli.screen import count, one_line, print_json
from semcrawl.crawl import StopReason
from semcrawl.crawl.progress import interruptible
from semcrawl.crawl.shards.reading import ShardedGraph, read_crawl
from semcrawl.errors import CrawlLockedError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.vocabulary import shorten
from semcrawl.plots.terminal import AVERAGE, PAGE, RELEVANT_PAGE, moving_average, relevance_plot
from semcrawl.web.response import DropReason

if TYPE_CHECKING:
    from rich.console import Console

_PLOTTED_WINDOWS = 3


@click.command()
@parameters("status")
def status(folder: Path, as_json: bool) -> None:
    """How far the crawl in FOLDER has come; works while it runs."""
    with working("counting"), read_crawl(folder) as graph:
        about = graph.describe()
        figures = next(iter(graph.query("monitor/progress")))
        errors = {shorten(row["reason"]): row["urls"] for row in graph.query("monitor/errors")}
        running = graph.is_snapshot
        sharded = graph if isinstance(graph, ShardedGraph) else None
    pages, relevant = figures["pages"], figures["relevant"]
    rows = {
        "topic": about.name,
        "state": _state_of(about.stopped, running=running),
        "started": about.started.isoformat(timespec="seconds"),
        "pages": pages,
        "relevant": relevant,
        "harvest_rate": round(relevant / pages, 4) if pages else 0.0,
        "threshold": about.threshold,
        "waiting": figures["waiting"],
        "hosts": figures["hosts"],
        "dropped": figures["dropped"],
        "dropped_because": errors,
    }
    if sharded:
        rows |= {"shards": len(sharded.parts)} | ({"missing_shards": sharded.missing} if sharded.missing else {})
    if as_json:
        print_json(rows)
        return
    for name, value in rows.items():
        if name != "dropped_because":
            click.echo(f"{name.replace('_', ' '):<13} {one_line(str(value))}")
    explanations = {f"sc:{one}": f": {one.sentence}" for one in DropReason}
    for reason, urls in errors.items():
        click.echo(f"{'':<13} {urls:,} {reason}{explanations.get(reason, '')}")


def _state_of(stopped: str | None, *, running: bool) -> str:
    """Whether a crawl runs, and if not, why it stopped, in words."""
    if running:
        return "running"
    if stopped is None:
        return "not finished: go on with 'semcrawl resume'"
    return f"stopped because {StopReason(stopped.rpartition('#')[2]).sentence}"


@click.command()
@parameters("watch")
def watch(folder: Path, interval: float, window: int | None, once: bool, width: int | None) -> None:
    """Follow the crawl in FOLDER live, in the terminal."""
    from rich.console import Console

    console = Console(width=width, highlight=False, markup=False, emoji=False)
    if width is None and not sys.stdout.isatty():
        console.width = 100
    if once:
        _print(console, _take_frame(folder, window))
        return
    left: list[bool] = []
    with interruptible(lambda: left.append(True)):
        frames = _frames(folder, window, interval, left)
        last = (_show_live if sys.stdout.isatty() else _print_all)(console, frames)
    if not last.running:
        click.echo(f"The crawl does not run: {last.state}.")


def _frames(folder: Path, window: int | None, interval: float, left: list[bool]) -> Iterator[_WatchFrame]:
    """A frame at every look, until the crawl has ended or ``left`` is filled."""
    started = time.process_time()
    frame = _take_frame(folder, window)
    yield frame
    while frame.running:
        # In a huge crawl a look is work, which may take a tenth of one processor.
        over = time.monotonic() + max(interval, 9 * (time.process_time() - started))
        while not left and time.monotonic() < over:
            time.sleep(0.05)  # in small steps, for a signal does not end a sleep
        if left:
            return
        started = time.process_time()
        try:
            later = _take_frame(folder, window)
            took = later.taken_at - frame.taken_at
            frame = replace(later, rate=(later.pages - frame.pages) / took if took > 0 else None)
        except CrawlLockedError:
            # Busy with one long page, or stopped for a while; it may well go on.
            frame = replace(frame, state="running, but it does not answer now", rate=None)
        yield frame


def _print(console: Console, frame: _WatchFrame) -> None:
    for line in _frame_lines(frame, width=console.width):
        if sys.stdout.isatty():
            console.print(line, soft_wrap=True)
        else:
            click.echo(line.plain)


def _print_all(console: Console, frames: Iterator[_WatchFrame]) -> _WatchFrame:
    for number, frame in enumerate(frames):
        if number:
            click.echo()
        _print(console, frame)
    return frame


def _show_live(console: Console, frames: Iterator[_WatchFrame]) -> _WatchFrame:
    """Redraw every frame in place; the last one stays on the screen."""
    from rich.console import Group
    from rich.live import Live

    frame = first = next(frames)
    if first.running:
        with Live(console=console, screen=True, auto_refresh=False) as live:
            for frame in chain([first], frames):
                lines = _frame_lines(frame, width=console.width, height=console.height)
                live.update(Group(*lines), refresh=True)
    _print(console, replace(frame, rate=None))
    return frame


class _WatchFrame(Struct, frozen=True):
    """A crawl at one moment; ``latest`` has the oldest page first, ``rate`` is pages a second."""

    name: str
    state: str
    running: bool
    threshold: float
    window: int
    pages: int
    relevant: int
    waiting: int
    hosts: int
    latest: list[dict[str, Any]]
    alarms: list[dict[str, Any]]
    census: list[tuple[str, int]]
    hubs: list[dict[str, Any]]
    taken_at: float
    rate: float | None = None


def _take_frame(folder: Path, window: int | None) -> _WatchFrame:
    with read_crawl(folder) as graph:
        about = graph.describe()
        size = window or json.loads(about.settings).get("alarm_window") or 100
        figures = next(iter(graph.query("monitor/progress", threshold=about.threshold)))
        return _WatchFrame(
            name=about.name,
            state=_state_of(about.stopped, running=graph.is_snapshot),
            running=graph.is_snapshot,
            threshold=about.threshold,
            window=size,
            latest=_latest(graph, figures["pages"], (_PLOTTED_WINDOWS + 1) * size),
            alarms=list(graph.query("monitor/alarms")),
            census=_census(graph),
            hubs=list(graph.query("distill/best-hubs", limit=5)),
            taken_at=time.monotonic(),
            **{name: figures[name] for name in ("pages", "relevant", "waiting", "hosts")},
        )


def _latest(graph: CrawlGraph, pages: int, number: int) -> list[dict[str, Any]]:
    # The pages of each shard have steps of their own.
    after = 0 if isinstance(graph, ShardedGraph) else max(0, pages - number)
    rows = graph.query("monitor/latest", after=after, limit=number)
    # A concept with labels in several languages gives its pages several rows.
    return sorted({row["url"]: row for row in rows}.values(), key=lambda row: row["step"])


def _census(graph: CrawlGraph) -> list[tuple[str, int]]:
    """The concepts that most pages fit best, each by the first of its labels."""
    found: dict[str, tuple[str, int]] = {}
    for row in graph.query("analyse/census", limit=20):
        found.setdefault(row["concept"], (row["label"], row["pages"]))
    return list(found.values())


def _frame_lines(frame: _WatchFrame, *, width: int, height: int | None = None) -> list[Text]:
    listed = 5 if height is None or height >= 34 else 3
    above = [*_head(frame), *_alarm_lines(frame, width)]
    below = list(_lists(frame, listed))
    least, most = 4, 12
    room = most if height is None else height - len(above) - len(below) - 3
    plot = _plot(frame, width, min(most, max(least, room))) if frame.latest else []
    lines = [*above, *plot, *below]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _head(frame: _WatchFrame) -> Iterator[Text]:
    yield Text.assemble((one_line(frame.name), "bold"), "  ", (one_line(frame.state), "cyan"))
    share = f" ({frame.relevant / frame.pages:.0%})" if frame.pages else ""
    speed = "" if frame.rate is None else f", {frame.rate:.1f} pages/s"
    yield Text(
        f"{count(frame.pages, 'page')}, {frame.relevant:,} relevant{share}{speed}, "
        f"{frame.waiting:,} waiting, {count(frame.hosts, 'host')}"
    )


def _alarm_lines(frame: _WatchFrame, width: int) -> Iterator[Text]:
    """The alarms that last, in full, and room permitting the latest that are over."""
    lasting = [alarm for alarm in frame.alarms if alarm["ended"] is None]
    over = [alarm for alarm in frame.alarms if alarm["ended"] is not None]
    for alarm in lasting:
        since = f"! {_kind(alarm)} since page {alarm['raised']:,}: {one_line(alarm['note'])}"
        for line in textwrap.wrap(since, width, subsequent_indent="  "):
            yield Text(line, style="red")
    for alarm in over[::-1][: max(0, 4 - len(lasting))]:
        from_to = f"from page {alarm['raised']:,} to {alarm['ended']:,}"
        yield Text(f"  {_kind(alarm)} {from_to}, over", style="dim")


def _kind(alarm: dict[str, Any]) -> str:
    return str(alarm["kind"]).rpartition("#")[2].lower()


def _plot(frame: _WatchFrame, width: int, height: int) -> Iterator[Text]:
    relevances = [page["relevance"] for page in frame.latest]
    averages = moving_average(relevances, frame.window)
    shown = -_PLOTTED_WINDOWS * frame.window
    first, last = frame.latest[shown:][0]["step"], frame.latest[-1]["step"]
    yield Text("")
    yield Text.assemble(
        (f"relevance of pages {first:,}-{last:,}", "bold"),
        f"  {RELEVANT_PAGE} relevant  {PAGE} not  {AVERAGE} mean of {frame.window:,}: {averages[-1]:.3f}",
    )
    size = {"width": width, "height": height}
    yield from relevance_plot(relevances[shown:], averages[shown:], threshold=frame.threshold, **size)


def _lists(frame: _WatchFrame, listed: int) -> Iterator[Text]:
    """The latest pages, the concepts that most pages fit, and the best hubs."""
    if frame.latest:
        yield Text("latest pages", style="bold")
    for page in frame.latest[: -listed - 1 : -1]:
        mark = ("● ", "green") if page["relevance"] >= frame.threshold else ("○ ", "dim")
        yield Text.assemble(mark, f"{page['relevance']:.3f}  ", *_named(page))
    if frame.census:
        yield Text("best concepts", style="bold")
        yield Text("  " + ", ".join(f"{one_line(name)} {n:,}" for name, n in frame.census))
    if frame.hubs:
        yield Text("best hubs", style="bold")
    for hub in frame.hubs[:listed]:
        yield Text.assemble(f"  {hub['score']:.4f}  ", *_named(hub))


def _named(page: dict[str, Any]) -> tuple[str, tuple[str, str]]:
    name = one_line(page["title"] or "") or "(no title)"
    return f"{name[:60]}  ", (one_line(page["url"]), "dim")
