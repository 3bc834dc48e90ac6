"""The seam of page classifiers: how likely a page is in a site of each class.

Three stand behind it: ``CentroidClassifier`` and ``NaiveBayesClassifier``, which
are trained (``training.py``), and ``LensClassifier``, for which a topic is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from semcrawl.sites.centroids import CentroidClassifier
from semcrawl.sites.lens_classifier import LensClassifier
from semcrawl.sites.naive_bayes import NaiveBayesClassifier

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.similarity.text_similarity import OrderedTerms

__all__ = [
    "CentroidClassifier",
    "LensClassifier",
    "NaiveBayesClassifier",
    "PageClassifier",
]


class PageClassifier(Protocol):
    """Tells the classes of sites apart by single pages (Ester 2004, section 4.3.1).

    It may be called from several threads at once.
    """

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of two or more classes; the first is the target class."""
        ...

    @property
    def error(self) -> float:
        """p_err, how often the classifier is wrong about a page."""
        ...

    def confidences(
        self, terms: Mapping[str, int], ordered: OrderedTerms | None = None
    ) -> tuple[float, ...]:
        """How likely a page with these term counts is in each class; the sum is 1.

        A page without words is as likely in any. ``ordered`` gives the terms in
        their order, for classifiers that know phrases: ``lambda: page.term_sequence``.
        """
        ...
