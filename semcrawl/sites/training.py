"""Training a page classifier on the pages of sites; needs scikit-learn for the centroids."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.learning.page_vectors import heaviest_terms, vector_matrix
from semcrawl.sites.centroids import SOFTNESS, CentroidClassifier, CentroidTable
from semcrawl.sites.cross_validation import FOLDS, cross_validated_errors
from semcrawl.sites.model import SiteFacts, SiteModel
from semcrawl.sites.naive_bayes import NaiveBayesClassifier
from semcrawl.text.background import Background

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from semcrawl.sites.training_set import LabelledPage, TrainingSet

__all__ = ["CLASSIFIERS", "SiteTrainingOptions", "train_site_model"]

CLASSIFIERS = ("centroids", "naive-bayes")
"""The kinds of classifiers that are trained, the default first."""

_PAGES_PER_CENTROID = 10


@dataclass(frozen=True, slots=True)
class SiteTrainingOptions:
    """How a classifier is trained.

    Attributes:
        classifier: ``centroids`` or ``naive-bayes``.
        centroids: the most centroids of a class; there are ten pages for each at least.
        terms: how many terms of a page are looked at, the heaviest; 0: all.
        softness: ε of the confidences, above 0.
        smoothing: α of naive Bayes.
        length: L of naive Bayes.
        folds: the most folds of the cross-validation.
        seed: for clusters and folds that repeat themselves.
    """

    classifier: str = CLASSIFIERS[0]
    centroids: int = 5
    terms: int = 0
    softness: float = SOFTNESS
    smoothing: float = 0.1
    length: float = 20.0
    folds: int = FOLDS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.classifier not in CLASSIFIERS:
            raise ConfigError(
                f"there is no classifier of sites named {self.classifier[:40]!r}; "
                f"use {' or '.join(CLASSIFIERS)}"
            )
        for name, least in (("centroids", 1), ("folds", 2), ("terms", 0)):
            if getattr(self, name) < least:
                raise ConfigError(f"{name} must be {least} or more, not {getattr(self, name)}")
        # With 0, the shares of a page that is far from all classes would be 0 / 0.
        if not (isfinite(self.softness) and self.softness > 0):
            raise ConfigError(f"softness must be a number above 0, not {self.softness}")


def train_site_model(
    lesson: TrainingSet,
    options: SiteTrainingOptions | None = None,
    *,
    background: Background | None = None,
    topic: str = "",
    site_by: str = "",
) -> SiteModel:
    """Train a classifier of pages, and find out by cross-validation how often it errs.

    Args:
        lesson: the pages of the classes.
        options: how.
        background: document frequencies; None: those of the training pages.
        topic: the name of what the target class is about.
        site_by: what a site was when the pages were read, such as ``host``; a crawl with
            another kind of sites refuses the model then.

    Raises:
        ConfigError: a class has no page that any word of counts in, or scikit-learn is missing.
    """
    options = options or SiteTrainingOptions()
    train = partial(_classifier, classes=lesson.classes, options=options, background=background)
    number = len(lesson.classes)
    errors = cross_validated_errors(
        lesson.pages, number, train, most=options.folds, seed=options.seed
    )
    error = sum(errors) / number
    classifier = train(lesson.pages, error=error)
    is_centroids = isinstance(classifier, CentroidClassifier)
    facts = SiteFacts(
        topic=topic,
        site_by=site_by,
        classifier=options.classifier,
        classes=lesson.classes,
        error=error,
        errors=errors,
        sites=lesson.sites_of_classes(),
        pages=lesson.pages_of_classes(),
        centroids=_sizes(classifier) if is_centroids else (),
        terms=options.terms if is_centroids else 0,
        softness=options.softness if is_centroids else 0.0,
        smoothing=0.0 if is_centroids else options.smoothing,
        length=0.0 if is_centroids else options.length,
        seed=options.seed,
    )
    return SiteModel(classifier, facts)


def _sizes(classifier: Any) -> tuple[int, ...]:
    sizes: list[int] = np.bincount(classifier.table.owners).tolist()
    return tuple(sizes)


def _classifier(
    pages: Sequence[LabelledPage],
    classes: tuple[str, ...],
    options: SiteTrainingOptions,
    background: Background | None,
    error: float = 0.0,
) -> CentroidClassifier | NaiveBayesClassifier:
    if options.classifier == "naive-bayes":
        return _naive_bayes(pages, classes, options, error)
    return _centroids(pages, classes, options, background or _frequencies(pages), error)


def _frequencies(pages: Sequence[LabelledPage]) -> Background:
    df = Counter(term for page in pages for term in page.terms)
    return Background.from_counts(df, len(pages))


def _naive_bayes(
    pages: Sequence[LabelledPage],
    classes: tuple[str, ...],
    options: SiteTrainingOptions,
    error: float,
) -> NaiveBayesClassifier:
    terms = sorted({term for page in pages for term in page.terms})
    column = {term: number for number, term in enumerate(terms)}
    counts = np.zeros((len(classes), len(terms)))
    for page in pages:
        for term, times in page.terms.items():
            counts[page.label, column[term]] += times
    return NaiveBayesClassifier(
        classes, terms, counts, error, smoothing=options.smoothing, length=options.length
    )


def _centroids(
    pages: Sequence[LabelledPage],
    classes: tuple[str, ...],
    options: SiteTrainingOptions,
    background: Background,
    error: float,
) -> CentroidClassifier:
    vectors = [heaviest_terms(page.terms, background, options.terms) for page in pages]
    terms = sorted({term for vector in vectors for term in vector})
    labels = np.array([page.label for page in pages])
    matrix = vector_matrix(vectors, terms)
    filled = np.diff(matrix.indptr) > 0
    parts = []
    for label, name in enumerate(classes):
        rows = np.flatnonzero((labels == label) & filled)
        if not len(rows):
            raise ConfigError(
                f"no page of the class {name!r} has a word that is not on every page: give other "
                "sites of it, or document frequencies of a larger collection"
            )
        parts.append(_class_centroids(matrix[rows], options))
    # What a single page says is no habit of its class, and would be half of the file.
    kept = np.flatnonzero(matrix.getnnz(axis=0) > 1)
    kept = kept if len(kept) else np.arange(len(terms))
    table = CentroidTable(
        tuple(terms[column] for column in kept),
        np.concatenate(parts)[:, kept].astype(np.float32),
        np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
    )
    return CentroidClassifier(
        classes, table, background, error, most=options.terms, softness=options.softness
    )


def _class_centroids(points: Any, options: SiteTrainingOptions) -> NDArray[np.float64]:
    """The centres of a class's clusters, each of length 1."""
    from semcrawl.learning.clustering import k_means

    different = len({(row.indices.tobytes(), row.data.tobytes()) for row in points})
    number = max(1, min(options.centroids, points.shape[0] // _PAGES_PER_CENTROID, different))
    centres = k_means(points, number, options.seed)[1]
    lengths = np.sqrt((centres**2).sum(axis=1, keepdims=True))
    found: NDArray[np.float64] = centres / np.maximum(lengths, 1e-12)
    return found
