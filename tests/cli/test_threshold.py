"""One threshold of relevance, the crawl's own, wherever a query is asked without one."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
import rdflib

from semcrawl import Crawl
from semcrawl.graph import SC, CrawlGraph, export, named_queries
from tests.cli.conftest import SEED, Ran
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]

THRESHOLD = 0.9
THRESHOLD_QUERIES = sorted(query.name for query in named_queries().values() if query.needs_threshold)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory, web: Path) -> Path:
    """A crawl whose threshold is not the one that stands in the query files."""
    folder = tmp_path_factory.mktemp("strict") / "asthma"
    with Crawl(
        "wordnet:asthma",
        [SEED],
        folder,
        replay=(str(web),),
        threshold=THRESHOLD,
        strategy="best-first-page-anchor",
        judge="labels",
    ) as crawl:
        crawl.run()
        (row,) = crawl.query("progress")
        assert row["relevant"] == crawl.progress.relevant
    return folder


@pytest.fixture(scope="module")
def relevant(strict: Path) -> int:
    """How many pages reach the threshold; fewer than reach that of the files."""
    with CrawlGraph.read(strict) as graph:
        found: list[float] = [row["relevance"] for row in graph.query("harvest")]
    count = sum(relevance >= THRESHOLD for relevance in found)
    assert 0 < count < sum(relevance >= 0.05 for relevance in found)
    return count


def test_python(strict: Path, relevant: int) -> None:
    with CrawlGraph.read(strict) as graph:
        assert graph.threshold == THRESHOLD
        (row,) = graph.query("progress")
        assert row["relevant"] == relevant
        assert len(graph.query("export/pages")) == relevant
        assert sum(row["relevant"] for row in graph.query("sites", min_pages=1)) == relevant
        (low,) = graph.query("progress", threshold=0.0)
        assert low["relevant"] == low["pages"]


@pytest.mark.parametrize("name", THRESHOLD_QUERIES)
def test_every_query_that_speaks_of_relevant_pages(strict: Path, name: str) -> None:
    with CrawlGraph.read(strict) as graph:
        query = graph.named_query(name)
    assert f"{{ {THRESHOLD} }}" in query.text
    assert "{ 0.05 }" not in query.text


def test_no_query_has_a_threshold_of_its_own() -> None:
    for query in named_queries().values():
        if not query.needs_threshold:
            assert "{ 0.05 }" not in query.text, query.name


def test_the_command_line(run: Run, strict: Path, relevant: int) -> None:
    asked = run("query", strict, "progress", "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(asked))
    assert int(row["relevant"]) == relevant
    assert json.loads(run("status", strict, "--json").out)["relevant"] == relevant


def test_a_query_file_of_ones_own(run: Run, strict: Path, tmp_path: Path, relevant: int) -> None:
    (tmp_path / "own.rq").write_text(
        "# Mine.\n# @param least [threshold]  what counts\n"
        "SELECT ?u { VALUES ?least { 0.0 } ?u sc:relevance ?r FILTER(?r >= ?least) }"
    )
    assert len(run("query", strict, "own.rq", "--format", "csv").out.splitlines()) == relevant + 1
    all_of_them = run("query", strict, "own.rq", "least=0", "--format", "csv").out
    assert len(all_of_them.splitlines()) > relevant + 1


def test_watch(run: Run, strict: Path, relevant: int) -> None:
    assert f"{relevant} relevant" in run("watch", strict).out


def test_export(strict: Path, tmp_path: Path, relevant: int) -> None:
    with CrawlGraph.read(strict) as graph:
        assert export(graph, tmp_path / "pages.csv") == relevant
        assert export(graph, tmp_path / "collection.ttl") == relevant
    written = rdflib.Graph().parse(tmp_path / "collection.ttl")
    pages = written.subjects(rdflib.RDF.type, rdflib.URIRef(f"{SC}Page"))
    assert len(set(pages)) == relevant


def test_the_server(strict: Path, relevant: int) -> None:
    with running_server(strict) as served:
        named = served.client.post("/api/query", json={"name": "progress"}).json()
        row = dict(zip(named["variables"], named["rows"][0], strict=True))
        assert int(row["relevant"]["value"]) == relevant
        queries = served.client.get("/api/queries").json()
    offered = {query["name"]: query for query in queries}
    (parameter,) = offered["monitor/progress"]["parameters"]
    assert parameter["default"] == str(THRESHOLD)
    assert f"{{ {THRESHOLD} }}" in offered["monitor/progress"]["text"]
