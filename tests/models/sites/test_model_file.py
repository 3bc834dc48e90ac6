from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.site_file import load_site_model, save_site_model
from semcrawl.models.site_training import (
    LabelledPage,
    SiteTrainingOptions,
    TrainingSet,
    train_site_model,
)

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


def parts_of(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(file: Path, member: str, content: bytes | None) -> None:
    """Replace a part of a model file, or leave it out."""
    parts = parts_of(file) | {member: content}
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in parts.items():
            if part is not None:
                archive.writestr(name, part)


def array_bytes(array: Any, *, pickled: bool = False) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=pickled)
    return buffer.getvalue()


def test_a_model_comes_back_as_it_was(model: SiteModel, file: Path) -> None:
    back = load_site_model(file)
    assert back.facts == model.facts
    assert back.facts.topic == "cats"
    assert type(back.classifier) is type(model.classifier)
    assert back.classifier.error == model.classifier.error
    for page in (*PAGES, {"zebra": 1}, {}):
        assert back.classifier.confidences(page) == model.classifier.confidences(page)


def test_the_same_model_gives_the_same_bytes(file: Path, tmp_path: Path) -> None:
    save_site_model(load_site_model(file), tmp_path / "again.sites")
    assert (tmp_path / "again.sites").read_bytes() == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.sites", "cats.sites"]


def test_a_file_is_known_by_its_digest(model: SiteModel, file: Path, tmp_path: Path) -> None:
    assert model.digest == ""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert load_site_model(file).digest == digest
    assert load_site_model(file.rename(tmp_path / "moved.sites")).digest == digest


def test_a_model_of_an_earlier_version_says_nothing_of_sites(file: Path) -> None:
    manifest = json.loads(parts_of(file)["manifest.json"])
    del manifest["facts"]["site_by"]
    rewrite(file, "manifest.json", json.dumps(manifest).encode())
    assert load_site_model(file).facts.site_by == ""


@pytest.mark.parametrize(
    ("member", "content", "words"),
    [
        ("manifest.json", None, "is no model of sites; make one with"),
        ("manifest.json", b"[]", "is no model of sites"),
        ("manifest.json", b'{"kind": "semcrawl-hmm", "format": 1}', "is no model of sites"),
        ("manifest.json", b'{"kind": "semcrawl-sites", "format": 9}', "a model of format 9"),
        ("manifest.json", b'{"kind": "semcrawl-sites", "format": 1}', "is damaged"),
        ("terms.txt", None, "is damaged"),
        ("terms.txt", b"cat", "fit neither"),
        ("terms.txt", b"\xff", "is damaged"),
    ],
)
def test_a_damaged_file_is_an_error_that_says_so(
    file: Path, member: str, content: bytes | None, words: str
) -> None:
    rewrite(file, member, content)
    with pytest.raises(ConfigError, match=words) as caught:
        load_site_model(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0])
def test_numbers_that_cannot_be_are_an_error(file: Path, value: float) -> None:
    name = "counts.npy" if "counts.npy" in parts_of(file) else "centroids.npy"
    array = np.load(io.BytesIO(parts_of(file)[name]))
    array[0, 0] = value
    rewrite(file, name, array_bytes(array))
    with pytest.raises(ConfigError, match="no number of 0 or more"):
        load_site_model(file)


def test_pickled_objects_are_never_read(file: Path) -> None:
    name = "counts.npy" if "counts.npy" in parts_of(file) else "centroids.npy"
    rewrite(file, name, array_bytes(np.array([{}], object), pickled=True))
    with pytest.raises(ConfigError, match="is damaged"):
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
    manifest = json.loads(parts_of(file)["manifest.json"])
    manifest["facts"][fact] = value
    rewrite(file, "manifest.json", json.dumps(manifest).encode())
    with pytest.raises(ConfigError, match=r"cats\.sites"):
        load_site_model(file)


@pytest.mark.parametrize("softness", [0.0, -0.5])
def test_centroids_without_softness_are_an_error(file: Path, softness: float) -> None:
    manifest = json.loads(parts_of(file)["manifest.json"])
    manifest["facts"]["softness"] = softness
    rewrite(file, "manifest.json", json.dumps(manifest).encode())
    if manifest["facts"]["classifier"] == "naive-bayes":
        # It has none.
        assert load_site_model(file).facts.softness == softness
        return
    with pytest.raises(ConfigError, match="is damaged: its softness is not above 0"):
        load_site_model(file)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_file_that_was_cut_off_is_damaged(file: Path, share: float) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: max(2, int(len(content) * share))])
    with pytest.raises(ConfigError, match=r"is damaged: .*; train it again"):
        load_site_model(file)


def test_what_is_no_file_is_an_error(model: SiteModel, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_site_model(tmp_path / "gone.sites")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ConfigError, match="is no model of sites"):
        load_site_model(tmp_path / "text")
    with pytest.raises(ConfigError, match="cannot write the model"):
        save_site_model(model, tmp_path / "no" / "folder")
