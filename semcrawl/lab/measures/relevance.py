"""What the judge of a crawl said of its pages, on average (R(d) of Chakrabarti 1999)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["WINDOW", "mean_over", "moving_average"]

WINDOW = 100
"""Pages of the moving average of relevance (Chakrabarti 1999, figures 4 to 6)."""


def mean_over(values: Sequence[float], pages: int) -> float:
    """Return the mean of the first ``pages`` values; missing ones are 0.

    The average similarity of Batsakis 2007, section 4.2, precision@N of Pant
    and Menczer 2003, eq. 1, and the mean of R(d) are all of this form.

    >>> mean_over([0.5, 1.0, 0.25], pages=2)
    0.75
    >>> mean_over([0.5, 1.0], pages=3)
    0.5
    """
    return sum(islice(values, pages)) / pages if pages else 0.0


def moving_average(values: Sequence[float], pages: int, window: int = WINDOW) -> float:
    """Return the mean of the ``window`` values up to number ``pages``; missing ones are 0.

    Chakrabarti, van den Berg and Dom 1999, section 5.2.

    >>> moving_average([0.0, 1.0, 0.5, 0.25], pages=3, window=2)
    0.75
    >>> moving_average([0.0, 1.0], pages=1, window=100)
    0.0
    """
    first = max(0, pages - window)
    return sum(values[first:pages]) / (pages - first) if pages else 0.0
