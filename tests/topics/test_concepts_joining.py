from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.topics import ConceptGraph, ConceptGraphBuilder, wordnet
from semcrawl.topics.concepts import join_graphs, same_concepts
from semcrawl.topics.labels import Label
from semcrawl.topics.ontology import read_ontology

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def pets() -> ConceptGraph:
    builder = ConceptGraphBuilder("pets")
    builder.add("p:cat", Label("Cat"), Label("tomcat"), broader=["p:companion"])
    builder.add("p:companion", "companion")
    builder.add("p:paw", "claw")
    builder.relate("p:cat", "has-part", "p:paw")
    return builder.build()


def test_equal_preferred_labels_make_one_concept(animals: ConceptGraph, pets: ConceptGraph) -> None:
    joined = join_graphs(animals, pets)
    assert len(joined) == len(animals) + len(pets) - 1
    assert "p:cat" not in joined
    assert [label.text for label in joined.labels("ex:cat")] == ["cat", "Katze", "Cat", "tomcat"]
    assert joined.broader("ex:cat") == ["ex:mammal", "ex:pet", "p:companion"]
    assert joined.relations("ex:cat", "has-part") == [("has-part", "ex:paw"), ("has-part", "p:paw")]
    assert joined.find("tomcat") == ["ex:cat"]


def test_a_label_that_several_concepts_prefer_joins_nothing(animals: ConceptGraph) -> None:
    builder = ConceptGraphBuilder("others")
    builder.add("o:1", "cat")
    builder.add("o:2", "CAT")
    assert same_concepts(animals, builder.build()) == {}


def test_mappings_make_one_concept_whatever_the_labels(ontology: Callable[..., Path], animals: ConceptGraph) -> None:
    graph = read_ontology(ontology(":felis a skos:Concept ; skos:exactMatch <ex:cat> . :paw a skos:Concept ."))
    felis, paw = "http://example.org/o#felis", "http://example.org/o#paw"
    assert same_concepts(animals, graph) == {felis: "ex:cat", paw: "ex:paw"}
    assert same_concepts(graph, animals) == {"ex:cat": felis, "ex:paw": paw}


def test_joining_a_graph_with_itself_changes_nothing(animals: ConceptGraph) -> None:
    joined = join_graphs(animals, animals)
    assert joined.ids == list(animals.ids)
    for concept in animals:
        assert joined.labels(concept) == animals.labels(concept)
        assert joined.broader(concept) == animals.broader(concept)
        assert joined.relations(concept) == animals.relations(concept)


def test_wordnet_keeps_its_senses_in_a_joined_graph() -> None:
    asthma = read_ontology(ROOT / "ontologies" / "asthma.ttl")
    joined = join_graphs(asthma, wordnet().graph)
    [pollen] = asthma.find("pollen")
    assert joined.find("pollen")[0] == pollen
    assert joined.find("bank") == wordnet().graph.find("bank")
    dog = "wordnet:dog.n.01"
    assert joined.ancestors(dog) == wordnet().graph.ancestors(dog)
