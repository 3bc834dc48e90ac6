"""Real clients at the endpoint: SPARQLWrapper, rdflib's SPARQLStore and curl."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from rdflib import RDF, Graph, Literal, Namespace, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import CSV, GET, JSON, JSONLD, N3, POST, POSTDIRECTLY, RDFXML, TSV, TURTLE, XML
from SPARQLWrapper import SPARQLWrapper as Wrapper
from SPARQLWrapper.SPARQLExceptions import QueryBadFormed

from semcrawl.graph import SC
from tests.serve.conftest import PAGES, TOKEN, Served

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = f"PREFIX sc: <{SC}>\n"
PAGES_ASKED = PREFIX + "SELECT ?page WHERE { ?page a sc:Page } ORDER BY ?page"
GRAPH_ASKED = PREFIX + "CONSTRUCT { ?page a sc:Page } WHERE { ?page a sc:Page }"
NAMES = Namespace(SC)


def wrapper(served: Served, text: str, form: str, method: str = GET) -> Any:
    client = Wrapper(f"{served.url}/sparql")
    client.setMethod(method)
    client.setQuery(text)
    client.setReturnFormat(form)
    return client


# SPARQLWrapper


@pytest.mark.parametrize("way", ["get", "form", "direct"])
def test_sparqlwrapper_gets_rows_each_way(served: Served, way: str) -> None:
    client = wrapper(served, PAGES_ASKED, JSON, GET if way == "get" else POST)
    if way == "direct":
        client.setRequestMethod(POSTDIRECTLY)
    rows = client.queryAndConvert()["results"]["bindings"]
    assert len(rows) == PAGES
    assert rows[0]["page"]["type"] == "uri"


def test_sparqlwrapper_gets_rows_in_each_format(served: Served) -> None:
    xml = wrapper(served, PAGES_ASKED, XML).queryAndConvert()
    assert len(xml.getElementsByTagName("result")) == PAGES
    for form in (CSV, TSV):
        lines = wrapper(served, PAGES_ASKED, form).queryAndConvert().decode().splitlines()
        assert len(lines) == PAGES + 1


def test_sparqlwrapper_gets_a_yes(served: Served) -> None:
    text = PREFIX + "ASK { ?page a sc:Page }"
    assert wrapper(served, text, JSON).queryAndConvert()["boolean"] is True


@pytest.mark.parametrize("form", [RDFXML, XML, JSONLD])
def test_sparqlwrapper_reads_a_graph(served: Served, form: str) -> None:
    graph = wrapper(served, GRAPH_ASKED, form).queryAndConvert()
    assert len(list(graph.subjects(RDF.type, NAMES.Page))) == PAGES


@pytest.mark.parametrize("form", [TURTLE, N3])
def test_sparqlwrapper_gets_a_graph_as_text(served: Served, form: str) -> None:
    text = wrapper(served, GRAPH_ASKED, form).queryAndConvert()
    assert len(Graph().parse(data=text, format="turtle")) == PAGES


def test_sparqlwrapper_tells_of_a_bad_query(served: Served) -> None:
    with pytest.raises(QueryBadFormed, match="error at 1:12"):
        wrapper(served, "SELECT ?x {", JSON).query()


def test_sparqlwrapper_sees_that_an_answer_was_cut(limited: Served) -> None:
    for form in (JSON, XML, CSV):
        result = wrapper(limited, PAGES_ASKED, form).query()
        assert result.info()["x-sparql-maxrows"] == "3"
        result.convert()


def test_sparqlwrapper_sends_the_token_where_it_is_needed(reachable: Served) -> None:
    client = wrapper(reachable, PREFIX + "ASK { ?page a sc:Page }", JSON)
    client.addCustomHttpHeader("Authorization", f"Bearer {TOKEN}")
    assert client.queryAndConvert()["boolean"] is True


# rdflib


@pytest.fixture(params=["GET", "POST", "POST_FORM"])
def graph(request: pytest.FixtureRequest, served: Served) -> Graph:
    """The crawl as an rdflib graph, by each way to send a query."""
    return Graph(SPARQLStore(f"{served.url}/sparql", method=request.param))


def test_rdflib_selects_asks_and_constructs(graph: Graph) -> None:
    assert len(list(graph.query(PAGES_ASKED))) == PAGES
    assert graph.query(PREFIX + "ASK { ?page a sc:Page }").askAnswer is True
    assert len(graph.query(GRAPH_ASKED).graph or ()) == PAGES


@pytest.mark.parametrize("form", ["xml", "json", "csv", "tsv"])
def test_rdflib_reads_rows_in_each_format(served: Served, form: str) -> None:
    graph = Graph(SPARQLStore(f"{served.url}/sparql", returnFormat=form))
    pages = [row[0] for row in graph.query(PAGES_ASKED)]  # type: ignore[index]
    assert len(pages) == PAGES
    assert all(str(page).startswith("http") for page in pages)


def test_rdflib_walks_the_crawl_as_a_graph(graph: Graph) -> None:
    pages = list(graph.subjects(RDF.type, NAMES.Page))
    assert len(pages) == PAGES
    relevance = graph.value(pages[0], NAMES.relevance)
    assert isinstance(relevance, Literal)
    assert 0 <= float(relevance) <= 1
    assert (pages[0], RDF.type, NAMES.Page) in graph


def test_rdflib_asks_a_named_graph_and_finds_it_empty(served: Served) -> None:
    store = SPARQLStore(f"{served.url}/sparql")
    graph = Graph(store, identifier=URIRef("http://example.org/graph"))
    assert not list(graph.query(PAGES_ASKED))


# curl


def curl(*arguments: str) -> str:
    program = shutil.which("curl")
    if program is None:
        pytest.skip("curl is not installed")
    done = subprocess.run(
        [program, "-sS", "--noproxy", "*", *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_curl_asks_as_the_docs_say(served: Served) -> None:
    url = f"{served.url}/sparql"
    text = "SELECT (COUNT(*) AS ?pages) { ?page a sc:Page }"
    found = json.loads(curl(url, "--data-urlencode", f"query={text}"))
    assert found["results"]["bindings"][0]["pages"]["value"] == str(PAGES)
    rows = curl("-G", url, "--data-urlencode", f"query={text}", "-H", "Accept: text/csv")
    assert rows.split() == ["pages", str(PAGES)]
    direct = ("-H", "Content-Type: application/sparql-query", "--data-binary", text)
    assert curl(url, "-H", "Accept: text/tab-separated-values", *direct).startswith("?pages\n")


def test_curl_saves_a_graph(served: Served, tmp_path: Path) -> None:
    target = tmp_path / "pages.ttl"
    query = ("--data-urlencode", f"query={GRAPH_ASKED}", "-d", "format=turtle")
    curl("-G", f"{served.url}/sparql", *query, "-o", str(target))
    assert len(Graph().parse(target)) == PAGES
