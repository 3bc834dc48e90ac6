"""A SPARQL server asked in place of a folder."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyoxigraph as ox
import pytest

from semcrawl.crawl.shards.reading import read_crawl
from semcrawl.crawl.trust import require_trust
from semcrawl.errors import ConfigError, NotACrawlError, QueryError, StoreError, UntrustedError
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.send import send
from semcrawl.steering import distill


@pytest.fixture
def server(sparql_server: str, tmp_path: Path) -> str:
    """A server with the graph of a small crawl."""
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        graph.begin(Changes(), title="asthma", topic_file="", topic_turtle="", settings='{"delay":0.0}',
                    threshold=0.5, started_at=0.0)  # fmt: skip
        changes = Changes()
        for number in range(5):
            changes.visited(
                f"http://{number}.test/", step=number + 1, title=f"Page {number}",
                relevance=number / 5, links=["http://4.test/"],
            )  # fmt: skip
            changes.state(f"<http://{number}.test/> sc:site <urn:semcrawl:site:{number}.test>")
        graph.apply(changes)
        send(graph, f"{sparql_server}/update")
    return sparql_server


def test_a_server_answers_as_the_folder_does(server: str, tmp_path: Path) -> None:
    with read_crawl(f"{server}/query") as there, CrawlGraph.read(tmp_path / "crawl") as here:
        assert there.describe() == here.describe()
        for name in ("best-pages", "monitor/progress", "harvest", "link-lists"):
            assert there.query(name).rows == here.query(name).rows
        triples = "CONSTRUCT { ?u sc:step ?n } WHERE { ?u sc:step ?n }"
        assert {*there.query(triples)} == {*here.query(triples)}
        assert there.query("ASK { ?u sc:step 3 }")
        assert there.store.has("http://4.test/")
        assert not there.store.has("http://5.test/")
        assert distill(there).authorities == distill(here).authorities != {}
        first = there.store.query("SELECT ?u { ?u a sc:Page }", most=2)
        assert (len(first), first.is_cut) == (2, True)


def test_statements_are_found_as_in_the_folder(server: str, tmp_path: Path) -> None:
    page, step = ox.NamedNode("http://4.test/"), ox.NamedNode("https://w3id.org/semcrawl/ns#step")
    with read_crawl(f"{server}/query") as there, CrawlGraph.read(tmp_path / "crawl") as here:
        for pattern in (
            (page, None, None, None), (None, step, None, ox.DefaultGraph()), (None, None, page, None),
            (None, None, None, page), (page, step, ox.Literal(5), ox.DefaultGraph()), (page, page, page, None),
        ):  # fmt: skip
            ours = set(here.store.raw.quads_for_pattern(*pattern))
            assert set(there.store.raw.quads_for_pattern(*pattern)) == ours
        assert there.store.value(page.value, step.value) == 5


def test_what_a_server_cannot_do_is_refused(server: str) -> None:
    with read_crawl(f"{server}/query") as graph:
        assert not graph.is_trusted
        with pytest.raises(QueryError, match="SERVICE"):
            graph.query("SELECT * { SERVICE <http://a.test/> { ?s ?p ?o } }")
        with pytest.raises(QueryError, match=r"syntax error: error at 1:25, after 'SELECT \?u WHERE \{ \?u a \}'"):
            graph.query("SELECT ?u WHERE { ?u a }")
        with pytest.raises(StoreError, match="is this where it answers SPARQL"):
            EndpointStore(f"{server}/nowhere").query("ASK {}")
    with pytest.raises(ConfigError, match="no address"):
        EndpointStore("localhost:7878")
    with pytest.raises(StoreError, match=r"query cannot be reached: Connection refused$"):
        EndpointStore("http://127.0.0.1:9/query").query("ASK {}")


ROWS = b'{"head":{"vars":["n"]},"results":{"bindings":[{"n":{"type":"literal","value":"1"}}'


@contextmanager
def answering(body: bytes, length: int) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as stub:
        thread = threading.Thread(target=stub.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{stub.server_address[1]}/query"
        finally:
            stub.shutdown()
            thread.join()


def test_messages_name_the_address_of_a_server(server: str) -> None:
    with read_crawl(f"{server}/query") as graph:
        assert repr(graph) == f"<CrawlGraph on asthma: {server}/query>"
        with pytest.raises(UntrustedError, match=f"^{server}/query was not made by you"):
            require_trust(graph, {"delay"})
        EndpointStore(f"{server}/update").update("CLEAR ALL")
        with pytest.raises(NotACrawlError, match=f"^{server}/query has no graph of a crawl$"):
            graph.describe()


def test_a_head_that_comes_a_byte_at_a_time_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semcrawl.graph.endpoint.TIMEOUT", 1.0)
    ended = threading.Event()

    def drip(listener: socket.socket) -> None:
        there, _ = listener.accept()
        with there, suppress(OSError):  # until the connection is given up
            while not ended.wait(0.1):
                there.sendall(b"H")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,))
        thread.start()
        with closing(EndpointStore(f"http://127.0.0.1:{listener.getsockname()[1]}/query")) as store:
            try:
                with pytest.raises(StoreError, match="cannot be reached"):
                    store.query("ASK { ?s ?p ?o }")
                thread.join(60.0)
                assert not thread.is_alive()
            finally:
                ended.set()
                thread.join()


@pytest.mark.parametrize("length", [len(ROWS), len(ROWS) + 100])
def test_an_answer_that_ends_too_early_is_an_error(length: int) -> None:
    """The first is what Oxigraph's server sends when its time is over."""
    with answering(ROWS, length) as address, pytest.raises(StoreError, match=r"not whole|IncompleteRead"):
        EndpointStore(address).query("SELECT ?n { ?s ?p ?n }")


