from __future__ import annotations

from contextlib import nullcontext
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import QueryError
from semcrawl.graph import named_queries
from semcrawl.graph.queries import find_query, parse_query
from semcrawl.graph.store import OxigraphStore

QUERY = """# Near: what is near.
#
# @param least  the least
# @param where [iri] the place
# @param word   a word
# @param limit  how many
SELECT ?x WHERE {
  VALUES ?least { 0.5 }
  VALUES ?where { UNDEF }
  VALUES ?word { "a" }
  ?x ?p ?least
} LIMIT 20
"""


def test_the_header_gives_title_and_parameters() -> None:
    query = parse_query(QUERY, "near")
    assert query.title == "Near"
    assert [(p.name, p.type, p.default) for p in query.parameters] == [
        ("least", "decimal", "0.5"),
        ("where", "iri", None),
        ("word", "string", '"a"'),
        ("limit", "integer", "20"),
    ]


def test_values_are_bound_by_type_also_from_text() -> None:
    text = parse_query(QUERY, "near").bind({"least": "0.75", "where": "http://a/", "limit": 3})
    assert "VALUES ?least { 0.75 }" in text
    assert "VALUES ?where { <http://a/> }" in text
    assert text.rstrip().endswith("LIMIT 3")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "needs the parameter 'where'"),
        ({"where": "http://a/", "lest": 1}, "has no parameter 'lest'; it takes: least, where"),
        ({"where": "http://a/", "least": "much"}, "least=much is no decimal"),
        ({"where": "no iri"}, "is no IRI"),
        ({"where": "http://a/", "limit": "-1"}, "must not be negative"),
        ({"where": "http://a/", "least": "nan"}, "is no number"),
    ],
)
def test_bad_values_are_refused_with_a_reason(values: dict[str, object], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse_query(QUERY, "near").bind(values)


def test_a_parameter_with_several_lines_is_bound_in_each() -> None:
    query = parse_query(
        "# X.\n# @param low  the low\nSELECT ?x { { VALUES ?low { 1 } ?x ?p ?low } "
        "UNION { VALUES ?low { 1 } ?low ?p ?x } }",
        "x",
    )
    assert query.bind({"low": 2}).count("VALUES ?low { 2 }") == 2


def test_a_list_binds_several_values_and_none() -> None:
    query = parse_query("# X.\n# @param u [iri] them\nSELECT ?u { VALUES ?u { UNDEF } }", "x")
    assert "VALUES ?u { <urn:a> <urn:b> }" in query.bind({"u": ["urn:a", "urn:b"]})
    assert "UNDEF" not in query.bind({"u": []})
    with pytest.raises(QueryError, match="is no IRI"):
        query.bind({"u": ["urn:a", "no iri"]})


def test_limit_and_offset_turn_the_pages_of_an_answer() -> None:
    header = "# X.\n# @param limit  how many\n# @param offset  how many to pass over\n"
    query = parse_query(header + "SELECT ?x { ?x ?p ?y } LIMIT 20 OFFSET 0", "x")
    assert [p.default for p in query.parameters] == ["20", "0"]
    assert query.bind({"limit": 5, "offset": "10"}).endswith("LIMIT 5 OFFSET 10")
    with pytest.raises(QueryError, match="offset must not be negative"):
        query.bind({"offset": -1})
    with pytest.raises(QueryError, match="'offset' but no OFFSET"):
        parse_query(header + "SELECT ?x { ?x ?p ?y } LIMIT 20", "x")


@given(st.text())
def test_a_bound_text_never_changes_the_query(word: str) -> None:
    text = parse_query(QUERY, "near").bind({"where": "http://a/", "word": word})
    store = OxigraphStore()
    answer = store.query(text.replace("?x ?p ?least", "BIND(?word AS ?x)"))
    assert answer.value() == word.replace("\0", "\ufffd")


def test_a_parameter_without_a_values_line_is_an_error() -> None:
    with pytest.raises(QueryError, match="has no line VALUES \\?gone"):
        parse_query("# X.\n# @param gone  it\nSELECT ?x { ?x ?y ?z }", "x")


@pytest.mark.parametrize(
    ("text", "defaults"),
    [
        ("# @param a x\nSELECT * { VALUES ?a {" + " " * 20_000 + "x", None),
        ("# @param limit x\nSELECT * {} # " + "limit 1" + " limit 2" * 100_000 + " x", ["2"]),
        ("# @param a x\n" * 50_000 + "SELECT * { VALUES ?a { 1 } }", ["1"] * 200),
    ],
)
def test_a_file_of_a_stranger_takes_no_long_time_to_read(text: str, defaults: list[str] | None) -> None:
    began = process_time()
    with pytest.raises(QueryError, match="has no line VALUES") if defaults is None else nullcontext():
        assert [one.default for one in parse_query(text, "q").parameters] == defaults
    assert process_time() - began < 10


def test_every_shipped_query_explains_itself_and_runs_on_an_empty_graph() -> None:
    queries = named_queries()
    assert len(queries) >= 14
    for query in queries.values():
        assert len(query.help) > 20, query.name
        assert all(parameter.help for parameter in query.parameters), query.name
        values = {p.name: "http://a/" for p in query.parameters if p.default is None}
        OxigraphStore().query(query.bind(values))


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")  # of its own older names
def test_every_shipped_query_declares_its_prefixes_so_that_any_tool_can_run_it() -> None:
    import rdflib

    graph = rdflib.Dataset()
    graph.namespace_manager = rdflib.namespace.NamespaceManager(graph, bind_namespaces="none")
    for query in named_queries().values():
        graph.query(query.text)


def test_the_last_part_of_a_name_is_enough() -> None:
    assert find_query("best-pages") is not None
    assert find_query("best-pages").name == "analyse/best-pages"


def test_an_unknown_name_offers_near_ones() -> None:
    with pytest.raises(QueryError, match="did you mean best-pages"):
        find_query("best-page")
