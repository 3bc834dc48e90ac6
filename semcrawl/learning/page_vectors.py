"""Pages as vectors: rows of a sparse matrix for training, columns and weights for a new page."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from semcrawl.text.vectors import norm, tf_idf

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from semcrawl.text.background import Background
    from semcrawl.text.vectors import Vector

__all__ = ["PageTerms", "TermTable", "centroid", "heaviest_terms", "vector_matrix"]


@dataclass(frozen=True, slots=True, eq=False)
class PageTerms:
    """The heaviest terms of a page that a table knows.

    Attributes:
        columns: the terms, as columns of the table.
        weights: how often each occurs, times its idf.
    """

    columns: NDArray[np.int32]
    weights: NDArray[np.float32]


class TermTable:
    """Numbers for terms, so that a page is looked up once and the rest is arithmetic.

    Looking up is the dear part, so of a long page only the most frequent terms
    are: twice as many as are kept in the end.

    Args:
        terms: the term of each column.
        background: document frequencies.
        most: how many terms of a page are kept, the heaviest; 0: all.
    """

    def __init__(self, terms: Sequence[str], background: Background, most: int) -> None:
        self.terms = terms
        self.most = most
        self._column = {term: number for number, term in enumerate(terms)}
        self._idf = np.array([background.idfs[term] for term in terms], np.float32)

    def read(self, counts: Mapping[str, int]) -> PageTerms:
        """The known terms of a page with these term counts, up to a factor for all weights."""
        names: Iterable[str] = counts
        times = np.fromiter(counts.values(), np.float32, len(counts))
        if 0 < 2 * self.most < len(counts):
            # Among equally frequent terms those that come first on the page.
            frequent = np.argsort(-times, kind="stable")[: 2 * self.most]
            places, times = list(counts), times[frequent]
            names = [places[place] for place in frequent.tolist()]
        columns = np.fromiter(map(self._column.get, names, repeat(-1)), np.int32, len(times))
        known = columns >= 0
        columns = columns[known]
        weights = times[known] * self._idf[columns]
        if 0 < self.most < len(weights):
            heaviest = np.argpartition(weights, -self.most)[-self.most :]
            columns, weights = columns[heaviest], weights[heaviest]
        return PageTerms(columns, weights)


def heaviest_terms(
    counts: Mapping[str, int], background: Background, most: int
) -> dict[str, float]:
    """The tf·idf vector of a page (Batsakis 2007, eq. 1), its heaviest terms only, of length 1.

    ``most`` is how many terms are kept, 0 for all; among equals the first by the alphabet.

    >>> from semcrawl.text.background import Background
    >>> plain = Background.from_counts({"cat": 1, "dog": 1, "rain": 5}, documents=10)
    >>> vector = heaviest_terms({"cat": 3, "dog": 4, "rain": 1}, plain, most=2)
    >>> {term: round(weight, 6) for term, weight in vector.items()}
    {'dog': 0.8, 'cat': 0.6}
    """
    weights = tf_idf(counts, background)
    heaviest = sorted((item for item in weights.items() if item[1] > 0), key=_by_weight)
    kept = dict(heaviest[: most or None])
    length = norm(kept)
    return {term: weight / length for term, weight in kept.items()} if length else {}


def vector_matrix(vectors: Sequence[Vector], terms: Sequence[str]) -> Any:
    """Some vectors as the rows of a scipy CSR matrix; ``terms`` are those of its columns."""
    from scipy.sparse import csr_matrix

    column = {term: number for number, term in enumerate(terms)}
    start = np.zeros(len(vectors) + 1, np.int64)
    np.cumsum([len(vector) for vector in vectors], out=start[1:])
    indices = np.array([column[term] for vector in vectors for term in vector], np.int32)
    weights = np.array([weight for vector in vectors for weight in vector.values()], np.float64)
    matrix = csr_matrix((weights, indices, start), shape=(len(vectors), len(terms)))
    matrix.sort_indices()
    return matrix


def centroid(vectors: Iterable[Vector]) -> dict[str, float]:
    """The average of some vectors (Batsakis 2007, section 3.4.2).

    >>> centroid([{"cat": 1.0}, {"cat": 0.5, "dog": 1.0}])
    {'cat': 0.75, 'dog': 0.5}
    """
    sums: dict[str, float] = {}
    number = 0
    for vector in vectors:
        number += 1
        for term, weight in vector.items():
            sums[term] = sums.get(term, 0.0) + weight
    return {term: total / number for term, total in sums.items()}


def _by_weight(item: tuple[str, float]) -> tuple[float, str]:
    return -item[1], item[0]
