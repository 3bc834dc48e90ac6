"""The relevance of the latest pages as a picture of text: a dot a page, and the moving average.

It is the plot of Chakrabarti 1999, figure 2: the newest pages come in at the
right edge, and the oldest leave at the left.
"""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from rich.text import Text

from semcrawl.demo.axes import number_text, ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["AVERAGE", "PAGE", "RELEVANT_PAGE", "moving_average", "relevance_plot"]

RELEVANT_PAGE, PAGE, AVERAGE = "•", "·", "⠒⠒"
"""How a relevant page, another page and the average are drawn."""

_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
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
                self._line[row][x // 2] |= _DOTS[x % 2][dot]
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
