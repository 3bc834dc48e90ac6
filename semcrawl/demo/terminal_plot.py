"""Curves as plain text, for a terminal without colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.demo.axes import Axes, axes_of, clean_text, number_text, ticks
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["terminal_plot"]

# Curves differ by their strokes: (dots on, length of the pattern).
_STROKES = ((1, 1), (4, 7), (1, 3), (6, 14))
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_LEAST_WIDTH, _LEAST_HEIGHT = 30, 4


def terminal_plot(
    curves: Mapping[str, Sequence[float]],
    *,
    width: int = 76,
    height: int = 16,
    title: str = "",
    x_label: str = "pages fetched",
    y_label: str = "relevant pages",
) -> str:
    """Return curves drawn with braille dots, with axes and a legend, no line wider than ``width``.

    The n-th value of a curve belongs to n pages fetched. ``height`` is that of
    the drawing; title, axis and legend come on top of it. Labels are cut to fit.

    Raises:
        ConfigError: too small a plot, no value, or one that is negative or no number.
    """
    if width < _LEAST_WIDTH or height < _LEAST_HEIGHT:
        raise ConfigError(
            f"a plot of {width} by {height} characters is too small; "
            f"it needs {_LEAST_WIDTH} by {_LEAST_HEIGHT}"
        )
    axes = axes_of(curves, most_y_ticks=max(2, height // 4))
    labels = _y_labels(axes, height)
    margin = max(map(len, labels.values()))
    canvas = _Canvas(width - margin - 2, height)
    for number, curve in enumerate(curves.values()):
        canvas.draw(curve, axes, _STROKES[number % len(_STROKES)])
    rows = [
        f"{labels.get(row, ''):>{margin}} {'┤' if row in labels else '│'}{line}".rstrip()
        for row, line in enumerate(canvas.lines())
    ]
    lines = [clean_text(title), clean_text(y_label), *rows, *_x_axis(axes, margin, canvas.columns)]
    lines += [f"{'':{margin + 2}}{clean_text(x_label)}", *_legend(curves, margin)]
    return "\n".join(line[:width] for line in lines if line) + "\n"


class _Canvas:
    """A grid of braille characters, each of 2 by 4 dots."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self._cells = [[0] * columns for _ in range(rows)]

    def draw(self, curve: Sequence[float], axes: Axes, stroke: tuple[int, int]) -> None:
        """Draw a curve that starts at the origin."""
        points = [0.0, *curve]
        on, length = stroke
        last = round(len(curve) / axes.x_end * (2 * self.columns - 1))
        before: int | None = None
        for x in range(last + 1):
            at = min(x / (2 * self.columns - 1) * axes.x_end, len(curve))
            y = self._height_of(_between(points, at), axes)
            if x % length < on:
                start = y if before is None else before
                for dot in range(min(start, y), max(start, y) + 1):
                    self._put(x, dot)
            before = y

    def lines(self) -> list[str]:
        """Return the rows of the drawing from top to bottom."""
        return ["".join(chr(0x2800 + cell) if cell else " " for cell in row) for row in self._cells]

    def _height_of(self, value: float, axes: Axes) -> int:
        return round(value / axes.y_end * (4 * len(self._cells) - 1))

    def _put(self, x: int, y: int) -> None:
        row, dot = divmod(4 * len(self._cells) - 1 - y, 4)
        self._cells[row][x // 2] |= _DOTS[x % 2][dot]


def _between(points: Sequence[float], at: float) -> float:
    """Return the value at a place between two points."""
    left = min(int(at), len(points) - 1)
    right = min(left + 1, len(points) - 1)
    return points[left] + (points[right] - points[left]) * (at - left)


def _y_labels(axes: Axes, height: int) -> dict[int, str]:
    """Return the labels of the y axis by row, 0 at the top."""
    values = ticks(axes.y_end, max(2, height // 4))
    return {round((1 - value / axes.y_end) * (height - 1)): number_text(value) for value in values}


def _x_axis(axes: Axes, margin: int, columns: int) -> list[str]:
    line = ["─"] * columns
    marks = [" "] * columns
    end = 0
    for value in ticks(axes.x_end, max(1, columns // 14)):
        place = round(value / axes.x_end * (columns - 1))
        text = number_text(value)
        start = min(max(0, place - len(text) // 2), columns - len(text))
        # A tick beyond the end, or one whose label would touch the last, is left out.
        if place < columns and (start > end or not value) and value == int(value):
            line[place] = "┬"
            marks[start : start + len(text)] = text
            end = start + len(text)
    return [f"{'':{margin}} └{''.join(line)}", f"{'':{margin}}  {''.join(marks)}".rstrip()]


def _legend(curves: Mapping[str, Sequence[float]], margin: int) -> list[str]:
    rows = []
    for number, (name, curve) in enumerate(curves.items()):
        on, length = _STROKES[number % len(_STROKES)]
        sample = "".join(
            chr(0x2800 + sum((0x02, 0x10)[side] for side in (0, 1) if (x + side) % length < on))
            for x in range(0, 14, 2)
        )
        final = number_text(curve[-1]) if curve else "no value"
        rows.append(f"{'':{margin + 2}}{sample} {clean_text(name)}: {final}")
    return rows
