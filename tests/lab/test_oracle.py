"""What the crawlers that see labels make of them."""

from __future__ import annotations

import pytest

from semcrawl.errors import LabError
from semcrawl.lab.run import Oracle, SourceOracle, find_oracle
from semcrawl.page import read_html
from semcrawl.strategies import JudgedPage

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
