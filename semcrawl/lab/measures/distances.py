"""How far from the seeds good pages lie (Chakrabarti 1999, section 5.5)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["distance_histogram"]


def distance_histogram(depths: Iterable[int]) -> tuple[int, ...]:
    """Return how many pages lie 0, 1, 2 ... links from the nearest seed.

    >>> distance_histogram([0, 2, 2, 1, 4])
    (1, 1, 2, 0, 1)
    """
    counts = Counter(depths)
    return tuple(counts[depth] for depth in range(max(counts, default=-1) + 1))
