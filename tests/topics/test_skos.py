from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.topics.ontology import read_ontology

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

O = "http://example.org/o#"  # noqa: E741 - as short as the prefix that it stands for


@pytest.mark.parametrize(
    "edge",
    [
        ":cat skos:broader :animal .",
        ":animal skos:narrower :cat .",
        ":cat skos:broaderTransitive :animal .",
        ":animal skos:narrowerTransitive :cat .",
        ":kindOf rdfs:subPropertyOf skos:broader . :cat :kindOf :animal .",
        ":cat <http://purl.org/iso25964/skos-thes#broaderGeneric> :animal .",
        ":cat skos:broader :animal, :cat . :animal skos:narrower :cat .",
    ],
)
def test_broader_however_it_is_said(ontology: Callable[..., Path], edge: str) -> None:
    graph = read_ontology(ontology(f":cat a skos:Concept . :animal a skos:Concept . {edge}"))
    assert graph.broader(f"{O}cat") == [f"{O}animal"]
    assert graph.roots() == [f"{O}animal"]


def test_all_ancestors_at_once_do_not_shorten_the_way_up(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(
        ontology(":cat skos:broader :mammal ; skos:broaderTransitive :mammal, :animal . :mammal skos:broader :animal .")
    )
    assert max(graph.ancestors(f"{O}cat").values()) == 2


def test_related_goes_both_ways(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":cat a skos:Concept ; skos:related :mouse ."))
    assert graph.relations(f"{O}cat") == [("related", f"{O}mouse")]
    assert graph.relations(f"{O}mouse") == [("related", f"{O}cat")]


def test_relations_of_a_thesaurus_of_its_own_are_kept(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(
        ontology(
            ':hunts rdfs:label "hunts"@en ; a owl:ObjectProperty . '
            ":cat a skos:Concept ; :hunts :mouse . :mouse a skos:Concept ."
        )
    )
    assert graph.relations(f"{O}cat") == [("hunts", f"{O}mouse")]


def test_schemes_and_collections_are_no_concepts(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(
        ontology(
            ":s a skos:ConceptScheme ; skos:hasTopConcept :a . :b skos:topConceptOf :s ; "
            "skos:narrower :c . :list a skos:Collection ; skos:member :a, :c ."
        )
    )
    assert sorted(graph) == [f"{O}a", f"{O}b", f"{O}c"]
    assert sorted(graph.top_concepts()) == [f"{O}a", f"{O}b"]


def test_the_classes_that_sort_a_thesaurus_are_no_concepts(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(
        ontology(
            ":Descriptor a owl:Class ; rdfs:subClassOf skos:Concept . "
            ":Person a owl:Class . :cat a :Descriptor . :dog a skos:Concept, :Thing ."
        )
    )
    assert sorted(graph) == [f"{O}Person", f"{O}cat", f"{O}dog"]


def test_concepts_out_of_use_are_left_out(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":cat a skos:Concept ; skos:broader :old . :old owl:deprecated true ."))
    assert list(graph) == [f"{O}cat"]


def test_a_circle_of_broader_concepts_loads(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":a skos:broader :b . :b skos:broader :c . :c skos:broader :a ."))
    assert len(graph) == 3
    assert max(graph.ancestors(f"{O}a").values()) == 2
    assert graph.top_concepts() == []


def test_notations_are_kept(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(':a a skos:Concept ; skos:notation "W.32" .'))
    assert graph.notes.notations == {"W.32": [f"{O}a"]}


def test_many_labels_of_one_concept(ontology: Callable[..., Path]) -> None:
    rows = ", ".join(f'"label {number}"' for number in range(50_000))
    graph = read_ontology(ontology(f":a a skos:Concept ; skos:altLabel {rows} ."))
    assert len(graph.labels(f"{O}a")) == 50_000
    assert graph.find("LABEL 49999") == [f"{O}a"]
