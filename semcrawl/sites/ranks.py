"""What pages and sites are ranked by, and how far links are gathered (Ester 2004, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "EDGE_WEIGHTS",
    "LinkRank",
    "MeanOfWeights",
    "combined_weight",
    "edge_weight",
    "global_weight",
    "internal_weight",
    "local_weight",
]

EDGE_WEIGHTS = ("combined", "global", "local")
"""The names of the weights of edges between sites, the default first."""

_LEAST = 1e-6


def internal_weight(confidences: Sequence[float]) -> float:
    """The weight of a link inside a site: the variance of its page's class confidences.

    A page that speaks clearly for any class leads to others that do, whether the
    site is relevant or not. Ester 2004, section 4.3.2; the variance is that of
    the whole population, Σ (x - mean)² / n.

    >>> round(internal_weight((0.9, 0.1)), 6), internal_weight((0.5, 0.5))
    (0.16, 0.0)
    """
    if not confidences:
        return 0.0
    mean = sum(confidences) / len(confidences)
    return sum((value - mean) ** 2 for value in confidences) / len(confidences)


class MeanOfWeights:
    """The mean of the weights of the known links to a page or a site, its rank.

    Ester 2004, sections 4.2 and 4.3.2.

    >>> rank = MeanOfWeights()
    >>> rank.add(0.16)
    >>> rank.add(0.04)
    >>> round(rank.value, 6), rank.count
    (0.1, 2)

    Attributes:
        count: how many links there are.
    """

    __slots__ = ("_sum", "count")

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0

    def add(self, weight: float) -> None:
        """Count one more link."""
        self._sum += weight
        self.count += 1

    def change(self, old: float, new: float) -> None:
        """Give a link that is counted already another weight."""
        self._sum += new - old

    @property
    def value(self) -> float:
        """The mean; 0 for no link."""
        return self._sum / self.count if self.count else 0.0


def global_weight(probability: float) -> float:
    """The weight of an edge by its site: the site's confidence (Ester 2004, section 4.2).

    >>> global_weight(0.6)  # figure 3
    0.6
    """
    return probability


def local_weight(mean_confidence: float) -> float:
    """The weight of an edge by the pages with the link: the mean of Pr[target|p] over them.

    Each page counts once, however many links it has. Ester 2004, section 4.2.

    >>> local_weight((0.9 + 0.5) / 2)  # figure 3
    0.7
    """
    return mean_confidence


def combined_weight(probability: float, mean_confidence: float) -> float:
    """The mean of the global and the local weight of an edge (Ester 2004, section 4.2).

    >>> round(combined_weight(0.6, 0.7), 6)  # figure 3
    0.65
    """
    return (global_weight(probability) + local_weight(mean_confidence)) / 2


def edge_weight(kind: str, probability: float, mean_confidence: float) -> float:
    """The weight of an edge between two sites, by the name of the kind of weight.

    Raises:
        ConfigError: there is no such kind.
    """
    if kind == "combined":
        return combined_weight(probability, mean_confidence)
    if kind == "global":
        return global_weight(probability)
    if kind == "local":
        return local_weight(mean_confidence)
    raise ConfigError(f"no weights of edges named {kind[:40]!r}: use {', '.join(EDGE_WEIGHTS)}")


class LinkRank:
    """How much has been gathered of a site's links to others; a crawl stops at l_threshold.

    LinkRank(W) = Σ over pages of (Pr[p|target] · |transversal links| + c) / Pr[target|W]
    (Ester 2004, section 4.3.4). So it grows fast in a site that is not relevant.
    The paper counts the links of a page; the crawl here counts the distinct other
    sites that it links to, so that a page cannot push the rank by repeating a link.
    A probability below 0.000001 is taken as that.

    >>> rank = LinkRank(probability=0.8)
    >>> rank.add(confidence=0.9, transversal_links=4)
    >>> rank.add(confidence=0.5, transversal_links=0)
    >>> round(rank.value, 6)  # (0.9 · 4 + 1 + 0 + 1) / 0.8
    7.0

    Attributes:
        probability: Pr[target|W], to be kept up to date.
    """

    __slots__ = ("_sum", "probability")

    def __init__(self, probability: float = 0.5) -> None:
        self.probability = probability
        self._sum = 0.0

    def add(self, confidence: float, transversal_links: int, c: float = 1.0) -> None:
        """Add a page's link weight, Pr[p|target] · |transversal links| + c."""
        self._sum += confidence * transversal_links + c

    @property
    def value(self) -> float:
        """The sum of the link weights over the probability of the site as it is now."""
        return self._sum / max(self.probability, _LEAST)
