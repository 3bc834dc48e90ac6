from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.site_classifiers import CentroidClassifier, NaiveBayesClassifier
from semcrawl.models.site_training import LabelledPage, TrainingSet, train_site_model
from semcrawl.models.training_options import SiteTrainingOptions
from semcrawl.text.background import Background

WORDS = {
    0: ("sail mast keel boat wind", "harbour contact phone sail"),
    1: ("goal team match league", "ticket contact phone match"),
    2: ("oven flour butter", "table phone contact butter"),
}


def lesson(classes: int = 2, sites: int = 6, pages: int = 10, seed: int = 1) -> TrainingSet:
    """Sites of pages of two kinds each: the subject, and where to call."""
    random = Random(seed)
    found = []
    for label in range(classes):
        for site in range(sites):
            for _ in range(pages):
                words = random.choice(WORDS[label]).split()
                counts = {word: random.randint(1, 4) for word in words}
                found.append(LabelledPage(counts | {"home": 2}, label, f"{label}-{site}.test"))
    return TrainingSet(tuple(f"class-{n}" for n in range(classes)), tuple(found))


def test_centroids_by_hand() -> None:
    """One centroid a class, of two pages: their mean, made as long as 1."""
    pages = [{"a": 1}, {"a": 1, "b": 1}, {"c": 1}, {"c": 1, "a": 1}]
    found = tuple(LabelledPage(terms, n // 2, f"s{n}") for n, terms in enumerate(pages))
    plain = Background.from_counts({"a": 1, "b": 1, "c": 1}, documents=10)
    model = train_site_model(TrainingSet(("x", "y"), found), background=plain)
    assert isinstance(model.classifier, CentroidClassifier)
    mean = np.array([1 + sqrt(0.5), sqrt(0.5)])
    # b is on one page only and has no column; its weight still counts for the length.
    assert model.classifier.terms == ("a", "c")
    assert model.classifier.centroids[0] == pytest.approx([mean[0] / np.linalg.norm(mean), 0])
    assert model.facts.centroids == (1, 1)


def test_document_frequencies_are_those_of_the_training_pages() -> None:
    classifier = train_site_model(lesson()).classifier
    assert isinstance(classifier, CentroidClassifier)
    assert classifier.background.documents == 120
    assert classifier.background.idf("home") == 0
    assert classifier.background.idf("phone") == pytest.approx(log(120 / classifier.background.df("phone")))


@pytest.mark.parametrize("kind", ["centroids", "naive-bayes"])
@pytest.mark.parametrize("classes", [2, 3])
def test_pages_of_new_sites_are_told_apart(kind: Any, classes: int) -> None:
    model = train_site_model(lesson(classes), SiteTrainingOptions(classifier=kind))
    facts = model.facts
    assert facts.classifier == kind
    assert (facts.sites, facts.pages) == ((6,) * classes, (60,) * classes)
    assert facts.error == pytest.approx(sum(facts.errors) / classes)
    assert facts.error < 0.1
    assert model.classifier.error == facts.error
    for label, page in enumerate(({"sail": 2, "keel": 1}, {"goal": 3}, {"oven": 1})[:classes]):
        shares = model.classifier.confidences(page)
        assert sum(shares) == pytest.approx(1)
        assert np.argmax(shares) == label
        assert max(shares) > 0.6


def test_classes_of_several_kinds_of_pages_have_several_centroids() -> None:
    model = train_site_model(lesson(), SiteTrainingOptions(centroids=2))
    assert model.facts.centroids == (2, 2)
    assert train_site_model(lesson(sites=2, pages=5)).facts.centroids == (1, 1)


@pytest.mark.parametrize("kind", ["centroids", "naive-bayes"])
def test_classes_that_are_alike_have_the_error_of_a_guess(kind: Any) -> None:
    same = lesson()
    mixed = [LabelledPage(page.terms, n // 10 % 2, f"s{n // 10}") for n, page in enumerate(same.pages)]
    found = train_site_model(TrainingSet(("a", "b"), tuple(mixed)), SiteTrainingOptions(classifier=kind))
    assert 0.35 < found.facts.error < 0.65


def test_the_same_seed_trains_the_same() -> None:
    one, again = (train_site_model(lesson()).classifier for _ in range(2))
    assert isinstance(one, CentroidClassifier)
    assert isinstance(again, CentroidClassifier)
    assert (one.centroids == again.centroids).all()


def test_equal_pages_make_one_centroid() -> None:
    pages = [LabelledPage({"a" if n < 40 else "b": 1}, n // 40, f"s{n}") for n in range(80)]
    model = train_site_model(TrainingSet(("x", "y"), tuple(pages)))
    assert model.facts.centroids == (1, 1)
    assert isinstance(
        train_site_model(
            TrainingSet(("x", "y"), tuple(pages)), SiteTrainingOptions(classifier="naive-bayes")
        ).classifier,
        NaiveBayesClassifier,
    )


def test_pages_with_the_same_words_only_are_an_error() -> None:
    pages = tuple(LabelledPage({"home": 1}, n % 2, f"s{n}") for n in range(8))
    with pytest.raises(ConfigError, match="no page of the class 'x' has a word"):
        train_site_model(TrainingSet(("x", "y"), pages))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"classifier": "oracle"}, "no classifier of sites named 'oracle'"),
        ({"centroids": 0}, "centroids must be at least 1"),
        ({"folds": 1}, "folds must be at least 2"),
        ({"softness": 0.0}, "softness must be above 0"),
        ({"softness": float("nan")}, "softness must be a number"),
    ],
)
def test_impossible_options_are_errors(options: dict[str, float | str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        SiteTrainingOptions(**options)  # type: ignore[arg-type]
