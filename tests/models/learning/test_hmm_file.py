from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.hmm import HmmOptions, load_hmm, save_hmm, train_hmm
from semcrawl.text.background import Background

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


def array_bytes(array: Any, *, pickled: bool = False) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=pickled)
    return buffer.getvalue()


def rewrite(file: Path, member: str, content: bytes | None) -> None:
    """Replace a part of a model file, or leave it out."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts.pop(member)
    if content is not None:
        parts[member] = content
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)


def test_a_model_comes_back_as_it_was(model: HmmModel, file: Path) -> None:
    back = load_hmm(file)
    assert back.facts == model.facts
    assert (back.centroid == model.centroid).all()
    for name in ("initial", "transitions", "emissions"):
        assert (getattr(back.markov, name) == getattr(model.markov, name)).all()
    for counts in ({"cat": 1}, {"dog": 1, "asthma": 1}, {"rain": 1}, {"zebra": 1}):
        before, after = (one.states(one.terms.read(counts), None) for one in (model, back))
        assert (before == after).all()


def test_the_same_model_gives_the_same_bytes(model: HmmModel, file: Path, tmp_path: Path) -> None:
    save_hmm(load_hmm(file), tmp_path / "again.hmm")
    assert (tmp_path / "again.hmm").read_bytes() == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.hmm", "model.hmm"]


@pytest.mark.parametrize(
    ("member", "content", "words"),
    [
        ("manifest.json", None, "is no HMM of browsing; make one with"),
        ("manifest.json", b"[]", "is no HMM of browsing"),
        ("manifest.json", b'{"kind": "semcrawl-taxonomy", "format": 1}', "is no HMM of browsing"),
        ("manifest.json", b'{"kind": "semcrawl-hmm", "format": 2, "made_by": "semcrawl 9"}',
         "format 2, written by 'semcrawl 9', and this version reads format 1"),
        ("manifest.json", b'{"kind": "semcrawl-hmm", "format": 1, "facts": {}}', "damaged"),
        ("initial.npy", None, "damaged"),
        ("initial.npy", b"garbage", "damaged: initial is no array of numbers"),
        ("initial.npy", array_bytes(np.array([np.nan, 1, 0, 0])), "no number"),
        ("initial.npy", array_bytes(np.array([0.5, 0, 0, 0])), "do not sum to 1"),
        ("initial.npy", array_bytes(np.array([None, 1], object), pickled=True),
         "damaged: initial is no array of numbers"),
        ("emissions.npy", array_bytes(np.full((4, 1), 1.0)), "a cluster that is not there"),
        ("transitions.npy", array_bytes(np.eye(3)), "do not fit each other"),
        ("clusters.npy", array_bytes(np.array([0, 1, 2, 9])), "a cluster that is not there"),
        ("columns.npy", array_bytes(np.array([0, 1, 2, 3, 4, 99])), "damaged"),
        ("starts.npy", array_bytes(np.array([0, 9])), "damaged"),
        ("weights.npy", array_bytes(np.array([np.inf] * 6)), "no number"),
        ("centroid.npy", array_bytes(np.array([1.0])), "damaged"),
        ("centroid.npy", array_bytes(np.array([1.0, -1.0, 0.0, 0.0])), "does not fit the terms"),
        ("background.tsv.gz", b"garbage", "no background table"),
        ("terms.txt", b"\xff", "damaged"),
    ],
)  # fmt: skip
def test_a_damaged_or_foreign_model_is_named_with_what_is_wrong(
    file: Path, member: str, content: bytes | None, words: str
) -> None:
    rewrite(file, member, content)
    with pytest.raises(ConfigError, match=words) as raised:
        load_hmm(file)
    assert "model.hmm" in str(raised.value)


def test_what_is_no_archive_is_no_model(file: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.hmm"
    for content in (b"", b"text", file.read_bytes()[:-40]):
        cut.write_bytes(content)
        with pytest.raises(ConfigError, match=r"cut\.hmm is no HMM of browsing"):
            load_hmm(cut)
    with pytest.raises(ConfigError, match=r"gone\.hmm: No such file"):
        load_hmm(tmp_path / "gone.hmm")


def test_bytes_that_flipped_are_found(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[data.index(b"transitions.npy") + 25] ^= 0xFF
    file.write_bytes(data)
    with pytest.raises(ConfigError, match="damaged"):
        load_hmm(file)


def test_a_model_that_cannot_be_written_leaves_nothing(model: HmmModel, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write the model"):
        save_hmm(model, tmp_path / "no" / "folder.hmm")
    (tmp_path / "taken").mkdir()
    with pytest.raises(ConfigError, match="cannot write the model"):
        save_hmm(model, tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_the_manifest_tells_a_person_what_it_is(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["kind"] == "semcrawl-hmm"
    assert manifest["facts"]["topic"] == "asthma"
    assert manifest["facts"]["state_sizes"] == [1, 2, 1, 0]
