"""The declaration of the columns agrees with vocabulary, shapes, docs, queries and tables."""

from __future__ import annotations

import runpy
from typing import TYPE_CHECKING, Any

import pytest
import rdflib
from rdflib.namespace import OWL, RDF, RDFS, XSD

from scripts import columns as made
from semcrawl import Crawl
from semcrawl.graph import SC, Changes, CrawlGraph, named_queries
from semcrawl.graph.changes import KnownPage
from semcrawl.graph.columns import ALL, CHECK, CONTENT, PAGE, Column, shown_in
from semcrawl.graph.queries import _shipped
from semcrawl.resources import ontologies_folder, queries_folder
from semcrawl.serve import table_index
from semcrawl.serve.table_index import TABLES
from semcrawl.serve.tables import TablePage
from semcrawl.serve.worker import ServedGraph
from semcrawl.web import Response

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://a.test/"


@pytest.fixture(scope="module")
def vocabulary() -> rdflib.Graph:
    return rdflib.Graph().parse(ontologies_folder() / "semcrawl.ttl")


@pytest.fixture
def graph() -> Iterator[CrawlGraph]:
    with CrawlGraph.create() as graph:
        yield graph


def test_every_column_is_in_the_vocabulary(vocabulary: rdflib.Graph) -> None:
    own = [column for columns in ALL for column in columns if column.iri.startswith(SC)]
    assert own
    for column in own:
        name = rdflib.URIRef(column.iri)
        is_thing = column.datatype == "iri"
        kind = OWL.ObjectProperty if is_thing else OWL.DatatypeProperty
        assert (name, RDF.type, kind) in vocabulary, column
        if not is_thing:
            assert vocabulary.value(name, RDFS.range) == XSD[column.datatype], column
        if (name, RDF.type, OWL.FunctionalProperty) in vocabulary:
            assert column.count != "*", column


def test_what_is_made_from_the_columns_is_as_they_are() -> None:
    again = "run 'python -m scripts.columns'"
    assert made.SHAPES.read_text(encoding="utf-8") == made.shapes(), again
    collection = made.COLLECTION_SHAPES.read_text(encoding="utf-8")
    assert collection == made.collection_shapes(), again
    assert made.VOCABULARY.read_text(encoding="utf-8") == made.vocabulary(), again


# Adding a column is one line and a query. Here is the line.
# fmt: off
WORD_COUNT = Column("word_count", "natural", "how many words it has", revisit=CONTENT,
                    tables=("pages",), source=lambda visit: len(visit.page.text.split()))
# fmt: on


@pytest.fixture
def one_column_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line stands in semcrawl/graph/columns.toml."""
    monkeypatch.setattr(PAGE, "_columns", PAGE._columns | {WORD_COUNT.name: WORD_COUNT})
    # The tables are made when their module is imported.
    fresh = runpy.run_path(table_index.__file__)["TABLES"]
    monkeypatch.setitem(TABLES, "pages", fresh["pages"])
    monkeypatch.setattr(table_index, "_indexes", {})


@pytest.fixture
def query_with_the_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The query of the table of pages asks for the column."""
    text = (queries_folder() / "serve" / "page-rows.rq").read_text(encoding="utf-8")
    text = text.replace(" WHERE", " ?word_count WHERE", 1)
    text = text.replace("  OPTIONAL", "  OPTIONAL { ?url sc:wordCount ?word_count }\n  OPTIONAL", 1)
    (tmp_path / "page-rows.rq").write_text(text, encoding="utf-8")
    there = _shipped() | {"serve/page-rows": tmp_path / "page-rows.rq"}
    monkeypatch.setattr("semcrawl.graph.queries._shipped", lambda: there)


class OnePage:
    """A web of one page."""

    text = "asthma"

    def fetch(self, url: str, **_: object) -> Response:
        body = f"<title>A page</title><p>{self.text}".encode()
        return Response(url, 200, {"content-type": "text/html"}, body, 0.0, 0.0)

    def close(self) -> None:
        pass


@pytest.mark.usefixtures("one_column_more", "query_with_the_column")
def test_a_new_column_is_recorded_replaced_and_shown(tmp_path: Path) -> None:
    web, folder = OnePage(), tmp_path / "crawl"

    def shown() -> list[Any]:
        with ServedGraph.read(folder) as graph:
            reply = TablePage("pages", "word_count", True, "", 0, 10).do(graph)
            assert "word_count" in reply.columns
            return [row["word_count"] for row in reply.rows]

    with Crawl("keywords:asthma", [URL], folder, fetcher=web, robots=False) as crawl:
        crawl.run()
    assert shown() == [1]
    web.text = "asthma is a disease"
    with Crawl.revisit(folder, hours=0, fetcher=web) as crawl:
        crawl.run()
    assert shown() == [4]


@pytest.mark.usefixtures("one_column_more")
def test_a_new_column_gets_a_shape_documentation_and_an_entry_in_the_vocabulary() -> None:
    assert ("[ sh:path sc:wordCount ; sh:datatype xsd:integer ; sh:minInclusive 0 ; sh:maxCount 1 ]") in made.shapes()
    said = "how many words it has"
    row = f"| page | `sc:wordCount` | integer | {said} | when its content changes |"
    assert row in made.table()
    entry = rdflib.Graph().parse(data=made.vocabulary(), format="turtle")
    name = rdflib.URIRef(SC + "wordCount")
    assert str(entry.value(name, RDFS.comment)) == "How many words it has."
    assert str(entry.value(name, RDFS.label)) == "word count"
    assert entry.value(name, RDFS.range) == XSD.integer


def test_a_revisit_replaces_what_is_declared_so_and_nothing_else(graph: CrawlGraph) -> None:
    always = {"relevance": 0.5, "status": 200, "size": 10}
    everything: dict[str, Any] = always | {
        "step": 1,
        "fetch_priority": 1.0,
        "fetched_at": 0.0,
        "title": "old",
        "language": "en",
        "description": "old",
        "canonical": URL + "old",
        "concept": "urn:old",
        "digest": "0" * 32,
        "first_relevance": 0.25,
        "log_relevance": -0.5,
        "on_topic": True,
        "etag": "old",
        "last_modified": "old",
        "warc_file": "old.warc.gz",
        "warc_offset": 7,
        "bands": ("0:000000000000",),
        "memo": "old",
        "statement_problems": ("old",),
        "links": [URL + "old"],
    }
    # All that a visit finds out; checks and scores are written by others.
    assert set(everything) == {column.name for column in PAGE if column.source}
    changes = Changes()
    changes.visited(URL, **everything)
    graph.apply(changes)
    assert properties(graph) == {PAGE[name].iri for name in everything}
    again = Changes()
    new = everything | {"step": 2, "memo": "new"} | dict.fromkeys(everything.keys() - always)
    again.visited_again(URL, KnownPage(1, 0.5), 60.0, **(new | {"relevance": 0.25}))
    graph.apply(again)
    kept = {PAGE[name].iri for name in everything if PAGE[name].revisit != CONTENT}
    changed = {"changed_at", "changes", "checks", "checked_at"}
    assert properties(graph) == kept | {PAGE[name].iri for name in changed | set(always)}
    assert graph.store.value(URL, SC + "relevance") == 0.25
    assert graph.store.value(URL, SC + "step") == 1
    assert graph.store.value(URL, SC + "memo") == "old"


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
