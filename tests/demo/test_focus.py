"""The demo web does what it is for: following the topic finds more than going in order."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import pytest

from scripts.demo_web.sites import make_web
from semcrawl.page import read_page
from semcrawl.relevance.similarities import CosineSimilarity
from semcrawl.text.background import Background
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from semcrawl.demo import DemoWeb
    from semcrawl.page import Page


def page_of(web: DemoWeb, url: str) -> Page | None:
    response = web.pages.get(url) or web.respond(url)
    if response is None or response.status != 200 or not response.is_html or "/records/" in url:
        return None
    return read_page(response)


def found(web: DemoWeb, pages: int, *, focused: bool) -> int:
    """Return how many pages on the main topic a simple crawl meets among its first pages."""
    background = Background.default()
    near = CosineSimilarity(Topic.parse(web.main_topic.spec).vector(background), background)
    heap = [(0.0, number, url) for number, url in enumerate(web.seeds)]
    seen: set[str] = set()
    visited: list[str] = []
    while heap and len(visited) < pages:
        url = heapq.heappop(heap)[2]
        page = None if url in seen else page_of(web, url)
        seen.add(url)
        if page is None:
            continue
        visited.append(url)
        score = near.of_page(page) if focused else 0.0
        for link in page.links:
            if not link.nofollow and link.url not in seen:
                anchor = near.of_text(link.anchor) if focused else 0.0
                order = len(visited) * 1_000 + link.position
                heapq.heappush(heap, (-(score + anchor) / 2, order, link.url))
    return len(web.main_topic.pages.intersection(visited))


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_focused_crawl_finds_at_least_twice_as_much_and_is_not_perfect(seed: int) -> None:
    web = make_web(seed)
    focused, in_order = found(web, 100, focused=True), found(web, 100, focused=False)
    assert focused >= 2 * max(1, in_order)
    assert focused < len(web.main_topic.pages)
