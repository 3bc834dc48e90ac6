"""A page's own statements, as things with properties."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.graph import CrawlGraph
from semcrawl.serve.page_view import own_statements

PAGE = "http://a.test/"


@pytest.fixture
def graph() -> CrawlGraph:
    return CrawlGraph.create()


def say(graph: CrawlGraph, triples: str, about: str = "sc:statements 1") -> dict[str, Any]:
    graph.store.update(f"INSERT DATA {{ <{PAGE}> a sc:Page ; {about} . GRAPH <{PAGE}> {{ {triples} }} }}")
    told: dict[str, Any] = msgspec.to_builtins(own_statements(graph, PAGE))
    return told


def test_a_page_that_says_nothing_describes_nothing(graph: CrawlGraph) -> None:
    graph.store.update(f"INSERT DATA {{ <{PAGE}> a sc:Page }}")
    nothing = {"count": 0, "shown": 0, "problems": [], "things": [], "more": 0}
    assert msgspec.to_builtins(own_statements(graph, PAGE)) == nothing


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
    said = say(graph, chain)
    assert said["things"][0]["id"] == "urn:0"
    assert (said["shown"], said["count"]) == (50, 50)


def test_a_thing_too_deep_inside_is_shown_below_and_known_by_number_and_name(graph: CrawlGraph) -> None:
    chain = " . ".join(
        f'_:{n} a schema:Thing ; schema:name "thing {n}" ; schema:part _:{n + 1}' for n in range(100, 120)
    )
    said = say(graph, chain)
    value: dict[str, Any] = {"thing": said["things"][0]}
    depth = 0
    while "thing" in value:
        [value] = value["thing"]["says"][1]["values"]
        depth += 1
    assert value["other"] == {"number": 1, "types": ["schema:Thing"], "label": f"thing {100 + depth}"}
    below = said["things"][1]
    assert below["number"] == 1
    assert below["says"][0]["values"] == [{"text": f"thing {100 + depth}"}]


def test_a_thing_without_a_name_that_was_shown_is_referred_to(graph: CrawlGraph) -> None:
    [thing] = say(graph, '_:a schema:knows _:a ; schema:name "Ann"')["things"]
    [other] = thing["says"][0]["values"]
    assert other == {"other": {"number": 1, "types": [], "label": "Ann"}}
    assert thing["number"] == 1


def test_a_thing_of_which_nothing_is_said_is_no_empty_value(graph: CrawlGraph) -> None:
    [thing] = say(graph, "<urn:a> schema:author []")["things"]
    [other] = thing["says"][0]["values"]
    assert other == {"other": {"number": None, "types": [], "label": None}}


def test_lists_in_lists_and_empty_ones_are_shown_whole(graph: CrawlGraph) -> None:
    said = say(graph, '<urn:a> schema:steps ("one" ("two" "three") ()) ; schema:parts ()')
    parts, steps = said["things"][0]["says"]
    assert parts["values"] == []
    assert [value["text"] for value in steps["values"]] == ["one", "two", "three"]
    assert said["shown"] == said["count"] == 12


def test_a_list_that_lacks_something_is_still_a_list(graph: CrawlGraph) -> None:
    said = say(
        graph,
        '<urn:a> schema:steps _:1 . _:1 rdf:first "one" ; rdf:rest _:2 . _:2 rdf:rest _:3 . '
        '_:3 rdf:first "three" ; rdf:rest _:4 . _:4 rdf:first "four"',
    )
    [thing] = said["things"]
    assert [value["text"] for value in thing["says"][0]["values"]] == ["one", "three", "four"]
    assert said["shown"] == said["count"] == 7


# More than can be read


def test_of_a_long_list_the_first_items_are_shown_and_the_rest_is_counted(graph: CrawlGraph) -> None:
    items = " ".join(f'[ a schema:ListItem ; schema:name "item {n}" ]' for n in range(200))
    said = say(graph, f'<urn:list> schema:items ({items}) ; schema:name "all"')
    [thing] = said["things"]
    [shown, name] = thing["says"]
    texts = [value["thing"]["says"][0]["values"][0]["text"] for value in shown["values"]]
    assert texts == [f"item {n}" for n in range(20)]
    assert (shown["more"], name["values"]) == (180, [{"text": "all"}])
    # The link to the list; a cell, a type and a name for each item; the name.
    assert (said["shown"], said["count"], said["more"]) == (1 + 20 * 4 + 1, 802, 0)


def test_of_many_things_the_first_are_shown_whole(graph: CrawlGraph) -> None:
    many = " . ".join(f'<urn:{n}> schema:name "{n}" ; schema:author [ schema:name "Ann" ]' for n in range(100, 300))
    said = say(graph, many)
    assert (said["shown"], said["count"]) == (300, 600)
    assert (len(said["things"]), said["more"]) == (100, 100)
    for thing in said["things"]:
        author, name = thing["says"]
        assert author["values"][0]["thing"]["says"][0]["values"] == [{"text": "Ann"}]
        assert name["values"]


def test_what_a_thing_says_in_texts_is_shown_however_much_is_inside_of_it(graph: CrawlGraph) -> None:
    comments = " . ".join(
        f"<{PAGE}> schema:a{n} [ schema:text {', '.join(f'{n * 100 + m}' for m in range(15))} ]" for n in range(40)
    )
    said = say(graph, f'{comments} . <{PAGE}> schema:name "a page"')
    [thing] = said["things"]
    assert thing["says"][-1]["values"] == [{"text": "a page"}]
    left_out = [one for one in thing["says"] if one.get("more")]
    assert left_out
    assert said["count"] - said["shown"] == 16 * len(left_out)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 9),
            st.sampled_from(["schema:part", "schema:name", "rdf:first", "rdf:rest", "rdf:type"]),
            st.one_of(st.integers(0, 9).map("_:{}".format), st.sampled_from(['"x"', "rdf:nil"])),
        ),
        unique=True,
        max_size=40,
    )
)
def test_whatever_is_said_is_shown_once(triples: list[tuple[int, str, str]]) -> None:
    said = " . ".join(f"_:{subject} {name} {value}" for subject, name, value in triples)
    own = say(CrawlGraph.create(), said)
    assert own["shown"] == len(triples)
