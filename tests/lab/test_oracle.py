"""What the crawlers that see labels make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.crawl import Crawl
from semcrawl.crawl.events import PageVisited
from semcrawl.errors import LabError
from semcrawl.lab.run import Oracle, SourceOracle, find_oracle
from semcrawl.page import read_html
from semcrawl.strategies import JudgedPage
from tests.crawl.sites.conftest import page, write_web

if TYPE_CHECKING:
    from pathlib import Path

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


def judged(url: str, *links: str, priority: float = 1.0) -> JudgedPage:
    html = "<title>x</title>" + "".join(f"<a href={link}>x</a> " for link in links)
    return JudgedPage(read_html(html, url), 0.0, 0, fetch_priority=priority)


def test_links_to_targets_come_first_then_those_on_pages_on_topic() -> None:
    oracle = Oracle({A})
    assert oracle.rank(judged(B, A, C)) == [1.0, 0.0]
    assert oracle.rank(judged(A, B, C)) == [0.5, 0.5]


def test_a_page_that_is_not_counted_is_no_target_but_is_on_topic() -> None:
    oracle = Oracle({A}, on_topic={A, B})
    assert oracle.rank(judged(C, A, B)) == [1.0, 0.0]
    assert oracle.rank(judged(B, C)) == [0.5]


def test_the_source_oracle_knows_nothing_of_where_links_lead() -> None:
    assert SourceOracle({A, B}).rank(judged(A, B, C)) == [1.0, 1.0]


def test_links_fall_back_with_their_distance_from_a_page_on_topic() -> None:
    oracle = SourceOracle({A})
    assert oracle.rank(judged(B, C, priority=1.0)) == [0.5]
    assert oracle.rank(judged(B, C, priority=0.5)) == [0.25]


def test_oracles_are_found_by_their_specs() -> None:
    assert isinstance(find_oracle("oracle", {A}, {A}), Oracle)
    assert isinstance(find_oracle("oracle:sees=sources", {A}, {A}), SourceOracle)
    assert find_oracle("breadth-first", {A}, {A}) is None
    for spec in ("oracle:sees=all", "oracle:n=2"):
        with pytest.raises(LabError, match="sees=sources"):
            find_oracle(spec, {A}, {A})


def test_a_crawler_may_find_more_than_the_greedy_oracle(tmp_path: Path) -> None:
    """It is no upper bound on every web: it stays near what is on topic."""
    rich = tuple(f"http://rich.test/{n}" for n in range(3))
    web: dict[str, str | tuple[int, str]] = {
        A: page("Start", C, B),
        B: page("On topic, and a dead end", *(f"http://junk.test/{n}" for n in range(3))),
        C: page("Off topic", *rich),
        **dict.fromkeys((*rich, *(f"http://junk.test/{n}" for n in range(3))), page("Page")),
    }
    replay = str(write_web(tmp_path / "web", web))

    def found(strategy: Oracle | str) -> int:
        with Crawl("keywords:topic", [A], strategy=strategy, replay=[replay], pages=6, workers=1) as crawl:
            visits = [one.url for one in crawl.visits() if isinstance(one, PageVisited)]
        return len({B, *rich}.intersection(visits))

    assert (found(Oracle({B, *rich})), found("breadth-first")) == (1, 4)
