"""The crawl graph and its answers as users of rdflib, pandas and networkx expect them."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import networkx
import pytest
import rdflib
from rdflib import RDF, XSD, URIRef
from rdflib.query import Result

from semcrawl import Crawl
from semcrawl.errors import ConfigError, QueryError
from semcrawl.graph import SC, CrawlGraph
from semcrawl.steering import distill, record

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = "http://a.test/"
PAGES = {
    SEED: '<title>Start</title><p>asthma <a href="/lung">lungs</a><a href="http://b.test/">b</a>',
    "http://a.test/lung": "<title>Lungs</title><p>asthma of the lungs <a href='/'>back</a>",
    "http://b.test/": '<p>cars <a href="http://a.test/">a</a><script type="application/ld+json">'
    '{"@context": "https://schema.org", "@id": "urn:car", "@type": "Car", "name": "Fiat"}</script>',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished and distilled crawl of PAGES."""
    place = tmp_path_factory.mktemp("views")
    with crawl_of(place, place / "asthma") as crawl:
        record(crawl.graph, distill(crawl.graph, share=1.0, across="pages"))
    return place / "asthma"


def crawl_of(place: Path, folder: Path | None) -> Crawl:
    web = place / "web"
    web.mkdir()
    lines = []
    for number, (url, page) in enumerate(PAGES.items()):
        (web / f"{number}.html").write_text(page, encoding="utf-8")
        lines.append(f"{url}\t{number}.html\t200\ttext/html; charset=utf-8\n")
    (web / "urls.tsv").write_text("".join(lines), encoding="utf-8")
    crawl = Crawl("wordnet:asthma", [SEED], folder, replay=(str(web),))
    crawl.run()
    return crawl


@pytest.fixture
def graph(folder: Path) -> Iterator[CrawlGraph]:
    with CrawlGraph.read(folder) as graph:
        yield graph


def check_dataset(graph: CrawlGraph) -> None:
    dataset = graph.rdflib()
    pages = set(dataset.default_graph.subjects(RDF.type, URIRef(SC + "Page")))
    assert pages == set(map(URIRef, PAGES))
    # What a page says is in its named graph, and nowhere else.
    name = (URIRef("urn:car"), URIRef("https://schema.org/name"), None)
    assert name not in dataset.default_graph
    assert name in dataset.graph(URIRef("http://b.test/"))
    assert URIRef("http://b.test/") in {one.identifier for one in dataset.graphs()}
    asked = dataset.query("SELECT ?n { GRAPH ?g { ?c <https://schema.org/name> ?n } }")
    assert [str(row.n) for row in asked] == ["Fiat"]  # type: ignore[union-attr]


def test_rdflib_on_a_finished_crawl(graph: CrawlGraph) -> None:
    check_dataset(graph)


def test_rdflib_on_a_crawl_in_memory(tmp_path: Path) -> None:
    with crawl_of(tmp_path, None) as crawl:
        check_dataset(crawl.graph)


def test_rdflib_on_a_snapshot(folder: Path, tmp_path: Path) -> None:
    from semcrawl.graph.snapshots import link_snapshot, open_snapshot, remove_snapshot

    place = link_snapshot(folder)
    with CrawlGraph(open_snapshot(place)) as snapshot:
        check_dataset(snapshot)
    remove_snapshot(place)


def test_triples_become_an_rdflib_graph(graph: CrawlGraph) -> None:
    found = graph.query("CONSTRUCT WHERE { ?u dcterms:title ?t ; sc:step ?n }").to_rdflib()
    assert isinstance(found, rdflib.Graph)
    assert (URIRef(SEED), URIRef(SC + "step"), rdflib.Literal(1)) in found
    assert (URIRef(SEED), rdflib.DCTERMS.title, rdflib.Literal("Start")) in found


def test_rows_and_a_yes_become_an_rdflib_result(graph: CrawlGraph) -> None:
    rows = graph.query(
        "SELECT ?u ?r ?none { ?u sc:relevance ?r OPTIONAL { ?u sc:nothing ?none } } ORDER BY ?u"
    ).to_rdflib()
    assert isinstance(rows, Result)
    assert [str(name) for name in rows.vars or ()] == ["u", "r", "none"]
    first = next(iter(rows))
    assert first.u == URIRef(SEED)  # type: ignore[union-attr]
    assert first.r.datatype == XSD.decimal  # type: ignore[union-attr]
    assert first.none is None  # type: ignore[union-attr]
    said = graph.query("ASK { ?u a sc:Page }").to_rdflib()
    assert isinstance(said, Result)
    assert said.askAnswer is True


def test_rows_become_a_data_frame(graph: CrawlGraph) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: extra 'pandas'")
    frame = graph.query(
        "SELECT ?u ?r ?t ?at { ?u sc:relevance ?r ; sc:fetchedAt ?at OPTIONAL { ?u dcterms:title ?t } } ORDER BY ?u"
    ).to_pandas()
    assert list(frame.columns) == ["u", "r", "t", "at"]
    assert list(frame.u) == list(PAGES)
    assert frame.r.max() <= 1.0
    assert frame.t.isna().sum() == 1
    assert frame["at"][0] > datetime(1970, 1, 1, tzinfo=UTC) or frame["at"][0].tzinfo is not None
    assert list(graph.query("SELECT ?x { ?x a sc:None }").to_pandas().columns) == ["x"]


def test_triples_become_a_data_frame_and_a_yes_does_not(graph: CrawlGraph) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: extra 'pandas'")
    frame = graph.query("CONSTRUCT WHERE { ?u sc:step ?n }").to_pandas()
    assert sorted(frame.object) == [1, 2, 3]
    with pytest.raises(QueryError, match="bool"):
        graph.query("ASK {}").to_pandas()


def test_without_pandas_it_is_said_how_to_install_it(graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"pip install 'semcrawl\[pandas\]'"):
        graph.query("SELECT ?u { ?u a sc:Page }").to_pandas()


def test_the_link_graph_has_relevance_titles_and_scores(graph: CrawlGraph) -> None:
    links = graph.networkx()
    assert set(links) == set(PAGES)
    assert links.has_edge(SEED, "http://b.test/")
    assert links.nodes[SEED]["title"] == "Start"
    assert links.nodes[SEED]["relevance"] == graph.store.value(SEED, SC + "relevance")
    scores = [known.get("hub_score", 0) for _, known in links.nodes(data=True)]
    assert sum(scores) == pytest.approx(1.0)
    assert any("authority_score" in known for _, known in links.nodes(data=True))


def test_the_link_graph_can_be_written_in_formats_without_times(graph: CrawlGraph, tmp_path: Path) -> None:
    links = graph.networkx()
    networkx.write_graphml(links, tmp_path / "a.graphml")
    networkx.write_gexf(links, tmp_path / "a.gexf")
    json.dumps(networkx.node_link_data(links))
    assert datetime.fromisoformat(links.nodes[SEED]["fetched_at"]).tzinfo is not None


def test_the_link_graph_of_relevant_pages_only(graph: CrawlGraph) -> None:
    relevant = graph.networkx(None)
    assert set(relevant) == {SEED, "http://a.test/lung"}
    assert set(relevant.edges) == {(SEED, "http://a.test/lung"), ("http://a.test/lung", SEED)}


def test_the_example_of_the_docs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: extra 'pandas'")
    text = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (example,) = (block for block in blocks if "networkx()" in block)
    monkeypatch.chdir(folder.parent)
    exec(example, {})
    out = capsys.readouterr().out
    assert "\n3 4\n" in out
    assert "sc:Page" in out
