"""The nearest of several centroids per class (Ester 2004, section 4.3.1).

The paper prints Pr[p|C_k] = ln d_k / Σ_j ln d_j, with d_k the distance of the page
to the nearest centroid of class k. That is no confidence as it stands:

- where all distances are above 1, the nearer class gets the smaller share;
- with one above and one below 1, shares are negative or above 1;
- at 1 there is a pole, so that pages far from everything, which the text says
  should get "very similar" values, get the wildest ones.

Vectors of tf·idf weights of length 1 are at most √2 apart. We measure distances
as shares of that, δ = d / √2 in [0, 1], so that no logarithm is positive, and add
a little to each:

    Pr[p|C_k] = (ε - ln δ_k) / Σ_j (ε - ln δ_j)

The nearer class always has the larger share, the nearer the more sensitively, and
a page that is far from all classes has nearly the same share in each, which is
what the paper says of its formula. With ε = 0 and all d < √2 it is the printed
formula. As d² = 2 - 2 cos, -ln δ is -½ ln(1 - cos).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.learning.page_vectors import heaviest_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from semcrawl.similarity.text_similarity import OrderedTerms
    from semcrawl.text.background import Background

__all__ = ["FARTHEST", "SOFTNESS", "CentroidClassifier", "CentroidTable", "distance_confidences"]

FARTHEST = sqrt(2)
"""The distance of two vectors of length 1 that have no term in common."""

SOFTNESS = 0.02
"""ε: what is added to every logarithm, so that far pages are undecided."""

_NEAREST = 1e-6


def distance_confidences(
    distances: Sequence[float], softness: float = SOFTNESS
) -> tuple[float, ...]:
    """The shares of the classes by their distances, (ε - ln δ_k) / Σ_j (ε - ln δ_j), δ = d / √2.

    Distances below 0.000001 are taken as that, those beyond √2 as √2. Ester
    2004, section 4.3.1, made monotone.

    >>> near, far = FARTHEST / 2, FARTHEST  # δ = 1/2 and 1
    >>> [round(share, 3) for share in distance_confidences((near, far), softness=0.1)]
    [0.888, 0.112]
    >>> distance_confidences((far, far))
    (0.5, 0.5)
    """
    logs = [softness - log(min(1.0, max(distance, _NEAREST) / FARTHEST)) for distance in distances]
    total = sum(logs)
    return tuple(value / total for value in logs)


@dataclass(frozen=True, slots=True, eq=False)
class CentroidTable:
    """The centroids of all classes, each of length 1, or less where terms were left out.

    Attributes:
        terms: the term of each column.
        rows: a centroid a row.
        owners: the number of the class that each row belongs to.
    """

    terms: tuple[str, ...]
    rows: NDArray[np.float32]
    owners: NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.rows.shape != (len(self.owners), len(self.terms)):
            raise ConfigError("the centroids fit neither their terms nor their classes")
        if not len(self.owners) or (np.diff(self.owners) < 0).any():
            raise ConfigError("the centroids must stand class by class")


class CentroidClassifier:
    """Confidences by the distances to the nearest centroid of each class.

    Args:
        classes: the names of the classes, the target class first.
        table: the centroids, at least one for each class.
        background: document frequencies.
        error: p_err.
        most: how many terms of a page are looked at, the heaviest; 0: all.
        softness: ε.
    """

    def __init__(
        self,
        classes: Sequence[str],
        table: CentroidTable,
        background: Background,
        error: float,
        *,
        most: int = 0,
        softness: float = SOFTNESS,
    ) -> None:
        if set(table.owners.tolist()) != set(range(len(classes))):
            raise ConfigError("each class needs a centroid, and each centroid a class")
        self.classes = tuple(classes)
        self.error = error
        self.table = table
        self.background = background
        self.most = most
        self.softness = softness
        self._column = {term: number for number, term in enumerate(table.terms)}
        self._starts = np.searchsorted(table.owners, np.arange(len(classes)))

    def confidences(
        self,
        terms: Mapping[str, int],
        ordered: OrderedTerms | None = None,  # noqa: ARG002 - words have no order here
    ) -> tuple[float, ...]:
        """How likely a page with these term counts is in each class; the sum is 1."""
        return distance_confidences(self.distances(terms), self.softness)

    def distances(self, terms: Mapping[str, int]) -> list[float]:
        """The distance of a page to the nearest centroid of each class, from 0 to √2."""
        vector = heaviest_terms(terms, self.background, self.most)
        known = [term for term in vector if term in self._column]
        if not known:
            return [FARTHEST] * len(self.classes)
        columns = np.array([self._column[term] for term in known], np.int64)
        weights = np.array([vector[term] for term in known], np.float32)
        cosines = np.maximum.reduceat(self.table.rows[:, columns] @ weights, self._starts)
        distances: list[float] = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * cosines)).tolist()
        return distances
