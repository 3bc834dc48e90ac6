"""Hosts that ask for a long pause: they are not asked, and nobody waits for them for hours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.crawl import CrawlWarned, StopReason
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.errors import FetchError
from semcrawl.graph import CrawlGraph
from semcrawl.web import DropReason, Response
from semcrawl.web.traps import HostsOfDomains
from semcrawl.web.urls import host_of
from tests.crawl.conftest import WORDS, html

if TYPE_CHECKING:
    from pathlib import Path

TOPIC = "keywords:asthma, lung"
HOME, BUSY = "http://home.test/", "http://busy.test/"
QUICK: dict[str, Any] = {"robots": False, "delay": 0, "workers": 2}


class _Web:
    """Two good pages, and a host that says when to come again."""

    def __init__(self, retry_after: float) -> None:
        self.retry_after = retry_after
        self.asked: list[str] = []

    def fetch(self, url: str, **_options: Any) -> Response:
        self.asked.append(url)
        if url.startswith(BUSY):
            raise FetchError(
                "status 503", reason=DropReason.HTTP_ERROR, temporary=True, status=503, retry_after=self.retry_after
            )
        links = {BUSY: "asthma", BUSY + "2": "lung", HOME + "more": "more of the lung"}
        body = html("Home", links if url == HOME else {}, WORDS).encode()
        return Response(url, 200, {"content-type": "text/html"}, body, 0.0, 0.0)

    def close(self) -> None:
        pass


def test_a_crawl_ends_when_only_hosts_that_ask_for_long_pauses_are_left(tmp_path: Path) -> None:
    web = _Web(retry_after=86_400)
    with Crawl(TOPIC, [HOME], tmp_path / "crawl", fetcher=web, **QUICK) as crawl:
        events: list[object] = []
        summary = crawl.run(events.append)
    assert summary.reason is StopReason.HOSTS_WAIT
    assert (summary.progress.pages, summary.progress.waiting) == (2, 2)
    assert len([url for url in web.asked if url.startswith(BUSY)]) == 1
    (warned,) = [event.note for event in events if isinstance(event, CrawlWarned)]
    assert "2 URLs" in warned
    assert "24 h" in warned
    with Crawl.resume(tmp_path / "crawl", fetcher=web) as resumed:
        assert resumed.progress.waiting == 2


def test_pauses_up_to_max_delay_are_waited_for() -> None:
    web = _Web(retry_after=0.2)
    quick = QUICK | {"tries": 2, "retry_delay": 0.1}
    with Crawl(TOPIC, [HOME], fetcher=web, **quick) as crawl:
        assert crawl.run().reason is StopReason.FRONTIER_EMPTY
    assert len([url for url in web.asked if url.startswith(BUSY)]) == 4


def test_the_wait_between_tries_may_be_longer_than_max_delay() -> None:
    web = _Web(retry_after=0.0)
    quick = QUICK | {"max_delay": 0.0, "tries": 2, "retry_delay": 0.3}
    with Crawl(TOPIC, [HOME], fetcher=web, **quick) as crawl:
        assert crawl.run().reason is StopReason.FRONTIER_EMPTY


def test_a_crawl_for_websites_ends_too() -> None:
    web = _Web(retry_after=86_400)
    with SiteCrawl(TOPIC, [BUSY, HOME], fetcher=web, **QUICK) as crawl:
        assert crawl.run().reason is StopReason.HOSTS_WAIT


class _Broken(_Web):
    """A page with many links that are broken, or lead elsewhere."""

    def fetch(self, url: str, **_options: Any) -> Response:
        self.asked.append(url)
        if url == HOME:
            links = {f"/{number}": "asthma" for number in range(50)}
            body = html("Home", links, WORDS).encode()
            return Response(url, 200, {"content-type": "text/html"}, body, 0.0, 0.0)
        if url.endswith("5"):
            return Response(url, 302, {}, b"", 0.0, 0.0, redirect="http://other.test/")
        raise FetchError("status 404", reason=DropReason.HTTP_ERROR, status=404)


def test_urls_that_give_no_page_count_for_the_limit_of_a_host(tmp_path: Path) -> None:
    web = _Broken(0.0)
    quick = QUICK | {"workers": 1, "pages_per_host": 12}
    with Crawl(TOPIC, [HOME], tmp_path / "crawl", fetcher=web, pages=1, **quick) as crawl:
        crawl.run()
    for pages in (2, 0):
        with Crawl.resume(tmp_path / "crawl", fetcher=web, trust=True, pages=pages) as crawl:
            crawl.run()
    assert len([url for url in web.asked if url.startswith(HOME)]) == 12
    reasons = {row["reason"].rpartition("#")[2] for row in crawl_drops(tmp_path / "crawl")}
    assert reasons == {"HttpError", "HostLimit"}


def crawl_drops(folder: Path) -> list[dict[str, Any]]:
    with CrawlGraph.read(folder) as graph:
        return list(graph.query("SELECT ?reason { ?u sc:droppedBecause ?reason }"))


class _MadeUp(_Web):
    """A domain that makes up hosts without end: each page links to others, every second one is missing."""

    def fetch(self, url: str, **_options: Any) -> Response:
        self.asked.append(host_of(url))
        number = int(self.asked[-1].split(".")[0].removeprefix("h"))
        if number % 2:
            raise FetchError("status 404", reason=DropReason.HTTP_ERROR, status=404)
        links = {f"http://h{10 * number + n}.evil.org/": "asthma" for n in range(1, 8)}
        return Response(url, 200, {"content-type": "text/html"}, html("Home", links, WORDS).encode(), 0.0, 0.0)


@pytest.mark.parametrize(("limit", "count"), [(10_000, 20), (0, 100)])
def test_a_domain_that_makes_up_hosts_is_asked_at_so_many_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, count: int
) -> None:
    monkeypatch.setattr(HostsOfDomains, "most", 20)
    web = _MadeUp(0.0)
    quick = QUICK | {"fetcher": web, "workers": 1, "pages_per_host": limit, "link_lists": "off", "max_delay": 0}
    with Crawl(TOPIC, ["http://h2.evil.org/"], tmp_path / "crawl", pages=3, **quick) as crawl:
        crawl.run()
    with Crawl.resume(tmp_path / "crawl", fetcher=web, trust=True, pages=20) as crawl:
        crawl.run()
        assert 20 <= len(set(web.asked)) <= count
    said = {row["reason"].rpartition("#")[2] for row in crawl_drops(tmp_path / "crawl")}
    assert ("HostLimit" in said) == bool(limit)
