"""Statistics of a comparison over topics: paired tests, bootstrap intervals, Holm's correction."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.lab.results import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["bootstrap", "bootstrap_band", "holm", "paired_t", "wilcoxon"]

RESAMPLES = 2_000
LEVEL = 0.95


def paired_t(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return p of the paired t-test that ``left`` is greater, one-tailed.

    Pant and Menczer 2003, section 5, test so over topics. None for fewer than
    two pairs. Where all differences are equal the test has no spread to go by:
    then p is that of the sign test, 1 / 2^n, or 1 where left is not greater.

    >>> round(paired_t([3, 5, 4, 6], [1, 4, 2, 3]), 4)
    0.0081
    >>> paired_t([2, 3, 4], [1, 2, 3])
    0.125
    """
    if len(left) < 2:
        return None
    differences = _differences(left, right)
    if np.ptp(differences) == 0:
        return 0.5 ** len(differences) if differences[0] > 0 else 1.0
    from scipy.special import stdtr  # what scipy.stats asks for too, after much else

    freedom = len(differences) - 1
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(len(differences)))
    return float(stdtr(freedom, -t))


def wilcoxon(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return p of the Wilcoxon signed-rank test that ``left`` is greater, one-tailed.

    None for fewer than two pairs; 1 where all pairs are equal. Equal pairs are
    left out of the ranks, as Wilcoxon did; equal differences share a rank. p is
    exact: the share of all ways to put signs to the ranks that give as much.

    >>> wilcoxon([3, 5, 4, 6.5], [1, 4, 2.5, 3])
    0.0625
    """
    if len(left) < 2:
        return None
    differences = _differences(left, right)
    differences = differences[differences != 0]
    ranks = _doubled_ranks(np.abs(differences))
    ways = np.zeros(int(ranks.sum()) + 1)  # by the sum of the ranks with a plus
    ways[0] = 1.0
    for rank in ranks.tolist():
        ways[rank:] = (ways[rank:] + ways[:-rank]) / 2
        ways[:rank] /= 2
    return min(1.0, float(ways[int(ranks[differences > 0].sum()) :].sum()))


def holm(ps: Sequence[float]) -> list[float]:
    """Return p values corrected for being several, in their order (Holm 1979).

    The smallest is multiplied by their number, the next by one less, and so on;
    none becomes smaller than one before it, or larger than 1.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(ps)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[place]))
        corrected[place] = largest
    return corrected


def bootstrap(values: Sequence[float], seed: int = 1) -> Interval:
    """Return the mean of some values with its bootstrap interval of 95 % (percentiles).

    The same seed draws the same resamples. One value has no spread: the
    interval is the value.

    >>> bootstrap([0.5])
    Interval(mean=0.5, low=0.5, high=0.5)
    """
    means, low, high = bootstrap_band([[value] for value in values], seed)
    return Interval(means[0], low[0], high[0])


def bootstrap_band(
    rows: Sequence[Sequence[float]], seed: int = 1
) -> tuple[list[float], list[float], list[float]]:
    """Return the mean of each column of ``rows``, and the ends of its bootstrap interval.

    Whole rows are drawn: a row is a topic, or a repetition.
    """
    table = np.asarray(rows, dtype=np.float64)
    means = table.mean(axis=0)
    if len(table) < 2:
        return means.tolist(), means.tolist(), means.tolist()
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(_draws(len(table), seed) @ table, [tail, 1 - tail], axis=0)
    # Rounding must not put a mean outside of its own interval.
    return means.tolist(), np.minimum(low, means).tolist(), np.maximum(high, means).tolist()


@lru_cache(maxsize=64)
def _draws(size: int, seed: int) -> NDArray[np.float64]:
    """For each resample, the weight of each row: how often it was drawn / size."""
    drawn = np.random.default_rng(seed).integers(size, size=(RESAMPLES, size))
    return np.stack([np.bincount(row, minlength=size) for row in drawn]) / size


def _differences(left: Sequence[float], right: Sequence[float]) -> NDArray[np.float64]:
    # Rounded, so that equal differences are ties for the ranks.
    return np.round(np.asarray(left, dtype=np.float64) - np.asarray(right, dtype=np.float64), 12)


def _doubled_ranks(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Twice the rank of each, from 1; equals have the mean of their ranks."""
    _, places, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    doubled: NDArray[np.int64] = (2 * np.cumsum(counts) - counts + 1)[places]
    return doubled
