"""Multinomial naive Bayes: the formulas that all classifiers of words and links share.

With Lidstone's smoothing α, a term t has in class c the probability

    Pr[t|c] = (n(c,t) + α) / (n(c) + α |V|)

where n(c,t) counts t in the examples of c, n(c) all terms of c, and V are all terms.
"""

from collections.abc import Mapping, Sequence
from math import log

import numpy as np

from semcrawl.arrays import Floats


def log_unseen(totals: Floats, smoothing: float, terms: int) -> Floats:
    """Return ln Pr of a term that a class does not have, by the number of terms of each class.

    >>> np.exp(log_unseen(np.array([4.0]), smoothing=1.0, terms=2)).round(3).tolist()  # 1/6
    [0.167]
    """
    return log(smoothing) - np.log(totals + smoothing * terms)


def log_probabilities(counts: Floats, smoothing: float) -> Floats:
    """Return ln Pr[t|c]; a class a row, a term a column.

    >>> np.exp(log_probabilities(np.array([[3.0, 1.0]]), smoothing=1.0)).round(3).tolist()
    [[0.667, 0.333]]
    """
    totals = counts.sum(axis=1, keepdims=True) + smoothing * counts.shape[1]
    return np.asarray(np.log(counts + smoothing) - np.log(totals))


def shares(logs: Floats) -> Floats:
    """Return the probabilities of classes by the logarithms of their likelihoods; the sum is 1.

    >>> shares(np.array([-1000.0, -1000.0])).tolist()
    [0.5, 0.5]
    """
    likelihoods = np.exp(logs - logs.max())
    return np.asarray(likelihoods / likelihoods.sum())


class TermBayes:
    """The log-likelihoods of texts in several classes, the rows of ``counts``, without priors."""

    def __init__(self, terms: Sequence[str], counts: Floats, smoothing: float) -> None:
        self._column = {term: number for number, term in enumerate(terms)}
        self._logs = log_probabilities(counts, smoothing)
        self._unseen = log_unseen(counts.sum(axis=1), smoothing, len(terms))

    def known(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the weights of the terms that some class has."""
        return {term: weight for term, weight in weights.items() if term in self._column}

    def log_likelihoods(self, weights: Mapping[str, float], *, unseen: bool = False) -> Floats:
        """Return Σ_t w(t) ln Pr[t|c] for each class c; unknown terms count only with ``unseen``."""
        known = self.known(weights)
        columns = np.array([self._column[term] for term in known], np.int64)
        logs: Floats = self._logs[:, columns] @ np.array(list(known.values()), np.float64)
        if unseen:
            logs += sum(weights[term] for term in weights if term not in known) * self._unseen
        return logs
