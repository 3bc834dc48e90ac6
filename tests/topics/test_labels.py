from __future__ import annotations

import pytest

from semcrawl.topics import ConceptGraph, ConceptGraphBuilder, wordnet
from semcrawl.topics.labels import Label


@pytest.mark.parametrize("text", ["house pet", "House_Pet", "  HOUSE \n pet ", "house_pet"])
def test_case_underscores_and_spaces_do_not_matter(animals: ConceptGraph, text: str) -> None:
    assert animals.find(text) == ["ex:pet"]


@pytest.mark.parametrize("text", ["house pets", "cats", "", " ", "house-pet"])
def test_other_differences_do(animals: ConceptGraph, text: str) -> None:
    assert animals.find(text) == []


@pytest.mark.parametrize("text", ["house pets", "House-Pet", "housed petted"])
def test_with_stems_the_endings_do_not_matter(animals: ConceptGraph, text: str) -> None:
    assert animals.find(text, stemmed=True) == ["ex:pet"]


def test_labels_have_language_and_weight(animals: ConceptGraph) -> None:
    assert animals.labels("ex:cat") == [Label("cat", "en", 1.0), Label("Katze", "de", 1.0)]


def test_concepts_with_the_same_label_are_all_found_once() -> None:
    builder = ConceptGraphBuilder("banks")
    builder.add("ex:shore", "bank", "Bank")
    builder.add("ex:institute", "BANK")
    assert builder.build().find("bank") == ["ex:shore", "ex:institute"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("asthmma", "asthma"),
        ("Computre", "computer"),
        ("frist aid", "first aid"),
        ("pshychology", "psychology"),
        ("kathedral", "cathedral"),
    ],
)
def test_a_typing_error_finds_the_word_that_was_meant(typed: str, meant: str) -> None:
    assert meant in wordnet().graph.near_labels(typed)


@pytest.mark.parametrize("typed", ["", "qxqxqxqx", "x" * 100_000])
def test_nonsense_is_near_to_nothing(typed: str) -> None:
    assert wordnet().graph.near_labels(typed) == []
