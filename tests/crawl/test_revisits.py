"""Maintenance: pages are visited again, asked for politely, and what changed is recorded."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.crawl import PageRevisited, PageVisited, Settings
from semcrawl.crawl.kind import CrawlState
from semcrawl.crawl.pages.revisits import Revisits
from semcrawl.demo.web import demo_web
from semcrawl.graph import SC, Changes, CrawlGraph, FoundUrl
from tests.crawl.conftest import WORDS, html

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Site:
    """A small site on loopback whose pages can change, with entity tags."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[tuple[str, str | None]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                tag = self.headers.get("If-None-Match")
                site.asked.append((self.path, tag))
                body = site.pages.get(self.path)
                status = 404 if body is None else 304 if tag == site.tag(body) else 200
                self.send_response(status)
                self.send_header("Content-Type", "text/html")
                if body is not None:
                    self.send_header("ETag", site.tag(body))
                sent = (body or "").encode() if status == 200 else b""
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def tag(body: str) -> str:
        return f'"{len(body)}-{sum(body.encode())}"'

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/"


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    made.pages = {
        "/": html("Home", {"/a": "asthma", "/b": "asthma"}, WORDS),
        "/a": html("A", {}, WORDS),
        "/b": html("B", {}, WORDS + " more"),
    }
    yield made
    made.server.shutdown()
    made.server.server_close()


SETTINGS: dict[str, Any] = {"allow_private": True, "delay": 0, "robots": False, "workers": 1}


@pytest.fixture
def folder(site: Site, tmp_path: Path) -> Path:
    """A crawl that has visited the three pages of the site."""
    with Crawl("keywords:asthma", [site.home], tmp_path / "crawl", **SETTINGS) as crawl:
        crawl.run()
    site.asked.clear()
    return tmp_path / "crawl"


def maintain(folder: Path, **more: Any) -> list[Any]:
    with Crawl.revisit(folder, hours=0, **more) as crawl:
        return list(crawl.visits())


def facts(folder: Path, url: str) -> dict[str, Any]:
    with CrawlGraph.read(folder) as graph:
        rows = graph.query(f"SELECT ?p ?o {{ <{url}> ?p ?o }}")
        return {row["p"].rpartition("#")[2]: row["o"] for row in rows}


def test_a_page_that_has_not_changed_is_not_sent_again(site: Site, folder: Path) -> None:
    events = maintain(folder)
    revisited = [event for event in events if isinstance(event, PageRevisited)]
    assert len(revisited) == 3
    assert not any(event.changed for event in revisited)
    assert all(tag is not None for _, tag in site.asked)
    found = facts(folder, site.home)
    assert (found["checks"], found.get("changes")) == (1, None)
    assert "checkedAt" in found
    assert "revisitPriority" not in found


def test_a_tag_that_no_request_can_carry_is_not_sent_back(site: Site, folder: Path) -> None:
    site.tag = lambda body: f'"{len(body)}\x01\x7f"'  # type: ignore[method-assign]
    site.pages["/a"] = html("A new title", {}, WORDS)
    maintain(folder)
    site.asked.clear()
    assert sum(isinstance(event, PageRevisited) for event in maintain(folder)) == 3
    assert ("/a", None) in site.asked


def test_a_page_that_has_changed_is_judged_and_recorded_anew(site: Site, folder: Path) -> None:
    before = facts(folder, site.home + "a")
    site.pages["/a"] = html("A new title", {"/new": "new"}, "cars and nothing else")
    events = maintain(folder)
    (changed,) = [e for e in events if isinstance(e, PageRevisited) and e.changed]
    assert changed.url == site.home + "a"
    after = facts(folder, changed.url)
    assert after["relevance"] < before["relevance"]
    assert after["digest"] != before["digest"]
    assert after["linksTo"] == site.home + "new"
    for kept in ("step", "order", "depth", "foundOn", "site", "fetchPriority", "fetchedAt"):
        assert after[kept] == before[kept]
    assert (after["checks"], after["changes"]) == (1, 1)


def test_a_page_that_has_changed_is_heard_anew(site: Site, folder: Path) -> None:
    def names() -> list[str]:
        with CrawlGraph.read(folder) as graph:
            return [row["value"] for row in graph.query("own-statements", url=site.home + "a")]

    for name in ("Ann", "Bob"):
        person = f'<p itemscope><b itemprop="http://xmlns.com/foaf/0.1/name">{name}</b></p>'
        site.pages["/a"] = html("A", {}, person + WORDS)
        maintain(folder)
        assert names() == [name]
    site.pages["/a"] = html("A", {}, WORDS)
    maintain(folder)
    assert names() == []
    assert "statements" not in facts(folder, site.home + "a")


