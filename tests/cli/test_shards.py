"""A crawl in shards, asked like any other."""

from __future__ import annotations

import re
import shutil
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest

from semcrawl import Crawl
from semcrawl.crawl import PageVisited
from semcrawl.crawl.shards import gathering
from semcrawl.crawl.shards.gathering import _quads as quads
from semcrawl.crawl.shards.gathering import gather
from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.crawl.shards.reading import read_crawl
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError, NotACrawlError, QueryError, StoreError
from semcrawl.graph import CrawlGraph, named_queries
from semcrawl.graph.answers import python_value
from semcrawl.graph.change_log import ChangeLog
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import SC
from semcrawl.steering import distill

if TYPE_CHECKING:
    from tests.cli.conftest import Ran

COUNT = 3
TAGGED = {name: query for name, query in named_queries().items() if "shards" in query.tags}


def crawl_part(shards: ShardedFolder, number: int, replay: Path, **settings: Any) -> Crawl:
    """A crawl of the hosts that a shard owns, in its folder."""
    urls = [str(url) for url in demo_web().replay().urls()]
    hosts = {re.sub(r"(?<=[^/]/)[^/].*", "", url) for url in urls if shards.owner(url) == number}
    return Crawl(
        demo_web().main_topic.spec, sorted(hosts), shards.shard(number),
        include=[f"{host}*" for host in hosts], replay=[str(replay)], link_lists="off", **settings,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sharded")
    replay = folder / "web"
    demo_web().write(replay)
    shards = ShardedFolder.create(folder / "crawl", COUNT).seal()
    for number in range(COUNT):
        with crawl_part(shards, number, replay, pages=30) as crawl:
            crawl.run()
            # A shard says nothing of the URLs of others.
            crawl.graph.store.update("DELETE WHERE { ?url sc:droppedBecause sc:OutOfScope }")
    return shards.folder


@pytest.fixture(scope="module")
def union(folder: Path) -> CrawlGraph:
    """All statements of all shards."""
    together = OxigraphStore()
    for shard in ShardedFolder.open(folder).begun:
        with CrawlGraph.read(shard) as graph:
            together.raw.extend(graph.store.quads())
    return CrawlGraph(together)


def rounded(answer: Any) -> Counter[tuple[Any, ...]]:
    cells = ([python_value(term) for term in row] for row in answer.rows)
    return Counter(tuple(round(cell, 5) if isinstance(cell, float) else cell for cell in row) for row in cells)


@pytest.mark.parametrize("name", sorted(TAGGED.keys() - {"monitor/crawl", "sites/site-settings"}))
def test_what_the_shards_say_together_is_what_one_graph_says(folder: Path, union: CrawlGraph, name: str) -> None:
    needed = [one.name for one in TAGGED[name].parameters if one.default is None]
    limits = {one.name: 100_000 for one in TAGGED[name].parameters if one.name == "limit"}
    best = next(iter(union.query("best-pages", limit=1)))["url"]
    values = dict.fromkeys(needed, best) | limits
    with read_crawl(folder) as graph:
        found = graph.query(name, **values)
        assert rounded(found) == rounded(union.query(name, **values))


def test_rows_are_ordered_and_limited_again(folder: Path, union: CrawlGraph) -> None:
    with read_crawl(folder) as graph:
        for name in ("best-pages", "sites", "census", "frontier/waiting", "errors"):
            assert graph.query(name).rows == union.query(name).rows or name == "census"
        assert len(graph.query("best-pages", limit=7)) == 7
        assert len(graph.query("latest", limit=7)) == 7


def test_a_query_that_cannot_be_split_says_so(folder: Path) -> None:
    with read_crawl(folder) as graph:
        with pytest.raises(QueryError, match="semcrawl gather"):
            graph.query("link-lists")
        with pytest.raises(QueryError, match="@shards rows"):
            graph.query("SELECT ?u { ?u a sc:Seed }")
        assert len(graph.query("# @shards rows\nSELECT ?u { ?u a sc:Seed }")) > COUNT
        assert graph.query("# @shards rows\nASK { ?u a sc:Seed }")
        with pytest.raises(QueryError, match="adds up"):
            graph.query("# @shards sum pages\nSELECT ?u { ?u a sc:Seed }")
        with pytest.raises(ConfigError, match="semcrawl gather"):
            list(graph.store.quads())


@pytest.mark.parametrize("method", ["hits", "pagerank", "in-degree"])
def test_hubs_and_authorities_are_those_of_one_graph(folder: Path, union: CrawlGraph, method: str) -> None:
    with read_crawl(folder) as graph:
        found = distill(graph, method, share=0.5, across="pages")
    whole = distill(union, method, share=0.5, across="pages")
    assert found.authorities == pytest.approx(whole.authorities)
    assert found.hubs == pytest.approx(whole.hubs)
    assert found.authorities


def test_commands_take_the_folder_of_shards(folder: Path, union: CrawlGraph, run: Callable[..., Ran]) -> None:
    pages = len(union.query("harvest"))
    assert f"pages         {pages}\n" in run("status", folder).out
    assert f"shards        {COUNT}\n" in run("status", folder).out
    assert f"{pages} pages" in run("watch", folder, "--once").out
    best = next(iter(union.query("best-pages", limit=1)))["url"]
    assert best in run("query", folder, "best-pages", "limit=1").out
    assert best in run("explain", folder, best).out
    told = run("distill", folder)
    assert "authorities" in told.out
    assert "is in shards: nothing is written" in told.err
    assert "1 page marked yes" in run("mark", folder, best, "yes").out
    assert best in run("mark", folder, "--list").out
    run("mark", folder, "--remove", best)
    assert "visited again" in run("revisit", folder, "--hours", "0", "--limit", "3").out


def steps(graph: CrawlGraph) -> list[int]:
    return [row["step"] for row in graph.query("harvest")]


def said(graph: CrawlGraph) -> set[str]:
    """All statements but those of crawls themselves, and of steps."""
    crawls = {row["c"] for row in graph.store.query("SELECT ?c { ?c sc:topicFile ?t }")}
    kept = ox.Dataset(
        quad
        for quad in graph.store.quads()
        if "ns#step>" not in str(quad.predicate) and str(quad.subject).strip("<>").partition("#")[0] not in crawls
    )
    kept.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(map(str, kept))


def test_gathered_shards_are_one_crawl(folder: Path, union: CrawlGraph, run: Callable[..., Ran]) -> None:
    assert f"{COUNT} shards of {folder}, as they are now, in {folder / 'gathered'}" in run("gather", folder).err
    with CrawlGraph.read(folder / "gathered") as graph:
        assert len(set(steps(graph))) == len(union.query("harvest"))
        assert len(graph.query("link-lists"))
        assert len(graph.query("SELECT ?c { ?c a sc:Crawl }")) == 1
        assert graph.is_own
        whole = OxigraphStore()
        for part in ShardedFolder.open(folder).begun:
            with CrawlGraph.read(part) as shard:
                whole.raw.extend(shard.store.quads())
        assert said(graph) == said(CrawlGraph(whole))
    shards = ShardedFolder.open(folder)
    with Crawl.revisit(shards.shard(0), hours=0, limit=5) as crawl:
        crawl.run()
    assert gather(str(folder)) == COUNT
    with read_crawl(folder) as live, CrawlGraph.read(folder / "gathered") as graph:
        assert len(set(steps(graph))) == len(steps(graph)) == len(live.query("harvest"))
    with pytest.raises(ConfigError, match="gathered from shards"):
        Crawl.resume(folder / "gathered")


def test_long_terms_that_many_statements_share_are_not_held_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "_AT_ONCE", 5_000)
    store, sizes = ox.Store(), list[int]()

    def bulk_extend(some: Iterable[ox.Quad]) -> None:
        sizes.append(len(added := list(some)))
        store.extend(added)

    name, long = ox.NamedNode("http://a.test/p"), ox.Literal("a" * 1_000)
    said = [ox.Quad(ox.NamedNode(f"http://a.test/{number}"), name, long) for number in range(23)]
    raw = SimpleNamespace(bulk_extend=bulk_extend)
    gathering._load(SimpleNamespace(store=SimpleNamespace(raw=raw)), iter(said))  # type: ignore[arg-type]
    assert sizes == [5, 5, 5, 5, 3]
    assert set(store) == set(said)


