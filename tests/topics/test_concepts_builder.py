from __future__ import annotations

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import ConceptGraphBuilder
from semcrawl.topics.labels import Label


def test_concepts_and_edges_come_in_any_order_and_repetition_does_no_harm() -> None:
    builder = ConceptGraphBuilder("pets")
    for _ in range(2):
        builder.add("ex:dog", "dog", broader=["ex:pet"])
        builder.add("ex:pet", "pet")
    graph = builder.build()
    assert graph.broader("ex:dog") == ["ex:pet"]
    assert graph.labels("ex:dog") == [Label("dog")]


def test_a_concept_without_label_is_called_by_its_id() -> None:
    builder = ConceptGraphBuilder("pets")
    builder.add("ex:dog", "  ")
    assert builder.build().label("ex:dog") == "ex:dog"


def test_line_breaks_in_labels_become_spaces() -> None:
    builder = ConceptGraphBuilder("pets")
    builder.add("ex:dog", "guide\n dog")
    builder.add("ex:cat", "cat")
    assert builder.build().find("guide dog") == ["ex:dog"]


def test_edges_to_nowhere_are_refused() -> None:
    builder = ConceptGraphBuilder("pets")
    builder.add("ex:dog", "dog", broader=["ex:gone"])
    with pytest.raises(TopicError, match="'ex:gone'"):
        builder.build()


def test_an_empty_id_is_refused() -> None:
    with pytest.raises(TopicError, match="empty id"):
        ConceptGraphBuilder("pets").add("", "dog")