def test_a_link_found_on_a_changed_page_waits_for_the_next_crawl(site: Site, folder: Path) -> None:
    site.pages["/a"] = html("A", {"/new": "new"}, WORDS)
    site.pages["/new"] = html("New", {}, WORDS)
    assert not [event for event in maintain(folder) if isinstance(event, PageVisited)]
    assert "priority" in facts(folder, site.home + "new")
    # The maintenance run has left the settings of the crawl alone.
    with Crawl.resume(folder) as crawl:
        (event,) = [event for event in crawl.visits() if isinstance(event, PageVisited)]
    assert event.url == site.home + "new"
    assert event.step == 4


def test_a_page_that_is_gone_keeps_its_record_and_says_so(site: Site, folder: Path) -> None:
    del site.pages["/b"]
    maintain(folder)
    found = facts(folder, site.home + "b")
    assert "goneAt" in found
    assert "relevance" in found
    site.pages["/b"] = html("B", {}, WORDS + " is back")
    maintain(folder)
    assert "goneAt" not in facts(folder, site.home + "b")


def test_the_counts_grow_with_every_check(site: Site, folder: Path) -> None:
    for round_ in range(3):
        site.pages["/a"] = html("A", {}, f"{WORDS} round {round_ // 2}")
        maintain(folder)
    found = facts(folder, site.home + "a")
    assert (found["checks"], found["changes"]) == (3, 2)


def test_revisits_take_their_share_of_a_crawl_and_no_more(tmp_path: Path) -> None:
    revisits = recorded_revisits(share=0.25)
    again = 0
    for n in range(100):
        entry = revisits.next() or FoundUrl(f"http://a/new{n}", "a", 0.5, n, 1)
        revisits.visit_started(entry)
        revisits.done(entry.url)
        again += entry.known is not None
    assert again == 25


def recorded_revisits(share: float) -> Revisits:
    graph, changes = CrawlGraph.create(), Changes()
    settings = Settings(revisit_share=share)
    revisits = Revisits(CrawlState(settings=settings, graph=graph, threshold=0.05))
    for n in range(200):
        url = f"http://a/{n}"
        changes.found(FoundUrl(url, "a", 0.5, n + 1, 0))
        changes.visited(url, step=n + 1, relevance=0.5)
    graph.apply(changes)
    for n in range(200):
        revisits.want(changes, f"http://a/{n}", n / 200)
    return revisits


def test_the_most_promising_page_is_revisited_first() -> None:
    revisits = recorded_revisits(share=1)
    entry = revisits.next()
    assert entry is not None
    assert entry.url == "http://a/199"
    assert entry.known is not None
    assert entry.known.step == 200


def test_what_waits_for_a_revisit_survives_the_end_of_the_process(folder: Path) -> None:
    with CrawlGraph.open(folder) as graph:
        changes, url = Changes(), graph.query("harvest").rows[0][1]
        changes.revisit_wanted(url.value, None, 0.5)  # type: ignore[union-attr]
        graph.apply(changes)
    with Crawl.resume(folder, revisit_share=1) as crawl:
        events = list(crawl.visits())
    assert [type(event) for event in events[:-1]] == [PageRevisited]


