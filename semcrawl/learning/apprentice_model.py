"""The apprentice's naive Bayes: two buckets of links, low and high, and what tells them apart.

Chakrabarti, Punera and Subramanyam 2002, section 2.3: links with known targets
are put into two equally likely buckets by the relevance of the target; the
probability of the high bucket is the prediction for a link whose target is not
known yet.
"""

from __future__ import annotations

from math import isfinite, log
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.learning.features import SLOTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.learning.features import LinkFeatures

__all__ = ["ApprenticeModel", "equal_boundary", "ordered_priority"]


def equal_boundary(relevances: NDArray[np.float64]) -> float | None:
    """The least relevance of the high bucket, so that both buckets are as equal as they can be.

    None where all relevances are the same and there is but one bucket. Of two
    boundaries that are as good, the lower one is taken. Chakrabarti et al.
    2002, section 2.3: "equally probable intervals as far as possible".

    >>> equal_boundary(np.array([0.0, 0.0, 0.1, 0.7, 0.9]))
    0.1
    """
    values, counts = np.unique(relevances, return_counts=True)
    if len(values) < 2:
        return None
    below = np.cumsum(counts)[:-1]
    return float(values[1 + int(np.argmin(np.abs(2 * below - len(relevances))))])


def ordered_priority(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Priorities in (0, 1) in the order of Pr(high), far from 0 and 1 too.

    Products of many word probabilities are nearly always almost 0 or almost 1,
    and a priority has six decimal places: most probabilities would be equal. So
    the priority is not Pr(high) = 1 / (1 + e^-z) of the log-odds z, but
    (1 + z / (1 + |z|)) / 2, which has the same order and the same middle.

    >>> ordered_priority(np.array([-1.0, 0.0, 1.0, 99.0])).tolist()
    [0.25, 0.5, 0.75, 0.995]
    """
    spread: NDArray[np.float64] = 0.5 * (1.0 + log_odds / (1.0 + np.abs(log_odds)))
    return spread


class ApprenticeModel:
    """Counts of features in links of the low and of the high bucket.

    Counts only grow: adding links in parts gives what adding them at once gives.

    Args:
        boundary: the least relevance of a target that is high.
        smoothing: what is added to every count; 1 is Laplace's.

    Attributes:
        counts: how often each slot occurs in low (row 0) and in high links (row 1).
        links: how many links are low and high.
    """

    def __init__(self, boundary: float, smoothing: float = 1.0) -> None:
        if not isfinite(boundary):
            raise ConfigError(f"the boundary of high relevance must be a number, not {boundary}")
        if not (isfinite(smoothing) and smoothing > 0):
            raise ConfigError(f"the smoothing must be greater than 0, not {smoothing:g}")
        self.boundary = boundary
        self.smoothing = smoothing
        self.counts = np.zeros((2, SLOTS), np.uint32)
        self.links = np.zeros(2, np.int64)
        self._weights: NDArray[np.float32] | None = None
        self._bias = 0.0

    def copy(self) -> ApprenticeModel:
        """A model that can learn on while this one stays as it is."""
        twin = ApprenticeModel(self.boundary, self.smoothing)
        twin.counts, twin.links = self.counts.copy(), self.links.copy()
        return twin

    @property
    def has_both(self) -> bool:
        """Whether there are links in both buckets."""
        return bool(self.links.all())

    @property
    def vocabulary(self) -> int:
        """|T|: how many features were seen."""
        return int(np.count_nonzero(self.counts[0] | self.counts[1]))

    def add(self, relevance: NDArray[np.float64], *parts: LinkFeatures) -> None:
        """Learn from links, by the relevances of their targets and by their features.

        A link may have its features in several parts.
        """
        high = relevance >= self.boundary
        for part in parts:
            of_high = np.repeat(high, part.sizes)
            np.add.at(self.counts[1], part.slots[of_high], 1)
            np.add.at(self.counts[0], part.slots[~of_high], 1)
        self.links += np.array([len(high) - high.sum(), high.sum()])
        self._weights = None

    def log_odds(self, *parts: LinkFeatures) -> NDArray[np.float64]:
        """The log-odds of links, ln Pr(high) / Pr(low).

        Pr(c|link) ∝ Pr(c) Π_τ θ(c,τ)^n(τ), θ(c,τ) = (1 + n(c,τ)) / (|T| + Σ_τ' n(c,τ')),
        where n(c,τ) counts feature τ in the links of bucket c and T are the
        features seen; others say nothing (Chakrabarti et al. 2002, section 2.3).
        """
        weights = self._compiled()
        odds = np.full(len(parts[0].sizes), self._bias)
        for part in parts:
            odds += np.bincount(part.owners(), weights[part.slots], len(odds))
        return odds

    def probabilities(self, *parts: LinkFeatures) -> NDArray[np.float64]:
        """Pr(low) and Pr(high) of links, a row each."""
        # tanh does not overflow, however sure the model is.
        half = 0.5 * np.tanh(0.5 * self.log_odds(*parts))
        return np.column_stack((0.5 - half, 0.5 + half))

    def _compiled(self) -> NDArray[np.float32]:
        if self._weights is None:
            seen = np.flatnonzero(self.counts[0] | self.counts[1])
            low, high = self.counts[:, seen].astype(np.float64) + self.smoothing
            share = log(low.sum() / high.sum()) if len(seen) else 0.0
            self._weights = np.zeros(SLOTS, np.float32)
            self._weights[seen] = np.log(high / low) + share
            self._bias = log(self.links[1] / self.links[0]) if self.has_both else 0.0
        return self._weights
