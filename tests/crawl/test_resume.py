"""A crawl goes on from its graph alone, after a clean stop and after kill -9."""

from __future__ import annotations

import gc
import random
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl import Settings
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.mark_notes import recorded_marks
from semcrawl.crawl.pages.state import PageState, rebuild
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError, NotACrawlError
from semcrawl.graph import Changes, FoundUrl
from semcrawl.strategies.strategy import JudgedPage, Learner
from semcrawl.web import ReplayServer
from semcrawl.web.traps import TrapGuard
from tests.crawl.conftest import html
from tests.crawl.kills import recorded_until_killed
from tests.started import Started

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

TOPIC = "keywords:asthma"


def order_of_visits(folder: Path) -> list[str]:
    with CrawlGraph.read(folder) as graph:
        return [row["url"] for row in graph.query("harvest")]


def settings(web: str) -> dict[str, Any]:
    return {"replay": [web], "pages": 100, "frontier_size": 60, "pages_per_host": 12}


@pytest.fixture(scope="module")
def undisturbed(web_folder: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("crawls") / "whole"
    topic = demo_web().main_topic
    with Crawl(topic.spec, demo_web().seeds, folder, **settings(web_folder)) as crawl:
        crawl.run()
    return order_of_visits(folder)


@pytest.mark.parametrize("stops", [[1], [37], [10, 11, 60]])
def test_a_stopped_crawl_goes_on_in_the_same_order(
    web_folder: str, undisturbed: list[str], tmp_path: Path, stops: list[int]
) -> None:
    folder = tmp_path / "crawl"
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds, folder, **{**settings(web_folder), "pages": stops[0]}) as crawl:
        crawl.run()
    for pages in [*stops[1:], 100]:
        with Crawl.resume(folder, pages=pages) as crawl:
            summary = crawl.run()
        assert summary.progress.pages == pages
    assert order_of_visits(folder) == undisturbed


def test_a_crawl_that_is_over_stops_again_at_once(web_folder: str, tmp_path: Path) -> None:
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds, tmp_path / "c", replay=[web_folder], pages=5) as c:
        c.run()
    with Crawl.resume(tmp_path / "c") as again:
        assert again.run().progress.pages == 5


def test_resume_needs_a_crawl(tmp_path: Path) -> None:
    with pytest.raises(NotACrawlError):
        Crawl.resume(tmp_path)


@pytest.mark.parametrize("changed", [{"judge": "ehrig"}, {"background": "other.tsv.gz"}])
def test_a_resumed_crawl_keeps_its_judge(web_folder: str, tmp_path: Path, changed: dict[str, str]) -> None:
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds, tmp_path / "c", replay=[web_folder], pages=2) as c:
        c.run()
    with pytest.raises(ConfigError, match="start a new crawl"):
        Crawl.resume(tmp_path / "c", **changed)  # type: ignore[arg-type]


def test_refused_and_dropped_urls_are_remembered(make_web: Callable[[dict[str, Any]], Path], tmp_path: Path) -> None:
    home = "http://home.test/"
    web = make_web(
        {
            home: html("Home", {"/gone": "x", "/1": "asthma"}),
            home + "1": html("One", {"/gone": "x", "/deep": "deep"}),
            home + "deep": html("Deep"),
        }
    )
    with Crawl(TOPIC, [home], tmp_path / "c", replay=[str(web)], depth=1) as crawl:
        crawl.run()
    with Crawl.resume(tmp_path / "c", depth=2) as crawl:
        crawl.run()
        dropped = {row["u"] for row in crawl.query("SELECT ?u { ?u sc:droppedBecause ?w }")}
    # What was too deep stays refused until a link to it is met again.
    assert dropped == {home + "gone", home + "deep"}


def test_the_trap_guard_remembers_what_it_met() -> None:
    links = {f"/list?a={n}&b={n}&c={n}": str(n) for n in range(3)}
    graph = CrawlGraph.create()
    changes = Changes()
    for order, path in enumerate(links):
        url = "http://home.test" + path
        changes.found(FoundUrl(url, "home.test", 0.5, order, 1, "http://home.test/"))
    graph.apply(changes)
    guard = TrapGuard(max_queries=3)
    state = PageState(settings=Settings(), graph=graph, threshold=0.05, frontier=Frontier(), guard=guard)
    rebuild(state)
    assert guard.check("http://home.test/list?a=7&b=7&c=7") is not None


