"""The crawlers that read links, as whole crawls over the demo web."""

from __future__ import annotations

from functools import cache

import pytest

from semcrawl import Crawl
from semcrawl.demo import DemoWeb, demo_web

PAGES = 60


def fetched(strategy: str) -> list[str]:
    """The pages of a crawl in order."""
    web = small_web()
    with Crawl(
        web.main_topic.spec,
        web.seeds,
        strategy=strategy,
        fetcher=web.replay(),
        pages=PAGES,
        workers=1,
        robots=False,
        delay=0.0,
    ) as crawl:
        crawl.run()
        rows = crawl.graph.query("SELECT ?url WHERE { ?url sc:step ?step } ORDER BY ?step")
        return [row["url"] for row in rows]


@cache
def small_web() -> DemoWeb:
    return demo_web()


@cache
def breadth_first() -> list[str]:
    return fetched("breadth-first")


def on_topic(urls: list[str]) -> int:
    return len(small_web().main_topic.pages.intersection(urls))


@pytest.mark.parametrize(
    "strategy", ["dom", "dom:by=ssrm", "hub-seeking:seeds_by=pages", "shark-search", "fish-search"]
)
def test_focused_crawlers_find_more_than_breadth_first_and_repeat_themselves(strategy: str) -> None:
    found = fetched(strategy)
    assert on_topic(found) > on_topic(breadth_first())
    assert fetched(strategy) == found


@pytest.mark.parametrize("strategy", ["backlink-count", "pagerank:every=10", "ontology-focus"])
def test_every_crawler_goes_its_own_way_and_repeats_itself(strategy: str) -> None:
    found = fetched(strategy)
    assert len(found) == PAGES
    assert found != breadth_first()
    assert fetched(strategy) == found
