from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import Topic
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.reasoning import infer
from semcrawl.topics.topic import outline

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

O = "http://example.org/o#"  # noqa: E741 - as short as the prefix that it stands for
PARENTS = """
:o a owl:Ontology ; owl:imports <http://127.0.0.1:9/never-asked> .
:child a owl:ObjectProperty . :Person a owl:Class .
:Parent a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( :Person
    [ a owl:Restriction ; owl:onProperty :child ; owl:someValuesFrom :Person ] ) ] .
:Mother a owl:Class ; rdfs:subClassOf :Person ,
    [ a owl:Restriction ; owl:onProperty :child ; owl:someValuesFrom :Person ] .
:Ann a owl:NamedIndividual, :Person ; :child :Ben . :Ben a owl:NamedIndividual, :Person .
"""


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was inferred is kept for the test: the reasoner takes seconds."""
    monkeypatch.setenv("SEMCRAWL_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("needs_java")
def test_kinds_and_instances_are_inferred(ontology: Callable[..., Path]) -> None:
    path = ontology(PARENTS)
    told, inferred = read_ontology(path), read_ontology(path, reason=True)
    assert told.narrower(f"{O}Parent") == []
    assert sorted(inferred.narrower(f"{O}Parent")) == [f"{O}Ann", f"{O}Mother"]
    assert inferred.notes.options == "?reason"


@pytest.mark.usefixtures("needs_java")
def test_a_class_that_nothing_can_belong_to_is_told(ontology: Callable[..., Path]) -> None:
    path = ontology(":A a owl:Class . :B a owl:Class ; owl:disjointWith :A . :C a owl:Class ; rdfs:subClassOf :A, :B .")
    assert read_ontology(path, reason=True).problems == (
        f"nothing can belong to <{O}C>: its axioms contradict each other",
    )


@pytest.mark.usefixtures("needs_java")
def test_axioms_that_contradict_each_other_are_refused(ontology: Callable[..., Path]) -> None:
    path = ontology(":A a owl:Class . :B a owl:Class ; owl:disjointWith :A . :x a owl:NamedIndividual, :A, :B .")
    with pytest.raises(TopicError, match="contradict each other; nothing can be inferred"):
        infer([path])


@pytest.mark.usefixtures("needs_java")
def test_a_reasoner_that_takes_too_long_is_ended(ontology: Callable[..., Path]) -> None:
    with pytest.raises(TopicError, match=r"took longer than 0\.01 seconds and was ended"):
        infer([ontology(PARENTS)], seconds=0.01)


def test_without_java_a_message_says_so(
    ontology: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TopicError, match="needs Java, which is not installed"):
        infer([ontology(PARENTS)])


@pytest.mark.usefixtures("needs_java", "cache")
def test_concepts_found_equal_are_one(ontology: Callable[..., Path]) -> None:
    path = ontology(
        PARENTS + ':HavingChild a owl:Class ; rdfs:label "one with a child" ; owl:equivalentClass '
        "[ a owl:Class ; owl:intersectionOf ( :Person "
        "[ a owl:Restriction ; owl:onProperty :child ; owl:someValuesFrom :Person ] ) ] . "
        ":Father a owl:Class ; rdfs:subClassOf :HavingChild ."
    )
    [parent] = Topic.parse(f"{path}?reason#HavingChild").concepts
    assert parent.id == f"{O}Parent"
    kinds = [kind.removeprefix(O) for kind in parent.graph.narrower(parent.id)]
    assert sorted(kinds) == ["Ann", "Father", "Mother"]
    assert "one with a child" in [label.text for label in parent.graph.labels(parent.id)]
    assert f"{O}HavingChild" not in parent.graph
    for name in ("(HavingChild)", "(Parent)", "one with a child", f"<{O}HavingChild>"):
        assert Topic.parse(f"{path}?reason#{name}").concepts == (parent,)


@pytest.mark.usefixtures("needs_java", "cache")
def test_the_pizza_ontology(real_ontologies: Path) -> None:
    path = real_ontologies / "pizza.owl"
    topic = Topic.parse(f"{path}?reason#VegetarianPizza")
    assert "Margherita" in [note.iri.rpartition("#")[2] for note in outline(topic)]
    assert Topic.parse(f"{path}?reason#(VegetarianPizza)").concepts == topic.concepts
