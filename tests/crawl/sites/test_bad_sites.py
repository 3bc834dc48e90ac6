"""Sites that give trouble: handled, recorded, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl.sites import SiteClosed, SiteCrawl, SiteStop
from semcrawl.crawl.sites.listing import list_sites
from semcrawl.graph import CrawlGraph
from semcrawl.web import ReplayServer, Response
from tests.crawl.sites.conftest import TOPIC, WordClassifier, page, write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Closed = Callable[..., dict[str, SiteClosed]]

ASTHMA = "Asthma is about asthma."
CARS = "A car and another car."


def test_a_homepage_that_leads_to_another_host_gives_way_to_that_one(closed_sites: Closed, tmp_path: Path) -> None:
    pages = {
        "http://old.test/": (301, "http://new.test/en/"),
        "http://new.test/": page("Choose a language"),
        "http://new.test/en/": page(ASTHMA),
    }
    closed = closed_sites(pages, tmp_path / "crawl")
    assert closed["old.test"].reason is SiteStop.MOVED
    assert closed["old.test"].confidence is None
    assert closed["new.test"].pages == 1
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        [row] = graph.query("site-failures")
        edges = [(row["target"], row["weight"]) for row in graph.query("site-edges")]
    assert row["moved_to"] == "urn:semcrawl:site:new.test"
    assert edges == [("urn:semcrawl:site:new.test", 1.0)]  # it inherits the rank of a seed


def test_two_homepages_that_lead_to_each_other_end(closed_sites: Closed) -> None:
    closed = closed_sites({"http://a.test/": (302, "http://b.test/"),
                           "http://b.test/": (302, "http://a.test/")})  # fmt: skip
    assert [event.reason for event in closed.values()] == [SiteStop.MOVED] * 2


def test_a_redirect_inside_a_site_is_followed(closed_sites: Closed) -> None:
    closed = closed_sites({"http://a.test/": (302, "http://a.test/home"),
                           "http://a.test/home": page(ASTHMA)})  # fmt: skip
    assert (closed["a.test"].pages, closed["a.test"].site_class) == (1, "lungs")


def test_a_homepage_of_frames_is_no_evidence_and_its_frames_are_read(closed_sites: Closed) -> None:
    frames = "<frameset><frame src='/menu.html'><frame src='/main.html'><frame src='http://cars.test/'></frameset>"
    pages = {
        "http://a.test/": frames,
        "http://a.test/menu.html": page(ASTHMA, "/more.html"),
        "http://a.test/main.html": page(ASTHMA),
        "http://a.test/more.html": page(ASTHMA),
        "http://cars.test/": page(CARS, "/2"),
        "http://cars.test/2": page(CARS),
    }
    closed = closed_sites(pages)
    assert closed["a.test"].is_relevant
    assert closed["a.test"].pages == 4
    assert closed["cars.test"].site_class == "cars"


def test_a_site_that_answers_only_errors_is_recorded_with_what_went_wrong(closed_sites: Closed) -> None:
    pages = {
        "http://a.test/": page(ASTHMA, "http://broken.test/deep.html"),
        "http://broken.test/": (500, "no"),
        "http://broken.test/deep.html": (404, "no"),
    }
    broken = closed_sites(pages, tries=1)["broken.test"]
    assert broken.reason is SiteStop.UNREACHABLE
    assert "500" in broken.note
    assert broken.pages == 0


def test_a_homepage_that_fails_is_replaced_by_the_link_that_led_there(closed_sites: Closed) -> None:
    pages = {"http://a.test/": page(ASTHMA, "http://deep.test/only.html"), "http://deep.test/only.html": page(ASTHMA)}
    deep = closed_sites(pages)["deep.test"]
    assert (deep.pages, deep.is_relevant) == (1, True)


def test_a_homepage_out_of_scope_is_not_asked_for(closed_sites: Closed, tmp_path: Path) -> None:
    pages = {
        "http://a.test/x/": page(ASTHMA, "http://b.test/x/1", "http://b.test/y"),
        "http://b.test/x/1": page(ASTHMA, "/"),
        "http://a.test/": page(ASTHMA),
        "http://b.test/": page(ASTHMA),
    }
    closed = closed_sites(pages, tmp_path / "crawl", include=["*/x/*"])
    assert {site: event.pages for site, event in closed.items()} == {"a.test": 1, "b.test": 1}
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        [row] = graph.query("why-dropped", url="http://b.test/")
    assert row["reason"].endswith("#OutOfScope")


def test_a_site_full_of_dead_links_costs_a_bounded_number_of_requests(closed_sites: Closed) -> None:
    dead = [f"/{n}" for n in range(200)]
    closed = closed_sites({"http://a.test/": page("Hello", *dead)}, pages_per_site=10)
    assert closed["a.test"].reason is SiteStop.FAILING
    assert closed["a.test"].progress.dropped["NotInReplay"] == 10


def test_a_site_by_domain_begins_where_its_domain_does(closed_sites: Closed) -> None:
    pages = {
        "http://www.example.org/": page(ASTHMA, "http://sub.example.org/x"),
        "http://sub.example.org/x": page(ASTHMA, "http://example.com/"),
    }
    closed = closed_sites(pages, site_by="domain")
    # There is no http://example.org/: the seed itself is where it begins.
    assert closed["example.org"].pages == 2
    assert set(closed) == {"example.org", "example.com"}


def test_thousands_of_subdomains_are_bounded(closed_sites: Closed, tmp_path: Path) -> None:
    many = [f"http://s{n}.example.org/" for n in range(1500)]
    pages = {"http://a.test/": page(ASTHMA, *many)} | {url: page(CARS) for url in many}
    closed = closed_sites(pages, tmp_path / "crawl", sites_per_domain=3, frontier_size=500)
    reasons = [event.reason for event in closed.values()]
    assert sum(event.pages for event in closed.values()) == 1 + 3
    assert SiteStop.DOMAIN_LIMIT in reasons
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        rows = list(graph.query("site-failures", limit=5000))
    assert {row["stopped"].rpartition("#")[2] for row in rows} == {"SiteDomainLimit", "SiteFrontierFull"}
    assert len(rows) == 1500 - 3


def test_sites_that_give_no_page_take_no_place_of_their_domain(closed_sites: Closed, tmp_path: Path) -> None:
    gone = [f"http://a{n}.example.org/" for n in range(4)]
    there = [f"http://b{n}.example.org/" for n in range(3)]
    pages = {"http://a.test/": page(ASTHMA, *gone, *there)} | {url: page(CARS) for url in there}
    closed = closed_sites(pages, tmp_path / "crawl", sites_per_domain=2, pages=2)
    with SiteCrawl.resume(tmp_path / "crawl", classifier=WordClassifier(), pages=100) as crawl:
        closed |= {one.site: one for one in crawl.visits() if isinstance(one, SiteClosed)}
    read = [name for name, event in closed.items() if event.pages]
    assert read == ["a.test", "b0.example.org", "b1.example.org"]
    assert closed["b2.example.org"].reason is SiteStop.DOMAIN_LIMIT


def test_a_giant_trap_costs_no_more_than_the_page_limit() -> None:
    def answers(url: str) -> Response | None:
        if url.endswith("/robots.txt"):
            return None
        number = int(url.rpartition("/")[2] or 0)
        html = page("Hello there", *(f"/{number * 3 + n}" for n in range(1, 4)))
        return Response(url, 200, {"content-type": "text/html"}, html.encode(), 0.0, 0.0)

    with ReplayServer(answers=answers) as server:
        with SiteCrawl(
            TOPIC,
            ["http://trap.test/"],
            classifier=WordClassifier(),
            proxy=server.proxy,
            delay=0,
            workers=2,
            pages=0,
            pages_per_site=25,
        ) as crawl:
            [closed] = [event for event in crawl.visits() if isinstance(event, SiteClosed)]
        assert closed.reason is SiteStop.PAGE_LIMIT
        assert server.requests_by_host["trap.test"] == 25 + 1  # and robots.txt


def answer(url: str, status: int = 200, html: str = "", **headers: str) -> Response:
    named = {"content-type": "text/html"} | headers
    return Response(url, status, named, html.encode(), 0.0, 0.0)


def test_a_site_of_redirects_costs_a_bounded_number_of_requests(tmp_path: Path) -> None:
    hops = {f"http://a.test/{n}": (302, f"http://a.test/to/{n}") for n in range(100)}
    pages = {"http://a.test/": page("Hello", *hops)} | hops
    pages |= {f"http://a.test/to/{n}": (302, "http://a.test/0") for n in range(100)}
    folder, web = tmp_path / "crawl", write_web(tmp_path / "web", pages)
    with SiteCrawl(
        TOPIC, ["http://a.test/"], folder, classifier=WordClassifier(), replay=[str(web)],
        pages=1, pages_per_site=5,
    ) as crawl:  # fmt: skip
        crawl.run()
    with SiteCrawl.resume(folder, classifier=WordClassifier(), pages=9) as crawl:
        [closed] = [event for event in crawl.visits() if isinstance(event, SiteClosed)]
        redirects = sum(row["kind"] == "redirected" for row in crawl.graph.query("frontier/known"))
    assert (closed.reason, closed.pages) == (SiteStop.PAGE_LIMIT, 1)
    assert closed.pages + redirects == 4 * 5


def test_a_redirect_into_a_trap_is_not_followed(closed_sites: Closed) -> None:
    trap = "http://a.test/" + "again/" * 9
    pages = {"http://a.test/": page(ASTHMA, "/x"), "http://a.test/x": (302, trap), trap: ASTHMA}
    closed = closed_sites(pages)["a.test"]
    assert closed.pages == 1
    assert closed.progress.dropped == {"TrapSuspected": 1}


def test_a_retry_that_is_due_before_its_host_may_be_asked_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers(url: str) -> Response | None:
        if url.endswith("/robots.txt"):
            return None
        return answer(url, html=page(ASTHMA)) if server.requests[url] > 1 else answer(url, 503)

    values: dict[str, Any] = {"delay": 0.5, "retry_delay": 0.01, "tries": 2, "workers": 1}
    with (
        ReplayServer(answers=answers) as server,
        SiteCrawl(TOPIC, ["http://a.test/"], classifier=WordClassifier(), proxy=server.proxy, **values) as crawl,
    ):
        turns, ask = [0], crawl.graph.answer_readers

        def counted() -> None:
            turns[0] += 1
            ask()

        monkeypatch.setattr(crawl.graph, "answer_readers", counted)
        [closed] = [event for event in crawl.visits() if isinstance(event, SiteClosed)]
    assert closed.pages == 1
    assert turns[0] < 100  # some for each second, not as many as the processor can


@pytest.mark.parametrize("rule", ["User-agent: *\nDisallow: /", None])
def test_a_homepage_that_robots_may_not_read_is_recorded(rule: str | None) -> None:
    def answers(url: str) -> Response:
        if url.endswith("/robots.txt"):
            status = 200 if rule else 503
            return Response(url, status, {"content-type": "text/plain"}, (rule or "").encode(), 0.0, 0.0)
        return Response(url, 200, {"content-type": "text/html"}, page(ASTHMA).encode(), 0.0, 0.0)

    values: dict[str, Any] = {"delay": 0, "max_delay": 0, "tries": 1}
    with (
        ReplayServer(answers=answers) as server,
        SiteCrawl(TOPIC, ["http://shut.test/"], classifier=WordClassifier(), proxy=server.proxy, **values) as crawl,
    ):
        [closed] = [event for event in crawl.visits() if isinstance(event, SiteClosed)]
        assert closed.reason is SiteStop.UNREACHABLE
        assert "robots.txt" in closed.note
        assert server.requests["http://shut.test/"] == 0


def test_an_address_in_brackets_is_a_site_as_any_other(closed_sites: Closed, tmp_path: Path) -> None:
    home = "http://[2001:db8::1]:8080/"
    pages = {"http://a.test/": page(ASTHMA, home), home: page(ASTHMA, "/2"), home + "2": ASTHMA}
    closed = closed_sites(pages, tmp_path / "crawl", pages=2)
    assert set(closed) == {"a.test"}
    with SiteCrawl.resume(tmp_path / "crawl", classifier=WordClassifier(), pages=9) as crawl:
        crawl.run()
        sites = {site.site for site in list_sites(crawl.graph).sites}
    assert sites == {"a.test", "[2001:db8::1]:8080"}


def test_shared_hosts_hold_a_site_in_each_folder(closed_sites: Closed) -> None:
    pages = {
        "http://people.test/ann/": page(ASTHMA, "/bob/x.html"),
        "http://people.test/bob/": page(CARS, "/bob/x.html"),
        "http://people.test/bob/x.html": page(CARS),
    }
    closed = closed_sites(pages, site_by="path:1")
    assert closed["people.test/ann"].is_relevant
    assert closed["people.test/bob"].site_class == "cars"
