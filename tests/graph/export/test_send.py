"""Sending a crawl graph to a real SPARQL server."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest

from semcrawl.crawl.shards.reading import read_crawl
from semcrawl.errors import ConfigError, QueryError, StoreError
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph import send as sending
from semcrawl.graph.changes import KnownPage
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.mirror import Mirror, mirrored
from semcrawl.graph.send import send
from semcrawl.progress import listening

PAGE = "http://a.test/asthma"


@pytest.fixture
def graph(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[CrawlGraph]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(sending, "BATCH", 3)
    with CrawlGraph.create() as graph:
        changes = Changes()
        graph.begin(changes, title="asthma", topic_file="", topic_turtle="", settings="{}",
                    threshold=0.5, started_at=0.0)  # fmt: skip
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


def test_a_graph_store_holds_all_of_it_and_sending_twice_changes_nothing(sparql_server: str, graph: CrawlGraph) -> None:
    request = urllib.request.Request(f"{sparql_server}/store", headers={"Accept": "application/n-quads"})
    told: list[str] = []
    for _ in range(2):
        with listening(told.append):
            number = send(graph, f"{sparql_server}/store")
        with urllib.request.urlopen(request, timeout=60) as answer:
            kept = canonical(ox.parse(answer.read(), format=ox.RdfFormat.N_QUADS))
        assert len(kept) == number
        assert told[-2:] == [f"{number:,} statements sent", ""]
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


@pytest.mark.parametrize("into", ["", "urn:crawl"])
def test_a_crawl_that_went_on_replaces_what_was_sent_of_it(sparql_server: str, graph: CrawlGraph, into: str) -> None:
    for before, after in ((0.0, 0.25), (0.25, 0.75)):
        changes = Changes()
        changes.rejudged(PAGE, before, after)
        graph.apply(changes)
        number = send(graph, f"{sparql_server}/update", into=into)
    with closing(EndpointStore(f"{sparql_server}/query")) as server:
        asked = "SELECT ?r { ?page sc:relevance ?r }"
        found = server.query(asked, default_graphs=[into] * bool(into))
        assert [row["r"] for row in found] == [0.75]
        kept = server.query("SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }")
        assert len(kept) == number


def test_two_crawls_are_not_mixed_in_one_graph_of_a_server(sparql_server: str, graph: CrawlGraph) -> None:
    send(graph, f"{sparql_server}/update")
    with CrawlGraph.create() as other:
        other.begin(
            Changes(), title="other", topic_file="", topic_turtle="", settings="{}", threshold=0.5, started_at=1.0
        )
        with pytest.raises(StoreError, match="has another crawl in that graph: give one of its own with --into"):
            send(other, f"{sparql_server}/update")
        send(other, f"{sparql_server}/update", into="urn:other")


def test_no_proxy_and_no_folder_is_sent(sparql_server: str, graph: CrawlGraph) -> None:
    private = '{"proxy":"http://ann:s3cret@proxy.test","replay":["/home/ann/web"]}'
    graph.note_start(private, threshold=0.5)
    send(graph, f"{sparql_server}/store")
    request = urllib.request.Request(f"{sparql_server}/store", headers={"Accept": "application/n-quads"})
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
            whole = sum(1 for _ in sending.batches(graph.store.quads()))
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


def test_a_server_that_takes_digests_only_is_given_one(graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Virtuoso does: who comes with a plain password is not told what is wanted."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            scheme = self.headers.get("Authorization", "none").split()[0]
            seen.append(scheme)
            self.send_response(200 if scheme == "Digest" else 401)
            if scheme == "none":
                asked = 'Digest realm="SPARQL", nonce="1", qop="auth", algorithm="MD5"'
                self.send_header("WWW-Authenticate", asked)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_PUT(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            pass

    monkeypatch.setenv("SEMCRAWL_ENDPOINT_USER", "ann")
    monkeypatch.setenv("SEMCRAWL_ENDPOINT_PASSWORD", "secret")
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        send(graph, f"http://127.0.0.1:{server.server_port}/store")
        server.shutdown()
    assert seen[:3] == ["Basic", "none", "Digest"]
    assert set(seen[3:]) == {"Digest"}


@pytest.mark.parametrize("line", ["<{evil}> <urn:b> <urn:c> .", "<urn:a> <urn:b> <urn:c> <{evil}> ."])
def test_an_iri_that_ends_in_an_update_of_its_own_is_not_sent(graph: CrawlGraph, line: str) -> None:
    evil = "".join(f"\\u{ord(char):04x}" for char in "urn:a> <urn:b> <urn:c> } ; DROP ALL #")
    graph.store.raw.load(line.format(evil=evil), ox.RdfFormat.N_QUADS, lenient=True)
    sent: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/query":
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"head": {"vars": ["crawl"]}, "results": {"bindings": []}}')
                return
            sent.append(body)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises((StoreError, QueryError), match="no IRI"):
            send(graph, f"http://127.0.0.1:{server.server_port}/update")
        server.shutdown()
    assert not any(b"ALL" in body for body in sent)


@pytest.mark.parametrize(("status", "chunk"), [(401, b""), (500, b""), (500, b"-1\r\n")])
def test_an_answer_without_end_is_not_read_to_its_end(
    graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch, status: int, chunk: bytes
) -> None:
    cut = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("WWW-Authenticate", "Digest nonce=none")
            self.send_header("Transfer-Encoding", "chunked" if chunk else "identity")
            self.end_headers()
            self.wfile.write(chunk)
            try:
                while True:
                    self.wfile.write(b"no " * 10_000)
            except OSError:
                cut.set()
            self.close_connection = True

        do_PUT = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    monkeypatch.setenv("SEMCRAWL_ENDPOINT_USER", "ann")
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(StoreError, match=r"status 500 no no|cannot be reached: 'realm'"):
            send(graph, f"http://127.0.0.1:{server.server_port}/store")
        server.shutdown()
    assert cut.is_set()


VIRTUOSO = """
[Database]
DatabaseFile = {0}/v.db
ErrorLogFile = {0}/v.log
LockFile = {0}/v.lck
TransactionFile = {0}/v.trx
xa_persistent_file = {0}/v.pxa
[TempDatabase]
DatabaseFile = {0}/t.db
TransactionFile = {0}/t.trx
[Parameters]
ServerPort = 127.0.0.1:{1}
NumberOfBuffers = 10000
[HTTPServer]
ServerPort = 127.0.0.1:{2}
"""


@pytest.fixture
def virtuoso(tmp_path: Path) -> Iterator[str]:
    """The address of a Virtuoso server; skips where it is not installed."""
    program = shutil.which("virtuoso-t")
    if program is None:
        pytest.skip("virtuoso-t is not installed (Debian: virtuoso-opensource-7-bin)")
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = one.getsockname()[1], other.getsockname()[1]
    (tmp_path / "db").mkdir()
    (tmp_path / "v.ini").write_text(VIRTUOSO.format(tmp_path / "db", *ports))
    command = [program, "+foreground", "+configfile", str(tmp_path / "v.ini")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{ports[1]}"
    try:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"{address}/sparql", timeout=60)
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        process.kill()
        process.wait()


def test_virtuoso_takes_a_crawl_as_a_graph_store(
    virtuoso: str, graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEMCRAWL_ENDPOINT_USER", "dba")
    monkeypatch.setenv("SEMCRAWL_ENDPOINT_PASSWORD", "dba")
    store = f"{virtuoso}/sparql-graph-crud-auth"
    number = [send(graph, store, into="urn:crawl") for _ in range(2)][1]
    asked = urlencode({"query": f"SELECT * {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(?g IN (<urn:crawl>, <{PAGE}>)) }}"})
    request = urllib.request.Request(f"{virtuoso}/sparql?{asked}", headers={"Accept": "text/csv"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert len(answer.read().decode().splitlines()) == number + 1
    # By updates the same: blank nodes are sent in templates, which it takes.
    assert send(graph, f"{virtuoso}/sparql-auth", into="urn:crawl") == number
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert len(answer.read().decode().splitlines()) == number + 1


def test_virtuoso_follows_a_crawl(virtuoso: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMCRAWL_ENDPOINT_USER", "dba")
    monkeypatch.setenv("SEMCRAWL_ENDPOINT_PASSWORD", "dba")
    address = f"{virtuoso}/sparql-auth?default-graph-uri=urn:crawl"
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        graph.begin(
            Changes(), title="asthma", topic_file="", topic_turtle="", settings="{}", threshold=0.5, started_at=0.0
        )
        with Mirror(mirrored(graph), address) as mirror:
            mirror.catch_up()
            for step in range(1, 5):
                changes = Changes()
                said = [ox.Triple(ox.BlankNode(), ox.NamedNode("urn:p"), ox.Literal(f"{step}"))]
                changes.visited(
                    f"{PAGE}/{step}", step=step, title="Asthma", relevance=step / 4, statements=said, links=[PAGE]
                )
                graph.apply(changes)
            again = Changes()
            again.rejudged(f"{PAGE}/4", 1.0, 0.125)
            again.visited_again(f"{PAGE}/2", KnownPage(2, 0.5), 0.0, title="New", relevance=0.25)
            graph.apply(again)
            mirror.catch_up()
            assert mirror.compare() == sum(1 for _ in graph.store.quads())
        with read_crawl(address) as there:
            titles = [row["title"] for row in there.query("best-pages")]
            assert titles == [row["title"] for row in graph.query("best-pages")]
            assert not there.query("ASK { ?s <urn:nothing> ?o }")
