"""``semcrawl watch``."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console, Group

    from semcrawl.cli.watch_frame import Frame

__all__ = ["watch"]

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
    from semcrawl.cli.watch_frame import take_frame
    from semcrawl.crawl.interrupt import interruptible

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
    from semcrawl.cli.watch_view import frame_lines

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

    from semcrawl.cli.watch_view import frame_lines

    rate = frame.pages_per_second(before)
    return Group(*frame_lines(frame, width=console.width, height=console.height, rate=rate))
