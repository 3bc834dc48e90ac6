"""Whatever a stranger wrote into the graph of a crawl, the server says that it is at fault."""

from __future__ import annotations

from shutil import copytree
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest

from semcrawl import Crawl
from semcrawl.graph import SC
from semcrawl.graph.store import OxigraphStore
from semcrawl.serve import ask, explanations, monitor, page_view, pictures, sparql_protocol, tables
from semcrawl.serve.topic_view import TaxonomyView, TopicView
from semcrawl.serve.worker import Job, Order, SnapshotWorker, encode_job
from tests.cli.conftest import PAGES, SEED, write_web

if TYPE_CHECKING:
    from pathlib import Path

XSD = "http://www.w3.org/2001/XMLSchema#"
PROV, DCTERMS = "http://www.w3.org/ns/prov#", "http://purl.org/dc/terms/"
PAGE = "http://a.test/asthma"
JOBS: list[Job] = [
    monitor.CrawlCounts(0.1),
    monitor.NewPages(0),
    monitor.NewPages(2),
    page_view.PageView(url=PAGE),
    page_view.PageView(step=2),
    pictures.Neighbourhood(PAGE),
    pictures.PageGraph(),
    pictures.SiteGraph(),
    tables.TablePage("pages", "relevance", True, "", 0, 50),
    tables.TablePage("waiting", "priority", True, "", 0, 50),
    tables.TablePage("sites", "pages", True, "", 0, 50),
    tables.FirstRelevances(),
    explanations.ExplainedPage(PAGE),
    explanations.Questions(),
    explanations.TellingWords(),
    TopicView(),
    TaxonomyView(),
    ask.NamedQueries(),
    sparql_protocol.StatisticsJob(),
]


def literal(text: str, kind: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + kind))


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("forged")
    web = write_web(place / "web", PAGES)
    with Crawl("wordnet:asthma", [SEED], place / "crawl", replay=(str(web),), pages=5) as made:
        made.run()
    return place / "crawl"


def replies(folder: Path) -> dict[str, tuple[int, str]]:
    worker = SnapshotWorker(1 << 30)
    made = {}
    for job in JOBS:
        order = Order(1, str(folder / "graph"), str(folder), encode_job(job))
        reply = worker.obey(order)
        made[str(job)] = reply.status, reply.error
    return made


def test_a_sound_graph_is_read_by_all_jobs(crawl: Path) -> None:
    statuses = {status for status, _ in replies(crawl).values()}
    assert statuses <= {200, 404, 409}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (SC + "fetchedAt", literal("99999-01-01T00:00:00Z", "dateTime")),
        (SC + "fetchedAt", literal("soon", "dateTime")),
        (SC + "bestConcept", literal("-INF", "double")),
        (SC + "relevance", literal("NaN", "double")),
        (SC + "step", ox.Literal("first")),
        (SC + "stoppedBecause", literal("true", "boolean")),
        (SC + "topicFile", literal("-0001-01-01T00:00:00Z", "dateTime")),
        (PROV + "startedAtTime", literal("0", "integer")),
        (DCTERMS + "title", literal("-5", "integer")),
    ],
)
def test_a_forged_graph_is_said_to_be_one(crawl: Path, tmp_path: Path, name: str, value: Any) -> None:
    found = replies(forged(crawl, tmp_path, name, value))
    assert not {job: reply for job, reply in found.items() if reply[0] >= 500}


def test_no_list_is_made_as_long_as_a_forged_step(crawl: Path, tmp_path: Path) -> None:
    folder = forged(crawl, tmp_path, SC + "step", literal("3000000", "integer"))
    found = replies(folder)
    for job in (monitor.NewPages(0), tables.FirstRelevances()):
        status, said = found[str(job)]
        assert status == 422
        assert "step 3000000" in said


def forged(crawl: Path, tmp_path: Path, name: str, value: Any) -> Path:
    """A copy of the crawl in which all values of a property are replaced."""
    folder = copytree(crawl, tmp_path / "crawl")
    store = OxigraphStore(folder / "graph")
    for quad in [*store.quads_with(name)]:
        store.raw.remove(quad)
        store.raw.add(ox.Quad(quad.subject, quad.predicate, value))
    store.close()
    return folder