def test_a_revisit_that_fails_says_nothing_of_the_page(site: Site, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # takes connections and says nothing
        proxy = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        with Crawl.revisit(folder, hours=0, proxy=proxy, read_timeout=0.2, tries=1) as crawl:
            crawl.run()
        assert (crawl.progress.revisits, crawl.progress.failed) == (3, 3)
    found = facts(folder, site.home)
    assert "failedAt" in found
    assert "checks" not in found
    maintain(folder)
    assert "failedAt" not in facts(folder, site.home)


def test_limits_of_the_crawl_do_not_keep_it_from_maintenance(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "small"
    with Crawl("keywords:asthma", [site.home], folder, relevant=1, **SETTINGS) as crawl:
        assert crawl.run().reason == "RelevantReached"
    with Crawl.revisit(folder, hours=0) as crawl:
        assert crawl.run().reason == "Maintained"
        assert crawl.progress.revisits == 1
    with CrawlGraph.read(folder) as graph:
        assert str(graph.describe().stopped).endswith("RelevantReached")


def test_only_visited_pages_can_be_revisited() -> None:
    revisits, changes = recorded_revisits(share=1), Changes()
    assert not revisits.want(changes, "http://a/never", 1.0)
    assert not changes


def test_with_a_full_frontier_graph_and_memory_agree(web_folder: str, tmp_path: Path) -> None:
    """What a revisit would push out is neither lost nor found twice."""
    web = demo_web()
    more: dict[str, Any] = {
        "replay": [web_folder],
        "strategy": "soft-focus",
        "judge": "cosine",
        "policy": ["revisit:hours=0,every=10"],
        "revisit_share": 0.5,
        "frontier_size": 40,
        "pages": 80,
    }
    with Crawl(web.main_topic.spec, web.seeds, tmp_path / "crawl", **more) as crawl:
        crawl.run()
        assert crawl.progress.revisits > 20
        waiting = crawl.progress.waiting
        for name in ("order", "priority", "step", "depth"):
            twice = f"SELECT ?u {{ ?u sc:{name} ?a, ?b FILTER(?a < ?b) }}"
            assert not crawl.query(twice)
        assert not crawl.query("SELECT ?u { ?u sc:step ?s ; sc:priority ?p }")
        count = crawl.query("SELECT (COUNT(?u) AS ?n) { ?u sc:priority ?p }").value()
        assert count <= waiting <= count + 40  # revisits under way wait in the frontier too


TWO_DAYS_OLDER = f"""
PREFIX sc: <{SC}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
DELETE {{ ?page sc:fetchedAt ?now }} INSERT {{ ?page sc:fetchedAt ?then }}
WHERE {{ ?page sc:fetchedAt ?now BIND(?now - "P2D"^^xsd:dayTimeDuration AS ?then) }}"""

SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>/a</loc><lastmod>{}</lastmod></url><url><loc>/b</loc><lastmod>{}</lastmod></url>
<url><loc>/new</loc><lastmod>2026-01-01</lastmod></url></urlset>"""


def test_what_a_sitemap_says_of_changes_counts(site: Site, tmp_path: Path) -> None:
    site.pages["/sitemap.xml"] = SITEMAP.format("2020-01-01", "2020-01-01")
    folder, settings = tmp_path / "crawl", {**SETTINGS, "robots": True}
    with Crawl("keywords:asthma", [site.home], folder, **settings) as crawl:
        crawl.run()
    # Nothing is a day old. The sitemap says that /b will have changed, and /new is there now.
    site.pages["/sitemap.xml"] = SITEMAP.format("2020-01-01", "2999-01-01T00:00:00Z")
    site.pages["/new"] = html("New", {}, WORDS)
    site.asked.clear()
    with Crawl.revisit(folder, hours=24) as crawl:
        crawl.run()
    asked = [path for path, _ in site.asked]
    assert asked.index("/sitemap.xml") < asked.index("/b")
    assert "/a" not in asked
    found = facts(folder, f"{site.home}b")
    assert found["checks"] == 1
    assert found["listedChange"].year == 2999
    assert "listedChange" not in facts(folder, f"{site.home}new")


def test_what_a_sitemap_says_to_be_as_it_was_is_left_alone(site: Site, tmp_path: Path) -> None:
    site.pages["/sitemap.xml"] = SITEMAP.format("2020-01-01", "2020-01-01")
    folder, settings = tmp_path / "crawl", {**SETTINGS, "robots": True}
    with Crawl("keywords:asthma", [site.home], folder, **settings) as crawl:
        crawl.run()
        crawl.graph.store.update(TWO_DAYS_OLDER)
    for hours, lists, expected in ((24, "seeds", {"/"}), (0, "off", {"/", "/a", "/b"})):
        site.asked.clear()
        with Crawl.revisit(folder, hours=hours, link_lists=lists) as crawl:
            crawl.run()
        pages = {path for path, _ in site.asked}
        assert pages - {"/robots.txt", "/sitemap.xml"} == expected
        assert ("/sitemap.xml" in pages) == (lists == "seeds")


def test_a_sitemap_that_is_gone_changes_nothing(site: Site, tmp_path: Path) -> None:
    site.pages["/sitemap.xml"] = SITEMAP.format("2020-01-01", "2020-01-01")
    folder, settings = tmp_path / "crawl", {**SETTINGS, "robots": True}
    with Crawl("keywords:asthma", [site.home], folder, **settings) as crawl:
        crawl.run()
    before = facts(folder, f"{site.home}sitemap.xml")
    del site.pages["/sitemap.xml"]
    with Crawl.revisit(folder, hours=0) as crawl:
        assert crawl.run().progress.revisits == 3
    assert facts(folder, f"{site.home}sitemap.xml") == before
