"""Term vectors: weights of the vector space model, and the cosine between two.

A vector is any mapping of terms to weights; a term that is absent weighs 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.text.background import Background

__all__ = ["Vector", "cosine", "norm", "pant_weights", "tf", "tf_idf"]

Vector = Mapping[str, float]
"""Weights by term."""


def tf(counts: Vector) -> dict[str, float]:
    """Return each term's frequency over the largest one: f / max f (Batsakis 2007, eq. 1).

    >>> tf({"asthma": 4, "cure": 1})
    {'asthma': 1.0, 'cure': 0.25}
    """
    largest = max(counts.values(), default=0)
    if largest <= 0:
        return {}
    return {term: count / largest for term, count in counts.items()}


def tf_idf(counts: Vector, background: Background) -> dict[str, float]:
    """Return tf times idf, with idf = log(N / N_t) (Batsakis 2007, eq. 1).

    >>> from semcrawl.text.background import Background
    >>> background = Background.from_counts({"asthma": 1, "cure": 10}, documents=100)
    >>> weights = tf_idf({"asthma": 1, "cure": 2}, background)
    >>> {term: round(weight, 3) for term, weight in weights.items()}
    {'asthma': 2.303, 'cure': 2.303}
    """
    largest = max(counts.values(), default=0)
    if largest <= 0:
        return {}
    idfs = background.idfs
    return {term: count / largest * idfs[term] for term, count in counts.items()}


def pant_weights(counts: Vector, background: Background) -> dict[str, float]:
    """Return (0.5 + 0.5 tf / max tf) * ln(|C| / df) (Pant, Menczer 2003, eq. 2).

    |C| and df come from ``background``, which in the paper is made of the pages
    of all crawlers that are compared: ``Background.from_texts(pages)``.

    >>> from semcrawl.text.background import Background
    >>> background = Background.from_counts({"asthma": 1, "cure": 10}, documents=100)
    >>> weights = pant_weights({"asthma": 1, "cure": 2}, background)
    >>> {term: round(weight, 3) for term, weight in weights.items()}
    {'asthma': 3.454, 'cure': 2.303}
    """
    largest = max(counts.values(), default=0)
    if largest <= 0:
        return {}
    idfs = background.idfs
    return {term: (0.5 + 0.5 * count / largest) * idfs[term] for term, count in counts.items()}


def norm(vector: Vector) -> float:
    """Return the Euclidean length of a vector.

    >>> norm({"a": 3.0, "b": 4.0})
    5.0
    """
    return sqrt(sum([weight * weight for weight in vector.values()]))


def cosine(a: Vector, b: Vector) -> float:
    """Return the cosine of two vectors of weights >= 0, in [0, 1] (Batsakis 2007, eq. 2).

    An empty vector has nothing in common with anything: its cosine is 0.

    >>> cosine({"asthma": 1.0, "cure": 1.0}, {"asthma": 2.0})
    0.7071067811865475
    >>> cosine({}, {"asthma": 2.0})
    0.0
    """
    if len(a) > len(b):
        a, b = b, a
    dot = sum([weight * b[term] for term, weight in a.items() if term in b])
    if dot <= 0.0:
        return 0.0
    # Rounding can carry parallel vectors a hair above 1.
    return min(1.0, dot / (norm(a) * norm(b)))