def test_only_shards_that_have_changed_are_gathered_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "crawl"
    shutil.copytree(folder, whole, ignore=shutil.ignore_patterns("gathered"))
    for place in ShardedFolder.open(whole).begun:
        with CrawlGraph.open(place, trust=True) as graph:
            graph.claim()
    gather(whole)
    made = (whole / "gathered").stat().st_ino
    monkeypatch.setattr(gathering, "_make", None)  # nothing is made anew
    assert gather(whole) == COUNT
    with CrawlGraph.open(whole / "01") as graph:
        graph.store.update("DELETE WHERE { ?url sc:relevance ?number ; sc:step 2 }")
        page = next(iter(graph.query("best-pages", limit=1)))["url"]
        graph.store.update(f"DELETE WHERE {{ <{page}> sc:relevance ?number }}")
        graph.store.update(f"INSERT DATA {{ <{page}> sc:relevance 0.123 }}")
    read = list[Path | None]()

    def noted(shard: CrawlGraph, number: int) -> Iterator[ox.Quad]:
        read.append(shard.folder)
        return quads(shard, number)

    monkeypatch.setattr(gathering, "_quads", noted)
    gather(whole)
    assert read == [whole / "01"]
    assert (whole / "gathered").stat().st_ino == made
    with CrawlGraph.read(whole / "gathered") as graph:
        found = {*graph.store.quads()}
    expected = {quad for place in ShardedFolder.open(whole).begun for quad in statements(place)}
    assert {quad for quad in expected - found if quad.object != ox.NamedNode(SC + "Crawl")} == set()
    assert found - expected == set()


