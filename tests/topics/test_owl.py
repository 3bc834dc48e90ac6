from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics.ontology import read_ontology

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

O = "http://example.org/o#"  # noqa: E741 - as short as the prefix that it stands for
SOME_MEAT = "[ a owl:Restriction ; owl:onProperty :has ; owl:someValuesFrom :Meat ]"
CLASSES = ":A a owl:Class . :B a owl:Class . :Meat a owl:Class . :has a owl:ObjectProperty . "


@pytest.mark.parametrize(
    "axiom",
    [
        ":A rdfs:subClassOf :B .",
        ":A rdfs:subClassOf [ owl:intersectionOf ( :B :Meat ) ] .",
        f":A owl:equivalentClass [ owl:intersectionOf ( :B {SOME_MEAT} ) ] .",
        ":A owl:intersectionOf ( :B ) .",
        ":B owl:unionOf ( :A :Meat ) .",
        ":B owl:disjointUnionOf ( :A :Meat ) .",
        ":B owl:equivalentClass [ owl:unionOf ( :A :Meat ) ] .",
        ":A rdfs:subClassOf :A, :B, owl:Thing .",
        ":A rdfs:subClassOf [ owl:intersectionOf ( [ owl:intersectionOf ( :B :Meat ) ] :Meat ) ] .",
    ],
)
def test_kinds_however_they_are_said(ontology: Callable[..., Path], axiom: str) -> None:
    graph = read_ontology(ontology(CLASSES + axiom))
    assert f"{O}B" in graph.broader(f"{O}A")
    assert graph.broader(f"{O}B") == []


@pytest.mark.parametrize(
    "restriction",
    [
        "owl:someValuesFrom :Meat",
        "owl:allValuesFrom :Meat",
        "owl:hasValue :Meat",
        "owl:minQualifiedCardinality 1 ; owl:onClass :Meat",
        "owl:qualifiedCardinality 1 ; owl:onClass :Meat",
        "owl:someValuesFrom [ owl:unionOf ( :Meat ) ]",
        "owl:someValuesFrom [ owl:oneOf ( :Meat ) ]",
        "owl:someValuesFrom [ owl:intersectionOf ( :Meat [ owl:complementOf :B ] ) ]",
    ],
)
def test_restrictions_become_relations(ontology: Callable[..., Path], restriction: str) -> None:
    axiom = f":A rdfs:subClassOf [ owl:onProperty :has ; {restriction} ] ."
    graph = read_ontology(ontology(CLASSES + ':has rdfs:label "has topping"@en . ' + axiom))
    assert graph.relations(f"{O}A") == [("has topping", f"{O}Meat")]
    assert graph.broader(f"{O}A") == []


@pytest.mark.parametrize(
    "axiom",
    [
        ":A rdfs:subClassOf [ owl:complementOf :Meat ] .",
        ":A rdfs:subClassOf [ owl:unionOf ( :B :Meat ) ] .",
        ":A rdfs:subClassOf [ owl:onProperty :has ; owl:maxCardinality 1 ; owl:onClass :Meat ] .",
        ":A rdfs:subClassOf [ owl:onProperty :has ] .",
        ":A rdfs:subClassOf [ owl:onProperty [ owl:inverseOf :has ] ; owl:someValuesFrom :Meat ] .",
        ":A rdfs:subClassOf [ ] .",
        ":A rdfs:subClassOf [ owl:intersectionOf [ rdf:first :A ] ] .",
        "_:x rdfs:subClassOf :A . :A owl:disjointWith :B .",
        "_:x owl:intersectionOf _:l . _:l rdf:first _:x ; rdf:rest _:l . :A rdfs:subClassOf _:x .",
        ':A owl:equivalentClass "text" .',
    ],
)
def test_what_tells_no_kinds_adds_no_edge(ontology: Callable[..., Path], axiom: str) -> None:
    graph = read_ontology(ontology(CLASSES + axiom))
    assert not graph.broader(f"{O}A")
    assert not graph.relations(f"{O}A")


def test_an_inverse_that_is_declared_is_a_relation_too(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(
        ontology(f"{CLASSES} :isIn a owl:ObjectProperty ; owl:inverseOf :has . :A rdfs:subClassOf {SOME_MEAT} .")
    )
    assert graph.relations(f"{O}Meat") == [("is In", f"{O}A")]


def test_individuals_are_kinds_of_their_classes_and_related(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(
        ontology(
            ":Town a owl:Class . :near a owl:ObjectProperty . :n a owl:AnnotationProperty . "
            ":Ulm a :Town, owl:NamedIndividual ; :near :Bonn ; :n :Bonn . "
            ":Bonn a :Town . :Lone a owl:NamedIndividual ."
        )
    )
    assert graph.broader(f"{O}Ulm") == [f"{O}Town"]
    assert graph.relations(f"{O}Ulm") == [("near", f"{O}Bonn")]
    assert f"{O}Lone" in graph
    assert f"{O}near" not in graph


def test_equal_classes_are_related_and_mapped(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":A a owl:Class ; owl:equivalentClass :B, <http://b.test/A> . :B a owl:Class ."))
    assert graph.relations(f"{O}A") == [("same-as", f"{O}B")]
    assert graph.notes.mappings[f"{O}A"] == (f"{O}B", "http://b.test/A")


@pytest.mark.parametrize(
    "flag",
    [
        ":A owl:deprecated true .",
        ':A owl:deprecated "1" .',
        ":A a owl:DeprecatedClass .",
        ":A rdfs:subClassOf obo:ObsoleteClass .",
        ":A schema:supersededBy :B .",
    ],
)
def test_what_is_out_of_use_is_left_out(ontology: Callable[..., Path], flag: str) -> None:
    graph = read_ontology(ontology(f":A a owl:Class . :B a owl:Class ; rdfs:subClassOf :A . {flag}"))
    assert list(graph) == [f"{O}B"]
    assert graph.broader(f"{O}B") == []


def test_a_vocabulary_in_rdfs(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(
        ontology(':Shop a rdfs:Class ; rdfs:subClassOf :Place ; rdfs:label "Shop" . :opens a rdf:Property .')
    )
    assert list(graph) == [f"{O}Shop", f"{O}Place"]
    assert graph.label(f"{O}Place") == "Place"


def test_a_circle_of_classes_loads(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":A rdfs:subClassOf :B . :B rdfs:subClassOf :A ."))
    assert graph.broader(f"{O}A") == [f"{O}B"]
    assert graph.broader(f"{O}B") == [f"{O}A"]


def test_lists_that_many_classes_share_do_not_blow_up_a_file(ontology: Callable[..., Path]) -> None:
    # 1,500 members of 1,500 classes took 800 MB, and ten times as many a hundred times that.
    members = "".join(f"_:l{n} rdf:first :c{n} ; rdf:rest _:l{n + 1} .\n" for n in range(800))
    one = "".join(f":c{n} owl:equivalentClass [ owl:unionOf _:l0 ] .\n" for n in range(800))
    tails = "".join(f":c{n} owl:equivalentClass [ owl:unionOf _:l{n} ] .\n" for n in range(800))
    doubled = "".join(f"_:b{n} owl:intersectionOf ( _:b{n + 1} _:b{n + 1} ) .\n" for n in range(60))
    for written in (one + members, tails + members, f"{CLASSES}:A rdfs:subClassOf _:b0 .\n{doubled}"):
        with pytest.raises(TopicError, match="shared too often"):
            read_ontology(ontology(written))
