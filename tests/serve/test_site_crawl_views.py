"""A crawl for websites breaks no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.demo import demo_web
from semcrawl.site_crawl import SiteCrawl
from tests.serve.conftest import Served, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def websites(tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> Iterator[Served]:
    web = demo_web()
    folder = tmp_path_factory.mktemp("websites") / "crawl"
    with SiteCrawl(web.main_topic.spec, web.seeds, folder, replay=[str(recorded)]) as crawl:
        crawl.run()
    with running_server(folder) as server:
        yield server


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


def test_what_there_is_not_is_said(websites: Served) -> None:
    url = websites.client.get("/api/page", params={"step": 1}).json()["url"]
    explained = websites.client.get("/api/explain", params={"url": url})
    assert (explained.status_code, "whole websites" in explained.text) == (409, True)
    assert websites.client.get("/api/taxonomy").status_code == 404
