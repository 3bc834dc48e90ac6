"""Worked examples of Fish-Search, as Hersovici et al. 1998 print it in figure 1."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import Link, Page
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.fish_search import FishSearch, depth_left, potentials


def page_with(links: int, *, relevant: bool, memo: str = "") -> JudgedPage:
    page = Page(url="http://a.t/", links=[Link(f"http://b.t/{n}") for n in range(links)])
    return JudgedPage(page, 0.6 if relevant else 0.1, 0, on_topic=relevant, memo=memo)


def test_one_and_a_half_times_the_width_behind_a_relevant_page() -> None:
    fish = FishSearch(width=2)
    assert fish.rank(page_with(5, relevant=True)) == [1, 1, 1, 0, 0]
    assert fish.rank(page_with(5, relevant=False)) == [0.5, 0.5, 0, 0, 0]


def test_links_to_one_target_are_one_child() -> None:
    urls = ("/1", "/1", "/2", "/1", "/3")
    page = Page(url="http://a.t/", links=[Link(f"http://b.t{url}") for url in urls])
    ranked = FishSearch(width=2).rank(JudgedPage(page, 0.0, 0, on_topic=False))
    assert ranked == [0.5, 0.5, 0.5, 0.5, 0]


def test_depth_runs_out_along_irrelevant_pages_and_is_restored_by_a_relevant_one() -> None:
    fish = FishSearch(width=1, depth=2)
    seed = page_with(1, relevant=False)
    assert fish.rank(seed) == [0.5]
    child = page_with(1, relevant=False, memo=fish.note(seed))
    assert child.memo == "1"
    assert fish.rank(child) == [0.5]
    grandchild = page_with(1, relevant=False, memo=fish.note(child))
    assert fish.rank(grandchild) == [None]
    assert fish.note(replace(child, on_topic=True)) == "2"


def test_relevant_is_what_the_crawl_says_unless_a_threshold_is_given() -> None:
    judged = page_with(1, relevant=False)
    assert FishSearch().rank(judged) == [0.5]
    assert FishSearch(threshold=0.1).rank(judged) == [1]
    assert FishSearch(threshold=0.2).rank(page_with(1, relevant=True)) == [1]
    assert FishSearch(threshold=0.7).rank(page_with(1, relevant=True)) == [0.5]


@pytest.mark.parametrize("memo", ["", "x", "-1", "0.5 2", "٣", "9" * 5000])
def test_what_another_strategy_has_noted_is_no_depth(memo: str) -> None:
    assert FishSearch(depth=3).note(page_with(1, relevant=False, memo=memo)) == "2"


@pytest.mark.parametrize("options", [{"width": 0}, {"depth": 0}, {"stretch": float("nan")},
                                     {"threshold": float("nan")}, {"threshold": 7.0}])  # fmt: skip
def test_options_out_of_bounds_are_said(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="fish-search"):
        FishSearch(**options)  # type: ignore[arg-type]


@given(st.integers(0, 50), st.booleans(), st.integers(1, 20))
def test_the_first_children_are_never_worse(children: int, relevant: bool, width: int) -> None:
    scores = potentials(children, relevant=relevant, width=width)
    assert len(scores) == children
    assert scores == sorted(scores, reverse=True)


@given(st.integers(0, 9), st.integers(1, 9), st.booleans())
def test_depth_never_grows_but_by_food(depth: int, full: int, relevant: bool) -> None:
    left = depth_left(depth, relevant=relevant, full=full)
    assert left == full if relevant else left == max(depth - 1, 0)
