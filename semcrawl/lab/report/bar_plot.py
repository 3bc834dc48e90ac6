"""Bars in a small panel: how many of something at 0, 1, 2 ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.report.drawing import Drawing, group, rectangle, text
from semcrawl.lab.report.frame import Frame
from semcrawl.lab.report.numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.report.pens import Pen

__all__ = ["bar_panel"]

_WIDTH, _HEIGHT = 300, 170
_NUMBERED = 14


def bar_panel(title: str, counts: Sequence[float], longest: int, y_end: float, pen: Pen) -> Drawing:
    """Counts as bars over 0 to ``longest``, so that panels of equal ends can be compared."""
    frame = Frame(44, 30, _WIDTH - 10, _HEIGHT - 24, longest + 1, y_end, small=True)
    step = (frame.right - frame.left) / (longest + 1)
    bars = [
        rectangle(
            frame.x(n) + step * 0.12, frame.y(count), step * 0.76, frame.foot - frame.y(count)
        )
        for n, count in enumerate(counts[: longest + 1])
        if count > 0
    ]
    every = max(1, -(-(longest + 1) // _NUMBERED))
    numbers = [
        text(frame.x(n + 0.5), frame.foot + 15, str(n), anchor="middle", size=11)
        for n in range(0, longest + 1, every)
    ]
    heading = text(2, 16, title, weight=600, most=40)
    body = [
        group(pen.css, [heading], pen.colour),
        frame.grid(),
        group(pen.css, bars, pen.colour),
        group("faint", numbers),
    ]
    told = ", ".join(f"{number(count)} at {n}" for n, count in enumerate(counts) if count > 0)
    return Drawing(title, f"{told or 'None'}.", _WIDTH, _HEIGHT, "".join(body))
