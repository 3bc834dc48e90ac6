"""A resume with other patterns and limits: what waits, and what was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl.sites import SiteClosed, SiteCrawl, SiteStop
from semcrawl.graph import CrawlGraph
from tests.crawl.sites.conftest import WordClassifier, page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Closed = Callable[..., dict[str, SiteClosed]]

ASTHMA = "Asthma is about asthma."
SITE = "urn:semcrawl:site:"


def resume(folder: Path, **values: Any) -> dict[str, SiteClosed]:
    """Go on; the sites that were closed, in order."""
    with SiteCrawl.resume(folder, classifier=WordClassifier(), **values) as crawl:
        return {one.site: one for one in crawl.visits() if isinstance(one, SiteClosed)}


def dropped(folder: Path) -> dict[str, str]:
    """URLs that were dropped, with the reason."""
    with CrawlGraph.read(folder) as graph:
        rows = graph.query("SELECT ?url ?why { ?url sc:droppedBecause ?why }")
        return {row["url"]: row["why"].rpartition("#")[2] for row in rows}


def closed_unread(folder: Path) -> dict[str, str]:
    """Sites that gave no page, with the reason."""
    with CrawlGraph.read(folder) as graph:
        rows = graph.query("site-failures", limit=1000)
        return {row["site"].removeprefix(SITE): row["stopped"].rpartition("#")[2] for row in rows}


WEB = {
    "http://a.test/": page("Hello", "/1", "/2", "/3", "http://b.test/", "http://c.test/deep"),
    "http://a.test/1": page("Hello"),
    "http://a.test/2": page("Hello"),
    "http://a.test/3": page("Hello"),
    "http://b.test/": page(ASTHMA),
    "http://c.test/": page("Hello"),
    "http://c.test/deep": page(ASTHMA),
}


def test_urls_that_wait_are_dropped_where_new_patterns_leave_them_out(closed_sites: Closed, tmp_path: Path) -> None:
    closed_sites(WEB, tmp_path / "crawl", pages=2)
    closed = resume(tmp_path / "crawl", pages=99, exclude=["*/2", "*/3"])
    assert closed["a.test"].pages == 2
    assert dropped(tmp_path / "crawl") == {"http://a.test/2": "OutOfScope", "http://a.test/3": "OutOfScope"}
    assert set(closed) == {"a.test", "b.test", "c.test"}


def test_sites_that_wait_are_closed_where_new_patterns_leave_them_out_and_wait_again_without(
    closed_sites: Closed, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    closed_sites(WEB, folder, pages=4)
    closed = resume(folder, pages=5, exclude=["http://b.test/*"])
    assert "b.test" not in closed
    assert closed_unread(folder) == {"b.test": "SiteOutOfScope"}
    assert resume(folder, pages=99, exclude=[])["b.test"].pages == 1
    assert closed_unread(folder) == {}


def test_a_site_is_read_from_the_page_that_new_patterns_leave(closed_sites: Closed, tmp_path: Path) -> None:
    closed_sites(WEB, tmp_path / "crawl", pages=4)
    closed = resume(tmp_path / "crawl", pages=99, include=["*/deep"])
    assert {name: event.pages for name, event in closed.items()} == {"c.test": 1}


def test_seeds_that_new_patterns_leave_out_are_dropped_and_wait_again_without(
    closed_sites: Closed, tmp_path: Path
) -> None:
    folder, seeds = tmp_path / "crawl", ["http://a.test/", "http://b.test/", "http://c.test/deep"]
    closed_sites(WEB, folder, seeds=seeds, pages=4)
    assert resume(folder, pages=4, exclude=["*b.test/", "*/deep"]) == {}
    assert dropped(folder) == dict.fromkeys(seeds[1:], "OutOfScope")
    assert closed_unread(folder) == {"b.test": "SiteOutOfScope"}
    closed = resume(folder, pages=99, exclude=[])
    assert {name: event.pages for name, event in closed.items()} == {"b.test": 1, "c.test": 2}
    assert dropped(folder) == {}


@pytest.mark.parametrize(("limit", "more"), [(3, ["s2"]), (0, ["s2", "s3"])])
def test_sites_refused_by_the_limit_of_their_domain_are_told_and_read_when_it_is_raised(
    closed_sites: Closed, tmp_path: Path, limit: int, more: list[str]
) -> None:
    folder = tmp_path / "crawl"
    many = [f"http://s{n}.example.org/" for n in range(4)]
    web = {"http://a.test/": page(ASTHMA, *many)} | {url: page(ASTHMA) for url in many}
    closed = closed_sites(web, folder, sites_per_domain=2)
    assert closed["s3.example.org"].reason is SiteStop.DOMAIN_LIMIT
    assert closed["s3.example.org"].progress.refused_by_limit == 2
    with SiteCrawl.resume(folder, classifier=WordClassifier()) as again:
        summary = again.run()
    assert "2 sites refused by a limit" in str(summary)
    closed = resume(folder, sites_per_domain=limit)
    read = [name for name, event in closed.items() if event.pages]
    assert read == [f"{name}.example.org" for name in more]


def test_seeds_refused_by_the_limit_of_their_domain_are_read_when_it_is_raised(
    closed_sites: Closed, tmp_path: Path
) -> None:
    web = {f"http://s{n}.example.org/x": page(ASTHMA) for n in range(3)}
    closed_sites(web, tmp_path / "crawl", seeds=list(web), sites_per_domain=1)
    closed = resume(tmp_path / "crawl", sites_per_domain=2)
    assert {name: event.pages for name, event in closed.items()} == {"s1.example.org": 1, "s2.example.org": 0}
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        rows = graph.query("SELECT ?url (COUNT(?n) AS ?numbers) { ?url sc:order ?n } GROUP BY ?url")
        assert {row["numbers"] for row in rows} == {1}


def test_sites_that_there_was_no_room_for_wait_again_when_there_is(closed_sites: Closed, tmp_path: Path) -> None:
    many = [f"http://s{n}.test/" for n in range(20)]
    web = {"http://a.test/": page(ASTHMA, *many)} | {url: page(ASTHMA) for url in many}
    folder = tmp_path / "crawl"
    closed_sites(web, folder, frontier_size=10, pages=1)
    assert len(closed_unread(folder)) == 10
    assert len(resume(folder, frontier_size=100, pages=99)) == 20
