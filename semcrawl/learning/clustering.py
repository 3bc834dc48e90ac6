"""Clusters of pages: K-means with the relevant pages on their own, and X-means.

Rows of a sparse matrix are pages. The same rows and the same seed give the
same clusters. scikit-learn is needed here and is imported when it is.
"""

from __future__ import annotations

from contextlib import contextmanager
from math import inf, log, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Points = Any
    """A scipy CSR matrix or a dense array; scipy has no types."""

__all__ = ["bic", "k_means", "relevant_apart", "x_means"]

_ROUNDS = 4
_TOO_FEW_TO_SPLIT = 4


def relevant_apart(
    points: Points, is_relevant: NDArray[np.bool_], clusters: int, seed: int
) -> NDArray[np.int64]:
    """K-means of the other pages, and the relevant ones as the last cluster of ``clusters``.

    Batsakis 2007, section 3.4.1: K = 5, the fifth cluster holds the relevant pages.

    Raises:
        ConfigError: there are too few different pages for so many clusters.
    """
    labels = np.full(points.shape[0], clusters - 1, np.int64)
    others = np.flatnonzero(~is_relevant)
    labels[others] = k_means(points[others], clusters - 1, seed)[0]
    return labels


def k_means(
    points: Points, clusters: int, seed: int, centres: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The cluster of each point, and the centres; ``centres`` are where to begin, if given.

    Raises:
        ConfigError: there are fewer different points than clusters.
    """
    if clusters < 1:
        raise ConfigError(f"the number of clusters must be at least 1, not {clusters}")
    if not np.isfinite(points.data if hasattr(points, "tocsr") else points).all():
        raise ConfigError("some pages have weights that are no numbers (NaN); they fit no cluster")
    _require_different(points, clusters)
    with _one_thread() as cluster:
        start: Any = "k-means++" if centres is None else centres
        fitted = cluster.KMeans(
            n_clusters=clusters,
            init=start,
            n_init=_ROUNDS if centres is None else 1,
            random_state=seed,
        ).fit(points)
    return fitted.labels_.astype(np.int64), fitted.cluster_centers_


def x_means(
    points: Points, seed: int, *, least: int = 2, most: int = 20
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """K-means with a K that is found: clusters are split in two while that raises the BIC.

    Pelleg, Moore 2000, named in Batsakis 2007, section 3.4.1. Starts with
    ``least`` clusters and never makes more than ``most``.
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


def bic(points: Points, labels: NDArray[np.int64], centres: NDArray[np.float64]) -> float:
    """The Bayesian information criterion of a clustering, the higher the better.

    R points of M dimensions in K spherical Gaussians of one variance:
    log-likelihood - p/2 ln R, p = (K - 1) + M K + 1 (Pelleg, Moore 2000). The
    variance is per dimension, the squared distances over M (R - K). Points
    that coincide with their centres have no variance: their BIC is infinite.

    >>> points = np.array([[0.0], [2.0]])
    >>> round(bic(points, np.array([0, 0]), np.array([[1.0]])), 6)  # variance 2, p = 2
    -3.724171
    """
    count, dimensions = points.shape
    clusters = len(centres)
    sizes = np.bincount(labels, minlength=clusters)
    squares = _squared_distances(points, labels, centres)
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


def _split(
    points: Points,
    labels: NDArray[np.int64],
    centres: NDArray[np.float64],
    seed: int,
    room: int,
) -> list[NDArray[np.float64]]:
    """The centres, at most ``room`` of them replaced by two that tell their cluster better."""
    gains: list[tuple[float, int]] = []
    pairs: dict[int, NDArray[np.float64]] = {}
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
    return [
        part
        for number, centre in enumerate(centres)
        for part in (pairs[number] if number in chosen else [centre])
    ]


def _squared_distances(
    points: Points, labels: NDArray[np.int64], centres: NDArray[np.float64]
) -> float:
    """The sum of the squared distances of all points to their centres."""
    total = 0.0
    for number, centre in enumerate(centres):
        members = points[np.flatnonzero(labels == number)]
        if hasattr(members, "tocsr"):
            squares = float(members.multiply(members).sum())
            along = float(members.dot(centre).sum())
            total += squares - 2 * along + members.shape[0] * float(centre @ centre)
        else:
            total += float(((members - centre) ** 2).sum())
    return max(0.0, total)


def _require_different(points: Points, clusters: int) -> None:
    """Stop where there are fewer different points than clusters; looks no further than needed."""
    seen: set[bytes] = set()
    for row in range(points.shape[0]):
        one = points[row]
        if hasattr(one, "tocsr"):
            seen.add(one.indices.tobytes() + one.data.tobytes())
        else:
            seen.add(np.ascontiguousarray(one).tobytes())
        if len(seen) >= clusters:
            return
    raise ConfigError(
        f"too few pages: {len(seen)} different ones cannot make {clusters} clusters; "
        "browse more, or ask for fewer clusters"
    )


@contextmanager
def _one_thread() -> Iterator[Any]:
    """scikit-learn's clusters, in one thread: with more, sums may differ from run to run."""
    try:
        from sklearn import cluster
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise ConfigError(
            "training needs scikit-learn; install it with: pip install 'semcrawl[learn]'"
        ) from error
    with threadpool_limits(limits=1):
        yield cluster
