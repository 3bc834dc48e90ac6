"""Page classifiers: how likely a page is in a site of each class (Ester 2004, section 4.3.1)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Floats, Ints
from semcrawl.errors import ConfigError
from semcrawl.model_files import Member, ModelFile, ModelKind, open_model, write_model
from semcrawl.models.clustering import heaviest_terms
from semcrawl.models.naive_bayes import TermBayes, shares
from semcrawl.page import Page
from semcrawl.relevance import JUDGES
from semcrawl.relevance.similarities import TextSimilarity
from semcrawl.text.background import Background
from semcrawl.topics import Topic


class PageClassifier(Protocol):
    """Tells the classes of sites apart by single pages; several threads may do so at once."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of two or more classes; the first is the target class."""

    @property
    def error(self) -> float:
        """p_err, how often the classifier is wrong about a page."""

    def confidences(self, terms: Mapping[str, int], page: Page | None = None) -> tuple[float, ...]:
        """How likely a page with these term counts is in each class; the sum is 1.

        A page without words is as likely in any. A crawl gives the ``page`` itself as well.
        """


@dataclass(eq=False)
class NaiveBayesClassifier:
    """Confidences by the probabilities of a page's terms in each class.

    Pr[p|C_k] ∝ (Π over terms t of Pr[t|C_k] ** n(p,t)) ** min(1, L / n(p)), normalised over the classes, without priors
    (Ester 2004, section 4.3.1). Words are not independent, so that long pages would always be certain: a page of more
    than L terms (``length``, 0: no limit) counts as if it had L. Terms that no training page has are left out.

    >>> counts = np.array([[3.0, 1.0], [1.0, 3.0]])
    >>> simple = NaiveBayesClassifier(("cats", "dogs"), ("purr", "bark"), counts, 0.1, smoothing=1)
    >>> [round(share, 3) for share in simple.confidences({"purr": 1})]  # 4/6 against 2/6
    [0.667, 0.333]
    """

    classes: tuple[str, ...]
    terms: Sequence[str]
    counts: Floats
    error: float
    smoothing: float = 0.1
    length: float = 20.0

    def __post_init__(self) -> None:
        if self.counts.shape != (len(self.classes), len(self.terms)) or not len(self.terms):
            raise ConfigError("the counts fit neither the classes nor the terms")
        if not self.smoothing > 0:
            raise ConfigError(f"the smoothing must be above 0, not {self.smoothing}")
        self._bayes = TermBayes(self.terms, self.counts, self.smoothing)

    def confidences(self, terms: Mapping[str, int], page: Page | None = None) -> tuple[float, ...]:  # noqa: ARG002
        """Return how likely a page with these term counts is in each class."""
        known = self._bayes.known(terms)
        if not known:
            return (1 / len(self.classes),) * len(self.classes)
        logs = self._bayes.log_likelihoods(known)
        if self.length:
            logs *= min(1.0, self.length / sum(known.values()))
        return tuple(shares(logs).tolist())


FARTHEST = sqrt(2)  # the distance of two vectors of length 1 that have no term in common
SOFTNESS = 0.02
_NEAREST = 1e-6


def distance_confidences(distances: Sequence[float], softness: float = SOFTNESS) -> tuple[float, ...]:
    """Return the shares of the classes by their distances, (ε - ln δ_k) / Σ_j (ε - ln δ_j).

    Ester 2004, section 4.3.1, prints Pr[p|C_k] = ln d_k / Σ_j ln d_j, with d_k the distance to the nearest centroid of
    class k. That is no confidence: above 1 the nearer class gets the smaller share, around 1 shares are negative or
    without bound. With δ = d / √2 no logarithm is positive, and ε leaves a page that is far from all classes undecided,
    as the paper's text demands. Distances below 0.000001 are taken as that.

    >>> near, far = FARTHEST / 2, FARTHEST  # δ = 1/2 and 1
    >>> [round(share, 3) for share in distance_confidences((near, far), softness=0.1)]
    [0.888, 0.112]
    >>> distance_confidences((far, far))
    (0.5, 0.5)
    """
    logs = [softness - log(min(1.0, max(distance, _NEAREST) / FARTHEST)) for distance in distances]
    total = sum(logs)
    return tuple(value / total for value in logs)


