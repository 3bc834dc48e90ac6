"""A SPARQL server that follows a crawl: equal to its graph whatever happens to either."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from semcrawl import Crawl
from semcrawl.crawl import CrawlWarned
from semcrawl.errors import ConfigError, StoreError, UntrustedError
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph import mirror as mirroring
from semcrawl.graph.dataset import without_private
from semcrawl.graph.mirror import Mirror, OutOfStepError, without_private_text
from tests.crawl.linked_web import LUNGS, LinkedWeb, served

TOPIC, SEED = f"wordnet:{LUNGS}.n.01", f"http://id.test/id/{LUNGS}"
OPTIONS: dict[str, Any] = {"delay": 0, "robots": False, "workers": 1, "strategy": "breadth-first",
           "judge": "labels", "link_lists": "off"}  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirroring, "_TICK", 0.02)
    monkeypatch.setattr(mirroring, "BATCH", 20_000)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served(LinkedWeb()) as proxy:
        yield proxy


def canonical(quads: Iterator[ox.Quad]) -> list[str]:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return sorted(map(str, dataset))


def of_server(server: str) -> list[str]:
    request = urllib.request.Request(f"{server}/store", headers={"Accept": "application/n-quads"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return canonical(ox.parse(answer.read(), format=ox.RdfFormat.N_QUADS))


def of_graph(folder: Path) -> list[str]:
    with CrawlGraph.read(folder) as graph:
        return canonical(without_private(graph.store.quads()))


def test_the_server_has_what_the_graph_has_and_nothing_private(
    sparql_server: str, web: str, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    with Crawl(TOPIC, [SEED], folder, proxy=web, pages=40, mirror=f"{sparql_server}/update",
               **OPTIONS) as crawl:  # fmt: skip
        told = [event for event in crawl.visits() if isinstance(event, CrawlWarned)]
    assert not told
    found = of_server(sparql_server)
    assert found == of_graph(folder)
    with CrawlGraph.read(folder) as graph:
        assert graph.query("ASK { GRAPH ?g { ?s ?p ?o } }")
    assert web.removeprefix("http://") not in "".join(found)
    # Pages are visited again, marked and judged anew: all that changes the graph is followed.
    with Crawl.revisit(folder, hours=0, limit=10) as crawl:
        crawl.run()
    assert of_server(sparql_server) == of_graph(folder)


def test_a_server_that_comes_late_or_goes_catches_up(web: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address, folder = f"http://127.0.0.1:{port}/update", tmp_path / "crawl"
    with Crawl(TOPIC, [SEED], folder, proxy=web, pages=25, mirror=address, **OPTIONS) as crawl:
        told = [event.note for event in crawl.visits() if isinstance(event, CrawlWarned)]
    assert any("cannot be reached" in note for note in told)
    assert "semcrawl mirror" in told[-1]
    with Oxigraph(tmp_path / "server", port):
        with Crawl.resume(folder, pages=40) as crawl:
            crawl.run()
        assert of_server(address.removesuffix("/update")) == of_graph(folder)


class Oxigraph:
    """Oxigraph's server on a folder, at a port."""

    def __init__(self, folder: Path, port: int) -> None:
        program = Path(sys.executable).with_name("oxigraph")
        if not program.exists():
            pytest.skip("the package oxigraph, which holds the server, is not installed")
        self.command = [str(program), "serve", "-l", str(folder), "-b", f"127.0.0.1:{port}"]
        self.port = port

    def __enter__(self) -> None:
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL)
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=10).close()
                return
            except OSError:
                time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


