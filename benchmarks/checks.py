"""A measured figure against its target, and how it is printed."""

from __future__ import annotations

import os
import platform
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Check", "machine", "spread"]


@dataclass(frozen=True, slots=True)
class Check:
    """One figure and the limit that it must keep to."""

    name: str
    figure: float
    bound: Literal["at most", "at least"]
    target: float
    unit: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the figure keeps to its target."""
        if self.bound == "at most":
            return self.figure <= self.target
        return self.figure >= self.target

    @property
    def text(self) -> str:
        """The figure with its unit."""
        figure = f"{self.figure:,}" if isinstance(self.figure, int) else f"{self.figure:,.2f}"
        return figure + self.unit

    def __str__(self) -> str:
        mark = "PASS" if self.is_met else "FAIL"
        return f"{mark}  {self.name}: {self.text} (target: {self.bound} {self.target:g}{self.unit})"


def spread(figures: Sequence[float], digits: int = 2) -> str:
    """The median of several rounds, with the least and the greatest beside it.

    >>> spread([3.0, 1.0, 2.0], 1)
    '2.0 (1.0 to 3.0)'
    """
    middle = statistics.median(figures)
    return f"{middle:.{digits}f} ({min(figures):.{digits}f} to {max(figures):.{digits}f})"


def machine() -> str:
    """What the figures were measured on, in a few words."""
    return f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
