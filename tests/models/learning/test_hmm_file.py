from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from semcrawl.errors import ModelError
from semcrawl.models.hmm import load_hmm, save_hmm, train_hmm
from semcrawl.models.training_options import HmmOptions
from semcrawl.text.background import Background
from tests.models.archives import change_part, manifest_of

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.models.hmm import HmmModel

A, B, C, T = (f"http://{name}.test/" for name in "abct")
PAGES = {A: {"cat": 2}, B: {"dog": 1, "cat": 1}, C: {"rain": 1}, T: {"asthma": 3, "dog": 1}}
PATHS = [(A, B, T), (C, A, T)]


@pytest.fixture(scope="module")
def model() -> HmmModel:
    counts = {"cat": 10, "dog": 20, "rain": 50, "asthma": 1}
    background = Background.from_counts(counts, documents=1000)
    return train_hmm(PATHS, {T}, PAGES, background, HmmOptions(clusters=3), topic="asthma")


@pytest.fixture
def file(model: HmmModel, tmp_path: Path) -> Path:
    place = tmp_path / "model.hmm"
    save_hmm(model, place)
    return place


def test_a_model_comes_back_as_it_was(model: HmmModel, file: Path) -> None:
    back = load_hmm(file)
    assert back.facts == model.facts
    assert (back.centroid == model.centroid).all()
    for name in ("initial", "transitions", "emissions"):
        assert (getattr(back.markov, name) == getattr(model.markov, name)).all()
    for counts in ({"cat": 1}, {"dog": 1, "asthma": 1}, {"rain": 1}, {"zebra": 1}):
        before, after = (one.states(one.terms.read(counts), None) for one in (model, back))
        assert (before == after).all()


@pytest.mark.parametrize(
    ("part", "content", "words"),
    [
        ("initial", np.array([np.nan, 1, 0, 0]), "no number"),
        ("initial", np.array([0.5, 0, 0, 0]), "do not sum to 1"),
        ("initial", np.ones((2, 2)), "does not have the shape"),
        ("emissions", np.full((4, 1), 1.0), "a cluster that is not there"),
        ("transitions", np.eye(3), "do not fit each other"),
        ("clusters", np.array([0, 1, 2, 9]), "a cluster that is not there"),
        ("columns", np.array([0, 1, 2, 3, 4, 99], np.int32), "damaged"),
        ("starts", np.array([0, 9]), "damaged"),
        ("weights", np.array([np.inf] * 6, np.float32), "no number"),
        ("centroid", np.array([1.0], np.float32), "does not fit the terms"),
        ("centroid", np.array([1.0, -1.0, 0.0, 0.0], np.float32), "no number of 0 or more"),
        ("background", b"garbage", "no background table"),
        ("terms", b"cat", "damaged"),
    ],
)
def test_a_part_that_cannot_be_used_is_named_with_what_is_wrong(
    file: Path, part: str, content: Any, words: str
) -> None:
    change_part(file, part, content)
    with pytest.raises(ModelError, match=words) as raised:
        load_hmm(file)
    assert "model.hmm" in str(raised.value)


def test_the_manifest_tells_a_person_what_it_is(file: Path) -> None:
    manifest = manifest_of(file)
    assert manifest["kind"] == "hmm"
    assert manifest["facts"]["topic"] == "asthma"
    assert manifest["facts"]["state_sizes"] == [1, 2, 1, 0]
