"""A concept with all that is narrower, `+`, or alone, `!`; and `narrower` in topic files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PREFIX = "@prefix sc: <https://w3id.org/semcrawl/ns#> .\n"
IRI = "<https://w3id.org/semcrawl/wordnet/asthma.n.01>"


def readings(topic: Topic) -> dict[str, bool]:
    """Of each concept, whether it is meant alone."""
    return {part.id: part.alone for part in topic.concepts}


@pytest.mark.parametrize(
    ("spec", "alone"),
    [
        ("wordnet:asthma", False),
        ("wordnet:asthma+", False),
        ("wordnet:asthma!", True),
        ("wordnet:asthma.n.01!", True),
        ("wordnet:asthma.n.01 ", False),
        ("wordnet:asthma.n.01!  ", True),
    ],
)
def test_a_concept_stands_for_all_that_is_narrower_unless_it_is_meant_alone(spec: str, alone: bool) -> None:
    assert readings(Topic.parse(spec)) == {"wordnet:asthma.n.01": alone}


def test_the_sign_at_the_end_holds_for_all_concepts_of_a_reference() -> None:
    assert set(readings(Topic.parse("asthma.ttl#cough,asthma!")).values()) == {True}
    assert set(readings(Topic.parse("asthma.ttl+")).values()) == {False}


def test_a_name_that_ends_in_such_a_sign_is_still_a_name(ontology: Callable[..., Path]) -> None:
    path = ontology(':cpp a skos:Concept ; skos:prefLabel "C++" . :hi a skos:Concept ; skos:prefLabel "Hi!" .')
    assert readings(Topic.parse(f"{path}#C++")) == {"http://example.org/o#cpp": False}
    assert readings(Topic.parse(f"{path}#C++!")) == {"http://example.org/o#cpp": True}
    assert readings(Topic.parse(f"{path}#Hi!")) == {"http://example.org/o#hi": False}


def test_what_is_no_concept_is_refused_without_the_sign() -> None:
    with pytest.raises(TopicError, match="did you mean asthma"):
        Topic.parse("wordnet:asthmma!")


def test_in_toml_a_file_says_it_for_all_and_a_concept_for_itself() -> None:
    text = 'concepts = ["wordnet:asthma.n.01", "wordnet:allergy.n.01+"]\nnarrower = false\n'
    found = readings(Topic.from_toml(text))
    assert found == {"wordnet:asthma.n.01": True, "wordnet:allergy.n.01": False}
    assert not any(readings(Topic.from_toml(text.replace("false", "true"))).values())
    with pytest.raises(TopicError, match="narrower"):
        Topic.from_toml(text.replace("false", '"no"'))


@pytest.mark.parametrize(("value", "alone"), [("false", True), ("true", False), ('"0"', True)])
def test_in_turtle_an_interest_says_it(value: str, alone: bool) -> None:
    text = f"{PREFIX}<#t> a sc:Topic ; sc:interest [ sc:concept {IRI} ; sc:narrower {value} ] ."
    assert readings(Topic.from_turtle(text)) == {"wordnet:asthma.n.01": alone}


@pytest.mark.parametrize("spec", ["wordnet:asthma!", "wordnet:asthma", "asthma.ttl#asthma!"])
def test_how_a_concept_is_meant_is_written_and_read_again(spec: str) -> None:
    topic = Topic.parse(spec)
    assert Topic.from_toml(topic.to_toml(absolute=True)) == topic
    assert Topic.from_turtle(topic.to_turtle(absolute=True)) == topic
