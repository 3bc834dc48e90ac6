from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import Topic, ontology_files
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.rdf_files import read_triples

from .conftest import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pyoxigraph as ox

IMPORTING = "<http://a.test/main> a owl:Ontology ; owl:imports <http://a.test/{}> . :A rdfs:subClassOf :B ."
OTHER = (
    "@prefix owl: <http://www.w3.org/2002/07/owl#> . <http://a.test/other> a owl:Ontology . "
    '<http://example.org/o#B> a owl:Class ; <http://www.w3.org/2000/01/rdf-schema#label> "found" .'
)
B = "http://example.org/o#B"


@pytest.mark.parametrize("name", ["other.ttl", "other.owl", "named-otherwise.ttl"])
def test_an_import_is_found_by_name_or_iri(ontology: Callable[..., Path], tmp_path: Path, name: str) -> None:
    folder = tmp_path / "imports"
    folder.mkdir()
    (folder / "unrelated.ttl").write_text("no ontology at all; http://a.test/other")
    (folder / name).write_text(OTHER)
    path = ontology(IMPORTING.format("other"))
    graph = read_ontology(path, import_folders=[folder])
    assert graph.label(B) == "found"
    assert graph.problems == ()
    assert graph.notes.files == (str(path), str(folder / name))
    topic = Topic.parse(f"{path}#found", import_folders=[str(folder)])
    assert topic.concepts[0].id == B


def test_an_import_beside_the_file_is_found(ontology: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text(OTHER)
    assert read_ontology(ontology(IMPORTING.format("other"))).label(B) == "found"


def test_a_missing_import_is_a_warning(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(IMPORTING.format("nowhere")), import_folders=["no-such-folder"])
    [problem] = graph.problems
    assert problem.startswith("1 import was not found, and its concepts are missing: <http://a.")
    assert "never on the network" in problem
    assert graph.label(B) == "B"


def test_a_file_that_names_what_it_imports_is_looked_through_once(
    ontology: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def reading(path: Path) -> Iterator[ox.Triple]:
        read.append(path)
        return read_triples(path)

    monkeypatch.setattr(ontology_files, "read_triples", reading)
    path = ontology("".join(IMPORTING.format(f"{number}/no") + "\n" for number in range(300)))
    [problem] = read_ontology(path).problems
    assert problem.startswith("300 imports were not found")
    assert read == [path]


def test_a_broken_import_is_a_warning(ontology: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text("broken")
    [problem] = read_ontology(ontology(IMPORTING.format("other"))).problems
    assert "other.ttl is not in Turtle" in problem


def test_files_that_import_each_other_are_read_once(ontology: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text(
        f"{OTHER} <http://a.test/other> owl:imports <http://a.test/test>, <http://a.test/other> ."
    )
    path = ontology(IMPORTING.format("other"))
    graph = read_ontology(path)
    assert graph.notes.files == (str(path), str(tmp_path / "other.ttl"))
    assert graph.problems == ()


def test_many_missing_imports_are_one_line(ontology: Callable[..., Path]) -> None:
    imports = ", ".join(f"<http://a.test/{number}>" for number in range(12))
    path = ontology(f"<http://a.test/main> owl:imports {imports} . :A a owl:Class .")
    [problem] = read_ontology(path).problems
    assert problem.startswith("12 imports were not found")
    assert "<http://a.test/0>, " in problem
    assert "and 7 more; " in problem


def test_how_many_imports_are_read_is_a_setting(ontology: Callable[..., Path], tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"part{number}.ttl").write_text(f"{OTHER} <http://a.test/o#{number}> a owl:Class .")
    imports = ", ".join(f"<http://a.test/part{number}>" for number in range(3))
    path = ontology(f"<http://a.test/main> owl:imports {imports} . :A a owl:Class .")
    few = Topic.parse(f"{path}?imports=2#A").concepts[0].graph
    assert isinstance(few, FileGraph)
    [problem] = few.problems
    assert "imports more than 2 files" in problem
    assert f"{path}?imports=1000" in problem
    assert few.notes.options == "?imports=2"
    assert "http://a.test/o#2" not in few
    assert "http://a.test/o#2" in read_ontology(path, most_imports=3)
    with pytest.raises(TopicError, match="gives no number of files"):
        Topic.parse(f"{path}?imports=many#A")


def test_blank_nodes_of_two_files_are_not_mixed_up(ontology: Callable[..., Path], tmp_path: Path) -> None:
    part = "_:x a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :{0} . "
    (tmp_path / "other.ttl").write_text(
        PREFIXES + part.format("B") + ":D a owl:Class ; rdfs:subClassOf _:x . :B a owl:Class ."
    )
    graph = read_ontology(
        ontology(IMPORTING.format("other") + part.format("A") + ":C a owl:Class ; rdfs:subClassOf _:x .")
    )
    assert graph.relations("http://example.org/o#C") == [("p", "http://example.org/o#A")]