def test_after_kills_of_crawl_and_server_the_mirror_ends_equal(web: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder, address = tmp_path / "crawl", f"http://127.0.0.1:{port}/update"
    program = """if True:
        import sys
        from semcrawl import Crawl
        from semcrawl.crawl import PageVisited
        from semcrawl.graph import mirror
        mirror._TICK, mirror.BATCH = 0.02, 20_000
        folder, proxy, seed, topic, address = sys.argv[1:]
        options = dict(delay=0, robots=False, workers=1, judge="labels", link_lists="off")
        from pathlib import Path
        if Path(folder).exists():
            crawl = Crawl.resume(folder, pages=200)
        else:
            crawl = Crawl(topic, [seed], folder, proxy=proxy, pages=200, mirror=address,
                          strategy="breadth-first", **options)
        for event in crawl.visits():
            if isinstance(event, PageVisited):
                print(event.step, flush=True)
    """
    for after in (7, 19, 31, 44):
        with Oxigraph(tmp_path / "server", port):
            words = [sys.executable, "-c", program, str(folder), web, SEED, TOPIC, address]
            with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    if int(line) >= after:
                        os.kill(process.pid, signal.SIGKILL)
                        break
    with Oxigraph(tmp_path / "server", port):
        with Crawl.resume(folder, pages=60) as crawl:
            told = [event for event in crawl.visits() if isinstance(event, CrawlWarned)]
        assert not told
        assert of_server(address.removesuffix("/update")) == of_graph(folder)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[CrawlGraph]:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        graph.begin(Changes(), name="a", topic="", topic_turtle="", settings="{}", threshold=0.5,
                    now=0.0)  # fmt: skip
        yield graph


def page(graph: CrawlGraph, number: int) -> None:
    changes = Changes()
    changes.visited(f"http://a.test/{number}", step=number, title=f"Page {number}")
    graph.apply(changes)


def test_a_change_that_the_graph_never_got_is_not_sent(
    sparql_server: str, graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Mirror(graph, f"{sparql_server}/update") as mirror:
        page(graph, 1)

        def fails(text: str) -> None:
            raise StoreError("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(graph.store, "_apply", fails)
            with pytest.raises(StoreError, match="full"):
                page(graph, 2)
        mirror.catch_up()
        page(graph, 3)
        mirror.catch_up()
        assert mirror.compare() > 0
    assert of_server(sparql_server) == canonical(graph.store.quads())


def test_a_log_that_is_gone_is_not_taken_for_one_without_changes(
    sparql_server: str, graph: CrawlGraph, tmp_path: Path
) -> None:
    folder = graph.folder
    assert folder is not None
    with Mirror(graph, f"{sparql_server}/update") as mirror:
        mirror.catch_up()
    graph.close()
    (folder / "mirror").rename(tmp_path / "elsewhere")
    with CrawlGraph.open(folder) as again:
        page(again, 1)
        with Mirror(again, f"{sparql_server}/update") as mirror:
            with pytest.raises(OutOfStepError, match="--anew"):
                mirror.catch_up()
            mirror.begin_anew()
            mirror.catch_up()
            mirror.compare()
        assert of_server(sparql_server) == canonical(again.store.quads())


def test_a_server_with_other_statements_is_left_as_it_is(
    sparql_server: str, graph: CrawlGraph
) -> None:
    request = urllib.request.Request(
        f"{sparql_server}/update", b"INSERT DATA { <a:a> <b:b> <c:c> }",
        {"Content-Type": "application/sparql-update"},
    )  # fmt: skip
    urllib.request.urlopen(request, timeout=60).close()
    with Mirror(graph, f"{sparql_server}/update") as mirror, pytest.raises(OutOfStepError):
        mirror.catch_up()
    assert of_server(sparql_server) == ["<a:a> <b:b> <c:c>"]


class Forgetful(BaseHTTPRequestHandler):
    """Says yes to all updates and has nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        rows = b'{"head":{"vars":["n"]},"results":{"bindings":[]}}'
        answer = b'{"head":{},"boolean":false}' if b"ASK" in body else rows
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


def test_a_server_that_drops_what_it_takes_is_noticed(graph: CrawlGraph) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Forgetful) as stub:
        thread = threading.Thread(target=stub.serve_forever, args=(0.05,))
        thread.start()
        try:
            address = f"http://127.0.0.1:{stub.server_address[1]}/update"
            with Mirror(graph, address) as mirror:
                page(graph, 1)
                mirror.catch_up()
                with pytest.raises(OutOfStepError, match="has 0 statements where the graph has"):
                    mirror.compare()
        finally:
            stub.shutdown()
            thread.join()


def test_two_changes_with_one_blank_node_are_two_requests(
    sparql_server: str, graph: CrawlGraph
) -> None:
    said = [ox.Triple(ox.BlankNode("b"), ox.NamedNode("urn:p"), ox.Literal("x"))]
    with Mirror(graph, f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        for number in range(3):
            changes = Changes()
            changes.visited(f"http://a.test/{number}", step=number, statements=said)
            graph.apply(changes)
        mirror.catch_up()
    assert of_server(sparql_server) == canonical(graph.store.quads())


def test_what_is_private_is_cleared_in_the_text_of_a_change() -> None:
    text = (
        'INSERT DATA {\n<http://a/> dcterms:title "sc:note " ; sc:note "no file \'/home/ann/x\'" ;'
        " sc:bestConcept <file:///home/ann/o.ttl#c> .\nGRAPH <http://a/> {\n"
        '<http://a/> <https://w3id.org/semcrawl/ns#note> "/home/ann/x"\n}\n}'
    )
    cleared = without_private_text(text)
    assert cleared.count("/home/ann") == 1  # what a page says itself
    assert '"sc:note "' in cleared
    assert "<urn:semcrawl:file:o.ttl#c>" in cleared


def test_bad_addresses_and_crawls_in_memory_are_refused(tmp_path: Path) -> None:
    for place, address in (
        (tmp_path / "a", "localhost:7878"),
        (tmp_path / "a", "http://ann:secret@localhost/update"),
        (None, "http://localhost/update"),
    ):
        with pytest.raises(ConfigError, match=r"address|memory"):
            Crawl(TOPIC, [SEED], place, mirror=address)
    assert not (tmp_path / "a").exists()


def test_the_log_of_a_stranger_is_not_sent(
    graph: CrawlGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph.keep_log()
    graph.close()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    assert graph.folder is not None
    with pytest.raises(UntrustedError, match="log of changes"):
        Crawl.resume(graph.folder, mirror="http://127.0.0.1:9/update")
