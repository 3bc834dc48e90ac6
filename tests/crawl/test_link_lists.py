"""Crawls that ask sitemaps and feeds for links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from semcrawl import Crawl
from semcrawl.web import ReplayServer
from semcrawl.web.response import Response

SEED, OTHER = "http://a.test/", "http://b.test/"
SITEMAP = "<urlset><url><loc>http://a.test/asthma</loc></url><url><loc>/soup</loc></url></urlset>"
FEED = "<rss><item><title>Asthma</title><link>http://a.test/news</link></item></rss>"
WEB = {
    SEED: "<title>Home</title><link rel=alternate type=application/rss+xml href=/feed>"
    f"<p>Asthma and more. <a href={OTHER}>asthma elsewhere</a>",
    OTHER: "<title>Asthma</title><p>Asthma is a disease.",
    "http://a.test/asthma": "<title>Asthma</title><p>Asthma is a disease.",
    "http://a.test/soup": "<title>Soup</title><p>Soup is hot.",
    "http://a.test/news": "<title>Asthma news</title><p>Asthma is in the news.",
}
XML = {
    "http://a.test/feed": FEED,
    "http://a.test/sitemap.xml": SITEMAP,
    "http://b.test/sitemap.xml": "<urlset><url><loc>/b2</loc></url></urlset>",
    "http://b.test/b2": "<title>Asthma again</title><p>Asthma is a disease.",
}


def answer(robots: str = "") -> Callable[[str], Response | None]:
    def answers(url: str) -> Response | None:
        if url.endswith("/robots.txt"):
            kind, body = "text/plain", robots
        elif url in WEB or url.endswith("/b2"):
            kind, body = "text/html", WEB.get(url) or XML[url]
        elif url in XML:
            kind, body = "text/xml", XML[url]
        else:
            return Response(url, 404, {}, b"", 0, 0)
        return Response(url, 200, {"content-type": kind}, body.encode(), 0, 0)

    return answers


def crawl(
    lists: Any, robots: str = "", folder: Path | None = None, strategy: str = "adaptive"
) -> tuple[set[str], set[str]]:
    """Return the pages, and all URLs that were asked for."""
    with ReplayServer(answers=answer(robots)) as server:
        job = Crawl(
            "wordnet:asthma", [SEED], folder, proxy=server.proxy, link_lists=lists, delay=0,
            strategy=strategy, workers=1, retry_delay=0,
        )  # fmt: skip
        with job:
            job.run()
            pages = {row["u"] for row in job.graph.query("SELECT ?u { ?u a sc:Page }")}
            why = job.graph.query("SELECT ?u ?r { ?u sc:droppedBecause ?r }")
            reasons = {row["u"]: row["r"].rpartition("#")[2] for row in why}
        if lists != "off":
            assert reasons["http://a.test/feed"] == "LinkList"
        return pages, set(server.requests)


@pytest.mark.parametrize("strategy", ["adaptive", "best-first-page-anchor", "apprentice"])
def test_sitemap_and_feeds_of_the_seeds_sites_are_asked(strategy: str) -> None:
    pages, asked = crawl("seeds", strategy=strategy)
    assert pages == set(WEB)
    assert "http://a.test/sitemap.xml" in asked
    assert "http://b.test/sitemap.xml" not in asked


def test_those_of_all_sites_can_be_asked() -> None:
    pages, _ = crawl("all")
    assert "http://b.test/b2" in pages


def test_none_are_asked_where_that_is_wanted() -> None:
    pages, asked = crawl("off")
    assert pages == {SEED, OTHER}
    assert not any("sitemap" in url or "feed" in url or "well-known" in url for url in asked)


def test_a_robots_file_that_names_sitemaps_saves_the_guess() -> None:
    pages, asked = crawl("seeds", robots="Sitemap: /feed\nUser-agent: *\nDisallow: /soup")
    assert "http://a.test/sitemap.xml" not in asked
    assert "http://a.test/news" in pages


def test_what_robots_forbids_is_not_asked_because_a_sitemap_lists_it() -> None:
    pages, asked = crawl("seeds", robots="User-agent: *\nDisallow: /soup")
    assert "http://a.test/soup" not in pages | asked