KILLED = """
import sys
from semcrawl import Crawl
from semcrawl.cli.crawl_run import JsonLines
from semcrawl.crawl import PageVisited
from semcrawl.crawl.mark_notes import MarkNotes
folder, proxy, topic, seed, strategy, *marked = sys.argv[1:]
try:
    crawl = Crawl.resume(folder)
except Exception:
    crawl = Crawl(topic, [seed], folder, strategy=strategy, proxy=proxy, delay=0, workers=1,
                  retry_delay=0.05, pages=60, frontier_size=60, pages_per_host=12)
tell = JsonLines()
def listen(event):
    if isinstance(event, PageVisited) and str(event.step) in marked:
        MarkNotes(crawl.graph.folder).leave({event.url: event.relevance < 0.5})
    tell(event)
with crawl:
    crawl.run(listen)
"""


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    web = demo_web()
    with ReplayServer(web.replay(), answers=web.respond, latency=0.002) as running:
        yield running


def start(folder: Path, server: ReplayServer, *strategy: str) -> Started:
    """A crawl by a strategy; behind it, the numbers of pages that are marked."""
    web = demo_web()
    arguments = [str(folder), server.proxy, web.main_topic.spec, web.seeds[0], *strategy]
    return Started(KILLED, *arguments)


@pytest.mark.parametrize(("strategy", "kills"), [("adaptive", 2), ("dom", 1)])
def test_after_kills_nothing_is_lost_and_nothing_is_fetched_twice(
    server: ReplayServer, tmp_path: Path, strategy: str, kills: int
) -> None:
    """With the rotation of `dom` too, for which failed visits count (Pant, Menczer 2003, 4.1)."""
    recorded_until_killed(start(tmp_path / "whole", server, strategy), 1000)
    undisturbed = order_of_visits(tmp_path / "whole")
    folder = tmp_path / "crawl"
    moments = random.Random(3)
    for _ in range(kills):
        told = recorded_until_killed(start(folder, server, strategy), moments.randint(1, 25))
        before = set(order_of_visits(folder))
        assert set(told) <= before
        asked = {url: server.requests[url] for url in before}
        recorded_until_killed(start(folder, server, strategy), 3)
        assert {url: server.requests[url] for url in before} == asked
    recorded_until_killed(start(folder, server, strategy), 1000)
    assert len(undisturbed) == 60
    assert order_of_visits(folder) == undisturbed


@pytest.mark.filterwarnings("error::ResourceWarning", "error::pytest.PytestUnraisableExceptionWarning")
def test_a_crawl_that_cannot_be_set_up_leaves_no_file_open(tmp_path: Path) -> None:
    class Broken(Learner):
        def rank(self, page: JudgedPage) -> list[float]:
            raise AssertionError(page)

        def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
            raise ConfigError(f"no memory in {folder} of {len(visited)} pages")

    web = demo_web()
    for _ in range(2):
        with pytest.raises(ConfigError, match="no memory"):
            Crawl(web.main_topic.spec, web.seeds, tmp_path / "crawl", strategy=Broken())
        gc.collect()
    assert not (tmp_path / "crawl").exists()


def test_after_kills_a_crawl_with_marks_goes_on_in_the_same_order(server: ReplayServer, tmp_path: Path) -> None:
    """The marks come between two rounds of the judge, which is killed soon after."""
    by = ("adaptive", "12", "33")
    recorded_until_killed(start(tmp_path / "whole", server, *by), 1000)
    for after in (13, 22, 1000):
        recorded_until_killed(start(tmp_path / "crawl", server, *by), after)
    for folder in (tmp_path / "whole", tmp_path / "crawl"):
        with CrawlGraph.read(folder) as graph:
            assert len(recorded_marks(graph)) == 2
    assert order_of_visits(tmp_path / "crawl") == order_of_visits(tmp_path / "whole")
