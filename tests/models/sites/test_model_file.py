from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from semcrawl.errors import ModelError
from semcrawl.models.site_classifiers import NaiveBayesClassifier, load_site_model, save_site_model
from semcrawl.models.site_training import LabelledPage, TrainingSet, train_site_model
from semcrawl.models.training_options import SiteTrainingOptions
from tests.models.archives import change_facts, change_part

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.models.site_classifiers import SiteModel

PAGES = [{"cat": 2, "paw": 1}, {"cat": 1}, {"dog": 1, "paw": 1}, {"dog": 3}, {"cat": 1, "dog": 1}]


@pytest.fixture(scope="module", params=["centroids", "naive-bayes"])
def model(request: pytest.FixtureRequest) -> SiteModel:
    pages = [LabelledPage(PAGES[n % 5], int(n % 5 > 1), f"s{n}") for n in range(20)]
    options = SiteTrainingOptions(classifier=request.param, terms=7, seed=3)
    return train_site_model(TrainingSet(("cats", "dogs"), tuple(pages)), options, topic="cats")


@pytest.fixture
def file(model: SiteModel, tmp_path: Path) -> Path:
    place = tmp_path / "cats.sites"
    save_site_model(model, place)
    return place


def test_a_model_comes_back_as_it_was(model: SiteModel, file: Path) -> None:
    back = load_site_model(file)
    assert back.facts == model.facts
    assert back.facts.topic == "cats"
    assert type(back.classifier) is type(model.classifier)
    assert back.classifier.error == model.classifier.error
    for page in (*PAGES, {"zebra": 1}, {}):
        assert back.classifier.confidences(page) == model.classifier.confidences(page)


def test_a_file_is_known_by_its_digest(model: SiteModel, file: Path, tmp_path: Path) -> None:
    assert model.digest == ""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert load_site_model(file).digest == digest
    assert load_site_model(file.rename(tmp_path / "moved.sites")).digest == digest


def test_terms_that_do_not_fit_are_an_error(file: Path) -> None:
    change_part(file, "terms", b"cat")
    with pytest.raises(ModelError, match=r"cats\.sites is damaged: the .* fit neither"):
        load_site_model(file)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0])
def test_numbers_that_cannot_be_are_an_error(model: SiteModel, file: Path, value: float) -> None:
    if isinstance(model.classifier, NaiveBayesClassifier):
        name, numbers = "counts", model.classifier.counts.astype(np.float64)
    else:
        name, numbers = "centroids", model.classifier.centroids.astype(np.float64)
    numbers[0, 0] = value
    change_part(file, name, numbers.astype(np.float64 if name == "counts" else np.float32))
    with pytest.raises(ModelError, match="no number of 0 or more"):
        load_site_model(file)


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("error", 2),
        ("classes", ["cats"]),
        ("classes", ["a", "b", "c"]),
        ("classes", ["cats", "cats"]),
        ("classifier", "oracle"),
    ],
)
def test_facts_that_cannot_be_are_an_error(file: Path, fact: str, value: object) -> None:
    change_facts(file, **{fact: value})
    with pytest.raises(ModelError, match=r"cats\.sites"):
        load_site_model(file)


@pytest.mark.parametrize("softness", [0.0, -0.5])
def test_centroids_without_softness_are_an_error(model: SiteModel, file: Path, softness: float) -> None:
    change_facts(file, softness=softness)
    if isinstance(model.classifier, NaiveBayesClassifier):
        # It has none.
        assert load_site_model(file).facts.softness == softness
        return
    with pytest.raises(ModelError, match="is damaged: its softness is not above 0"):
        load_site_model(file)
