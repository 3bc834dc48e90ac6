"""Hubs and authorities weighted by relevance (Chakrabarti et al. 1999, section 3.2).

The edges are the links, between different sites only, from any page to one whose relevance R
exceeds ρ. With h'(u, v), how many pages on the server of u point to v, and a'(u, v), how many
pages on the server of v u points to, a server has one vote::

    a[v] ← Σ h[u] · R[u] / h'(u, v)
    h[u] ← Σ a[v] · R[u] / a'(u, v)

again and again, each scaled to add up to one.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.steering.distiller import Links

DAMPING = 0.85
TOLERANCE = 1e-9  # a round whose scores differ less in all from those before is the last


class HubsAndAuthorities(NamedTuple):
    """The scores of all pages."""

    hubs: NDArray[np.float64]
    authorities: NDArray[np.float64]
    rounds: int
    converged: bool


def find_rho(relevance: NDArray[np.float64], share: float) -> float:
    """The threshold ρ that a share of the pages exceeds (Chakrabarti et al. 1999, section 3.2).

    Pages that are equally relevant pass together. A page of relevance 0 never passes.

    >>> find_rho(np.array([0.9, 0.5, 0.4, 0.3, 0.2, 0.1]), 0.3)
    0.4
    >>> find_rho(np.array([1.0, 1.0, 1.0, 0.2]), 0.25)
    0.2
    """
    if not relevance.size:
        return 0.0
    # Shares such as 0.07 are not exact: 0.07 of 100 pages are 7, not 8.
    wanted = min(max(ceil(share * relevance.size - 1e-9), 1), relevance.size)
    last = np.sort(relevance)[relevance.size - wanted]
    below = relevance[relevance < last]
    return max(float(below.max()), 0.0) if below.size else 0.0


def edge_weights(
    edges: Links, relevance: NDArray[np.float64], sites: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """R[u]/h'(u, v) and R[u]/a'(u, v) of every edge (Chakrabarti et al. 1999, section 3.2).

    Pages 0 and 1 stand on one site and both point to page 2, alone on its own:

    >>> edges = np.array([0, 1]), np.array([2, 2])
    >>> edge_weights(edges, np.array([0.5, 0.25, 1.0]), np.array([0, 0, 1]))
    (array([0.25 , 0.125]), array([0.5 , 0.25]))
    """
    sources, targets = edges
    pages, servers = len(relevance), int(sites.max(initial=0)) + 1
    pointing = _how_many_alike(sites[sources] * pages + targets)
    pointed_at = _how_many_alike(sources * servers + sites[targets])
    return relevance[sources] / pointing, relevance[sources] / pointed_at


def iterate(
    edges: Links, weights: tuple[NDArray[np.float64], NDArray[np.float64]], pages: int, rounds: int
) -> HubsAndAuthorities:
    """Compute hub and authority scores in at most ``rounds`` (Chakrabarti et al. 1999, 3.2).

    >>> edges = np.array([0, 1]), np.array([2, 2])
    >>> found = iterate(edges, (np.array([0.75, 0.25]), np.array([0.75, 0.25])), 3, 50)
    >>> found.hubs, found.authorities
    (array([0.75, 0.25, 0.  ]), array([0., 0., 1.]))
    """
    from scipy.sparse import csr_array

    sources, targets = edges
    to_authorities = csr_array((weights[0], (targets, sources)), shape=(pages, pages))
    to_hubs = csr_array((weights[1], (sources, targets)), shape=(pages, pages))
    hubs, authorities = np.zeros(pages), np.zeros(pages)
    hubs[sources] = 1.0
    hubs = _scaled(hubs)
    for number in range(1, rounds + 1):
        new_authorities = _scaled(to_authorities @ hubs)
        new_hubs = _scaled(to_hubs @ new_authorities)
        change = np.abs(new_hubs - hubs).sum() + np.abs(new_authorities - authorities).sum()
        hubs, authorities = new_hubs, new_authorities
        if change < TOLERANCE:
            return HubsAndAuthorities(hubs, authorities, number, converged=True)
    return HubsAndAuthorities(hubs, authorities, rounds, converged=False)


def _how_many_alike(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    _, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return counts[places]


def _scaled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    total = scores.sum()
    return scores / total if total > 0 else scores


def page_rank(links: Links, pages: int, rounds: int) -> tuple[NDArray[np.float64], int, bool]:
    """Scores that add up to one, the rounds computed, and whether they converged (Page 1997).

    A walker follows a random link with probability 0.85 and otherwise, or from a page without
    links, goes to any page. Pages 0 and 1 point to each other, so neither is better:

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
