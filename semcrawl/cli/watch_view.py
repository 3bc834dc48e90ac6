"""A frame of ``semcrawl watch`` as lines of text; words from the web are made harmless."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from rich.text import Text

from semcrawl.cli.relevance_plot import (
    AVERAGE,
    PAGE,
    RELEVANT_PAGE,
    moving_average,
    relevance_plot,
)
from semcrawl.cli.screen import count, one_line
from semcrawl.cli.watch_frame import PLOTTED_WINDOWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.cli.watch_frame import Frame

__all__ = ["frame_lines"]

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
    above = [*_head(frame, rate), *_alarms(frame, width)]
    below = [*_latest(frame, listed), *_census(frame), *_hubs(frame, listed)]
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


def _alarms(frame: Frame, width: int) -> Iterator[Text]:
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


def _latest(frame: Frame, listed: int) -> Iterator[Text]:
    if frame.latest:
        yield Text("latest pages", style="bold")
    for page in frame.latest[: -listed - 1 : -1]:
        relevant = page.relevance >= frame.threshold
        mark = ("● ", "green") if relevant else ("○ ", "dim")
        name = one_line(page.title) or "(no title)"
        yield Text.assemble(
            mark, f"{page.relevance:.3f}  {name[:60]}  ", (one_line(page.url), "dim")
        )


def _census(frame: Frame) -> Iterator[Text]:
    if frame.census:
        yield Text("best concepts", style="bold")
        yield Text("  " + ", ".join(f"{one_line(name)} {n:,}" for name, n in frame.census))


def _hubs(frame: Frame, listed: int) -> Iterator[Text]:
    if frame.hubs:
        yield Text("best hubs", style="bold")
    for hub in frame.hubs[:listed]:
        name = one_line(hub.title) or "(no title)"
        yield Text.assemble(f"  {hub.score:.4f}  {name[:60]}  ", (one_line(hub.url), "dim"))
