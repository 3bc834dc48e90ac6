"""What the pages read so far say of a site: Bayes' rule over classes, page by page.

Ester 2004, section 4.3.3. Each class of sites is a source that draws pages, so

    Pr[W|C_k] = Π over the pages p of Pr[p|C_k ∧ p_err]
    Pr[C_k|W] = Pr[C_k] Pr[W|C_k] / Σ_i Pr[C_i] Pr[W|C_i]

The confidences of the page classifier are corrected by its error, Pr[p|C_k ∧ p_err] = Pr[p|C_k] (1 - p_err) +
Pr[p|C_other] p_err. The paper has two classes. With n of them a wrong page may be any of the n - 1 others', and we use

    Pr[p|C_k] (1 - p_err) + Σ over i ≠ k of Pr[p|C_i] p_err / (n - 1)

which is the printed formula for n = 2, sums to 1 over the classes, and lets a page that fits all classes alike change
nothing. (The column "p_err" of the paper's table 2 holds 0.85 to 0.90, which must be accuracies; ours is an error.)
"""

from collections.abc import Sequence
from math import isfinite, log
from statistics import pvariance

import numpy as np
from msgspec import Struct

from semcrawl.errors import ConfigError
from semcrawl.models.naive_bayes import shares

_LEAST = 1e-12
_HIGHEST_PRIOR = 0.65


def corrected(confidences: Sequence[float], error: float) -> tuple[float, ...]:
    """The probabilities of a page in each class, given how often the classifier errs.

    An error counts as that of a guess at most, (n - 1) / n.

    >>> [round(value, 3) for value in corrected((1.0, 0.0), 0.1)]
    [0.9, 0.1]
    >>> [round(value, 3) for value in corrected((0.5, 0.3, 0.2), 0.2)]
    [0.45, 0.31, 0.24]
    """
    others = len(confidences) - 1
    if others < 1:
        raise ConfigError("a site is told from others by two classes or more")
    share = min(error, others / (others + 1)) / others
    total = sum(confidences)
    return tuple(value * (1 - others * share) + (total - value) * share for value in confidences)


class SiteBelief:
    """The probability that a site is of the target class, after each of its pages.

    >>> belief = SiteBelief(error=0.1, prior=0.5)
    >>> belief.add((0.8, 0.2))
    >>> round(belief.probability, 3)  # 0.8 · 0.9 + 0.2 · 0.1 = 0.74
    0.74
    >>> belief.add((0.7, 0.3))
    >>> round(belief.probability, 3), belief.verdict(0.8), belief.verdict(0.9)
    (0.847, True, None)

    ``error`` is p_err. The other classes share what ``prior`` leaves alike.
    """

    def __init__(self, error: float, prior: float = 0.5) -> None:
        if not 0 <= error <= 1:
            raise ConfigError(f"the error of a page classifier lies in [0, 1], not at {error}")
        if not 0 < prior < 1:
            raise ConfigError(f"the prior of a target site lies between 0 and 1, not at {prior}")
        self.error = error
        self.prior = prior
        self.pages = 0
        self._logs: list[float] = []

    def add(self, confidences: Sequence[float]) -> None:
        """Take in a page, by its confidences in the classes, the target class first."""
        if self._logs and len(confidences) != len(self._logs):
            raise ConfigError(
                f"a page has confidences in {len(confidences)} classes, and those before it in {len(self._logs)}"
            )
        if not all(isfinite(value) and value >= 0 for value in confidences):
            raise ConfigError(f"confidences are numbers of 0 or more, not {tuple(confidences)}")
        likelihoods = corrected(confidences, self.error)
        logs = self._logs or [0.0] * len(likelihoods)
        self._logs = [before + log(max(value, _LEAST)) for before, value in zip(logs, likelihoods, strict=True)]
        self.pages += 1

    @property
    def probabilities(self) -> tuple[float, ...]:
        """Pr[C_k|W] of every class, the target first; of target and rest before any page."""
        others = max(1, len(self._logs) - 1)
        logs = self._logs or [0.0, 0.0]
        priors = (self.prior, *[(1 - self.prior) / others] * others)
        scores = [log(prior) + value for prior, value in zip(priors, logs, strict=True)]
        return tuple(shares(np.array(scores)).tolist())

    @property
    def probability(self) -> float:
        """Pr[target|W], the site's confidence."""
        return self.probabilities[0]

    @property
    def is_relevant(self) -> bool:
        """Whether the target class is more probable than all others together."""
        return self.probability > 0.5

    def verdict(self, p_threshold: float) -> bool | None:
        """Whether the site is of the target class; None while unsure, as before any page."""
        if not self.pages:
            return None
        if self.probability >= p_threshold:
            return True
        return False if 1 - self.probability >= p_threshold else None


