"""Ask: what the page's editor starts from, and what it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.graph import SC
from semcrawl.graph.queries import Parameter, find_query, parse_query
from semcrawl.serve.ask import _default
from tests.serve.conftest import PAGES, Served

if TYPE_CHECKING:
    import httpx


def post(served: Served, **question: Any) -> httpx.Response:
    return served.client.post("/api/query", json=question)


def answer(served: Served, **question: Any) -> dict[str, Any]:
    content: dict[str, Any] = post(served, **question).raise_for_status().json()
    return content


def test_the_named_queries_are_offered_with_what_a_form_needs(served: Served) -> None:
    offered = {query["short"]: query for query in served.client.get("/api/queries").json()}
    best = offered["best-pages"]
    assert best["name"] == "analyse/best-pages"
    assert (best["group"], best["title"], best["kind"]) == ("analyse", "Best pages", "select")
    assert best["text"] == find_query("best-pages").text
    limit = next(one for one in best["parameters"] if one["name"] == "limit")
    assert (limit["type"], limit["default"]) == ("integer", "20")
    assert limit["help"]
    (url,) = offered["page"]["parameters"]
    assert (url["type"], url["default"]) == ("iri", None)


def test_the_queries_of_the_page_itself_are_not_offered(served: Served) -> None:
    names = [query["name"] for query in served.client.get("/api/queries").json()]
    assert names[0].startswith("analyse/")
    assert not [name for name in names if name.startswith("serve/")]


@pytest.mark.parametrize(
    ("kind", "term", "shown"),
    [
        ("string", '"a \\"word\\""', 'a "word"'),
        ("iri", "<http://example.org/>", "http://example.org/"),
        ("iri", "sc:Page", SC + "Page"),
        ("decimal", "0.05", "0.05"),
        ("iri", None, None),
    ],
)
def test_a_default_is_shown_as_a_person_writes_it(kind: str, term: str | None, shown: str | None) -> None:
    assert _default(Parameter("x", kind, term, "")) == shown


def test_a_default_can_be_sent_back_as_it_was_shown(served: Served) -> None:
    for query in served.client.get("/api/queries").json():
        shown = {one["name"]: one["default"] for one in query["parameters"]}
        if None in shown.values():
            continue
        named = parse_query(query["text"], query["name"])
        assert named.bind(shown).split() == named.bind().split()


def test_a_named_query_is_answered_with_its_parameters_bound(served: Served) -> None:
    found = answer(served, name="best-pages", parameters={"limit": 3, "min_relevance": "0.1"})
    assert found["kind"] == "select"
    assert len(found["rows"]) == found["total"] == 3
    column = found["variables"].index("url")
    assert all(row[column]["type"] == "uri" for row in found["rows"])
    assert "LIMIT 3" in found["text"]
    assert not found["truncated"]
    assert found["seconds"] >= 0


def test_a_text_is_answered_and_the_prefixes_that_were_filled_in_are_told(served: Served) -> None:
    text = "PREFIX d: <http://purl.org/dc/terms/> SELECT ?t { ?p a sc:Page ; d:title ?t } LIMIT 2"
    found = answer(served, text=text)
    assert found["prefixes"] == {"sc": SC}
    assert [row[0]["type"] for row in found["rows"]] == ["literal"] * 2


def test_columns_of_numbers_are_named_for_bars(served: Served) -> None:
    text = "SELECT ?site (COUNT(*) AS ?pages) ?no { ?p sc:site ?site } GROUP BY ?site ?no"
    assert answer(served, text=text)["numeric"] == ["pages"]
    assert answer(served, text="SELECT ?x { ?x sc:unheardOf ?y }")["numeric"] == []


def test_what_is_unbound_is_null(served: Served) -> None:
    assert answer(served, text="SELECT ?x {}")["rows"] == [[None]]


def test_a_yes_and_triples_are_answered_too(served: Served) -> None:
    assert answer(served, text="ASK { ?p a sc:Page }")["boolean"] is True
    found = answer(served, text="CONSTRUCT WHERE { ?p a sc:Page }")
    assert (found["kind"], found["total"]) == ("construct", PAGES)
    assert f"@prefix sc: <{SC}> ." in found["turtle"]


def test_a_cut_answer_says_so(limited: Served) -> None:
    found = answer(limited, text="SELECT ?p { ?p a sc:Page }")
    assert (len(found["rows"]), found["truncated"], found["limit"]) == (3, True, 3)


def test_an_error_has_its_place_in_the_text_as_it_was_sent(served: Served) -> None:
    reply = post(served, text="SELECT ?p\nWHERE { ?p a sc:Page ; ex:size ?s }")
    assert reply.status_code == 400
    assert (reply.json()["line"], reply.json()["column"]) == (2, 24)
    assert "the prefix 'ex:' is not declared" in reply.json()["error"]


@pytest.mark.parametrize(
    ("question", "status", "said"),
    [
        ({}, 400, "one of the two"),
        ({"name": "best-pages", "text": "ASK {}"}, 400, "one of the two"),
        ({"text": "ASK {}", "parameters": {"a": 1}}, 400, "parameters are for named queries"),
        ({"name": "best-pagse"}, 400, "did you mean"),
        ({"name": "best-pages", "parameters": {"limit": "many"}}, 400, "is no integer"),
        ({"name": "best-pages", "parameters": {"limit": 10**30}}, 400, "is not what is expected"),
        ({"name": "best-pages", "parameters": {"limits": 3}}, 400, "has no parameter 'limits'"),
        ({"name": "page"}, 400, "needs the parameter 'url'"),
        ({"name": "page", "parameters": {"url": "> } #"}}, 400, "is no IRI"),
        ({"text": "CLEAR ALL"}, 403, "not changed"),
        ({"text": "SELECT * { SERVICE <http://127.0.0.1:9/> {} }"}, 400, "SERVICE"),
        ({"txt": "ASK {}"}, 400, "is not what is expected"),
        ({"text": 5}, 400, "is not what is expected"),
    ],
)
def test_a_bad_question_is_told_in_a_sentence(served: Served, question: dict[str, Any], status: int, said: str) -> None:
    reply = post(served, **question)
    assert reply.status_code == status
    assert said in reply.json()["error"]


def test_what_is_no_json_is_told_in_a_sentence(served: Served) -> None:
    for body in (b"", b"{", b"[]", b'{"text": "\xff"}'):
        reply = served.client.post("/api/query", content=body)
        assert reply.status_code == 400
        assert "is not what is expected" in reply.json()["error"]


def test_the_known_prefixes_are_there_for_the_editor(served: Served) -> None:
    assert served.client.get("/api/prefixes").json()["sc"] == SC
