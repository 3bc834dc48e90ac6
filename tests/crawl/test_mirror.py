"""A SPARQL server that follows a crawl: equal to its graph whatever happens to either."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from semcrawl import Crawl
from semcrawl.crawl import CrawlWarned
from semcrawl.errors import ConfigError, QueryError, StoreError, UntrustedError
from semcrawl.graph import Changes, CrawlGraph, change_log
from semcrawl.graph import mirror as mirroring
from semcrawl.graph.dataset import without_private
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.mirror import Mirror, mirrored, without_private_text
from semcrawl.graph.store import OxigraphStore
from tests.crawl.linked_web import LUNGS, LinkedWeb, served

TOPIC, SEED = f"wordnet:{LUNGS}.n.01", f"http://id.test/id/{LUNGS}"
OPTIONS: dict[str, Any] = {"delay": 0, "robots": False, "workers": 1, "strategy": "breadth-first",
           "judge": "labels", "link_lists": "off"}  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirroring, "_TICK", 0.02)
    monkeypatch.setattr(change_log, "SEGMENT", 20_000)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served(LinkedWeb()) as proxy:
        yield proxy


def canonical(quads: Iterable[ox.Quad]) -> list[str]:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return sorted(map(str, dataset))


def of_server(server: str) -> list[str]:
    request = urllib.request.Request(f"{server}/store", headers={"Accept": "application/n-quads"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        quads = ox.parse(answer.read(), format=ox.RdfFormat.N_QUADS)
        return canonical(quad for quad in quads if not str(quad.graph_name).endswith("#mirror>"))


def of_graph(folder: Path) -> list[str]:
    with CrawlGraph.read(folder) as graph:
        return canonical(without_private(graph.store.quads()))


def test_the_server_has_what_the_graph_has_and_nothing_private(sparql_server: str, web: str, tmp_path: Path) -> None:
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
        self.port, self.address = port, f"http://127.0.0.1:{port}/update"

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
        from semcrawl.graph import change_log, mirror
        mirror._TICK, change_log.SEGMENT = 0.02, 20_000
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
        graph.begin(Changes(), title="a", topic_file="", topic_turtle="", settings="{}", threshold=0.5,
                    started_at=0.0)  # fmt: skip
        yield graph


def page(graph: CrawlGraph, number: int) -> None:
    changes = Changes()
    changes.visited(f"http://a.test/{number}", step=number, title=f"Page {number}")
    graph.apply(changes)


def test_a_change_that_cannot_be_made_is_not_sent(sparql_server: str, graph: CrawlGraph) -> None:
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        page(graph, 1)
        with pytest.raises(QueryError):
            graph.store.update("INSERT DATA { none }")
        mirror.catch_up()
        page(graph, 3)
        mirror.catch_up()
        assert mirror.compare() > 0
    assert of_server(sparql_server) == canonical(graph.store.quads())


def test_a_logged_change_that_the_end_kept_from_the_graph_is_made_by_who_opens_it(graph: CrawlGraph) -> None:
    graph.keep_log()
    page(graph, 1)
    graph.sync()
    log, folder = graph.store.log, graph.folder
    assert log is not None
    assert folder is not None
    said = "INSERT DATA {\n<http://a.test/2> a sc:Page\n}"
    with suppress(KeyboardInterrupt), log.written(said):
        raise KeyboardInterrupt
    with log.written("INSERT DATA {\n<http://a.test/3> a sc:Page\n}"):
        graph.close()
    (path,) = (folder / "mirror").iterdir()
    path.write_bytes(path.read_bytes()[:-1])  # the end of the last change is not there
    for _ in range(2):
        with CrawlGraph.open(folder) as again:
            assert len(again.query("SELECT ?page WHERE { ?page a sc:Page }")) == 2


@pytest.mark.parametrize("said", ["LOAD <http://127.0.0.1:9/>", "INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }", "CLEAR ALL"])
def test_a_log_that_no_crawl_wrote_is_not_made(graph: CrawlGraph, said: str) -> None:
    # As one that was unpacked over the folder, where topic and settings are the same.
    graph.keep_log()
    log, folder = graph.store.log, graph.folder
    assert log is not None
    assert folder is not None
    graph.claim()
    with log.written(said):
        graph.close()
    with pytest.raises(StoreError, match="not written by a crawl"):
        CrawlGraph.open(folder)


def test_a_log_that_is_gone_or_too_old_is_not_taken_for_one_without_changes(
    sparql_server: str, graph: CrawlGraph, tmp_path: Path
) -> None:
    folder = graph.folder
    assert folder is not None
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
    graph.close()
    (folder / "mirror").rename(tmp_path / "elsewhere")
    with CrawlGraph.open(folder) as again:
        page(again, 1)
        with Mirror(mirrored(again), f"{sparql_server}/update") as mirror:
            mirror.catch_up()
            mirror.compare()
        assert of_server(sparql_server) == canonical(again.store.quads())


def test_the_log_is_of_several_files_and_those_that_were_sent_go(
    sparql_server: str, graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_log, "SEGMENT", 2_000)
    folder = graph.folder
    assert folder is not None
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        for number in range(120):
            page(graph, number)
            graph.sync()
        assert len(list((folder / "mirror").iterdir())) > 3
        graph.close()
    with CrawlGraph.open(folder) as again, Mirror(mirrored(again), f"{sparql_server}/update") as mirror:
        page(again, 120)
        assert mirror.catch_up()
        mirror.compare()
        assert of_server(sparql_server) == canonical(again.store.quads())
    assert len(list((folder / "mirror").iterdir())) == 1


def test_a_long_backlog_is_sent_in_pieces(
    sparql_server: str, graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_log, "BATCH", 1_000)
    sent, send = list[int](), EndpointStore.update

    def noted(store: EndpointStore, text: str) -> None:
        sent.append(len(text))
        send(store, text)

    monkeypatch.setattr(EndpointStore, "update", noted)
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        before = len(sent)
        for number in range(60):
            page(graph, number)
        mirror.catch_up()
        assert len(sent) - before > 4
        assert max(sent[before:]) < 2_000
    assert of_server(sparql_server) == canonical(graph.store.quads())


@pytest.mark.parametrize("batch", [100, 1_000])  # less than one change, and more
def test_a_server_is_asked_now_and_then_whether_it_has_a_backlog(
    sparql_server: str, graph: CrawlGraph, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(change_log, "BATCH", batch)
    sent, asked, request = list[str](), list[str](), EndpointStore.request

    def noted(store: EndpointStore, method: str, address: str, body: Any, **headers: str) -> bytes:
        (asked if address.endswith("/query") else sent).append(address)
        return request(store, method, address, body, **headers)

    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        for number in range(60):
            page(graph, number)
        monkeypatch.setattr(EndpointStore, "request", noted)
        mirror.catch_up()
        assert 0 < len(asked) <= 2 + len(sent) // 16
    assert of_server(sparql_server) == canonical(graph.store.quads())


def test_a_server_that_was_killed_between_two_places_goes_on_from_the_first(
    sparql_server: str, graph: CrawlGraph
) -> None:
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        behind = mirror._places[""] + 1_000_000
        update(
            sparql_server, f'INSERT {{ GRAPH ?g {{ ?g rdf:value "{behind}" }} }} WHERE {{ GRAPH ?g {{ ?g ?p ?o }} }}'
        )
        page(graph, 1)
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        mirror.compare()
        assert mirror._noted == {str(mirror._places[""])}
    assert of_server(sparql_server) == canonical(graph.store.quads())


def test_a_server_that_others_changed_is_sent_the_whole_graph(sparql_server: str, graph: CrawlGraph) -> None:
    said = [ox.Triple(ox.BlankNode(), ox.NamedNode("urn:p"), ox.Literal("x"))]
    changes = Changes()
    changes.visited("http://a.test/0", step=1, statements=said)
    graph.apply(changes)
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        mirror.compare()
        update(sparql_server, "DELETE WHERE { ?s sc:step ?n } ; INSERT DATA { <a:a> <b:b> <c:c>, <d:d> }")
        with pytest.raises(StoreError, match="semcrawl mirror"):
            mirror.compare()
        mirror.catch_up()
        mirror.compare()
    assert of_server(sparql_server) == canonical(graph.store.quads())


def update(server: str, text: str) -> None:
    with closing(EndpointStore(f"{server}/update")) as store:
        store.update(text)


def test_a_server_with_other_statements_is_left_as_it_is(sparql_server: str, graph: CrawlGraph) -> None:
    update(sparql_server, "INSERT DATA { <a:a> <b:b> <c:c> }")
    mirror = Mirror(mirrored(graph), f"{sparql_server}/update")
    with mirror, pytest.raises(StoreError, match="statements of others"):
        mirror.catch_up()
    assert of_server(sparql_server) == ["<a:a> <b:b> <c:c>"]


class Forgetful(BaseHTTPRequestHandler):
    """Says yes to all updates and has nothing, but for what it says of its place."""

    place, count = "", "0"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        name = "o" if "rdf%3Avalue" in body else "g" if "%3Fg+WHERE" in body else "n"
        said = {"o": self.place, "n": self.count}.get(name)
        rows = [{name: {"type": "literal", "value": said}}] if said else []
        results = {"head": {"vars": [name]}, "results": {"bindings": rows}}
        answer = json.dumps({"head": {}, "boolean": False} if "ASK" in body else results).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def lying(**said: str) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Lying", (Forgetful,), said)) as stub:
        thread = threading.Thread(target=stub.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{stub.server_address[1]}/update"
        finally:
            stub.shutdown()
            thread.join()


@pytest.mark.parametrize("place", ["", "9" * 5000, "\N{SUPERSCRIPT TWO}", "1 nothing"])
def test_a_server_that_drops_what_it_takes_is_noticed(graph: CrawlGraph, place: str) -> None:
    with lying(place=place) as address, Mirror(mirrored(graph), address) as mirror:
        page(graph, 1)
        with pytest.raises(StoreError, match="does not have them"):
            mirror.catch_up()


@pytest.mark.parametrize("count", ["many", "9" * 5000, ""])
def test_a_server_that_cannot_count_is_an_error(graph: CrawlGraph, count: str) -> None:
    told = pytest.raises(StoreError, match="does not count")
    with lying(count=count) as address, Mirror(mirrored(graph), address) as mirror, told:
        mirror.compare()


def test_blank_nodes_of_pages_are_as_many_as_in_the_graph_when_they_are_sent_twice(
    sparql_server: str, graph: CrawlGraph
) -> None:
    with Mirror(mirrored(graph), f"{sparql_server}/update") as mirror:
        mirror.catch_up()
        place = mirror._places[""]
        for number in range(3):
            blank = ox.BlankNode()
            changes = Changes()
            said = [ox.Triple(blank, ox.NamedNode(f"urn:{name}"), ox.Literal("x")) for name in "pq"]
            changes.visited(f"http://a.test/{number}", step=number, statements=said)
            graph.apply(changes)
        for _ in range(2):
            mirror._places[""] = place
            mirror.catch_up()
    assert of_server(sparql_server) == canonical(graph.store.quads())


def test_what_is_private_is_cleared_in_the_text_of_a_change(graph: CrawlGraph) -> None:
    note = "https://w3id.org/semcrawl/ns#note"
    changes = Changes()
    said = [ox.Triple(ox.BlankNode(), ox.NamedNode(note), ox.Literal("/home/ann/x"))]
    changes.visited("http://a.test/", step=1, title="sc:note ", statements=said)
    changes.dropped("http://b.test/", "sc:Failed", "no file '/home/ann/x'")
    changes.state("<http://a.test/> sc:bestConcept <file:///home/ann/o.ttl#c>")
    found = OxigraphStore()
    found.update(without_private_text(changes.text(graph.store)))
    graph.apply(changes)
    rest = [quad for quad in graph.store.quads() if graph.describe().id not in str(quad.subject)]
    assert canonical(found.quads()) == canonical(without_private(rest))
    assert str(list(found.quads())).count("/home/ann") == 1  # what a page says itself


def test_bad_addresses_and_crawls_in_memory_are_refused(tmp_path: Path) -> None:
    for place, address in (
        (tmp_path / "a", "localhost:7878"),
        (tmp_path / "a", "http://ann:secret@localhost/update"),
        (None, "http://localhost/update"),
    ):
        with pytest.raises(ConfigError, match=r"address|memory"):
            Crawl(TOPIC, [SEED], place, mirror=address)
    assert not (tmp_path / "a").exists()


def test_the_log_of_a_stranger_is_neither_made_nor_sent(
    graph: CrawlGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph.keep_log()
    log, folder = graph.store.log, graph.folder
    assert log is not None
    assert folder is not None
    with log.written("INSERT DATA {\n<http://a.test/2> a sc:Page\n}"):
        pass
    graph.note_start('{"mirror":"http://127.0.0.1:9/update"}', 0.5)
    graph.close()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    with pytest.raises(UntrustedError, match="mirror"):
        Crawl.resume(folder)
    with CrawlGraph.open(folder) as again:
        assert not again.query("ASK { ?page a sc:Page }")
    assert not (folder / "mirror").exists()