@pytest.mark.parametrize("nested", [b'{"type":"triple","value":{"subject":', b"[", b'{"a":'])
def test_an_answer_that_is_nested_deep_is_an_error(nested: bytes) -> None:
    body = b'{"head":{"vars":["n"]},"results":{"bindings":[{"n":' + nested * 50_000
    with answering(body, len(body)) as address, pytest.raises(StoreError, match="not whole, or none"):
        EndpointStore(address).query("SELECT ?n { ?s ?p ?n }")


@pytest.mark.parametrize("asked", ["SELECT ?n { ?s ?p ?n }", "SELECT * { ?s ?p ?n }", "ASK { ?s ?p ?n }"])
def test_columns_that_were_not_asked_for_are_an_error(asked: str) -> None:
    # Each would have a place in every row: of a megabyte they make gigabytes.
    named = b",".join(b'"v%d"' % number for number in range(50_000))
    body = b'{"head":{"vars":[%s]},"results":{"bindings":[%s]}}' % (named, b",".join([b"{}"] * 2_000))
    with answering(body, len(body)) as address, pytest.raises(StoreError, match="columns that were not asked for"):
        EndpointStore(address).query(asked)


@pytest.mark.parametrize(
    ("asked", "body"),
    [
        ("SELECT ?a { ?s ?p ?a }", b'{"head": {"vars": ["a"]}, "results": {"bindings": [' + b"{}," * 100 + b"{}]}}"),
        ("SELECT ?a { ?s ?p ?a }", b'{"head": {"vars": [' + b'"a",' * 1_000 + b'"a"]}, "results": {"bindings": []}}'),
        ("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", b"_:a <a:> _:a .\n" * 101),
    ],
)
def test_an_answer_of_many_short_rows_is_an_error(asked: str, body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """85 million rows fit into the bytes that an answer may have, and take gigabytes."""
    monkeypatch.setattr("semcrawl.graph.endpoint.MOST_TERMS", 100)
    with answering(body, len(body)) as address, pytest.raises(StoreError, match="too many rows"):
        EndpointStore(address).query(asked)


def test_the_addresses_for_queries_and_updates_follow_from_each_other() -> None:
    for given, asked, updated in (
        ("http://a/query", "http://a/query", "http://a/update"),
        ("http://a/ds/update", "http://a/ds/query", "http://a/ds/update"),
        ("http://a/repositories/r/statements", "http://a/repositories/r",
         "http://a/repositories/r/statements"),
        ("http://a/sparql-auth?default-graph-uri=urn:x", "http://a/sparql-auth?default-graph-uri=urn:x",
         "http://a/sparql-auth?default-graph-uri=urn:x"),
    ):  # fmt: skip
        store = EndpointStore(given)
        assert (store._asked, store._updated) == (asked, updated)
