"""The declaration of the columns agrees with vocabulary, shapes, docs, queries and tables."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest
import rdflib
from rdflib.namespace import OWL, RDF, RDFS, XSD

from scripts import columns as made
from semcrawl.graph import SC, Changes, CrawlGraph, KnownPage, VisitedPage, named_queries
from semcrawl.graph.columns import ALL, CHECK, CONTENT, PAGE, Column, Columns, shown_in
from semcrawl.resources import ontologies_folder
from semcrawl.serve.table_index import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = [
    pytest.param(column, id=f"{columns.shape}-{column.name}")
    for columns in ALL
    for column in columns
]
URL = "http://a.test/"


@pytest.fixture(scope="module")
def vocabulary() -> rdflib.Graph:
    return rdflib.Graph().parse(ontologies_folder() / "semcrawl.ttl")


@pytest.fixture
def graph() -> Iterator[CrawlGraph]:
    with CrawlGraph.create() as graph:
        yield graph


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_is_in_the_vocabulary(vocabulary: rdflib.Graph, column: Column) -> None:
    if not column.iri.startswith(SC):
        return
    name = rdflib.URIRef(column.iri)
    is_thing = column.datatype == "iri"
    kind = OWL.ObjectProperty if is_thing else OWL.DatatypeProperty
    assert (name, RDF.type, kind) in vocabulary
    if not is_thing:
        assert vocabulary.value(name, RDFS.range) == XSD[column.datatype]
    if (name, RDF.type, OWL.FunctionalProperty) in vocabulary:
        assert column.count != "*"


def test_what_is_made_from_the_columns_is_as_they_are() -> None:
    again = "run 'python -m scripts.columns'"
    assert made.SHAPES.read_text(encoding="utf-8") == made.shapes(), again
    assert made.DOCS.read_text(encoding="utf-8") == made.docs(), again
    assert made.VOCABULARY.read_text(encoding="utf-8") == made.vocabulary(), again


def test_a_new_column_gets_a_shape_and_an_entry_in_the_vocabulary() -> None:
    column = Column("word_count", "natural", "how many words it has")
    assert Columns("Page", column).write(word_count=7) == "sc:wordCount 7"
    assert made._property(column) == (
        "[ sh:path sc:wordCount ; sh:datatype xsd:integer ; sh:minInclusive 0 ; sh:maxCount 1 ]"
    )
    entry = rdflib.Graph().parse(
        data=made.VOCABULARY.read_text(encoding="utf-8") + made._entry(column), format="turtle"
    )
    name = rdflib.URIRef(SC + "wordCount")
    assert str(entry.value(name, RDFS.comment)) == "How many words it has."
    assert str(entry.value(name, RDFS.label)) == "word count"
    assert entry.value(name, RDFS.range) == XSD.integer


def test_all_that_a_visit_finds_is_a_column_but_for_the_url_and_its_statements() -> None:
    names = {field.name for field in fields(VisitedPage)}
    assert {name for name in names if name not in PAGE} == {"url", "statements"}


def page(**values: object) -> VisitedPage:
    known: dict[str, object] = {
        "url": URL,
        "step": 1,
        "relevance": 0.5,
        "fetch_priority": 1.0,
        "status": 200,
        "fetched_at": 0.0,
        "size": 10,
    }
    return VisitedPage(**(known | values))  # type: ignore[arg-type]


def test_a_revisit_replaces_what_is_declared_so_and_nothing_else(graph: CrawlGraph) -> None:
    everything: dict[str, object] = {
        "title": "old",
        "language": "en",
        "description": "old",
        "canonical": URL + "old",
        "concept": "urn:old",
        "digest": "0" * 32,
        "log_relevance": -0.5,
        "on_topic": True,
        "etag": "old",
        "last_modified": "old",
        "bands": ("0:000000000000",),
        "memo": "old",
        "statement_problems": ("old",),
        "links": [URL + "old"],
    }
    changes = Changes()
    changes.visited(page(**everything))
    graph.apply(changes)
    before = properties(graph)
    # Checks and scores are written by others.
    written = [c for c in PAGE if c.iri in before]
    assert {c.name for c in written} == {
        field.name for field in fields(VisitedPage) if field.name in PAGE
    }
    again = Changes()
    again.visited_again(page(relevance=0.25), KnownPage(1, 0.5), 60.0)
    graph.apply(again)
    after = properties(graph)
    kept = {c.iri for c in written if c.revisit != CONTENT}
    assert kept <= after
    always = {PAGE[name].iri for name in ("relevance", "status", "size")}
    changed = {PAGE[name].iri for name in ("changed_at", "changes", "checks", "checked_at")}
    assert after == kept | always | changed
    assert graph.store.value(URL, SC + "relevance") == 0.25


def properties(graph: CrawlGraph) -> set[str]:
    rows = graph.query(f"SELECT DISTINCT ?p {{ <{URL}> ?p ?o FILTER(?p != rdf:type) }}")
    return {row["p"] for row in rows}


def test_only_pages_are_visited_again() -> None:
    assert {column.revisit for column in PAGE} == {CONTENT, CHECK, ""}
    for columns in ALL:
        if columns is not PAGE:
            assert not any(column.revisit for column in columns), columns.shape


@pytest.mark.parametrize("name", list(TABLES))
def test_the_tables_show_the_columns_that_are_declared_so(name: str) -> None:
    table = TABLES[name]
    renamed = {"hub_score": "score", "authority_score": "score"}
    shown = {renamed.get(column.name, column.name) for column in shown_in(name)}
    assert set(table.columns) - {"url", "label"} == shown
    query = named_queries()[table.rows]
    for column in shown:
        assert f"?{column}" in query.text, (table.rows, column)


@pytest.mark.parametrize("name", ["pages", "waiting"])
def test_a_number_that_a_table_shows_can_be_sorted_by(name: str) -> None:
    sortable = {key.name for key in TABLES[name].keys}
    assert {column.name for column in shown_in(name) if column.is_number} <= sortable
