from __future__ import annotations

import json
import os
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, TopicError
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.taxonomy_classifier import TrainingOptions
from semcrawl.models.taxonomy_examples import ExampleSet
from semcrawl.models.taxonomy_tree import CategoryTree
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


@pytest.fixture
def model(taxonomy: Taxonomy, tmp_path: Path) -> Path:
    taxonomy.mark("Birds")
    taxonomy.save(tmp_path / "m.tax")
    return tmp_path / "m.tax"


def logs(taxonomy: Taxonomy) -> NDArray[np.float64]:
    return taxonomy.classifier.log_probabilities({"bird": 1, "wheel": 2})


def test_what_is_saved_comes_back(taxonomy: Taxonomy, model: Path) -> None:
    loaded = Taxonomy.load(model)
    assert loaded.tree.categories() == taxonomy.tree.categories()
    assert loaded.good == taxonomy.good
    assert loaded.options == taxonomy.options
    assert np.array_equal(logs(loaded), logs(taxonomy))
    assert loaded.examples.sources() == taxonomy.examples.sources()


def test_options_are_kept(taxonomy: Taxonomy, tmp_path: Path) -> None:
    chosen = TrainingOptions(smoothing=0.5, features=7, length=30.0, mixture=False)
    Taxonomy(taxonomy.tree, taxonomy.examples, chosen).save(tmp_path / "o.tax")
    assert Taxonomy.load(tmp_path / "o.tax").options == chosen


def test_an_interrupted_save_leaves_the_old_model(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = model.read_bytes()

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Taxonomy.load(model).save(model)
    assert model.read_bytes() == before
    assert [path.name for path in model.parent.iterdir() if path.suffix == ".tax"] == [model.name]
    assert not list(model.parent.glob(".m.tax*"))


def test_no_other_file_is_overwritten(taxonomy: Taxonomy, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="holds something else"):
        taxonomy.save(tmp_path / "notes.txt")
    with pytest.raises(ConfigError, match="there is no folder"):
        taxonomy.save(tmp_path / "nowhere" / "m.tax")


def rewritten(model: Path, member: str, content: bytes | None) -> None:
    """Replace one member of a model file; None leaves it out."""
    with zipfile.ZipFile(model) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts.pop(member, None)
    if content is not None:
        parts[member] = content
    with zipfile.ZipFile(model, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def manifest(model: Path, **changes: object) -> bytes:
    with zipfile.ZipFile(model) as archive:
        found = json.loads(archive.read("manifest.json"))
    return json.dumps(found | changes).encode()


def test_a_model_of_another_format_is_told(model: Path) -> None:
    rewritten(model, "manifest.json", manifest(model, format=99))
    with pytest.raises(ConfigError, match="format 99, and this version reads format 1"):
        Taxonomy.load(model)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "other"}, "no trained taxonomy"),
        ({"categories": []}, "damaged"),
        ({"good": ["ex:unknown"]}, "damaged"),
        ({"categories": [{"id": "ex:a b", "name": "a"}]}, "damaged"),
        ({"categories": [{"id": "ex:a", "name": "a", "parent": "ex:b"}]}, "damaged"),
        ({"categories": "no"}, "damaged"),
        ({"options": {"smoothing": -1}}, "smoothing"),
    ],
)
def test_manifests_that_cannot_be(model: Path, changes: dict[str, object], message: str) -> None:
    rewritten(model, "manifest.json", manifest(model, **changes))
    with pytest.raises(ConfigError, match=message):
        Taxonomy.load(model)


@pytest.mark.parametrize(
    ("member", "content"),
    [
        ("manifest.json", None),
        ("manifest.json", b"{"),
        ("manifest.json", b"[" * 100_000),
        ("terms.txt", None),
        ("terms.txt", b"one"),
        ("terms.txt", b"\xff\xfe"),
        ("sources.txt", b"a\nb"),
        ("start.i4", b""),
        ("start.i4", b"123"),
        ("term.i4", b"\xff\xff\xff\xff"),
        ("count.i4", b""),
        ("category.i4", b"\x09\0\0\0" * 5),
    ],
)
def test_damaged_members_are_told(model: Path, member: str, content: bytes | None) -> None:
    rewritten(model, member, content)
    with pytest.raises(ConfigError, match=r"m\.tax"):
        Taxonomy.load(model)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_any_damage_is_a_clear_error_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damage")
    path = folder / "m.tax"
    tree = CategoryTree("t")
    examples = ExampleSet()
    examples.add("a", tree.add("A"), {"x": 1})
    examples.add("b", tree.add("B"), {"y": 2})
    Taxonomy(tree, examples).save(path)
    whole = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(whole[: data.draw(st.integers(place, len(whole)))]))
    with suppress(ConfigError):
        Taxonomy.load(path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x80\x04pickle", b"text"])
def test_files_that_are_no_models(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.tax").write_bytes(content)
    with pytest.raises(ConfigError, match="is no trained taxonomy"):
        Taxonomy.load(tmp_path / "x.tax")
    with pytest.raises(ConfigError, match=r"cannot read the model .* No such file"):
        Taxonomy.load(tmp_path / "none.tax")


def test_a_model_is_a_topic(model: Path) -> None:
    assert Topic.parse(f"taxonomy:{model}").name == "Birds"
    topic = Topic.parse(f"taxonomy:{model}#Animals/Mammals")
    assert topic.name == "Mammals"
    assert Topic.from_toml(topic.to_toml()) == Topic.from_turtle(topic.to_turtle()) == topic


def test_a_model_without_marks_needs_a_category(model: Path) -> None:
    loaded = Taxonomy.load(model)
    loaded.unmark()
    loaded.save(model)
    with pytest.raises(TopicError, match="semcrawl taxonomy mark"):
        Topic.parse(f"taxonomy:{model}")
    model.write_bytes(b"PK\x03\x04")
    with pytest.raises(TopicError, match="is no trained taxonomy"):
        Topic.parse(f"taxonomy:{model}#Birds")