@dataclass(eq=False)
class CentroidClassifier:
    """Confidences by the nearest centroid of each class; ``most`` terms of a page count, 0: all."""

    classes: tuple[str, ...]
    terms: tuple[str, ...]
    centroids: NDArray[np.float32]  # each of length 1, or less where terms were left out
    owners: Ints  # the number of the class of each
    background: Background
    error: float
    most: int = 0
    softness: float = SOFTNESS

    def __post_init__(self) -> None:
        owners = self.owners
        if self.centroids.shape != (len(owners), len(self.terms)):
            raise ConfigError("the centroids fit neither their terms nor their classes")
        if not len(owners) or (np.diff(owners) < 0).any():
            raise ConfigError("the centroids must stand class by class")
        if set(owners.tolist()) != set(range(len(self.classes))):
            raise ConfigError("each class needs a centroid, and each centroid a class")
        self._column = {term: number for number, term in enumerate(self.terms)}
        self._starts = np.searchsorted(owners, np.arange(len(self.classes)))

    def confidences(self, terms: Mapping[str, int], page: Page | None = None) -> tuple[float, ...]:  # noqa: ARG002
        """Return how likely a page with these term counts is in each class."""
        return distance_confidences(self.distances(terms), self.softness)

    def distances(self, terms: Mapping[str, int]) -> list[float]:
        """The distance of a page to the nearest centroid of each class, from 0 to √2."""
        vector = heaviest_terms(terms, self.background, self.most)
        known = [term for term in vector if term in self._column]
        if not known:
            return [FARTHEST] * len(self.classes)
        columns = np.array([self._column[term] for term in known], np.int64)
        weights = np.array([vector[term] for term in known], np.float32)
        cosines = np.maximum.reduceat(self.centroids[:, columns] @ weights, self._starts)
        distances: list[float] = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * cosines)).tolist()
        return distances


LENS_ERROR = 0.3
"""p_err of a lens, which has no pages to estimate it with: a concept misses about half of the
pages on a topic (docs/judges.md) and seldom takes one too many."""

_FEW_WORDS = 20.0


def relevance_confidence(relevance: float, threshold: float, words: float) -> float:
    """Pr[target|p] of a page by its relevance: odds against those of the judge's threshold.

    c = r (1 - t) / (r (1 - t) + (1 - r) t) is 1/2 at the threshold, 0 and 1 at the
    ends, and grows with r. What a page of n words does not say is no evidence, so
    1/2 + (c - 1/2) · n / (n + 20) is returned: a page of frames or pictures is undecided.

    >>> round(relevance_confidence(0.5, 0.2, words=1980), 3)  # c = 0.8
    0.797
    >>> relevance_confidence(0.2, 0.2, words=300), relevance_confidence(0.0, 0.2, words=0)
    (0.5, 0.5)
    """
    above = relevance * (1 - threshold)
    below = (1 - relevance) * threshold
    # A threshold of 0 or 1 calls everything, or all but the surest page, one thing.
    confidence = above / (above + below) if above + below else 0.5
    return 0.5 + (confidence - 0.5) * words / (words + _FEW_WORDS)


