"""Redirects between sites: homepages that moved, ways that lead back, edges by redirect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl.sites import SiteClosed, SiteCrawl, SiteStop
from semcrawl.crawl.sites.frontier import OutEdges
from semcrawl.errors import FetchError
from semcrawl.graph import CrawlGraph, FoundUrl
from semcrawl.web import DropReason, ReplayServer, Response
from tests.crawl.sites.conftest import TOPIC, WordClassifier, page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Closed = Callable[..., dict[str, SiteClosed]]

ASTHMA = "Asthma is about asthma."
CARS = "A car and another car."
SITE = "urn:semcrawl:site:"


def edges(folder: Path) -> dict[tuple[str, str], tuple[float, int]]:
    """Weight and number of pages of each edge, by the names of its sites."""
    with CrawlGraph.read(folder) as graph:
        return {
            (row["source"].removeprefix(SITE), row["target"].removeprefix(SITE)): (row["weight"], row["pages"])
            for row in graph.query("site-edges")
        }


def test_a_site_whose_homepage_moved_is_read_from_the_link_that_led_there(closed_sites: Closed, tmp_path: Path) -> None:
    pages = {
        "http://a.test/": page(ASTHMA, "http://old.test/archive.html"),
        "http://old.test/": (301, "http://new.test/"),
        "http://old.test/archive.html": page(ASTHMA),
        "http://new.test/": page(CARS),
    }
    closed = closed_sites(pages, tmp_path / "crawl")
    assert (closed["old.test"].reason, closed["old.test"].pages) == (SiteStop.EXHAUSTED, 1)
    assert closed["new.test"].pages == 1
    found = edges(tmp_path / "crawl")
    # The redirect counts with the rank that old.test had, its class with its own page.
    rank, _ = found["a.test", "old.test"]
    sure = closed["old.test"].confidence
    assert sure is not None
    weight, linking = found["old.test", "new.test"]
    assert weight == pytest.approx((sure + rank) / 2, abs=1e-6)
    assert linking == 1


def test_a_site_has_moved_where_the_link_that_led_there_fails_too(closed_sites: Closed, tmp_path: Path) -> None:
    pages = {
        "http://a.test/": page(ASTHMA, "http://old.test/gone.html"),
        "http://old.test/": (301, "http://new.test/"),
        "http://new.test/": page(CARS),
    }
    closed = closed_sites(pages, tmp_path / "crawl")
    assert closed["old.test"].reason is SiteStop.MOVED
    found = edges(tmp_path / "crawl")
    assert found["old.test", "new.test"] == (found["a.test", "old.test"][0], 1)


def test_a_homepage_that_moved_is_remembered_where_the_seed_fails(closed_sites: Closed, tmp_path: Path) -> None:
    pages = {"http://old.test/": (301, "http://new.test/"), "http://new.test/": page(ASTHMA)}
    closed = closed_sites(pages, tmp_path / "crawl", seeds=["http://old.test/gone.html"])
    assert closed["old.test"].reason is SiteStop.MOVED
    assert closed["new.test"].is_relevant
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        [row] = graph.query("site-failures")
    assert row["moved_to"] == "urn:semcrawl:site:new.test"
    assert "gone.html" in row["note"]


CONSENT: dict[str, str | tuple[int, str]] = {
    "http://a.test/": (302, "http://consent.test/ask?for=a"),
    "http://consent.test/ask?for=a": (302, "http://consent.test/set?for=a"),
    "http://consent.test/set?for=a": (302, "http://a.test/home"),
    "http://a.test/home": page(ASTHMA, "/more"),
    "http://a.test/more": page(ASTHMA),
    "http://consent.test/": page(CARS),
}


def test_a_homepage_behind_a_consent_page_of_another_host_is_read(closed_sites: Closed, tmp_path: Path) -> None:
    closed = closed_sites(CONSENT, tmp_path / "crawl")
    assert {name: event.pages for name, event in closed.items()} == {"a.test": 2}
    assert closed["a.test"].is_relevant
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        rows = list(graph.query("SELECT ?u ?t { ?u sc:redirectsTo ?t }"))
    assert [(row["u"], row["t"]) for row in rows] == [("http://a.test/", "http://a.test/home")]


@pytest.mark.parametrize("back", ["http://a.test/", "http://a.test/x"])
def test_a_way_in_a_circle_through_another_host_ends(closed_sites: Closed, back: str) -> None:
    pages = {
        "http://a.test/": (302, "http://b.test/ask"),
        "http://b.test/ask": (302, back),
        "http://a.test/x": (302, "http://b.test/ask"),
    }
    closed = closed_sites(pages)
    assert closed["a.test"].reason is SiteStop.UNREACHABLE
    assert "redirects" in closed["a.test"].note


def test_a_homepage_that_moved_by_way_of_a_third_host_moved_to_where_the_way_ends(closed_sites: Closed) -> None:
    pages = {
        "http://old.test/": (301, "http://short.test/x1"),
        "http://short.test/x1": (301, "http://new.test/start"),
        "http://new.test/start": page(ASTHMA),
    }
    closed = closed_sites(pages)
    assert closed["old.test"].reason is SiteStop.MOVED
    assert closed["new.test"].pages == 1
    assert "short.test" not in closed


def test_the_host_of_a_consent_page_is_asked_by_its_own_rules() -> None:
    def answers(url: str) -> Response | None:
        if url == "http://consent.test/robots.txt":
            rules = b"User-agent: *\nDisallow: /"
            return Response(url, 200, {"content-type": "text/plain"}, rules, 0.0, 0.0)
        if url == "http://a.test/":
            return Response(url, 302, {"location": "http://consent.test/ask"}, b"", 0.0, 0.0)
        return None

    with (
        ReplayServer(answers=answers) as server,
        SiteCrawl(
            TOPIC, ["http://a.test/"], classifier=WordClassifier(), proxy=server.proxy, delay=0, tries=1
        ) as crawl,
    ):
        closed = [event for event in crawl.visits() if isinstance(event, SiteClosed)]
        assert server.requests["http://consent.test/ask"] == 0
    assert [event.reason for event in closed] == [SiteStop.MOVED, SiteStop.UNREACHABLE]


@pytest.mark.parametrize("stops", [[], [1, 2, 3]])
def test_a_redirect_to_another_site_is_an_edge_with_the_weight_of_the_page_that_linked_to_it(
    closed_sites: Closed, tmp_path: Path, stops: list[int]
) -> None:
    pages = {
        "http://a.test/": page(ASTHMA, "/out", "/cars"),
        "http://a.test/cars": page(CARS, "/hop"),
        "http://a.test/out": (302, "http://b.test/deep"),
        "http://a.test/hop": (302, "http://a.test/hop2"),
        "http://a.test/hop2": (302, "http://c.test/"),
        "http://b.test/deep": page(ASTHMA),
        "http://c.test/": page(CARS),
    }
    folder, values = tmp_path / "crawl", {"weights": "local"}
    closed = closed_sites(pages, folder, pages=stops[0] if stops else 99, **values)
    for pages_now in [*stops[1:], 99] if stops else []:
        with SiteCrawl.resume(folder, classifier=WordClassifier(), pages=pages_now) as crawl:
            closed |= {one.site: one for one in crawl.visits() if isinstance(one, SiteClosed)}
    assert list(closed) == ["a.test", "b.test", "c.test"]
    assert closed["b.test"].pages == 1  # read from the redirect's target
    assert edges(folder) == {("a.test", "b.test"): (0.8, 1), ("a.test", "c.test"): (0.1, 1)}


def test_a_page_that_links_to_a_site_and_to_a_redirect_there_counts_once() -> None:
    out = OutEdges(rank=0.3)
    out.read("http://a.test/", 0, 0.8, {"b.test": "http://b.test/x"})
    out.left(found("http://a.test/out", 2, "http://a.test/"), "b.test", "http://b.test/")
    edge = out.all()["b.test"]
    assert (edge.confidences.count, edge.confidences.value) == (1, 0.8)
    assert (edge.entry, edge.found_on, edge.depth) == ("http://b.test/x", "http://a.test/", 1)


def test_redirects_count_in_the_order_in_which_their_urls_were_found() -> None:
    later = found("http://a.test/2", 2, "http://b.test/"), "d.test", "http://d.test/"
    first = found("http://a.test/", 1, None), "c.test", "http://c.test/"
    for order in ((first, later), (later, first)):
        out = OutEdges(rank=0.3)
        for departure in order:
            out.left(*departure)
        assert out.moved_to == "c.test"
        assert list(out.all()) == ["c.test", "d.test"]
        assert out.all()["c.test"].confidences.value == 0.3


def found(url: str, order: int, found_on: str | None) -> FoundUrl:
    return FoundUrl(url, "a.test", 0.5, order, 1, found_on)


def test_a_redirect_out_of_scope_makes_no_edge(closed_sites: Closed, tmp_path: Path) -> None:
    pages: dict[str, Any] = {
        "http://a.test/": page(ASTHMA, "/out"),
        "http://a.test/out": (302, "http://b.test/"),
        "http://b.test/": page(ASTHMA),
    }
    closed = closed_sites(pages, tmp_path / "crawl", include=["http://a.test/*"])
    assert set(closed) == {"a.test"}
    assert edges(tmp_path / "crawl") == {}


class _OftenDown:
    """Refuses the connection for most URLs; one redirects."""

    def __init__(self, moved: str) -> None:
        self._moved = moved

    def fetch(self, url: str, **_options: Any) -> Response:
        home = "http://a.test/"
        if url == home:
            text = page("Hello", *(f"/{number}" for number in range(9))).encode()
            return Response(url, 200, {"content-type": "text/html"}, text, 0.0, 0.0)
        if url == home + self._moved:
            return Response(url, 302, {}, b"", 0.0, 0.0, redirect=home)
        raise FetchError("refused", reason=DropReason.CONNECT_FAILED)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("moved", "why"), [("4", SiteStop.EXHAUSTED), ("8", SiteStop.FAILING)])
def test_a_site_that_redirects_is_not_down(moved: str, why: SiteStop) -> None:
    """Four failures before the redirect and four after it are not five in a row."""
    quick: dict[str, Any] = {"robots": False, "delay": 0, "max_delay": 0, "tries": 1, "workers": 1}
    with SiteCrawl(TOPIC, ["http://a.test/"], classifier=WordClassifier(), fetcher=_OftenDown(moved), **quick) as crawl:
        [closed] = [event for event in crawl.visits() if isinstance(event, SiteClosed)]
    assert closed.reason is why
