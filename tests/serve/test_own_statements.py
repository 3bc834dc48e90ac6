"""A page's own statements, as things with properties."""

from __future__ import annotations

from typing import Any

import pytest

from semcrawl.graph import CrawlGraph
from semcrawl.serve.views.own_statements import own_statements

PAGE = "http://a.test/"


@pytest.fixture
def graph() -> CrawlGraph:
    return CrawlGraph.create()


def say(graph: CrawlGraph, triples: str, about: str = "sc:statements 1") -> dict[str, Any]:
    graph.store.update(
        f"INSERT DATA {{ <{PAGE}> a sc:Page ; {about} . GRAPH <{PAGE}> {{ {triples} }} }}"
    )
    return own_statements(graph, PAGE)


def test_a_page_that_says_nothing_describes_nothing(graph: CrawlGraph) -> None:
    graph.store.update(f"INSERT DATA {{ <{PAGE}> a sc:Page }}")
    assert own_statements(graph, PAGE) == {"count": 0, "problems": [], "things": []}


def test_a_thing_has_types_and_properties(graph: CrawlGraph) -> None:
    [thing] = say(graph, '[] a schema:Person ; schema:name "Ann", "Anna"@de')["things"]
    assert (thing["id"], thing["types"]) == (None, ["schema:Person"])
    [name] = thing["says"]
    assert (name["property"], name["iri"]) == ("schema:name", "https://schema.org/name")
    assert {"text": "Anna", "language": "de"} in name["values"]
    assert {"text": "Ann"} in name["values"]


def test_a_thing_that_another_mentions_is_shown_inside(graph: CrawlGraph) -> None:
    [thing] = say(graph, '<urn:a> schema:author <urn:b> . <urn:b> schema:name "Ann"')["things"]
    [author] = thing["says"][0]["values"]
    assert author["thing"]["id"] == "urn:b"


def test_things_that_mention_each_other_are_shown_once(graph: CrawlGraph) -> None:
    [thing] = say(graph, "<urn:a> schema:knows <urn:b> . <urn:b> schema:knows <urn:a>")["things"]
    [inside] = thing["says"][0]["values"]
    assert inside["thing"]["says"][0]["values"] == [{"url": "urn:a"}]


def test_the_page_itself_comes_first(graph: CrawlGraph) -> None:
    said = say(graph, f'<http://0.test/> schema:name "x" . <{PAGE}> schema:name "y"')
    assert [thing["id"] for thing in said["things"]] == [PAGE, "http://0.test/"]


def test_a_list_is_shown_as_its_items(graph: CrawlGraph) -> None:
    [thing] = say(graph, '<urn:a> schema:steps ("one" [ schema:name "two" ] <urn:three>)')["things"]
    one, two, three = thing["says"][0]["values"]
    assert (one, three) == ({"text": "one"}, {"url": "urn:three"})
    assert two["thing"]["says"][0]["values"] == [{"text": "two"}]


def test_a_list_without_an_end_is_no_endless_one(graph: CrawlGraph) -> None:
    said = say(graph, "<urn:a> schema:steps _:l . _:l rdf:first 1 ; rdf:rest _:l")
    assert said["things"][0]["says"][0]["values"] == [{"text": "1", "datatype": "xsd:integer"}]


def test_long_texts_are_cut_and_kinds_of_values_told(graph: CrawlGraph) -> None:
    said = say(graph, f'<urn:a> schema:text "{"x" * 600}" ; dcterms:date "2024"^^xsd:gYear')
    date, text = said["things"][0]["says"]
    assert date["values"] == [{"text": "2024", "datatype": "xsd:gYear"}]
    assert text["values"] == [{"text": "x" * 500 + "…"}]


def test_what_could_not_be_read_is_told(graph: CrawlGraph) -> None:
    said = say(graph, "", 'sc:statementProblem "block 1", "block 2"')
    assert (said["count"], said["problems"]) == (0, ["block 1", "block 2"])


def test_many_nested_things_come_to_an_end(graph: CrawlGraph) -> None:
    chain = " . ".join(f"<urn:{n}> schema:part <urn:{n + 1}>" for n in range(50))
    things = say(graph, chain)["things"]
    assert things[0]["id"] == "urn:0"
    assert sum(len(thing["says"]) for thing in things) > 1
