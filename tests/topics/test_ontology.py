"""The shipped ontologies and real ones, whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from semcrawl.resources import ontologies_folder
from semcrawl.topics.ontology import read_ontology

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REAL = [
    ("UAT.rdf", 2_275, "Black holes"),
    ("cso-v3.derived.skos.ttl", 11_176, "semantic web"),
    ("doid-2016-03-04.derived.owl", 6_874, "asthma"),
    ("envo.derived.owl", 6_453, "lake"),
    ("pizza.owl", 104, "Margherita"),
    ("schemaorg-29.4.ttl", 1_512, "Restaurant"),
    ("stw.ttl", 6_228, "Inflation"),
    ("swo.owl", 1_692, "Java"),
    ("symp.owl", 895, "cough"),
    ("unesco-thesaurus.ttl", 4_414, "Education"),
    ("wine.rdf", 237, "Cabernet Sauvignon"),
]


@pytest.mark.data
@pytest.mark.parametrize(("name", "concepts", "label"), REAL)
def test_real_ontologies_load_whole(real_ontologies: Path, name: str, concepts: int, label: str) -> None:
    graph = read_ontology(real_ontologies / name)
    assert len(graph) == concepts
    assert len(graph.find(label)) >= 1
    assert graph.top_concepts()
    assert all("import" in problem for problem in graph.problems)


@pytest.mark.parametrize("name", ["asthma.ttl", "beekeeping.ttl"])
def test_shipped_ontologies_are_whole(name: str) -> None:
    graph = read_ontology(ontologies_folder() / name)
    assert graph.problems == ()
    assert len(graph) >= 40
    for concept in graph:
        assert any(label.language in ("en", "") for label in graph.labels(concept)), concept
        assert graph.broader(concept) or graph.narrower(concept), concept


def test_a_file_is_read_again_when_it_has_changed(ontology: Callable[..., Path]) -> None:
    path = ontology(":A a owl:Class .")
    first = read_ontology(path)
    assert read_ontology(path) is first
    ontology(":A a owl:Class . :B a owl:Class .")
    os.utime(path, ns=(1, 1))
    assert len(read_ontology(path)) == 2
