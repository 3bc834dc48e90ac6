from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime

import pyoxigraph as ox
import pytest

from semcrawl.errors import QueryError
from semcrawl.graph.result_formats import write_answer
from semcrawl.graph.store import OxigraphStore


@pytest.fixture
def store() -> OxigraphStore:
    store = OxigraphStore()
    store.update(
        """INSERT DATA {
        <http://a/> sc:relevance 0.5 ; sc:step 1 ; dcterms:title "Tabs\\tand <b>", "Straße"@de ;
                    sc:fetchedAt "2026-01-02T03:04:05Z"^^xsd:dateTime .
        <http://b/> sc:relevance 0.25 ; sc:step 2 }"""
    )
    return store


def test_rows_are_python_values_by_name(store: OxigraphStore) -> None:
    rows = list(store.query("SELECT ?u ?r ?n ?t { ?u sc:relevance ?r ; sc:step ?n ; sc:fetchedAt ?t }"))
    assert rows == [{"u": "http://a/", "r": 0.5, "n": 1, "t": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)}]


def test_an_unbound_variable_is_none(store: OxigraphStore) -> None:
    answer = store.query("SELECT ?u ?x { ?u sc:step 2 OPTIONAL { ?u dcterms:title ?x } }")
    assert list(answer) == [{"u": "http://b/", "x": None}]


def test_ask_is_true_or_false(store: OxigraphStore) -> None:
    assert store.query("ASK { ?u sc:step 2 }")
    assert not store.query("ASK { ?u sc:step 3 }")


def test_an_answer_can_be_read_twice(store: OxigraphStore) -> None:
    answer = store.query("SELECT ?u { ?u sc:step ?n } ORDER BY ?n")
    assert list(answer) == list(answer)
    assert len(answer) == 2


def test_csv_is_read_back_by_csv(store: OxigraphStore) -> None:
    text = store.query("SELECT ?t { <http://a/> dcterms:title ?t } ORDER BY ?t").serialize("csv")
    assert list(csv.reader(io.StringIO(text))) == [["t"], ["Straße"], ["Tabs\tand <b>"]]


def test_json_is_the_sparql_results_format(store: OxigraphStore) -> None:
    text = store.query("SELECT ?u ?t { ?u dcterms:title ?t FILTER(lang(?t) = 'de') }").serialize("json")
    assert json.loads(text) == {
        "head": {"vars": ["u", "t"]},
        "results": {
            "bindings": [
                {
                    "u": {"type": "uri", "value": "http://a/"},
                    "t": {"type": "literal", "value": "Straße", "xml:lang": "de"},
                }
            ]
        },
    }


def test_tsv_keeps_one_row_a_line(store: OxigraphStore) -> None:
    text = store.query("SELECT ?u ?r { ?u sc:relevance ?r } ORDER BY ?u").serialize("tsv")
    assert text.splitlines()[0] == "?u\t?r"
    assert len(text.splitlines()) == 3


@pytest.mark.parametrize("form", ["turtle", "ntriples", "jsonld", "rdfxml", "trig", "nquads"])
def test_triples_are_written_in_every_rdf_format(store: OxigraphStore, form: str) -> None:
    answer = store.query("CONSTRUCT { ?u a sc:Page ; ?p ?o } WHERE { ?u ?p ?o }")
    text = answer.serialize(form)
    formats = {
        "turtle": ox.RdfFormat.TURTLE,
        "ntriples": ox.RdfFormat.N_TRIPLES,
        "jsonld": ox.RdfFormat.JSON_LD,
        "rdfxml": ox.RdfFormat.RDF_XML,
        "trig": ox.RdfFormat.TRIG,
        "nquads": ox.RdfFormat.N_QUADS,
    }
    read = {quad.triple for quad in ox.parse(text, format=formats[form])}
    assert read == set(answer.triples)


