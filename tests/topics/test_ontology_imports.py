from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.topics import Topic
from semcrawl.topics.ontology import ontology_files, read_ontology

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

IMPORTING = (
    "<http://a.test/main> a owl:Ontology ; owl:imports <http://a.test/{}> . :A rdfs:subClassOf :B ."
)
OTHER = (
    "@prefix owl: <http://www.w3.org/2002/07/owl#> . <http://a.test/other> a owl:Ontology . "
    '<http://example.org/o#B> a owl:Class ; <http://www.w3.org/2000/01/rdf-schema#label> "found" .'
)
B = "http://example.org/o#B"


@pytest.mark.parametrize("name", ["other.ttl", "other.owl", "named-otherwise.ttl"])
def test_an_import_is_found_by_name_or_iri(
    ontology: Callable[..., Path], tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "imports"
    folder.mkdir()
    (folder / "unrelated.ttl").write_text("no ontology at all; http://a.test/other")
    (folder / name).write_text(OTHER)
    path = ontology(IMPORTING.format("other"))
    graph = read_ontology(path, import_folders=[folder])
    assert graph.label(B) == "found"
    assert graph.problems == ()
    assert ontology_files(path, [folder]) == [path, folder / name]
    topic = Topic.parse(f"{path}#found", import_folders=[str(folder)])
    assert topic.concepts[0].id == B


def test_an_import_beside_the_file_is_found(ontology: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text(OTHER)
    assert read_ontology(ontology(IMPORTING.format("other"))).label(B) == "found"


def test_a_missing_import_is_a_warning(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(IMPORTING.format("nowhere")), import_folders=["no-such-folder"])
    [problem] = graph.problems
    assert "<http://a.test/nowhere> is in none of the import folders" in problem
    assert "never fetched from the network" in problem
    assert graph.label(B) == "B"


def test_a_broken_import_is_a_warning(ontology: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text("broken")
    [problem] = read_ontology(ontology(IMPORTING.format("other"))).problems
    assert "other.ttl is not in Turtle" in problem


def test_files_that_import_each_other_are_read_once(
    ontology: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "other.ttl").write_text(
        f"{OTHER} <http://a.test/other> owl:imports <http://a.test/test>, <http://a.test/other> ."
    )
    path = ontology(IMPORTING.format("other"))
    assert ontology_files(path) == [path, tmp_path / "other.ttl"]
    assert read_ontology(path).problems == ()
