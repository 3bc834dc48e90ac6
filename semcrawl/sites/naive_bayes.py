"""Naive Bayes over the terms of a page, the first classifier of Ester 2004, section 4.3.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from semcrawl.similarity.text_similarity import OrderedTerms

__all__ = ["NaiveBayesClassifier"]


class NaiveBayesClassifier:
    """Confidences by the probabilities of a page's terms in each class.

    Pr[p|C_k] ∝ (Π over terms t of Pr[t|C_k] ** n(p,t)) ** min(1, L / n(p)),
    Pr[t|C_k] = (n(k,t) + α) / (n(k) + α |V|)

    normalised over the classes. There is no prior: how frequent a class is says
    nothing of how likely it has such a page. Words are not as independent as the
    product has it, so that long pages would always be certain; a page of more than
    L terms counts as if it had L. Terms that no training page has are left out.

    >>> counts = np.array([[3.0, 1.0], [1.0, 3.0]])
    >>> simple = NaiveBayesClassifier(("cats", "dogs"), ("purr", "bark"), counts, 0.1, smoothing=1)
    >>> [round(share, 3) for share in simple.confidences({"purr": 1})]  # 4/6 against 2/6
    [0.667, 0.333]

    Args:
        classes: the names of the classes, the target class first.
        terms: the term of each column.
        counts: how often each term occurs in the training pages of each class, a class a row.
        error: p_err.
        smoothing: α.
        length: L; 0: no limit.
    """

    def __init__(
        self,
        classes: Sequence[str],
        terms: Sequence[str],
        counts: NDArray[np.float64],
        error: float,
        *,
        smoothing: float = 0.1,
        length: float = 20.0,
    ) -> None:
        if counts.shape != (len(classes), len(terms)) or not len(terms):
            raise ConfigError("the counts fit neither the classes nor the terms")
        if not smoothing > 0:
            raise ConfigError(f"the smoothing must be above 0, not {smoothing}")
        self.classes = tuple(classes)
        self.error = error
        self.terms = tuple(terms)
        self.counts = counts
        self.smoothing = smoothing
        self.length = length
        self._column = {term: number for number, term in enumerate(terms)}
        totals = counts.sum(axis=1, keepdims=True) + smoothing * len(terms)
        self._logs = np.log(counts + smoothing) - np.log(totals)

    def confidences(
        self,
        terms: Mapping[str, int],
        ordered: OrderedTerms | None = None,  # noqa: ARG002 - words have no order here
    ) -> tuple[float, ...]:
        """How likely a page with these term counts is in each class; the sum is 1."""
        known = [term for term in terms if term in self._column]
        if not known:
            return (1 / len(self.classes),) * len(self.classes)
        columns = np.array([self._column[term] for term in known], np.int64)
        times = np.array([terms[term] for term in known], np.float64)
        logs = self._logs[:, columns] @ times
        if self.length:
            logs *= min(1.0, self.length / float(times.sum()))
        # The largest is taken out first, or all would be 0.
        shares = np.exp(logs - logs.max())
        found: list[float] = (shares / shares.sum()).tolist()
        return tuple(found)
