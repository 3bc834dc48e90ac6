"""Clusters of pages, the same for the same seed: K-means with relevant ones apart, X-means."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import repeat
from math import inf, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Bools, Floats, Ints
from semcrawl.errors import ConfigError
from semcrawl.text.background import Background
from semcrawl.text.vectors import Vector, norm, tf_idf

Points = Any  # A scipy CSR matrix or a dense array; scipy has no types


_ROUNDS = 4
_TOO_FEW_TO_SPLIT = 4


def relevant_apart(points: Points, is_relevant: Bools, clusters: int, seed: int) -> Ints:
    """K-means of the other pages, and the relevant ones as the last cluster of ``clusters``.

    Batsakis 2007, section 3.4.1. ConfigError if there are too few different pages.
    """
    labels = np.full(points.shape[0], clusters - 1, np.int64)
    others = np.flatnonzero(~is_relevant)
    labels[others] = k_means(points[others], clusters - 1, seed)[0]
    return labels


def k_means(points: Points, clusters: int, seed: int, centres: Floats | None = None) -> tuple[Ints, Floats]:
    """The cluster of each point, and the centres; ConfigError if too few points are different."""
    from scipy.sparse import csr_matrix

    if clusters < 1:
        raise ConfigError(f"the number of clusters must be at least 1, not {clusters}")
    points = csr_matrix(points)
    if not np.isfinite(points.data).all():
        raise ConfigError("some pages have weights that are no numbers (NaN); they fit no cluster")
    if (different := different_rows(points, clusters)) < clusters:
        raise ConfigError(
            f"too few pages: {different} different ones cannot make {clusters} clusters; "
            "browse more, or ask for fewer clusters"
        )
    start, rounds = ("k-means++", _ROUNDS) if centres is None else (centres, 1)
    with _one_thread() as cluster:
        means = cluster.KMeans(clusters, init=start, n_init=rounds, random_state=seed)
        fitted = means.fit(points)
    return fitted.labels_.astype(np.int64), fitted.cluster_centers_


def x_means(points: Points, seed: int, *, least: int = 2, most: int = 20) -> tuple[Ints, Floats]:
    """K-means with a K that is found: clusters are split in two while that raises the BIC.

    Pelleg, Moore 2000, named in Batsakis 2007, section 3.4.1.
    """
    if not 1 <= least <= most:
        raise ConfigError(f"between {least} and {most} clusters there is no number to find")
    labels, centres = k_means(points, least, seed)
    while len(centres) < most:
        better = _split(points, labels, centres, seed, room=most - len(centres))
        if len(better) == len(centres):
            break
        labels, centres = k_means(points, len(better), seed, np.array(better))
    return labels, centres


def bic(points: Points, labels: Ints, centres: Floats) -> float:
    """The Bayesian information criterion of a clustering, the higher the better.

    R points of M dimensions in K spherical Gaussians of one variance: log-likelihood - p/2 ln R,
    p = (K - 1) + M K + 1 (Pelleg, Moore 2000). The variance is per dimension, the squared
    distances over M (R - K). It is infinite for points that coincide with their centres.

    >>> points = np.array([[0.0], [2.0]])
    >>> round(bic(points, np.array([0, 0]), np.array([[1.0]])), 6)  # variance 2, p = 2
    -3.724171
    """
    from scipy.sparse import csr_matrix

    count, dimensions = points.shape
    clusters = len(centres)
    sizes = np.bincount(labels, minlength=clusters)
    points = csr_matrix(points)
    along = sum(float((points[labels == n] @ centre).sum()) for n, centre in enumerate(centres))
    lengths = float((centres**2).sum(axis=1)[labels].sum())
    squares = max(0.0, float(points.multiply(points).sum()) - 2 * along + lengths)
    if count <= clusters or squares <= 1e-12 * count:
        return inf
    variance = squares / (dimensions * (count - clusters))
    filled = sizes[sizes > 0]
    likelihood = (
        float((filled * np.log(filled / count)).sum())
        - count * dimensions / 2 * log(2 * pi * variance)
        - dimensions * (count - clusters) / 2
    )
    parameters = (clusters - 1) + dimensions * clusters + 1
    return float(likelihood - parameters / 2 * log(count))


def _split(points: Points, labels: Ints, centres: Floats, seed: int, room: int) -> list[Floats]:
    """The centres, at most ``room`` of them replaced by two that tell their cluster better."""
    gains: list[tuple[float, int]] = []
    pairs: dict[int, Floats] = {}
    for number, centre in enumerate(centres):
        members = points[np.flatnonzero(labels == number)]
        alone = bic(members, np.zeros(members.shape[0], np.int64), centre[None, :])
        # What has no variance cannot be told better.
        if members.shape[0] < _TOO_FEW_TO_SPLIT or alone == inf:
            continue
        sides, pairs[number] = k_means(members, 2, seed)
        gains.append((bic(members, sides, pairs[number]) - alone, number))
    best = sorted((gain for gain in gains if gain[0] > 0), reverse=True)[:room]
    chosen = {number for _, number in best}
    return [part for number, centre in enumerate(centres) for part in (pairs[number] if number in chosen else [centre])]


def different_rows(points: Points, most: int) -> int:
    """How many different rows a CSR matrix has; counted up to ``most``."""
    seen: set[bytes] = set()
    for row in points:
        seen.add(row.indices.tobytes() + row.data.tobytes())
        if len(seen) >= most:
            break
    return len(seen)


@contextmanager
def _one_thread() -> Iterator[Any]:
    """scikit-learn's clusters, in one thread: with more, sums may differ from run to run."""
    try:
        from sklearn import cluster
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise ConfigError("training needs scikit-learn; install it with: pip install 'semcrawl[learn]'") from error
    with threadpool_limits(limits=1):
        yield cluster


