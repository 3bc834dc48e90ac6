"""What pages marked by hand say of other pages, and which marks would say most.

The log odds that a judge has learnt are the mean of a Gaussian process; the more two pages have
in common, the more a mark of one moves the other. The marks move it by Laplace's approximation
(Rasmussen, Williams 2006, section 3.4). docs/marking.md has the formulas.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from semcrawl.arrays import Floats, Ints
from semcrawl.models.crawl_memory import CrawlMemory, WordRows
from semcrawl.relevance.explanation import sigmoid

Vector = tuple[NDArray[np.int32], NDArray[np.float32]]

# Standard deviations of the log odds that pages share, fitted on the ten development topics.
_ALL, _SITE, _EVIDENCE, _WORDS = 1.0, 0.7, 0.4, 4.0
_STEPS = 15  # of Newton's method
_MOST = 100  # marks that move other pages: those of the pages visited last
_CANDIDATES = 400  # the pages that are most in doubt, among which questions are looked for
_LEAST_DOUBT = 0.02


class PageTraits(Struct, frozen=True, eq=False):
    """What pages can have in common, a row each: the judge's evidence, site and words."""

    evidence: Floats
    sites: Ints
    other_sites: Floats  # the share of all pages that other sites have
    words: Any  # as a sparse matrix

    @classmethod
    def of_memory(cls, memory: CrawlMemory, evidence: Floats) -> "PageTraits":
        """Return the traits of the first pages of the memory, of which there is evidence."""
        sites = memory.sites.values[: len(evidence)]
        others = 1.0 - np.bincount(sites)[sites] / len(sites)
        return cls(evidence, sites, others, memory.pages.matrix(len(sites)))

    @classmethod
    def of_page(cls, site: int, evidence: Sequence[float], vector: Vector) -> "PageTraits":
        """Return the traits of one page; -1 is a site that the memory does not know."""
        words = WordRows()
        words.add(vector)
        return cls(np.asarray([evidence]), np.asarray([site]), np.zeros(1), words.matrix(1))

    def some(self, rows: Ints) -> "PageTraits":
        """Return the traits of some of the pages."""
        return PageTraits(self.evidence[rows], self.sites[rows], self.other_sites[rows], self.words[rows])

    def shared(self, others: "PageTraits", in_common: float = 1.0) -> Floats:
        """Return covariances with others; ``in_common`` weighs what all pages have in common."""
        cosines = (self.words @ others.words.T).toarray()
        return np.asarray(
            in_common * (_ALL**2 + _EVIDENCE**2 * (self.evidence @ others.evidence.T))
            + _SITE**2 * others.other_sites * (self.sites[:, None] == others.sites[None, :])
            + _WORDS**2 * cosines**2
        )


class MarkedPages(Struct, frozen=True, eq=False):
    """The marked pages, and how much each moves the log odds of what is like it."""

    traits: PageTraits
    moves: Floats

    @classmethod
    def learn(cls, traits: PageTraits, odds: Floats, sure: Floats) -> "MarkedPages":
        """Return what marks say: ``sure`` is 1, 0 or -1 (none), ``odds`` are those without them."""
        rows = np.flatnonzero(sure >= 0)[-_MOST:]
        marked = traits.some(rows)
        shared = marked.shared(marked, _told_of_all(len(rows)))
        return cls(marked, _moves(shared, odds[rows], sure[rows]))

    def odds(self, traits: PageTraits) -> Floats:
        """Return what the marks add to the log odds of pages."""
        shared = traits.shared(self.traits, _told_of_all(len(self.moves)))
        return np.asarray(shared @ self.moves)


def _told_of_all(marks: int) -> float:
    """Return how far marks tell of all pages: one tells only of pages that are like its own."""
    return 1.0 - 1.0 / marks if marks else 0.0


def questions(traits: PageTraits, relevance: Floats, sure: Floats, count: int) -> list[int]:
    """Return the pages a mark of which would tell most of all pages in doubt, by row.

    That is the page i with the largest Σ u_j c_ij² / (c_ii + 1 / u_i), where u is p (1 - p), and c
    the covariance given the marks and the questions so far; a copy of one of these has none left.
    """
    doubt = relevance * (1.0 - relevance)
    marked = np.flatnonzero(sure >= 0)[-_MOST:]
    rows = np.argsort(-doubt, kind="stable")[:_CANDIDATES]
    rows = np.concatenate([marked, rows[(sure[rows] < 0) & (doubt[rows] > 0.0)]])
    some = traits.some(rows)
    shared = some.shared(some)
    weight = np.maximum(doubt[rows], _LEAST_DOUBT)
    known = list(range(len(marked)))
    for place in known:
        shared = _given(shared, place, weight)
    for _ in range(min(count, len(rows) - len(marked))):
        told = (weight[:, None] * shared**2).sum(0) / (np.diagonal(shared) + 1.0 / weight)
        told[known] = -1.0
        known.append(int(np.argmax(told)))
        shared = _given(shared, known[-1], weight)
    chosen: list[int] = rows[known[len(marked) :]].tolist()
    return chosen


def _moves(shared: Floats, mean: Floats, marks: Floats) -> Floats:
    """Return K⁻¹ (f - m) at the mode f of the marked pages' log odds (equation 3.18 there)."""
    odds, moves = mean, np.zeros(len(mean))
    for _ in range(_STEPS):
        p = sigmoid(odds)
        weight = np.maximum(p * (1.0 - p), 1e-4)
        wanted = odds - mean + (marks - p) / weight
        moves = np.asarray(np.linalg.solve(shared + np.diag(1.0 / weight), wanted), np.float64)
        odds = mean + shared @ moves
    return moves


def _given(shared: Floats, place: int, weight: Floats) -> Floats:
    """Return the covariances that are left when one page is known."""
    known = np.outer(shared[:, place], shared[place]) / (shared[place, place] + 1.0 / weight[place])
    return np.asarray(shared - known)