def test_a_log_of_changes_in_the_gathered_graph_of_a_stranger_is_not_made(folder: Path, tmp_path: Path) -> None:
    whole = tmp_path / "crawl"
    shutil.copytree(folder, whole, ignore=shutil.ignore_patterns("gathered"))
    gather(whole)
    (whole / "gathered" / "gathered-from.json").unlink()
    with socket.create_server(("127.0.0.1", 0)) as inside:
        said = f"LOAD <http://127.0.0.1:{inside.getsockname()[1]}/>"
        with ChangeLog(whole / "gathered") as log, log.written(said):
            pass
        assert gather(whole) == COUNT
        inside.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody has connected
            inside.accept()
    assert not (whole / "gathered" / "mirror").exists()


@pytest.mark.parametrize("where", ["url", "type"])
def test_a_value_that_goes_on_as_a_query_of_its_own_is_refused(folder: Path, tmp_path: Path, where: str) -> None:
    whole = tmp_path / "crawl"
    shutil.copytree(folder, whole, ignore=shutil.ignore_patterns("gathered"))
    with socket.create_server(("127.0.0.1", 0)) as inside:
        asked = f"SERVICE SILENT <http://127.0.0.1:{inside.getsockname()[1]}/> {{ ?s ?p ?o }}"
        evil = f"http://a.test/>) }} {asked} VALUES (?x) {{ (<urn:a"
        named = "".join(char if char.isalnum() else f"\\u{ord(char):04x}" for char in evil)
        value = f"<{named}>" if where == "url" else f'"a"^^<{named}>'
        with CrawlGraph.open(whole / "00") as graph:
            graph.store.raw.load(f"<urn:a> <urn:b> {value} .", ox.RdfFormat.N_TRIPLES, lenient=True)
        inside.setblocking(False)
        with read_crawl(whole) as graph, pytest.raises(StoreError, match="not written by a crawl"):
            graph.query("# @shards rows\nSELECT ?o { ?s <urn:b> ?o } ORDER BY ?o LIMIT 5")
        with pytest.raises(BlockingIOError):  # nobody has connected
            inside.accept()


def test_a_long_comment_is_not_searched_for_ever(folder: Path) -> None:
    comment = "LIMIT 1 " * 30_000 + "ORDER BY " * 30_000 + "OFFSET 1 " * 30_000 + "LIMIT " + "1" * 30_000  # hours
    asked = "SELECT ?n { ?page sc:step ?n } ORDER BY ?n LIMIT 2 OFFSET 1"
    with read_crawl(folder) as graph:
        found = graph.query(f"# @shards rows\n{chr(10) * 30_000}# {comment}\n{asked}")
        assert list(found) == list(graph.query(f"# @shards rows\n{asked}"))
        assert len(found) == 2


def statements(place: Path) -> list[ox.Quad]:
    with CrawlGraph.read(place) as graph:
        return list(graph.store.quads())


def test_a_shard_is_gathered_while_it_runs(folder: Path, tmp_path: Path) -> None:
    shards = ShardedFolder.create(tmp_path / "crawl", COUNT).seal()
    with crawl_part(shards, 1, folder.parent / "web", pages=12) as crawl:
        visits = crawl.visits()
        while not isinstance(next(visits), PageVisited):
            pass
        crawl.pause()

        def work() -> None:
            gather(shards.folder)
            crawl.unpause()

        thread = threading.Thread(target=work)
        thread.start()
        assert len(list(visits)) > 5
        thread.join()
    with CrawlGraph.read(shards.folder / "gathered") as graph:
        assert 0 < len(steps(graph)) < 12


def test_an_export_gathers_first(folder: Path, run: Callable[..., Ran], tmp_path: Path) -> None:
    told = run("export", folder, "-o", tmp_path / "all.ttl")
    assert "gathered" in told.err
    assert len(list(ox.parse(path=str(tmp_path / "all.ttl")))) > 100


def test_shards_that_never_began_are_no_crawl(tmp_path: Path) -> None:
    shards = ShardedFolder.create(tmp_path / "crawl", COUNT).seal()
    for ask in (lambda: read_crawl(shards.folder), lambda: gather(shards.folder)):
        with pytest.raises(NotACrawlError, match="has begun"):
            ask()