def test_turtle_names_the_type_first_and_uses_prefixes(store: OxigraphStore) -> None:
    text = store.query("CONSTRUCT { ?u a sc:Page ; sc:step ?n } WHERE { ?u sc:step ?n }").serialize("turtle")
    assert "<http://a/> a sc:Page ;\n\tsc:step 1 ." in text
    assert "foaf" not in text


@pytest.mark.parametrize(
    ("query", "form"), [("SELECT ?s { ?s ?p ?o }", "turtle"), ("CONSTRUCT WHERE { ?s ?p ?o }", "csv")]
)
def test_a_form_that_does_not_suit_is_refused(store: OxigraphStore, query: str, form: str) -> None:
    with pytest.raises(QueryError, match="choose one of"):
        store.query(query).serialize(form)


def test_notebooks_get_an_escaped_table(store: OxigraphStore) -> None:
    html = store.query("SELECT ?t { <http://a/> dcterms:title ?t }")._repr_html_()
    assert "<td>Tabs and &lt;b&gt;</td>" in html


def test_a_syntax_error_names_its_place(store: OxigraphStore) -> None:
    with pytest.raises(QueryError, match="syntax error: error at 1:"):
        store.query("SELECT ?u WHERE { ?u ?p }")


def test_an_ill_formed_number_stays_a_text() -> None:
    answer = OxigraphStore().query('SELECT ?x { VALUES ?x { "many"^^xsd:integer } }')
    assert answer.value() == "many"


def test_an_answer_can_be_cut_and_says_so(store: OxigraphStore) -> None:
    text = "SELECT ?u { ?u sc:step ?n } ORDER BY ?n"
    first = store.query(text, most=1)
    assert (list(first), first.is_cut) == ([{"u": "http://a/"}], True)
    whole = store.query(text, most=2)
    assert (len(whole), whole.is_cut) == (2, False)
    triples = store.query("CONSTRUCT WHERE { ?u sc:step ?n }", most=1)
    assert (len(triples), triples.is_cut) == (1, True)


def test_a_query_sees_only_the_graphs_that_are_named() -> None:
    store = OxigraphStore()
    store.update("INSERT DATA { <http://a/> sc:step 1 GRAPH <http://g/> { <http://b/> sc:step 2 } }")
    steps = "SELECT ?n { ?u sc:step ?n }"
    named = "SELECT ?n { GRAPH ?g { ?u sc:step ?n } }"
    assert [row["n"] for row in store.query(steps)] == [1]
    assert [row["n"] for row in store.query(steps, default_graphs=["http://g/"])] == [2]
    assert not store.query(named, default_graphs=["http://g/"])
    assert [row["n"] for row in store.query(named, named_graphs=["http://g/"])] == [2]


@pytest.mark.parametrize("form", ["csv", "tsv", "json", "xml"])
def test_the_endpoint_and_the_command_line_write_alike(store: OxigraphStore, form: str) -> None:
    store.update("INSERT DATA { [] dcterms:title 'no name' }")
    answer = store.query("SELECT ?s ?t ?r { ?s dcterms:title ?t OPTIONAL { ?s sc:relevance ?r } }")
    text, sent = answer.serialize(form), write_answer(answer, form).decode()
    assert "".join(text.split()) == "".join(sent.split())
    if form in ("csv", "tsv"):
        assert "_:" in text
    assert ("\r\n" in sent) == (form == "csv")
    assert "\r\n" not in text


def test_the_columns_of_all_variables_come_in_the_order_of_the_query() -> None:
    store = OxigraphStore()
    store.update('INSERT DATA { <http://a.test/> sc:step 1 ; dcterms:title "A" }')
    answer = store.query("# ?step first\nSELECT DISTINCT * WHERE { ?url dcterms:title ?title ; sc:step ?step }")
    assert answer.variables == ("url", "title", "step")
    assert list(answer) == [{"url": "http://a.test/", "title": "A", "step": 1}]
    assert store.query("SELECT ?step (2 * ?step AS ?double) { ?url sc:step ?step }").variables == ("step", "double")
