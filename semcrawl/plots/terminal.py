"""Curves as plain text for a terminal, drawn with braille dots."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, groupby

import numpy as np
from rich.text import Text

from semcrawl.errors import ConfigError
from semcrawl.plots.axes import Axes, axes_of, clean_text, number, ticks

RELEVANT_PAGE, PAGE, AVERAGE = "•", "·", "⠒⠒"

# Curves differ by their strokes: (dots on, length of the pattern).
_STROKES = ((1, 1), (4, 7), (1, 3), (6, 14))
_BRAILLE = 0x2800
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_LEAST_WIDTH, _LEAST_HEIGHT = 30, 4
_STYLES = {RELEVANT_PAGE: "green", PAGE: "dim", " ": ""}


class _Canvas:
    """A grid of braille characters, each of 2 by 4 dots; dots are counted from top left."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.cells = [[0] * columns for _ in range(rows)]

    def level(self, share: float) -> int:
        last = 4 * len(self.cells) - 1
        return last - min(last, round(share * last))

    def put(self, x: int, start: int, end: int) -> None:
        for y in range(min(start, end), max(start, end) + 1):
            row, dot = divmod(y, 4)
            self.cells[row][x // 2] |= _DOTS[x % 2][dot]


def terminal_plot(
    curves: Mapping[str, Sequence[float]],
    *,
    width: int = 76,
    height: int = 16,
    title: str = "",
    x_label: str = "pages fetched",
    y_label: str = "relevant pages",
) -> str:
    """Return curves with axes and a legend; ``height`` is that of the drawing alone."""
    if width < _LEAST_WIDTH or height < _LEAST_HEIGHT:
        needed = f"{_LEAST_WIDTH} by {_LEAST_HEIGHT}"
        raise ConfigError(f"a plot of {width} by {height} characters is too small; take {needed}")
    axes = axes_of(curves, most_y_ticks=max(2, height // 4))
    labels = {
        round((1 - value / axes.y_end) * (height - 1)): number(value)
        for value in ticks(axes.y_end, max(2, height // 4))
    }
    margin = max(map(len, labels.values()))
    canvas = _Canvas(width - margin - 2, height)
    for place, curve in enumerate(curves.values()):
        _draw(canvas, curve, axes, _STROKES[place % len(_STROKES)])
    rows = [
        _row_head(labels, row, margin) + "".join(chr(_BRAILLE + cell) if cell else " " for cell in cells).rstrip()
        for row, cells in enumerate(canvas.cells)
    ]
    lines = [clean_text(title), clean_text(y_label), *rows, *_x_axis(axes, margin, canvas.columns)]
    lines += [f"{'':{margin + 2}}{clean_text(x_label)}", *_legend(curves, margin)]
    return "\n".join(line[:width] for line in lines if line) + "\n"


def _row_head(labels: Mapping[int, str], row: int, margin: int) -> str:
    return f"{labels.get(row, ''):>{margin}} {'┤' if row in labels else '│'}"


def _draw(canvas: _Canvas, curve: Sequence[float], axes: Axes, stroke: tuple[int, int]) -> None:
    on, length = stroke
    dots = 2 * canvas.columns - 1
    columns = range(round(len(curve) / axes.x_end * dots) + 1)
    at = [x / dots * axes.x_end for x in columns]
    values = np.interp(at, range(len(curve) + 1), [0.0, *curve]).tolist()
    levels = [canvas.level(value / axes.y_end) for value in values]
    for x, before, y in zip(columns, levels[:1] + levels, levels, strict=False):
        if x % length < on:
            canvas.put(x, before, y)


def _x_axis(axes: Axes, margin: int, columns: int) -> list[str]:
    line = ["─"] * columns
    marks = [" "] * columns
    end = 0
    for value in ticks(axes.x_end, max(1, columns // 14)):
        place = round(value / axes.x_end * (columns - 1))
        text = number(value)
        start = min(max(0, place - len(text) // 2), columns - len(text))
        # A tick beyond the end, or one whose label would touch the last, is left out.
        if place < columns and (start > end or not value) and value == int(value):
            line[place] = "┬"
            marks[start : start + len(text)] = text
            end = start + len(text)
    return [f"{'':{margin}} └{''.join(line)}", f"{'':{margin}}  {''.join(marks)}".rstrip()]


def _legend(curves: Mapping[str, Sequence[float]], margin: int) -> list[str]:
    rows = []
    for place, (name, curve) in enumerate(curves.items()):
        on, length = _STROKES[place % len(_STROKES)]
        sample = "".join(
            chr(_BRAILLE + sum(_DOTS[side][1] for side in (0, 1) if (x + side) % length < on)) for x in range(0, 14, 2)
        )
        final = number(curve[-1]) if curve else "no value"
        rows.append(f"{'':{margin + 2}}{sample} {clean_text(name)}: {final}")
    return rows


def moving_average(values: Sequence[float], window: int) -> list[float]:
    """The mean of each value and those before it, ``window`` together or as many as there are.

    >>> moving_average([0.0, 1.0, 0.5, 0.0], 2)
    [0.0, 0.5, 0.75, 0.25]
    """
    sums = [0.0, *accumulate(values)]
    ends = ((max(0, end - window), end) for end in range(1, len(sums)))
    return [(sums[end] - sums[start]) / (end - start) for start, end in ends]


def relevance_plot(
    pages: Sequence[float], averages: Sequence[float], *, threshold: float, width: int, height: int
) -> list[Text]:
    """Return dots for the latest pages and their moving average (Chakrabarti 1999, figure 2)."""
    top = min(1.0, ticks(max(*pages, *averages, 0.01), max(2, height // 3))[-1])
    marks = [value for value in ticks(top, max(2, height // 3)) if value <= top]
    margin = max(len(number(value)) for value in marks)
    canvas = _Canvas(max(1, width - margin - 2), height)
    labels = {canvas.level(value / top) // 4: number(value) for value in marks}
    _draw_average(canvas, [value / top for value in averages])
    dots: dict[tuple[int, int], str] = {}
    for page, value in enumerate(pages):
        place = canvas.level(value / top) // 4, _column(page, len(pages), canvas.columns)
        if value >= threshold:
            dots[place] = RELEVANT_PAGE
        else:
            dots.setdefault(place, PAGE)
    lines = []
    for row, cells in enumerate(canvas.cells):
        line = Text(_row_head(labels, row, margin))
        shown = [_character(dots.get((row, column), ""), cell) for column, cell in enumerate(cells)]
        for style, run in groupby(shown, key=lambda cell: _STYLES.get(cell, "bold blue")):
            line.append("".join(run), style)
        line.rstrip()
        lines.append(line)
    return [*lines, Text(f"{'':{margin}} └{'─' * canvas.columns}")]


def _draw_average(canvas: _Canvas, shares: Sequence[float]) -> None:
    levels = {
        _column(page, len(shares), 2 * canvas.columns, step=2): canvas.level(share) for page, share in enumerate(shares)
    }
    before = levels[0]
    for x in range(max(levels) + 1):
        now = levels.get(x, before)
        canvas.put(x, before, now)
        before = now


def _column(page: int, of: int, columns: int, step: int = 1) -> int:
    # Few pages stand side by side from the left; many share the width.
    return page * step if of * step <= columns else page * columns // of


def _character(page: str, dots: int) -> str:
    # A relevant page stands before the line, another behind.
    if page == RELEVANT_PAGE or not dots:
        return page or " "
    return chr(_BRAILLE + dots)
