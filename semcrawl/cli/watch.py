"""``semcrawl watch``."""

from __future__ import annotations

import json
import re
import sys
import textwrap
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from semcrawl.cli.screen import count, one_line
from semcrawl.cli.status import state_of
from semcrawl.graph import CrawlGraph
from semcrawl.plots.terminal import AVERAGE, PAGE, RELEVANT_PAGE, moving_average, relevance_plot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console, Group

_TICK = 0.05
_PAUSES = 9
_WIDTH_OF_A_PIPE = 100


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--interval",
    type=click.FloatRange(0.1, 3600),
    default=2.0,
    show_default=True,
    help="Seconds between two looks; more where a look is much work.",
)
@click.option(
    "--window",
    type=click.IntRange(1, 100_000),
    help="Pages that the moving average covers; the plot shows three times as many.  "
    "[default: the crawl's alarm_window]",
)
@click.option("--once", is_flag=True, help="Print how the crawl is now, and end.")
@click.option(
    "--width", type=click.IntRange(40, 500), help="Columns to fill.  [default: the terminal's]"
)
def watch(folder: Path, interval: float, window: int | None, once: bool, width: int | None) -> None:
    """Follow the crawl in FOLDER live, in the terminal.

    It ends when the crawl does; Ctrl-C leaves it earlier. Where output is no
    terminal, every look is printed below the last.
    """
    from semcrawl.crawl.progress import interruptible

    console = _console(width)
    if once:
        _print(console, take_frame(folder, window))
        return
    left: list[bool] = []
    with interruptible(lambda: left.append(True)):
        frames = _frames(lambda: take_frame(folder, window), interval, lambda: bool(left))
        last = (_show_live if sys.stdout.isatty() else _print_all)(console, frames)
    if not last.running:
        click.echo(f"The crawl does not run: {last.state}.")


def _console(width: int | None) -> Console:
    from rich.console import Console

    console = Console(width=width, highlight=False, markup=False, emoji=False)
    if width is None and not sys.stdout.isatty():
        console.width = _WIDTH_OF_A_PIPE
    return console


def _frames(
    take: Callable[[], Frame], interval: float, is_left: Callable[[], bool]
) -> Iterator[Frame]:
    """A frame at every look, until the crawl has ended or the person leaves."""
    from semcrawl.errors import CrawlLockedError

    started = time.process_time()
    frame = take()
    yield frame
    while frame.running:
        # In a huge crawl a look is work, which must not take the crawl's own time.
        pause = max(interval, _PAUSES * (time.process_time() - started))
        if not _wait(pause, is_left):
            return
        started = time.process_time()
        try:
            frame = take()
        except CrawlLockedError:
            # Busy with one long page, or stopped for a while; it may well go on.
            frame = replace(frame, state="running, but it does not answer now")
        yield frame


def _wait(seconds: float, is_left: Callable[[], bool]) -> bool:
    """Wait in small steps, for a signal does not end a sleep; whether to go on then."""
    over = time.monotonic() + seconds
    while not is_left() and time.monotonic() < over:
        time.sleep(_TICK)
    return not is_left()


def _print(console: Console, frame: Frame, before: Frame | None = None) -> None:

    rate = frame.pages_per_second(before)
    for line in frame_lines(frame, width=console.width, rate=rate):
        if sys.stdout.isatty():
            console.print(line, soft_wrap=True)
        else:
            click.echo(line.plain)


def _print_all(console: Console, frames: Iterator[Frame]) -> Frame:
    frame = next(frames)
    _print(console, frame)
    for later in frames:
        click.echo()
        _print(console, later, before=frame)
        frame = later
    return frame


def _show_live(console: Console, frames: Iterator[Frame]) -> Frame:
    """Redraw every frame in place; the last one stays on the screen."""
    from rich.live import Live

    frame = next(frames)
    if frame.running:
        with Live(console=console, screen=True, auto_refresh=False) as live:
            live.update(_picture(console, frame), refresh=True)
            for later in frames:
                live.update(_picture(console, later, before=frame), refresh=True)
                frame = later
    _print(console, frame)
    return frame