class Neighbours:
    """k nearest neighbours by cosine (Batsakis 2007, section 2.5); pages are rows of length 1."""

    def __init__(self, vectors: Any, clusters: Ints, k: int) -> None:
        self.vectors = vectors
        self.clusters = clusters
        self.k = k
        # By term, so that the terms of a page lead to the pages that share them, and with the
        # weights that a file keeps, so that a model is the same when it is read again.
        self._by_term = vectors.tocsc().astype(np.float32)

    def cluster(self, page: "PageTerms") -> int | None:
        """The cluster of most neighbours, of equal ones the nearer; None if none shares a term."""
        rows, nearness = self._nearest(page)
        votes: dict[int, list[float]] = {}
        for cluster, near in zip(self.clusters[rows].tolist(), nearness.tolist(), strict=True):
            votes.setdefault(cluster, []).append(near)
        order = sorted(votes, key=lambda one: (-len(votes[one]), -sum(votes[one]), one))
        return order[0] if order else None

    def _nearest(self, page: "PageTerms") -> tuple[Ints, NDArray[np.float32]]:
        """The rows of the k nearest pages, and how near they are, up to a factor."""
        columns, weights = page
        near = self._by_term[:, columns] @ weights
        least = np.partition(near, -self.k)[-self.k] if self.k < len(near) else 0.0
        # All that are as near as the k-th, for equals go by their number.
        rows = np.flatnonzero(near >= least if least > 0 else near > 0)
        order = np.argsort(-near[rows], kind="stable")[: self.k]
        return rows[order], near[rows[order]]


PageTerms = tuple[NDArray[np.int32], NDArray[np.float32]]
"""The heaviest terms of a page, as columns of a table, and their tf·idf."""


class TermTable:
    """Numbers for the ``most`` heaviest terms (0: all) of a page's 2 · ``most`` most frequent."""

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
        return columns, weights


def heaviest_terms(counts: Mapping[str, int], background: Background, most: int) -> dict[str, float]:
    """The tf·idf vector of a page (Batsakis 2007, eq. 1), its heaviest terms only, of length 1.

    ``most`` is how many terms are kept, 0 for all; among equals the first by the alphabet.

    >>> from semcrawl.text.background import Background
    >>> plain = Background.from_counts({"cat": 1, "dog": 1, "rain": 5}, documents=10)
    >>> vector = heaviest_terms({"cat": 3, "dog": 4, "rain": 1}, plain, most=2)
    >>> {term: round(weight, 6) for term, weight in vector.items()}
    {'dog': 0.8, 'cat': 0.6}
    """
    weights = tf_idf(counts, background)
    positive = [(term, weight) for term, weight in weights.items() if weight > 0]
    heaviest = sorted(positive, key=lambda item: (-item[1], item[0]))
    kept = dict(heaviest[: most or None])
    length = norm(kept)
    return {term: weight / length for term, weight in kept.items()} if length else {}


def vector_matrix(vectors: Iterable[Vector], columns: dict[str, int]) -> Any:
    """Vectors as the rows of a scipy CSR matrix; terms without a column get the next one."""
    from scipy.sparse import csr_matrix

    starts, places, weights = [0], list[int](), list[float]()
    for vector in vectors:
        places += [columns.setdefault(term, len(columns)) for term in vector]
        weights += vector.values()
        starts.append(len(places))
    rows = np.array(weights, np.float64), np.array(places, np.int32), starts
    matrix = csr_matrix(rows, shape=(len(starts) - 1, len(columns)))
    matrix.sort_indices()
    return matrix


def centroid(vectors: Iterable[Vector]) -> dict[str, float]:
    """The average of some vectors (Batsakis 2007, section 3.4.2).

    >>> centroid([{"cat": 1.0}, {"cat": 0.5, "dog": 1.0}])
    {'cat': 0.75, 'dog': 0.5}
    """
    sums, number = Counter[str](), 0
    for vector in vectors:
        number += 1
        sums.update(vector)
    return {term: total / number for term, total in sums.items()}
