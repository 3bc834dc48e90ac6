"""A recorded web that is given as an object is treated as one that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl.crawl.sites import SiteCrawl
from semcrawl.crawl.sites.settings import stored_settings
from semcrawl.graph import CrawlGraph
from semcrawl.web import open_replay
from tests.crawl.sites.conftest import TOPIC, WordClassifier, page, write_web

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://a.test/"
WEB: dict[str, str | tuple[int, str]] = {
    "http://a.test/robots.txt": "User-agent: *\nDisallow: /shut",
    HOME: page("Hello", "/shut", "http://b.test/", "http://c.test/") + '<a rel="nofollow" href="/quiet">quiet</a>',
    HOME + "shut": page("Asthma", "/"),
    HOME + "quiet": page("Asthma", "/"),
    "http://b.test/": '<meta name="robots" content="nofollow">' + page("Hello", "/in"),
    "http://b.test/in": page("Hello", "/"),
    "http://c.test/": page("Hello", "/in"),
    "http://c.test/in": page("Hello", "/"),
}


def told(folder: Path, **values: Any) -> tuple[list[str], int]:
    """The pages in the order read, and how many sites were open at once."""
    most = 0
    seeds = [HOME, "http://b.test/", "http://c.test/"]
    with SiteCrawl(TOPIC, seeds, folder, classifier=WordClassifier(), l_threshold=1e9, **values) as crawl:
        for _ in crawl.visits():
            most = max(most, crawl.progress.open_sites)
        return [row["url"] for row in crawl.query("harvest")], most


def test_it_gives_the_same_pages_in_the_same_order(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", WEB)
    named = told(tmp_path / "named", replay=[str(web)])
    given = told(tmp_path / "given", fetcher=open_replay(web))
    assert given == named
    assert set(given[0]) == set(WEB) - {"http://a.test/robots.txt"}
    assert given[1] == 1


def test_more_workers_are_a_wish_that_is_heard(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", WEB)
    assert told(tmp_path / "c", fetcher=open_replay(web), workers=3)[1] == 3


def test_politeness_comes_back_with_the_network(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", WEB)
    told(tmp_path / "c", fetcher=open_replay(web))
    with CrawlGraph.read(tmp_path / "c") as graph:
        _, settings = stored_settings(graph)
    assert settings.robots
    assert settings.nofollow
    assert settings.delay > 0
