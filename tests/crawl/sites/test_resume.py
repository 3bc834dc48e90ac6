"""A crawl for websites goes on from its graph alone, after a stop and after kill -9."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl.sites import SiteCrawl
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError, NotACrawlError
from semcrawl.graph import SC, CrawlGraph
from semcrawl.web import ReplayServer
from tests.crawl.kills import recorded_until_killed
from tests.crawl.sites.conftest import TOPIC, WordClassifier, page, write_web
from tests.started import COMMAND, Started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WEB = demo_web()
SPEC = WEB.main_topic.spec


def order_of_visits(folder: Path) -> list[str]:
    with CrawlGraph.read(folder) as graph:
        return [row["url"] for row in graph.query("harvest")]


def verdicts(folder: Path) -> list[tuple[str, float, int]]:
    with CrawlGraph.read(folder) as graph:
        rows = graph.query("found-sites", min_confidence=0.0, limit=1000)
        return [(row["site"], row["confidence"], row["pages"]) for row in rows]


@pytest.mark.parametrize("stops", [[1], [20, 21, 22, 50], [90]])
def test_a_stopped_crawl_goes_on_in_the_same_order(
    web_folder: str, whole: Path, tmp_path: Path, stops: list[int]
) -> None:
    folder = tmp_path / "crawl"
    with SiteCrawl(SPEC, WEB.seeds, folder, replay=[web_folder], pages=stops[0]) as crawl:
        crawl.run()
    for pages in [*stops[1:], 1000]:
        with SiteCrawl.resume(folder, pages=pages) as crawl:
            summary = crawl.run()
    assert order_of_visits(folder) == order_of_visits(whole)
    assert verdicts(folder) == verdicts(whole)
    assert summary.progress.relevant_sites == 3


def test_the_memory_after_a_resume_is_that_before(web_folder: str, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with SiteCrawl(SPEC, WEB.seeds, folder, replay=[web_folder], pages=40) as crawl:
        crawl.run()
        before = crawl.progress
    with SiteCrawl.resume(folder) as again:
        after = again.progress
    for name in ("pages", "relevant", "waiting", "sites", "relevant_sites", "open_sites"):
        assert getattr(after, name) == getattr(before, name), name
    assert after.dropped == before.dropped


HOME = "http://a.test/"
SMALL_WEB: dict[str, str | tuple[int, str]] = {
    HOME: page("Asthma", "/two", "/three", "/moved", "/1", "/2", "/gone"),
    HOME + "two": page("Hello", "/", "/three", "/2", "/3"),
    HOME + "three": page("Asthma", "/two", "/1", "/3", "/4", "http://b.test/x"),
    HOME + "moved": (302, HOME + "new"),
    HOME + "new": page("Hello", "/4", "/3"),
    HOME + "1": page("Hello", "/2", "/three", "/5", "/later", "/new"),
    HOME + "2": page("Asthma", "/3", "/5", "/later"),
    HOME + "3": page("Hello", "/4", "/later"),
    HOME + "4": page("car", "/5", "/1", "/new"),
    HOME + "5": page("Hello", "/"),
    HOME + "later": (301, HOME + "last"),
    HOME + "last": page("Hello", "/1"),
    "http://b.test/": page("car", "/x"),
    "http://b.test/x": page("Hello", "/"),
}


def read_small_web(folder: Path, web: Path, *, by_one: bool) -> list[str]:
    """Read it to its end, at once or with a resume after every page; the pages in order."""
    judge = WordClassifier()
    seeds = [HOME, HOME + "two", HOME + "three"]
    # There are never links enough, so that every page is read.
    values: dict[str, Any] = {"l_threshold": 1e9, "replay": [str(web)]}
    with SiteCrawl(TOPIC, seeds, folder, classifier=judge, pages=1 if by_one else 99, **values) as crawl:
        crawl.run()
    for pages in range(2, 16) if by_one else ():
        with SiteCrawl.resume(folder, classifier=judge, pages=pages) as crawl:
            crawl.run()
    return order_of_visits(folder)


def test_a_crawl_resumed_after_every_page_reads_each_once_and_in_the_same_order(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", SMALL_WEB)
    at_once = read_small_web(tmp_path / "at once", web, by_one=False)
    by_one = read_small_web(tmp_path / "by one", web, by_one=True)
    assert set(by_one) == {url for url, text in SMALL_WEB.items() if isinstance(text, str)}
    assert by_one == at_once
    with CrawlGraph.read(tmp_path / "by one") as graph:
        assert len(list(graph.query("frontier/known"))) == len(SMALL_WEB) + 1  # and /gone
        assert not list(graph.store.quads_with(SC + "priority"))


def test_a_resumed_crawl_has_met_the_urls_of_a_series_that_were_read_already(tmp_path: Path) -> None:
    shop = [f"/shop?a={n}&b={n}&c={n}" for n in range(999)]
    pages = {HOME: page("Hello", *shop), HOME + shop[0][1:]: page("Hello", "/shop?a=x&b=y&c=z")}
    folder, web = tmp_path / "crawl", write_web(tmp_path / "web", pages)
    values: dict[str, Any] = {"pages": 1, "replay": [str(web)]}
    with SiteCrawl(TOPIC, [HOME], folder, classifier=WordClassifier(), **values) as crawl:
        crawl.run()
    with SiteCrawl.resume(folder, classifier=WordClassifier(), pages=2) as crawl:
        crawl.run()
    with SiteCrawl.resume(folder, classifier=WordClassifier()) as crawl:
        guard = crawl._engine.kind._state.guard  # type: ignore[attr-defined]
    # The thousandth was let through; there is no room for another.
    assert guard.check(HOME + "shop?a=x&b=y&c=z") is None
    assert guard.check(HOME + "shop?a=1&b=2&c=3") is not None


@pytest.mark.parametrize("values", [{"lens": "cosine"}, {"site_by": "domain"}])
def test_what_was_read_must_stay_comparable(whole: Path, values: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="start a new crawl"):
        SiteCrawl.resume(whole, **values)
    with pytest.raises(NotACrawlError):
        SiteCrawl.resume(tmp_path)


@pytest.fixture(scope="module")
def server() -> Iterator[ReplayServer]:
    with ReplayServer(WEB.replay(), answers=WEB.respond) as server:
        yield server


def start(folder: Path, server: ReplayServer) -> Started:
    """Begin the crawl in a process of its own, or go on with it."""
    words = [SPEC, "--seed", WEB.seeds[0], "--folder", str(folder)]
    words += ["--proxy", server.proxy, "--delay", "0", "--workers", "1", "--pages", "30"]
    if (folder / "graph" / "CURRENT").exists():
        words = ["--resume", str(folder)]
    return Started(COMMAND, "sites", "--json", *words)


def test_after_kills_nothing_is_lost_and_nothing_is_fetched_twice(server: ReplayServer, tmp_path: Path) -> None:
    recorded_until_killed(start(tmp_path / "whole", server), 1000)
    undisturbed = order_of_visits(tmp_path / "whole")
    folder = tmp_path / "crawl"
    moments = random.Random(5)
    for _ in range(2):
        told = recorded_until_killed(start(folder, server), moments.randint(1, 14))
        before = set(order_of_visits(folder))
        assert set(told) <= before
        asked = {url: server.requests[url] for url in before}
    recorded_until_killed(start(folder, server), 1000)
    assert {url: server.requests[url] for url in before} == asked
    assert len(undisturbed) == 30
    assert order_of_visits(folder) == undisturbed
    assert verdicts(folder) == verdicts(tmp_path / "whole")
