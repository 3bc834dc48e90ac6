"""What training from browsing gives: all that a crawl needs to be guided by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.learning.hmm import MarkovModel
    from semcrawl.learning.neighbours import Neighbours
    from semcrawl.learning.page_vectors import PageTerms, TermTable
    from semcrawl.text.background import Background

__all__ = ["HmmFacts", "HmmModel"]


class HmmFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a model was made.

    Attributes:
        topic: the name of the topic that the targets were chosen for, "" if none was named.
        topic_digest: of what that topic is about; "" in models of earlier versions.
        judge: the judge that found the targets, with its options; "" if none did.
        clustering: ``k-means`` or ``x-means``.
        neighbours: how many neighbours tell the cluster of a page.
        terms: how many terms of a page are looked at; 0: all.
        smoothing: what was added to every count.
        seed: of the clustering.
        paths: how many browsing paths there were.
        pages: how many pages were read.
        state_sizes: how many of these are in each state; the first are the targets.
        cluster_sizes: how many are in each cluster.
    """

    topic: str = ""
    topic_digest: str = ""
    judge: str = ""
    clustering: str = "k-means"
    neighbours: int
    terms: int
    smoothing: float
    seed: int
    paths: int
    pages: int
    state_sizes: tuple[int, ...]
    cluster_sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HmmModel:
    """A hidden Markov model of browsing, with what tells the cluster of a page.

    Attributes:
        markov: the probabilities.
        neighbours: tells the cluster of a page.
        terms: the terms that are known, and their numbers.
        centroid: c_r, the average vector of the target pages, a weight for each term.
        background: document frequencies that all weights were made with.
        facts: how it was made.
    """

    markov: MarkovModel
    neighbours: Neighbours
    terms: TermTable
    centroid: NDArray[np.float32]
    background: Background
    facts: HmmFacts

    def states(self, page: PageTerms, before: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """The probabilities of the states of a page, by its terms and the page that led to it.

        ``before`` are the states of that page; None for a page that no other led to.
        """
        cluster = self.neighbours.cluster(page)
        if before is None:
            return self.markov.first(cluster)
        return self.markov.follow(before, cluster)

    def centroid_terms(self) -> dict[str, float]:
        """The centroid as a vector of terms, to compare texts with."""
        places = np.flatnonzero(self.centroid).tolist()
        return {self.terms.terms[place]: float(self.centroid[place]) for place in places}