def _picture(console: Console, frame: Frame, before: Frame | None = None) -> Group:
    from rich.console import Group

    rate = frame.pages_per_second(before)
    return Group(*frame_lines(frame, width=console.width, height=console.height, rate=rate))


# What ``semcrawl watch`` shows at one moment, read from a crawl's graph.


DEFAULT_WINDOW = 100
"""Pages that the moving average covers where neither the user nor the crawl says."""

PLOTTED_WINDOWS = 3
"""How many windows of pages the plot shows."""

_MOST_HUBS = 5
_MOST_CONCEPTS = 20


@dataclass(frozen=True, slots=True)
class LatestPage:
    """A page that was visited of late."""

    step: int
    relevance: float
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class SeenAlarm:
    """An alarm as it stands in the graph; it lasts while ``ended`` is None."""

    kind: str
    raised: int
    ended: int | None
    note: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A page that the distiller found to lead to many good ones."""

    score: float
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A crawl at one moment. ``latest`` has the oldest page first."""

    name: str
    state: str
    running: bool
    threshold: float
    window: int
    pages: int
    relevant: int
    waiting: int
    hosts: int
    latest: tuple[LatestPage, ...]
    alarms: tuple[SeenAlarm, ...]
    census: tuple[tuple[str, int], ...]
    hubs: tuple[Hub, ...]
    taken_at: float

    def pages_per_second(self, before: Frame | None) -> float | None:
        """Pages visited per second since an earlier frame; None without one."""
        if before is None or self.taken_at <= before.taken_at:
            return None
        return (self.pages - before.pages) / (self.taken_at - before.taken_at)


def take_frame(folder: Path, window: int | None = None) -> Frame:
    """Read a crawl as it is now; a snapshot that this takes is gone when it returns.

    Raises:
        NotACrawlError: the folder holds no crawl.
        CrawlLockedError: the process that has the crawl open does not answer.
    """
    with CrawlGraph.read(folder) as graph:
        about = graph.describe()
        size = window or json.loads(about.settings).get("alarm_window") or DEFAULT_WINDOW
        figures = next(iter(graph.query("monitor/progress")))
        return Frame(
            name=about.name,
            state=state_of(about.stopped, running=graph.is_snapshot),
            running=graph.is_snapshot,
            threshold=about.threshold,
            window=size,
            pages=figures["pages"],
            relevant=figures["relevant"],
            waiting=figures["waiting"],
            hosts=figures["hosts"],
            latest=_latest(graph, figures["pages"], (PLOTTED_WINDOWS + 1) * size),
            alarms=_alarms(graph),
            census=_census(graph),
            hubs=_hubs(graph),
            taken_at=time.monotonic(),
        )


def _latest(graph: CrawlGraph, pages: int, number: int) -> tuple[LatestPage, ...]:
    rows = graph.query("monitor/latest", after=max(0, pages - number), limit=number)
    # A concept with labels in several languages gives its pages several rows.
    found = {
        row["step"]: LatestPage(row["step"], row["relevance"], row["title"] or "", row["url"])
        for row in rows
    }
    return tuple(found[step] for step in sorted(found))


def _alarms(graph: CrawlGraph) -> tuple[SeenAlarm, ...]:
    return tuple(
        SeenAlarm(row["kind"].rpartition("#")[2].lower(), row["raised"], row["ended"], row["note"])
        for row in graph.query("monitor/alarms")
    )


def _census(graph: CrawlGraph) -> tuple[tuple[str, int], ...]:
    """The concepts that most pages fit best, by label or, without one, by the end of the IRI."""
    found: dict[str, tuple[str, int]] = {}
    for row in graph.query("analyse/census", limit=_MOST_CONCEPTS):
        label = row["label"] or re.split(r"[#/]", row["concept"].rstrip("#/"))[-1]
        found.setdefault(row["concept"], (label, row["pages"]))
    return tuple(found.values())


def _hubs(graph: CrawlGraph) -> tuple[Hub, ...]:
    rows = graph.query("distill/best-hubs", limit=_MOST_HUBS)
    return tuple(Hub(row["score"], row["title"] or "", row["url"]) for row in rows)


