"""PageRank over the links between visited pages, to compare the distiller with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.distill.link_matrix import Links

__all__ = ["DAMPING", "TOLERANCE", "page_rank"]

DAMPING = 0.85
TOLERANCE = 1e-9
"""A round whose scores differ less than this in all from those before is the last."""


def page_rank(links: Links, pages: int, rounds: int) -> tuple[NDArray[np.float64], int, bool]:
    """Scores that add up to one, the rounds computed, and whether they converged.

    A walker follows a random link with probability 0.85 and otherwise goes to
    any page; from a page without links it goes to any page (Page 1997; the
    mass of such pages is spread over all).

    Pages 0 and 1 point to each other, so neither is better:

    >>> page_rank((np.array([0, 1]), np.array([1, 0])), 2, 50)
    (array([0.5, 0.5]), 1, True)
    """
    from scipy.sparse import csr_array

    sources, targets = links
    if not pages:
        return np.zeros(0), 0, True
    out = np.bincount(sources, minlength=pages)
    step = csr_array((1.0 / out[sources], (targets, sources)), shape=(pages, pages))
    scores = np.full(pages, 1.0 / pages)
    for number in range(1, rounds + 1):
        spread = (1.0 - DAMPING + DAMPING * scores[out == 0].sum()) / pages
        new = DAMPING * (step @ scores) + spread
        change = np.abs(new - scores).sum()
        scores = new
        if change < TOLERANCE:
            return scores, number, True
    return scores, rounds, False
