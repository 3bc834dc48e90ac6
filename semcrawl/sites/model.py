"""A trained page classifier, with how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from semcrawl.sites.centroids import CentroidClassifier
    from semcrawl.sites.naive_bayes import NaiveBayesClassifier

__all__ = ["SiteFacts", "SiteModel"]


class SiteFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a model was made.

    Attributes:
        topic: the name of the topic that the relevant sites are about, "" if none was named.
        site_by: what a site was: ``host``, ``domain`` or ``path:N``; "" if nobody said.
        classifier: ``centroids`` or ``naive-bayes``.
        classes: the names of the classes, the target class first.
        error: p_err, the mean of the errors of the classes.
        errors: the error of each class.
        sites: how many sites each class had.
        pages: how many pages each class had.
        centroids: how many centroids each class has; none for naive Bayes.
        terms: how many terms of a page are looked at; 0: all.
        softness: ε of the centroids' confidences.
        smoothing: α of naive Bayes.
        length: L of naive Bayes.
        seed: of clusters and folds.
    """

    topic: str = ""
    site_by: str = ""
    classifier: str
    classes: tuple[str, ...]
    error: float
    errors: tuple[float, ...]
    sites: tuple[int, ...]
    pages: tuple[int, ...]
    centroids: tuple[int, ...] = ()
    terms: int = 0
    softness: float = 0.0
    smoothing: float = 0.0
    length: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class SiteModel:
    """A page classifier that was trained on sites.

    Attributes:
        classifier: the classifier, ready for a crawl.
        facts: how it was made.
        digest: of the file that it was read from, by which it is known again wherever it
            lies; "" for a model that comes from no file.
    """

    classifier: CentroidClassifier | NaiveBayesClassifier
    facts: SiteFacts
    digest: str = ""