# A frame of ``semcrawl watch`` as lines of text; words from the web are made harmless.


_TALL = 34
_MOST_ALARMS = 4
_PLOT_HEIGHTS = (4, 12)


def frame_lines(
    frame: Frame, *, width: int, height: int | None = None, rate: float | None = None
) -> list[Text]:
    """The frame, no line wider than ``width``; shorter lists where the screen is low.

    ``rate`` is the speed in pages per second, where it is known.
    """
    listed = 5 if height is None or height >= _TALL else 3
    above = [*_head(frame, rate), *_alarm_lines(frame, width)]
    below = [*_latest_lines(frame, listed), *_census_lines(frame), *_hub_lines(frame, listed)]
    least, most = _PLOT_HEIGHTS
    room = most if height is None else height - len(above) - len(below) - 3
    plot = _plot(frame, width, min(most, max(least, room))) if frame.latest else []
    lines = [*above, *plot, *below]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _head(frame: Frame, rate: float | None) -> Iterator[Text]:
    yield Text.assemble((one_line(frame.name), "bold"), "  ", (one_line(frame.state), "cyan"))
    share = f" ({frame.relevant / frame.pages:.0%})" if frame.pages else ""
    speed = "" if rate is None else f", {rate:.1f} pages/s"
    yield Text(
        f"{count(frame.pages, 'page')}, {frame.relevant:,} relevant{share}{speed}, "
        f"{frame.waiting:,} waiting, {count(frame.hosts, 'host')}"
    )


def _alarm_lines(frame: Frame, width: int) -> Iterator[Text]:
    """The alarms that last, in full, and room permitting the latest that are over."""
    lasting = [alarm for alarm in frame.alarms if alarm.ended is None]
    over = [alarm for alarm in frame.alarms if alarm.ended is not None]
    for alarm in lasting:
        words = f"! {alarm.kind} since page {alarm.raised:,}: {one_line(alarm.note)}"
        for line in textwrap.wrap(words, width, subsequent_indent="  "):
            yield Text(line, style="red")
    for alarm in over[::-1][: max(0, _MOST_ALARMS - len(lasting))]:
        words = f"  {alarm.kind} from page {alarm.raised:,} to {alarm.ended:,}, over"
        yield Text(words, style="dim")


def _plot(frame: Frame, width: int, height: int) -> Iterator[Text]:
    relevances = [page.relevance for page in frame.latest]
    averages = moving_average(relevances, frame.window)
    shown = -PLOTTED_WINDOWS * frame.window
    first, last = frame.latest[shown:][0].step, frame.latest[-1].step
    yield Text("")
    yield Text.assemble(
        (f"relevance of pages {first:,}-{last:,}", "bold"),
        f"  {RELEVANT_PAGE} relevant  {PAGE} not  "
        f"{AVERAGE} mean of {frame.window:,}: {averages[-1]:.3f}",
    )
    yield from relevance_plot(
        relevances[shown:],
        averages[shown:],
        threshold=frame.threshold,
        width=width,
        height=height,
    )


def _latest_lines(frame: Frame, listed: int) -> Iterator[Text]:
    if frame.latest:
        yield Text("latest pages", style="bold")
    for page in frame.latest[: -listed - 1 : -1]:
        relevant = page.relevance >= frame.threshold
        mark = ("● ", "green") if relevant else ("○ ", "dim")
        name = one_line(page.title) or "(no title)"
        yield Text.assemble(
            mark, f"{page.relevance:.3f}  {name[:60]}  ", (one_line(page.url), "dim")
        )


def _census_lines(frame: Frame) -> Iterator[Text]:
    if frame.census:
        yield Text("best concepts", style="bold")
        yield Text("  " + ", ".join(f"{one_line(name)} {n:,}" for name, n in frame.census))


def _hub_lines(frame: Frame, listed: int) -> Iterator[Text]:
    if frame.hubs:
        yield Text("best hubs", style="bold")
    for hub in frame.hubs[:listed]:
        name = one_line(hub.title) or "(no title)"
        yield Text.assemble(f"  {hub.score:.4f}  {name[:60]}  ", (one_line(hub.url), "dim"))
