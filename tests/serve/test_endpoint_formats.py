"""Answers written out: what other readers of these formats get is what was there."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from typing import Any
from xml.etree import ElementTree as ET

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph

from semcrawl.errors import QueryError
from semcrawl.graph import SC
from semcrawl.graph.answers import Answer
from semcrawl.graph.result_formats import write_answer, write_triples, xml_text
from semcrawl.serve.sparql_service import GRAPH_FORMATS, ROW_FORMATS, choose

HERE = ox.NamedNode("http://example.org/here")
SAYS = ox.NamedNode("http://example.org/says")
MORE = "http://127.0.0.1/sparql#limit"

TEXTS = st.text(max_size=20)
LITERALS = st.one_of(
    st.builds(ox.Literal, TEXTS),
    st.builds(ox.Literal, st.integers(-(10**6), 10**6)),
    st.builds(lambda text: ox.Literal(text, language="en"), TEXTS),
)
OFFERS = ("application/sparql-results+json", "text/csv", "text/turtle")


def answer_of(*terms: ox.Literal | ox.NamedNode, most: int | None = None) -> Answer:
    """What a SELECT answers over a graph that says these things, and of nothing else."""
    store = ox.Store()
    store.extend(ox.Quad(HERE, SAYS, term) for term in terms)
    return Answer(store.query("SELECT ?said ?other { ?here ?says ?said } ORDER BY ?said"), most)


def read(written: bytes, form: ox.QueryResultsFormat) -> list[Any]:
    solutions = ox.parse_query_results(written, format=form)
    assert isinstance(solutions, ox.QuerySolutions)
    return [tuple(solution) for solution in solutions]


@given(LITERALS)
def test_json_and_tsv_give_every_literal_back(literal: ox.Literal) -> None:
    answer = answer_of(literal)
    for name, form in (("json", ox.QueryResultsFormat.JSON), ("tsv", ox.QueryResultsFormat.TSV)):
        assert read(write_answer(answer, name), form) == [(literal, None)]


@given(TEXTS)
def test_xml_gives_every_text_back_but_for_what_xml_cannot_hold(text: str) -> None:
    written = write_answer(answer_of(ox.Literal(text)), "xml")
    (literal,) = ET.fromstring(written).iter("{http://www.w3.org/2005/sparql-results#}literal")
    assert (literal.text or "") == xml_text(text)


@given(TEXTS)
def test_csv_gives_every_text_back(text: str) -> None:
    written = write_answer(answer_of(ox.Literal(text)), "csv").decode()
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["said", "other"], [text, ""]]


@given(st.text("ab1é._-/:~ªµ", max_size=8))
def test_rdf_xml_holds_a_property_or_is_refused(end: str) -> None:
    triple = ox.Triple(HERE, ox.NamedNode(f"http://example.org/{end}"), ox.Literal("x"))
    with suppress(QueryError):
        written = write_triples([triple], "rdfxml")
        assert [quad.triple for quad in ox.parse(written, format=ox.RdfFormat.RDF_XML)] == [triple]


def test_rdf_xml_is_refused_only_where_it_must_be() -> None:
    triples = [ox.Triple(HERE, ox.NamedNode(SC + name), HERE) for name in ("a", "1a", "1")]
    assert write_triples(triples[:2], "rdfxml")
    with pytest.raises(QueryError, match="RDF/XML cannot hold the property"):
        write_triples(triples, "rdfxml")


@pytest.mark.parametrize("form", [form.name for form in GRAPH_FORMATS])
def test_every_graph_format_is_read_by_rdflib_also_when_it_was_cut(form: str) -> None:
    store = ox.Store()
    store.extend(ox.Quad(HERE, SAYS, ox.Literal(number)) for number in range(5))
    answer = Answer(store.query("CONSTRUCT WHERE { ?s ?p ?o }"), 3)
    names = {"ntriples": "nt", "jsonld": "json-ld", "rdfxml": "xml"}
    if form in ("trig", "nquads"):
        assert len(list(ox.parse(write_answer(answer, form, MORE), format=_quads(form)))) == 3
        return
    graph = Graph()
    graph.parse(data=write_answer(answer, form, MORE), format=names.get(form, form))
    assert len(graph) == 3


def _quads(form: str) -> ox.RdfFormat:
    return ox.RdfFormat.TRIG if form == "trig" else ox.RdfFormat.N_QUADS


def test_a_cut_answer_refers_to_the_limit_and_a_whole_one_does_not() -> None:
    numbers = [ox.Literal(number) for number in range(3)]
    cut, whole = answer_of(*numbers, most=2), answer_of(*numbers, most=3)
    assert json.loads(write_answer(cut, "json", MORE))["head"]["link"] == [MORE]
    assert "link" not in json.loads(write_answer(whole, "json", MORE))["head"]
    assert f'<link href="{MORE}"/>' in write_answer(cut, "xml", MORE).decode()
    assert "<link" not in write_answer(whole, "xml", MORE).decode()


@pytest.mark.parametrize("form", [form.name for form in ROW_FORMATS])
def test_a_yes_is_a_yes_in_every_format(form: str) -> None:
    written = write_answer(Answer(ox.Store().query("ASK {}")), form)
    assert b"true" in written


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("text/*", "text/csv"),
        ("text/turtle", "text/turtle"),
        ("TEXT/Turtle; charset=utf-8", "text/turtle"),
        ("text/csv;q=0.2, text/turtle;q=0.9", "text/turtle"),
        ("*/*, text/csv;q=0", "application/sparql-results+json"),
        ("text/*, text/csv;q=0.1", "text/turtle"),
        ("text/turtle, */*", "text/turtle"),
        ("text/csv;q=nonsense, text/turtle;q=0.1", "text/turtle"),
        ("text/csv;q=0", None),
        ("image/png, nonsense, ;;,", None),
    ],
)
def test_a_client_gets_what_it_likes_best(accept: str, chosen: str | None) -> None:
    assert choose(accept, OFFERS) == chosen


@given(st.text("textcsvurl/*;q=0.19, ", max_size=60))
def test_no_header_is_too_odd_to_be_read(accept: str) -> None:
    assert choose(accept, OFFERS) in (None, *OFFERS)


def test_of_a_header_without_end_the_first_hundred_ranges_are_read() -> None:
    assert choose("image/png," * 99 + "text/csv", ["text/csv"]) == "text/csv"
    assert choose("image/png," * 100 + "text/csv", ["text/csv"]) is None
