"""What all kinds of model files have in common."""

from __future__ import annotations

import os
import pickle
import tracemalloc
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from semcrawl.errors import ModelError, StoreError
from semcrawl.model_files import ModelKind, open_model, write_model
from semcrawl.models.apprentice import ApprenticeModel, TrainedApprentice, load_apprentice, save_apprentice
from semcrawl.models.category_classifier import ExampleSet
from semcrawl.models.category_tree import CategoryTree
from semcrawl.models.context_graph import ContextGraph, Layer, load_context_graph, save_context_graph
from semcrawl.models.hmm import load_hmm, save_hmm, train_hmm
from semcrawl.models.link_features import FeatureKinds, LinkFeatures
from semcrawl.models.site_classifiers import load_site_model, save_site_model
from semcrawl.models.site_training import LabelledPage, TrainingSet, train_site_model
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_options import HmmOptions, SiteTrainingOptions
from semcrawl.text.background import Background

from .archives import change_manifest, change_part, manifest_of, parts_of, write_parts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """A kind of model: one of it, and how it is written and read."""

    model: Any
    save: Callable[[Any, Path], None]
    load: Callable[[Path], Any]
    noun: str


def an_apprentice() -> TrainedApprentice:
    model = ApprenticeModel(0.25)
    features = LinkFeatures(np.array([2, 1]), np.array([7, 7, 9], np.uint32))
    model.add(np.array([0.1, 0.9]), features)
    return TrainedApprentice(model, FeatureKinds(), "asthma", "CosineJudge")


def a_context_graph() -> ContextGraph:
    return ContextGraph([Layer(3, {"asthma": 2.5}, -1.25), Layer(4, {"link": 4.0}, -2.0)])


def an_hmm() -> Any:
    a, b, c, t = (f"http://{name}.test/" for name in "abct")
    pages = {a: {"cat": 2}, b: {"dog": 1, "cat": 1}, c: {"rain": 1}, t: {"asthma": 3}}
    background = Background.from_counts({"cat": 10, "dog": 20}, documents=1000)
    return train_hmm([(a, b, t), (c, a, t)], {t}, pages, background, HmmOptions(clusters=3))


def sites(classifier: Any) -> Any:
    pages = [{"cat": 2, "paw": 1}, {"dog": 1, "paw": 1}]
    labelled = tuple(LabelledPage(pages[n % 2], n % 2, f"s{n}") for n in range(8))
    options = SiteTrainingOptions(classifier=classifier)
    return train_site_model(TrainingSet(("cats", "dogs"), labelled), options)


def a_taxonomy() -> Taxonomy:
    tree, examples = CategoryTree("t"), ExampleSet()
    examples.add("a", tree.add("A"), {"x": 1})
    examples.add("b", tree.add("B"), {"y": 2})
    return Taxonomy(tree, examples)


KINDS: dict[str, Callable[[], Kind]] = {
    "apprentice": lambda: Kind(an_apprentice(), save_apprentice, load_apprentice, "model of an apprentice"),
    "context-graph": lambda: Kind(
        a_context_graph(), save_context_graph, load_context_graph, "model of a context graph"
    ),
    "hmm": lambda: Kind(an_hmm(), save_hmm, load_hmm, "HMM of browsing"),
    "centroids": lambda: Kind(sites("centroids"), save_site_model, load_site_model, "model of sites"),
    "naive-bayes": lambda: Kind(sites("naive-bayes"), save_site_model, load_site_model, "model of sites"),
    "taxonomy": lambda: Kind(a_taxonomy(), Taxonomy.save, Taxonomy.load, "trained taxonomy"),
}


@pytest.fixture(scope="module", params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]()


@pytest.fixture
def file(kind: Kind, tmp_path: Path) -> Path:
    kind.save(kind.model, tmp_path / "m.model")
    return tmp_path / "m.model"


