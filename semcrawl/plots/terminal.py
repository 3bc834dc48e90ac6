"""Curves as plain text, for a terminal without colours."""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from rich.text import Text

from semcrawl.errors import ConfigError
from semcrawl.plots.axes import Axes, axes_of, clean_text, number_text, ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


# The relevance of the latest pages as a picture of text: a dot a page, and the moving average.
#
# It is the plot of Chakrabarti 1999, figure 2: the newest pages come in at the
# right edge, and the oldest leave at the left.


RELEVANT_PAGE, PAGE, AVERAGE = "•", "·", "⠒⠒"
"""How a relevant page, another page and the average are drawn."""

_BRAILLE_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_STYLES = {RELEVANT_PAGE: "green", PAGE: "dim", " ": ""}


def moving_average(values: Sequence[float], window: int) -> list[float]:
    """The mean of each value and those before it, ``window`` together or as many as there are.

    >>> moving_average([0.0, 1.0, 0.5, 0.0], 2)
    [0.0, 0.5, 0.75, 0.25]
    """
    sums = [0.0, *accumulate(values)]
    starts = (max(0, end - window) for end in range(1, len(sums)))
    return [
        (sums[end] - sums[start]) / (end - start)
        for end, start in zip(range(1, len(sums)), starts, strict=True)
    ]


def relevance_plot(
    pages: Sequence[float],
    averages: Sequence[float],
    *,
    threshold: float,
    width: int,
    height: int,
) -> list[Text]:
    """The lines of the picture, none wider than ``width``; ``height`` of them and the axis.

    ``pages`` are the relevances in the order of the visits, ``averages`` the
    moving average at each of them.
    """
    top = min(1.0, ticks(max(*pages, *averages, 0.01), max(2, height // 3))[-1])
    marks = [value for value in ticks(top, max(2, height // 3)) if value <= top]
    margin = max(len(number_text(value)) for value in marks)
    drawing = _Drawing(max(1, width - margin - 2), height, top)
    labels = {drawing.place(value)[0]: number_text(value) for value in marks}
    drawing.draw_line(averages)
    drawing.put_pages(pages, threshold)
    lines = []
    for row, cells in enumerate(drawing.rows()):
        line = Text(f"{labels.get(row, ''):>{margin}} {'┤' if row in labels else '│'}")
        for style, run in groupby(cells, key=_style):
            line.append("".join(run), style)
        line.rstrip()
        lines.append(line)
    return [*lines, Text(f"{'':{margin}} └{'─' * drawing.columns}")]


class _Drawing:
    """A grid of characters; a line is drawn in finer dots, 2 by 4 to a character."""

    def __init__(self, columns: int, rows: int, top: float) -> None:
        self.columns = columns
        self._top = top
        self._line = [[0] * columns for _ in range(rows)]
        self._pages = [[""] * columns for _ in range(rows)]

    def place(self, value: float) -> tuple[int, int]:
        """The row of a value from the top, and its dot within the row."""
        return divmod(self._dot(value), 4)

    def put_pages(self, values: Sequence[float], threshold: float) -> None:
        """Put a dot for each page; where several fall together a relevant one is seen."""
        for number, value in enumerate(values):
            row = self.place(value)[0]
            column = _column(number, len(values), self.columns)
            if value >= threshold:
                self._pages[row][column] = RELEVANT_PAGE
            elif not self._pages[row][column]:
                self._pages[row][column] = PAGE

    def draw_line(self, values: Sequence[float]) -> None:
        """Draw a curve through the values, without gaps."""
        fine = {
            _column(number, len(values), 2 * self.columns, step=2): self._dot(value)
            for number, value in enumerate(values)
        }
        before = fine[0]
        for x in range(max(fine) + 1):
            now = fine.get(x, before)
            for y in range(min(before, now), max(before, now) + 1):
                row, dot = divmod(y, 4)
                self._line[row][x // 2] |= _BRAILLE_DOTS[x % 2][dot]
            before = now

    def rows(self) -> list[list[str]]:
        """The characters from top to bottom."""
        return [
            [_cell(page, line) for page, line in zip(*both, strict=True)]
            for both in zip(self._pages, self._line, strict=True)
        ]

    def _dot(self, value: float) -> int:
        """The dot of a value, counted from the top over all rows."""
        last = 4 * len(self._line) - 1
        return last - min(last, round(value / self._top * last))


def _column(number: int, of: int, columns: int, step: int = 1) -> int:
    """Few pages stand side by side from the left; many share the width."""
    return number * step if of * step <= columns else number * columns // of


def _style(cell: str) -> str:
    return _STYLES.get(cell, "bold blue")


def _cell(page: str, line: int) -> str:
    """A relevant page stands before the line; the many others, which gather about it, behind."""
    if page == RELEVANT_PAGE or not line:
        return page or " "
    return chr(0x2800 + line)
