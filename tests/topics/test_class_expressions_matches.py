from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.topics.class_expressions import matching_concepts, parse_expression, topmost
from semcrawl.topics.file_graph import definition_hint, find_concept, find_property
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.reasoning import kinds_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from semcrawl.topics.file_graph import FileGraph

FOOD = """
:has a owl:ObjectProperty . :hasTop a owl:ObjectProperty ; rdfs:subPropertyOf :has .
:Food a owl:Class . :Pizza rdfs:subClassOf :Food . :Soup rdfs:subClassOf :Food .
:Meat a owl:Class . :Ham rdfs:subClassOf :Meat . :Plant a owl:Class . :Kale rdfs:subClassOf :Plant .
:Parma a :Ham .
:Hawaii rdfs:subClassOf :Pizza , [ owl:onProperty :hasTop ; owl:someValuesFrom :Ham ] .
:Green rdfs:subClassOf :Pizza , [ owl:onProperty :hasTop ; owl:allValuesFrom :Kale ] .
:Special rdfs:subClassOf :Pizza , [ owl:onProperty :hasTop ; owl:hasValue :Parma ] .
:Rich rdfs:subClassOf :Pizza ,
    [ owl:onProperty :has ; owl:minQualifiedCardinality 3 ; owl:onClass :Plant ] .
:Maui rdfs:subClassOf :Hawaii .
:Either rdfs:subClassOf :Pizza ,
    [ owl:onProperty :has ; owl:someValuesFrom [ owl:unionOf ( :Ham :Kale ) ] ] .
:MeatPizza owl:equivalentClass [ owl:intersectionOf
    ( :Pizza [ owl:onProperty :has ; owl:someValuesFrom :Meat ] ) ] .
:Odd owl:equivalentClass [ owl:intersectionOf ( :Odd2 :Pizza ) ] .
:Odd2 owl:equivalentClass [ owl:unionOf ( :Odd :Soup ) ] .
:NoMeat owl:equivalentClass [ owl:complementOf :MeatPizza ] .
"""


def fitting(graph: FileGraph, text: str) -> set[str]:
    expression = parse_expression(text, lambda name: find_concept(graph, name), lambda name: find_property(graph, name))
    found = matching_concepts(expression, graph, graph.notes.axioms)
    return {concept.rpartition("#")[2] for concept in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Meat", {"Meat", "Ham", "Parma"}),
        ("has some Meat", {"Hawaii", "Maui", "Special", "MeatPizza"}),
        ("hasTop some Meat", {"Hawaii", "Maui", "Special"}),
        ("has some (Meat or Plant)", {"Hawaii", "Maui", "Special", "MeatPizza", "Rich", "Either"}),
        ("hasTop only Plant", {"Green"}),
        ("hasTop value Parma", {"Special"}),
        ("hasTop some {Parma}", {"Special"}),
        ("has min 2 Plant", {"Rich"}),
        ("has min 4 Plant", set()),
        ("has max 4", set()),
        ("has exactly 3 Plant", set()),
        ("MeatPizza", {"MeatPizza", "Hawaii", "Maui", "Special"}),
        ("MeatPizza and hasTop some Ham", {"Hawaii", "Maui", "Special"}),
        ("Soup or hasTop only Kale", {"Soup", "Green"}),
        ("Soup and Pizza", set()),
        ("Odd", {"Odd"}),
        ("NoMeat", {"NoMeat"}),
    ],
)
def test_what_an_ontology_tells(ontology: Callable[..., Path], text: str, expected: set[str]) -> None:
    assert fitting(read_ontology(ontology(FOOD)), text) == expected


def test_the_topmost_have_nothing_above_them(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :D a owl:Class ."))
    names = {concept.rpartition("#")[2]: concept for concept in graph}
    wanted = [names["A"], names["B"], names["D"]]
    assert topmost(wanted, graph) == [names["B"], names["D"]]


def test_in_a_circle_all_are_topmost(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":A rdfs:subClassOf :B . :B rdfs:subClassOf :A ."))
    assert topmost(list(graph), graph) == list(graph)


@pytest.mark.data
@pytest.mark.usefixtures("needs_java")
def test_what_is_told_of_pizzas_is_inferred_too(real_ontologies: Path) -> None:
    text = "CheeseyPizza and hasTopping some MeatTopping"
    path = real_ontologies / "pizza.owl"
    graph = read_ontology(path)
    expression = parse_expression(text, lambda name: find_concept(graph, name), lambda name: find_property(graph, name))
    inferred = {concept.rpartition("#")[2] for concept in kinds_of(expression, [path])}
    assert "AmericanHot" in inferred
    assert fitting(graph, text) <= inferred


@pytest.mark.parametrize(
    ("name", "hint"),
    [("MeatPizza", "#(MeatPizza)"), ("NoMeat", "?reason#NoMeat"), ("Pizza", ""), ("Hawaii", ""), ("Odd2", "")],
)
def test_of_a_defined_class_it_is_told_how_to_name_what_fits_it(
    ontology: Callable[..., Path], name: str, hint: str
) -> None:
    path = ontology(FOOD)
    graph = read_ontology(path)
    assert definition_hint(graph, find_concept(graph, name)) == (hint and f"{path}{hint}")