def test_the_same_model_gives_the_same_bytes(kind: Kind, file: Path, tmp_path: Path) -> None:
    kind.save(kind.load(file), tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.model", "m.model"]


def test_a_file_has_the_permissions_that_files_have(file: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    assert file.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_model_that_cannot_be_written_is_one_kind_of_error(kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "taken").mkdir()
    for place in (tmp_path / "no" / "m", tmp_path / "file" / "m", tmp_path / "taken"):
        with pytest.raises(StoreError):
            kind.save(kind.model, place)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "taken"]


def test_an_interrupted_save_leaves_the_old_model(kind: Kind, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    before = file.read_bytes()
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        kind.save(kind.model, file)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_place_that_cannot_be_read_is_told(kind: Kind, tmp_path: Path) -> None:
    gone = r"cannot read the model .*gone: No such file.*; make one with 'semcrawl "
    with pytest.raises(ModelError, match=gone):
        kind.load(tmp_path / "gone")
    with pytest.raises(ModelError, match="cannot read the model"):
        kind.load(tmp_path)


@pytest.mark.parametrize("content", [b"", b"text", b"\xff\xfe", b"[" * 100_000, pickle.dumps({"a": 1})])
def test_what_is_no_archive_is_no_model(kind: Kind, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(ModelError, match=f"is no {kind.noun}; make one with 'semcrawl "):
        kind.load(tmp_path / "m")


@pytest.mark.parametrize(
    "manifest", [b"", b"{", b"[]", b"\xff{", b"[" * 100_000, b"{}", b'{"kind": 3}', b'{"kind": "other"}']
)
def test_an_archive_of_something_else_is_no_model(kind: Kind, file: Path, manifest: bytes) -> None:
    write_parts(file, parts_of(file) | {"manifest.json": manifest})
    with pytest.raises(ModelError, match=f"m.model is no {kind.noun}.*; make one with"):
        kind.load(file)


def test_an_archive_without_a_manifest_is_no_model(kind: Kind, file: Path) -> None:
    parts = parts_of(file)
    del parts["manifest.json"]
    write_parts(file, parts)
    with pytest.raises(ModelError, match=f"is no {kind.noun}"):
        kind.load(file)


def test_a_model_of_another_kind_is_refused(kind: Kind, tmp_path: Path) -> None:
    write_model(tmp_path / "m", ModelKind("demo", "demo", "demo"), {}, {})
    with pytest.raises(ModelError, match=f"is no {kind.noun}, it says 'demo'; make one with"):
        kind.load(tmp_path / "m")


def test_a_model_of_another_format_is_refused(kind: Kind, file: Path) -> None:
    change_manifest(file, version=9, made_by="semcrawl 9", parts="later", facts=None)
    told = "m.model is a model of format 9, written by 'semcrawl 9', and this version reads format 1"
    with pytest.raises(ModelError, match=told):
        kind.load(file)


@pytest.mark.parametrize("facts", [None, 1, {}, []])
def test_facts_that_are_none_are_damage(kind: Kind, file: Path, facts: Any) -> None:
    change_manifest(file, facts=facts)
    with pytest.raises(ModelError, match="is damaged"):
        kind.load(file)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_file_that_was_cut_off_is_damaged(kind: Kind, file: Path, share: float) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: max(2, int(len(content) * share))])
    with pytest.raises(ModelError, match=r"is damaged: .*; train it again"):
        kind.load(file)


def members(file: Path) -> list[str]:
    return [name for name in parts_of(file) if name != "manifest.json"]


def test_a_part_that_is_missing_is_damage(kind: Kind, file: Path) -> None:
    whole = file.read_bytes()
    for name in members(file):
        file.write_bytes(whole)
        change_part(file, name, None)
        with pytest.raises(ModelError, match=f"is damaged: it has no part '{name}'"):
            kind.load(file)


def test_a_part_with_another_digest_is_damage(kind: Kind, file: Path) -> None:
    whole = parts_of(file)
    for name in members(file):
        write_parts(file, whole | {name: whole[name][:-1] + b"\x01"})
        with pytest.raises(ModelError, match=f"{name} does not have the digest"):
            kind.load(file)


def test_a_part_without_a_digest_is_damage(kind: Kind, file: Path) -> None:
    change_manifest(file, parts={})
    with pytest.raises(ModelError, match="is damaged: it has no part"):
        kind.load(file)


@pytest.mark.parametrize("dtype", ["|O", "|V8", "<U4", ">i4", "<i2", "<c16", "i4,i4", ""])
def test_only_plain_numbers_are_read(kind: Kind, file: Path, dtype: str) -> None:
    parts = manifest_of(file)["parts"]
    name = next(name for name, part in parts.items() if "dtype" in part)
    change_manifest(file, parts=parts | {name: parts[name] | {"dtype": dtype}})
    with pytest.raises(ModelError, match=f"{name} is no array of the numbers"):
        kind.load(file)


@pytest.mark.parametrize("shape", [[-1], [1 << 62, 4], [], [0], [3, 3, 3, 3]])
def test_a_shape_that_does_not_fit_is_damage(kind: Kind, file: Path, shape: list[int]) -> None:
    parts = manifest_of(file)["parts"]
    name = next(name for name, part in parts.items() if "dtype" in part)
    change_manifest(file, parts=parts | {name: parts[name] | {"shape": shape}})
    with pytest.raises(ModelError, match=f"{name} does not have the shape"):
        kind.load(file)


def test_text_that_is_none_is_damage(kind: Kind, file: Path) -> None:
    if "terms" in members(file):
        change_part(file, "terms", b"\xff")
        with pytest.raises(ModelError, match="is damaged"):
            kind.load(file)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0])
