"""A folder of ontology files is read as one ontology."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import Topic, read_ontology

from .conftest import PREFIXES

if TYPE_CHECKING:
    from pathlib import Path

PART = """<http://a.test/{here}> a owl:Ontology ; owl:imports <http://a.test/{there}> .
:C{here} a owl:Class ; rdfs:label "part {here}" ; rdfs:subClassOf :C{there} ."""


def write_parts(folder: Path, number: int) -> None:
    """Files that import each other in a circle."""
    for here in range(number):
        text = PREFIXES + PART.format(here=here, there=(here + 1) % number)
        (folder / f"file-{here}.ttl").write_text(text)


def test_files_that_import_each_other_are_one_graph(tmp_path: Path) -> None:
    write_parts(tmp_path, 120)
    (tmp_path / "README.md").write_text("# About these files")
    (tmp_path / "package.json").write_text('{"name": "parts"}')
    topic = Topic.parse(f"{tmp_path}#part 7")
    graph = topic.concepts[0].graph
    assert len(graph) == 120
    assert graph.problems == ()
    assert graph.broader("http://example.org/o#C7") == ["http://example.org/o#C8"]
    assert Topic.from_toml(topic.to_toml()) == topic


def test_a_broken_file_is_named_and_the_rest_works(tmp_path: Path) -> None:
    write_parts(tmp_path, 100)
    (tmp_path / "file-50.ttl").write_text("broken")
    graph = read_ontology(tmp_path)
    assert len(graph) == 100
    broken, missing = graph.problems
    assert broken.startswith("1 of 100 files cannot be read and was left out: ")
    assert "file-50.ttl is not in Turtle" in broken
    assert missing.startswith("1 import was not found")


def test_a_folder_without_a_usable_ontology_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="holds no file with an ontology"):
        read_ontology(tmp_path)
    (tmp_path / "a.ttl").write_text("broken")
    with pytest.raises(TopicError, match=r"no file of .* can be read: .*a\.ttl is not in Turtle"):
        read_ontology(tmp_path)


def test_a_folder_alone_means_its_top_concepts(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(PREFIXES + ":A a owl:Class . :B rdfs:subClassOf :A .")
    (tmp_path / "b.ttl").write_text(PREFIXES + ":C rdfs:subClassOf :B .")
    assert [part.id[-1] for part in Topic.parse(str(tmp_path)).concepts] == ["A"]
