"""How much two crawls from different seeds have in common (Chakrabarti 1999, section 5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["OVERLAP_MEASURES", "overlap", "overlap_curve"]

OVERLAP_MEASURES = ("url-overlap", "host-overlap")
"""The measures of a run beside its other repetitions, which a run alone does not have."""


def overlap(first: Sequence[str], second: Sequence[str], pages: int) -> float:
    """Return what two crawls share after ``pages`` pages each, as a share of what one has.

    That is the mean of |U1 ∩ U2| / |U1| and |U1 ∩ U2| / |U2|; the paper plots
    both, which are one line for URLs and two for hosts.

    >>> overlap(["a", "b", "c"], ["c", "a", "d"], pages=2)
    0.5
    >>> overlap(["x", "x", "y"], ["x", "x", "x"], pages=3)
    0.75
    """
    one, other = set(first[:pages]), set(second[:pages])
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return (shared / len(one) + shared / len(other)) / 2


def overlap_curve(
    first: Sequence[str], second: Sequence[str], points: Sequence[int]
) -> list[float]:
    """Return the overlap after each number of pages.

    >>> overlap_curve(["a", "b"], ["b", "a"], [1, 2])
    [0.0, 1.0]
    """
    return [overlap(first, second, pages) for pages in points]