class LensClassifier:
    """Target or other, by a judge such as ``ssrm:measure=resnik``; undecided at its threshold."""

    classes = ("target", "other")

    error = LENS_ERROR

    def __init__(self, topic: Topic, background: Background, judge: str = "labels") -> None:
        made = JUDGES.create(judge, topic=topic, background=background)
        similarity: TextSimilarity | None = made.similarity
        if similarity is None:
            raise ConfigError(
                f"the judge {judge!r} looks at whole pages, and sites are classified by the words "
                "of their pages: choose another judge, such as labels or cosine"
            )
        self.threshold = made.threshold
        if not 0 <= self.threshold <= 1:
            raise ConfigError(f"a threshold lies in [0, 1], not at {self.threshold}")
        self.similarity = similarity

    def confidences(self, terms: Mapping[str, int], page: Page | None = None) -> tuple[float, float]:
        """Return how likely a page is in each class; phrases and acronyms need the ``page``."""
        seen, bare = self.similarity, " ".join(Counter(terms).elements())
        found = seen.of_text(bare) if page is None else seen.for_page(page).of_page(page)
        relevance = min(1.0, max(0.0, found))
        target = relevance_confidence(relevance, self.threshold, sum(terms.values()))
        return target, 1 - target


class SiteFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a model was made; tuples have an entry for each class."""

    topic: str = ""  # of the relevant sites, "" if none was named
    site_by: str = ""  # host, domain or path:N; "" if nobody said
    classifier: str  # centroids or naive-bayes
    classes: tuple[str, ...]  # the target class first
    error: float  # p_err, the mean of the errors of the classes
    errors: tuple[float, ...]
    sites: tuple[int, ...]  # how many
    pages: tuple[int, ...]
    centroids: tuple[int, ...] = ()  # none for naive Bayes
    terms: int = 0  # of a page that are looked at; 0: all
    softness: float = 0.0
    smoothing: float = 0.0
    length: float = 0.0
    seed: int = 0


class SiteModel(msgspec.Struct, frozen=True, eq=False):
    """A page classifier that was trained on sites."""

    classifier: CentroidClassifier | NaiveBayesClassifier
    facts: SiteFacts
    digest: str = ""  # of the file that it was read from


KIND = ModelKind("sites", "model of sites", "semcrawl train sites --relevant FILE --other FILE -o MODEL")


def save_site_model(model: SiteModel, path: str | Path) -> None:
    """Write a model file, whole or not at all; StoreError if it cannot be written."""
    classifier = model.classifier
    members: dict[str, Member]
    if isinstance(classifier, NaiveBayesClassifier):
        members = {"terms": classifier.terms, "counts": classifier.counts}
    else:
        members = {
            "terms": classifier.terms,
            "centroids": classifier.centroids,
            "owners": classifier.owners.astype(np.int64),
            "background": classifier.background.to_bytes(),
        }
    write_model(path, KIND, model.facts, members)


def load_site_model(path: str | Path) -> SiteModel:
    """Read a model file; ModelError if it is missing, damaged, or of another kind or version."""
    with open_model(path, KIND) as file:
        facts = file.facts(SiteFacts)
        if not 0 <= facts.error <= 1 or len(facts.classes) < 2:
            raise ValueError("its facts cannot be true")
        if len(set(facts.classes)) < len(facts.classes):
            raise ValueError("two of its classes have the same name")
        # One open file for both: what is digested is what is read, even if it is replaced.
        return SiteModel(_read_classifier(file, facts), facts, file.digest())


def _read_classifier(file: ModelFile, facts: SiteFacts) -> CentroidClassifier | NaiveBayesClassifier:
    if facts.classifier == "naive-bayes":
        return NaiveBayesClassifier(
            facts.classes,
            file.lines("terms"),
            file.array("counts", "f8", 2),
            facts.error,
            smoothing=facts.smoothing,
            length=max(0.0, facts.length),
        )
    if facts.classifier != "centroids":
        raise ValueError(f"it names a classifier {facts.classifier[:40]!r}, which there is not")
    if facts.softness <= 0:
        raise ValueError("its softness is not above 0")
    rows = file.array("centroids", "f4", 2)
    if (np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1)) > 1 + 1e-3).any():
        raise ValueError("a centroid is longer than 1")
    return CentroidClassifier(
        facts.classes,
        tuple(file.lines("terms")),
        rows,
        file.array("owners", "i8"),
        Background.from_bytes(file.data("background"), "its background"),
        facts.error,
        most=max(0, facts.terms),
        softness=facts.softness,
    )
