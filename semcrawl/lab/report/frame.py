"""The area between two axes that start at 0: where a value stands, grid lines, labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.demo.axes import number_text, ticks
from semcrawl.lab.report.drawing import group, line, text

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Frame", "round_end"]

_SMALLEST = 1e-9


def round_end(largest: float, most: int = 5) -> float:
    """The round number at which an axis ends that shows ``largest``.

    >>> round_end(0.47), round_end(0.0)
    (0.5, 1.0)
    """
    return ticks(largest, most)[-1] if largest > _SMALLEST else 1.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawing area in pixels, with the ends of both axes; y grows upwards.

    ``small`` is for panels: fewer ticks, smaller letters.
    """

    left: float
    top: float
    right: float
    foot: float
    x_end: float
    y_end: float
    small: bool = False

    def x(self, value: float) -> float:
        """Where a value of the x axis stands."""
        return self.left + value / self.x_end * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a value of the y axis stands; what is beyond the axis stands at its end."""
        share = min(max(value / self.y_end, 0.0), 1.0)
        return self.foot - share * (self.foot - self.top)

    def grid(self) -> str:
        """Horizontal lines with their numbers, and the axis at 0."""
        size = 11 if self.small else 13
        values = [v for v in ticks(self.y_end, 4 if self.small else 5) if v <= self.y_end]
        lines = (line(self.left, self.y(v), self.right, self.y(v)) for v in values if v)
        numbers = (
            text(self.left - 7, self.y(v) + 4, number_text(v), anchor="end", size=size)
            for v in values
        )
        axis = line(self.left, self.foot, self.right, self.foot)
        return group("grid", lines) + group("faint", numbers) + group("ink", [axis])

    def x_numbers(self) -> str:
        """Ticks and numbers under the axis, whole numbers only."""
        return group("faint", self._x_numbers())

    def _x_numbers(self) -> Iterator[str]:
        size, gap = (11, 15) if self.small else (13, 20)
        for value in ticks(self.x_end, 3 if self.small else 6):
            if value <= self.x_end and value == int(value):
                x = self.x(value)
                yield line(x, self.foot, x, self.foot + 4)
                yield text(x, self.foot + gap, number_text(value), anchor="middle", size=size)

    def axis_titles(self, x_title: str, y_title: str) -> str:
        """What the axes count: under the one, upright beside the other."""
        middle, height = (self.left + self.right) / 2, (self.top + self.foot) / 2
        turned = f' transform="rotate(-90 18 {height:.1f})"'
        return group(
            "ink",
            [
                text(middle, self.foot + 42, x_title, anchor="middle"),
                text(18, height, y_title, anchor="middle", more=turned),
            ],
        )
