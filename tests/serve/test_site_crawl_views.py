"""A crawl for websites breaks no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from semcrawl.crawl.explain import explain_site_page
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.demo import demo_web
from semcrawl.graph import CrawlGraph
from semcrawl.serve.api_types import SiteExplanationReply
from semcrawl.serve.explanations import ExplainedPage, FetchedPage
from semcrawl.web import ReplayServer
from tests.serve.test_openapi import check

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.conftest import Served


@pytest.mark.parametrize("table", ["pages", "hubs", "authorities", "sites", "waiting", "dropped"])
def test_every_table_is_there(websites: Served, table: str) -> None:
    found = websites.client.get(f"/api/{table}")
    assert found.status_code == 200
    assert found.json()["total"] or table in ("hubs", "authorities", "waiting")


def test_sites_have_a_confidence_and_a_verdict(websites: Served) -> None:
    query = {"sort": "confidence", "descending": "1", "limit": "500"}
    rows = websites.client.get("/api/sites", params=query).json()["rows"]
    known = [row["confidence"] for row in rows if "confidence" in row]
    assert known == sorted(known, reverse=True)
    assert known[0] > 0.5 > known[-1]
    assert all(row["verdict"] and row["stopped"] for row in rows if row.get("pages"))


def test_pages_topic_and_pictures_are_there(websites: Served) -> None:
    get = websites.client.get
    page = get("/api/page", params={"step": 1}).json()
    assert page["path"][-1]["url"] == page["url"]
    assert get("/api/topic").json()["concepts"]
    assert get("/api/neighbourhood", params={"url": page["url"]}).json()["nodes"]
    sites = get("/api/site-graph").json()
    shown = {node["id"] for node in sites["nodes"]}
    assert sites["edges"]
    assert all({edge["source"], edge["target"]} <= shown for edge in sites["edges"])


def test_a_page_is_explained_as_the_command_line_does(websites: Served) -> None:
    url = websites.client.get("/api/page", params={"step": 5}).json()["url"]
    told = websites.client.get("/api/explain", params={"url": url}).json()
    check(told, SiteExplanationReply)
    with CrawlGraph.read(websites.folder) as graph:
        known = explain_site_page(graph, url)
    assert told["judge"] == known.judge == "the lens labels"
    assert [(one["name"], one["confidence"]) for one in told["classes"]] == list(known.confidences.items())
    site = told["site"]
    assert (site["name"], site["before"], site["after"]) == (
        known.standing.site,
        known.standing.before,
        known.standing.after,
    )
    assert known.lens is not None
    assert known.lens.explanation is not None
    assert told["lens"]["explanation"]["score"] == known.lens.explanation.score
    assert told["has_words"]


def test_only_the_words_that_a_lens_saw_are_fetched_again(tmp_path: Path) -> None:
    web = demo_web()
    folder = tmp_path / "crawl"
    with ReplayServer(web.replay(), answers=web.respond) as server:
        with SiteCrawl(web.main_topic.spec, web.seeds, folder, proxy=server.proxy, delay=0.0, pages=8) as crawl:
            crawl.run()
        with CrawlGraph.read(folder) as graph:
            url = str(next(iter(graph.store.query("SELECT ?u { ?u sc:step 1 }")))["u"])
            fetched = msgspec.to_builtins(FetchedPage(url).do(graph))
    # The server is gone: nothing can be fetched from here on.
    with CrawlGraph.read(folder) as graph:
        told = msgspec.to_builtins(ExplainedPage(url).do(graph))
    assert told == fetched | {"lens": None}
    assert fetched["lens"]["words"] > 0
    assert told["has_words"]


def test_what_there_is_not_is_said(websites: Served) -> None:
    assert websites.client.get("/api/taxonomy").status_code == 404
    unknown = websites.client.get("/api/explain", params={"url": "http://nowhere.test/"})
    assert unknown.status_code == 404
