from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.topics.labels import Label, last_part, words_of_name
from semcrawl.topics.ontology import read_ontology

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

A = "http://example.org/o#a"


@pytest.mark.parametrize(
    ("statements", "labels"),
    [
        ('rdfs:label "cat"@en', [Label("cat", "en")]),
        ('rdfs:label "cat"', [Label("cat", "")]),
        ('schema:name "cat"', [Label("cat", "")]),
        (
            'skos:altLabel "moggy"@en ; skos:prefLabel "Katze"@de, "cat"@en-GB, "felis"',
            [Label("cat", "en-gb"), Label("felis", ""), Label("Katze", "de"), Label("moggy", "en")],
        ),
        (
            """rdfs:label "c" ; obo:hasBroadSynonym "b" ; obo:hasRelatedSynonym "r" ;
            obo:hasNarrowSynonym "n" ; skos:hiddenLabel "h" ; obo:hasExactSynonym "e\"""",
            [
                Label("c", ""),
                Label("e", ""),
                Label("h", "", 0.9),
                Label("n", "", 0.7),
                Label("r", "", 0.5),
                Label("b", "", 0.4),
            ],
        ),
        (
            """skosxl:prefLabel [ skosxl:literalForm "cat"@en ] ;
            skosxl:altLabel [ skosxl:literalForm "puss"@en ], [ rdfs:label "x" ]""",
            [Label("cat", "en"), Label("puss", "en")],
        ),
        ('rdfs:label " two\\n words "', [Label("two words", "")]),
        ('rdfs:label "  "', [Label("a", "")]),
    ],
)
def test_labels_by_property_and_language(ontology: Callable[..., Path], statements: str, labels: list[Label]) -> None:
    assert read_ontology(ontology(f":a a owl:Class ; {statements} .")).labels(A) == labels


def test_the_language_of_the_topic_comes_first(ontology: Callable[..., Path]) -> None:
    path = ontology(':a a owl:Class ; rdfs:label "cat"@en, "Katze"@de, "gatto"@it .')
    assert read_ontology(path, language="de-AT").label(A) == "Katze"
    assert read_ontology(path, language="en").label(A) == "cat"


def test_a_name_stands_in_for_a_label_in_the_wanted_language(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(':HotDog a owl:Class ; rdfs:label "CachorroQuente"@pt .'))
    assert [label.text for label in graph.labels(next(iter(graph)))] == ["Hot Dog", "CachorroQuente"]


def test_a_label_that_is_a_name_is_split_too(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(':HotDog a owl:Class ; rdfs:label "HotDog"@en .'))
    assert graph.find("hot dog") == graph.find("hotdog") == list(graph)


def test_a_code_is_no_label(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":X_0001 a owl:Class ."))
    assert graph.labels("http://example.org/o#X_0001") == []
    assert graph.label("http://example.org/o#X_0001") == "http://example.org/o#X_0001"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CabernetSauvignon", "Cabernet Sauvignon"),
        ("has_part", "has part"),
        ("HTMLPage", "HTML Page"),
        ("HIV1Infection", "HIV1 Infection"),
        ("red wine", "red wine"),
        ("DOID_2841", ""),
        ("10245-1", ""),
        ("12", ""),
        ("", ""),
    ],
)
def test_words_of_names(name: str, words: str) -> None:
    assert words_of_name(name) == words


@pytest.mark.parametrize(
    ("iri", "part"),
    [
        ("http://a.test/b#C", "C"),
        ("http://a.test/b/C", "C"),
        ("http://a.test/b/C/", "C"),
        ("http://a.test/b/%28C%29", "(C)"),
        ("urn:isbn:123", "123"),
        ("", ""),
    ],
)
def test_last_parts_of_iris(iri: str, part: str) -> None:
    assert last_part(iri) == part


def test_labels_that_are_empty_or_endless_are_left_out_and_told(ontology: Callable[..., Path]) -> None:
    path = ontology(
        f':a a owl:Class ; rdfs:label "", "  ", "apple", "{"x" * 1_000_000}" . :b a owl:Class ; rdfs:label "" .'
    )
    graph = read_ontology(path)
    assert [label.text for label in graph.labels("http://example.org/o#a")] == ["apple"]
    assert [label.text for label in graph.labels("http://example.org/o#b")] == ["b"]
    assert sorted(graph.problems) == [
        f"{path}: left out: 1 labels of more than 500 characters",
        f"{path}: left out: 3 empty labels",
    ]