def running_prior(relevant: int, sites: int) -> float:
    """Return the share of relevant sites among those classified so far (Ester 2004, section 4.3.3).

    One relevant and one other site are counted beforehand. It is kept within
    [0.35, 0.65]: a prior beyond p_threshold would classify a site without pages.

    >>> running_prior(relevant=0, sites=0), running_prior(relevant=2, sites=3)
    (0.5, 0.6)
    """
    return min(_HIGHEST_PRIOR, max(1 - _HIGHEST_PRIOR, (1 + relevant) / (2 + sites)))


EDGE_WEIGHTS = ("combined", "global", "local")
"""The names of the weights of edges between sites, the default first."""


def internal_weight(confidences: Sequence[float]) -> float:
    """The weight of a link inside a site: the variance of its page's class confidences.

    Ester 2004, section 4.3.2; of the whole population, Σ (x - mean)² / n.

    >>> round(internal_weight((0.9, 0.1)), 6), internal_weight((0.5, 0.5))
    (0.16, 0.0)
    """
    return pvariance(confidences) if confidences else 0.0


class MeanOfWeights(Struct):
    """The mean weight of the known links to a page or site (Ester 2004, sections 4.2, 4.3.2).

    >>> rank = MeanOfWeights()
    >>> rank.add(0.16)
    >>> rank.add(0.04)
    >>> round(rank.value, 6), rank.count
    (0.1, 2)
    """

    count: int = 0
    total: float = 0.0

    def add(self, weight: float) -> None:
        """Count one more link."""
        self.total += weight
        self.count += 1

    @property
    def value(self) -> float:
        """The mean; 0 for no link."""
        return self.total / self.count if self.count else 0.0


def edge_weight(kind: str, probability: float, mean_confidence: float) -> float:
    """Return the weight of an edge between two sites (Ester 2004, section 4.2).

    ``global`` is the confidence of the site, Pr[target|W]; ``local`` the mean of Pr[target|p] over the pages with the
    link, each counted once; ``combined`` the mean of the two.

    >>> [round(edge_weight(kind, 0.6, (0.9 + 0.5) / 2), 6) for kind in EDGE_WEIGHTS]  # figure 3
    [0.65, 0.6, 0.7]

    Raises ConfigError: there is no such kind.
    """
    if kind == "combined":
        return (probability + mean_confidence) / 2
    if kind in EDGE_WEIGHTS:
        return probability if kind == "global" else mean_confidence
    raise ConfigError(f"no weights of edges named {kind[:40]!r}: use {', '.join(EDGE_WEIGHTS)}")


class LinkRank(Struct):
    """How much has been gathered of a site's links to others; a crawl stops at l_threshold.

    LinkRank(W) = Σ over pages of (Pr[p|target] · |transversal links| + c) / Pr[target|W] (Ester 2004, section 4.3.4).
    The paper counts the links of a page; the crawl here counts the distinct other sites, so that repeating a link does
    not raise the rank. ``probability``, Pr[target|W], is kept up to date by the caller.

    >>> rank = LinkRank(probability=0.8)
    >>> rank.add(confidence=0.9, transversal_links=4)
    >>> rank.add(confidence=0.5, transversal_links=0)
    >>> round(rank.value, 6)  # (0.9 · 4 + 1 + 0 + 1) / 0.8
    7.0
    """

    probability: float = 0.5
    total: float = 0.0

    def add(self, confidence: float, transversal_links: int, c: float = 1.0) -> None:
        """Add a page's link weight, Pr[p|target] · |transversal links| + c."""
        self.total += confidence * transversal_links + c

    @property
    def value(self) -> float:
        """The sum of the link weights over the probability, which counts as 1e-6 at least."""
        return self.total / max(self.probability, 1e-6)
