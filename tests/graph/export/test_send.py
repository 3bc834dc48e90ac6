"""Sending a crawl graph to a real SPARQL server."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pyoxigraph as ox
import pytest

from semcrawl.errors import ConfigError, QueryError, StoreError
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph import send as sending
from semcrawl.graph.send import send

PAGE = "http://a.test/asthma"


@pytest.fixture
def graph(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[CrawlGraph]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(sending, "BATCH", 3)
    with CrawlGraph.create() as graph:
        changes = Changes()
        graph.begin(changes, name="asthma", topic="", topic_turtle="", settings="{}",
                    threshold=0.5, now=0.0)  # fmt: skip
        page = Changes()
        blank = ox.BlankNode("b")
        said = [ox.Triple(blank, ox.NamedNode("urn:p"), ox.Literal(f"value {n}")) for n in range(5)]
        page.visited(PAGE, step=1, title="Asthma", statements=said)
        graph.apply(page)
        yield graph


def canonical(quads: Iterator[ox.Quad]) -> list[str]:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return sorted(map(str, dataset))


def test_a_graph_store_holds_all_of_it_and_sending_twice_changes_nothing(
    sparql_server: str, graph: CrawlGraph
) -> None:
    request = urllib.request.Request(
        f"{sparql_server}/store", headers={"Accept": "application/n-quads"}
    )
    told: list[int] = []
    for _ in range(2):
        number = send(graph, f"{sparql_server}/store", tell=told.append)
        with urllib.request.urlopen(request, timeout=60) as answer:
            kept = canonical(ox.parse(answer.read(), format=ox.RdfFormat.N_QUADS))
        assert len(kept) == number == told[-1]
    assert kept == canonical(graph.store.quads())


def test_updates_do_the_same(sparql_server: str, graph: CrawlGraph) -> None:
    send(graph, f"{sparql_server}/update", into="urn:crawl")
    question = "SELECT (COUNT(*) AS ?n) { GRAPH <urn:crawl> { ?s ?p ?o } }"
    request = urllib.request.Request(
        f"{sparql_server}/query", question.encode(), {"Content-Type": "application/sparql-query",
                                              "Accept": "text/csv"},
    )  # fmt: skip
    with urllib.request.urlopen(request, timeout=60) as answer:
        found = int(answer.read().split()[1])
    default = sum(isinstance(quad.graph_name, ox.DefaultGraph) for quad in graph.store.quads())
    assert found == default


def test_no_proxy_and_no_folder_is_sent(sparql_server: str, graph: CrawlGraph) -> None:
    private = '{"proxy":"http://ann:s3cret@proxy.test","replay":["/home/ann/web"]}'
    graph.note_start(private, threshold=0.5)
    send(graph, f"{sparql_server}/store")
    request = urllib.request.Request(
        f"{sparql_server}/store", headers={"Accept": "application/n-quads"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = answer.read().decode()
    assert "ann" not in text
    assert "web" in text


TAKEN: list[str] = []


class RefusesTheThird(BaseHTTPRequestHandler):
    """Takes all requests but the third."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        TAKEN.append(self.path)
        self.send_response(503 if len(TAKEN) == 3 else 204)
        self.end_headers()

    def do_PUT(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        pass


def test_the_next_try_goes_on_where_the_server_refused(graph: CrawlGraph) -> None:
    TAKEN.clear()
    with HTTPServer(("127.0.0.1", 0), RefusesTheThird) as stub:
        thread = Thread(target=stub.serve_forever, args=(0.05,))
        thread.start()
        address = f"http://127.0.0.1:{stub.server_address[1]}/store"
        try:
            with pytest.raises(StoreError, match="refused: status 503"):
                send(graph, address)
            send(graph, address)
            whole = sum(1 for _ in sending._batches(graph))
        finally:
            stub.shutdown()
            thread.join()
    assert len(TAKEN) == whole + 1


@pytest.mark.parametrize("address", ["store", "ftp://a.test/", "http://me:secret@a.test/store"])
def test_what_is_no_address_is_refused(graph: CrawlGraph, address: str) -> None:
    with pytest.raises(ConfigError):
        send(graph, address)


def test_what_is_no_name_of_a_graph_is_refused(graph: CrawlGraph) -> None:
    with pytest.raises(QueryError, match="is no IRI"):
        send(graph, "http://127.0.0.1:9/update", into="urn:x> } ; DROP ALL #")


def test_a_server_that_is_not_there_is_told_of(graph: CrawlGraph) -> None:
    with pytest.raises(StoreError, match="cannot be reached"):
        send(graph, "http://127.0.0.1:9/store")