def test_numbers_are_finite_and_not_below_0(tmp_path: Path, value: float) -> None:
    kind = ModelKind("demo", "demo", "demo")
    write_model(tmp_path / "m", kind, {}, {"numbers": np.array([1.0, value])})
    with (
        pytest.raises(ModelError, match="numbers holds something that is no number of 0 or more"),
        open_model(tmp_path / "m", kind) as file,
    ):
        file.array("numbers", "f8")


def test_no_more_is_unpacked_than_the_archive_says(tmp_path: Path) -> None:
    kind, path = ModelKind("demo", "demo", "demo"), tmp_path / "m"
    write_model(path, kind, {}, {"numbers": bytes(200_000_000)})
    data = path.read_bytes()
    true, lie = ((size).to_bytes(4, "little") for size in (200_000_000, 10))
    assert data.count(true) == 2
    path.write_bytes(data.replace(true, lie))
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match="is damaged"), open_model(path, kind) as file:
            file.data("numbers")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_lines_are_bounded_more_narrowly_than_numbers(tmp_path: Path) -> None:
    kind, path = ModelKind("demo", "demo", "demo"), tmp_path / "m"
    write_model(path, kind, {}, {"terms": b"\n" * 100_000_001})
    with pytest.raises(ModelError, match="terms is larger than 100,000,000 bytes"), open_model(path, kind) as file:
        file.lines("terms")


@pytest.mark.parametrize("key", ["about", "facts", "parts", "kind"])
@pytest.mark.parametrize("load", [load_apprentice, load_hmm, load_context_graph, load_site_model,
                                  Taxonomy.load])  # fmt: skip
def test_a_manifest_that_is_nested_without_end_is_told(
    tmp_path: Path, key: str, load: Callable[[Path], object]
) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    for kind in ("apprentice", "hmm", "context-graph", "sites", "taxonomy", "x"):
        head = f'{{"kind": "{kind}", "version": 1, "{key}": {deep}}}'
        write_parts(tmp_path / "a.model", {"manifest.json": head.encode()})
        with pytest.raises(ModelError):
            load(tmp_path / "a.model")
