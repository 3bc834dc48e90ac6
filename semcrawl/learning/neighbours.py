"""The cluster of a new page: that of most of the training pages nearest to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.learning.page_vectors import PageTerms

__all__ = ["Neighbours"]

_ENTRY = np.dtype([("row", np.int32), ("weight", np.float32)])


class Neighbours:
    """k nearest neighbours by cosine (Batsakis 2007, section 2.5).

    All training pages are compared with a page in one sparse product, which
    looks only at those that share a term with it. It is written out in a few
    calls of numpy, because scipy takes longer to check the matrices than to
    multiply them.

    Args:
        vectors: the training pages as rows of length 1, a scipy CSR matrix.
        clusters: the cluster of each row.
        k: how many neighbours are asked.
    """

    def __init__(self, vectors: Any, clusters: NDArray[np.int64], k: int) -> None:
        self.vectors = vectors
        self.clusters = clusters
        self.k = k
        # By term, so that the terms of a page lead to the pages that share them.
        by_term = vectors.tocsc()
        self._starts = by_term.indptr.astype(np.int64)
        entries = np.empty(by_term.nnz, _ENTRY)
        entries["row"], entries["weight"] = by_term.indices, by_term.data
        self._entries = entries.view(np.int64)  # which numpy copies faster than pairs

    def cluster(self, page: PageTerms) -> int | None:
        """The cluster of a page; None if it shares no term with any.

        Each neighbour has one vote. Among clusters with as many votes the one
        with the nearer neighbours is taken, then the one with the lower number.
        """
        rows, nearness = self._nearest(page)
        if not len(rows):
            return None
        found = self.clusters[rows].tolist()
        votes: dict[int, list[float]] = {}
        for cluster, near in zip(found, nearness.tolist(), strict=True):
            votes.setdefault(cluster, []).append(near)
        return min(votes, key=lambda one: (-len(votes[one]), -sum(votes[one]), one))

    def _nearest(self, page: PageTerms) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The rows of the k nearest pages, and how near they are, up to a factor."""
        near = self._products(page.columns, page.weights)
        least = np.partition(near, -self.k)[-self.k] if self.k < len(near) else 0.0
        # All that are as near as the k-th, for equals go by their number.
        rows = np.flatnonzero(near >= least if least > 0 else near > 0)
        order = np.argsort(-near[rows], kind="stable")[: self.k]
        return rows[order], near[rows[order]]

    def _products(
        self, columns: NDArray[np.int32], weights: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """The product of every training page's vector with a page's weights."""
        if not len(columns):
            return np.zeros(len(self.clusters))
        first, end = self._starts[columns], self._starts[columns + 1]
        places = zip(first.tolist(), end.tolist(), strict=True)
        found = np.concatenate([self._entries[a:b] for a, b in places]).view(_ENTRY)
        shares = found["weight"] * np.repeat(weights, end - first)
        sums: NDArray[np.float64] = np.bincount(found["row"], shares, len(self.clusters)).astype(
            np.float64, copy=False
        )
        return sums
