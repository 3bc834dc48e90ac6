"""Worked examples of PageRank, IR of Cho, Garcia-Molina, Page 1998."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import Link, Page
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.link_counts import PageRank, page_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def ranks(links: list[tuple[int, int]], size: int, damping: float) -> list[float]:
    sources, targets = (np.array([link[n] for link in links], np.int64) for n in (0, 1))
    found: list[float] = page_ranks(sources, targets, size, damping=damping).tolist()
    return found


def test_three_pages_by_hand() -> None:
    # a links to b and c, b to c, c to a; d = 0.5:
    # a = 0.5 + 0.5 c, b = 0.5 + 0.25 a, c = 0.5 + 0.25 a + 0.5 b
    # hence a = 14/13, b = 10/13, c = 15/13
    found = ranks([(0, 1), (0, 2), (1, 2), (2, 0)], 3, damping=0.5)
    assert found == pytest.approx([14 / 13, 10 / 13, 15 / 13], abs=1e-4)


def test_a_page_without_links_shares_its_rank_among_all() -> None:
    # a links to b, b to nothing, which is to both; d = 0.5:
    # a = 0.5 + b/4, b = 0.5 + a/2 + b/4; a + b = 2: a = 0.8, b = 1.2
    assert ranks([(0, 1)], 2, damping=0.5) == pytest.approx([0.8, 1.2], abs=1e-4)


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=30))
def test_ranks_have_a_mean_of_one_and_keep_the_least_share(links: set[tuple[int, int]]) -> None:
    found = ranks(sorted(links), 8, damping=0.9)
    assert sum(found) == pytest.approx(8)
    assert min(found) >= 0.1 - 1e-6


def page(url: str, *targets: str) -> JudgedPage:
    return JudgedPage(Page(url=url, links=[Link(target) for target in targets]), 0.0, 0)


def visit(strategy: PageRank, judged: JudgedPage) -> tuple[list[float], Mapping[str, float]]:
    ranked = list(strategy.rank(judged))
    strategy.observe(judged)
    return ranked, strategy.revise()


def test_in_between_each_link_adds_its_share() -> None:
    strategy = PageRank(every=10, damping=0.5)
    strategy.begin(None, {})
    # A page never seen has 0.5: half of it, in two shares, and what every page has.
    assert visit(strategy, page("a", "x", "y", "x"))[0] == pytest.approx([0.625, 0.625, 0.625])
    # x has 0.625 now; it gives y half of it, whose 0.625 become 0.9375.
    assert visit(strategy, page("x", "y"))[0] == pytest.approx([0.625 + 0.5 * 0.625])


def test_after_so_many_pages_waiting_urls_get_their_rank() -> None:
    strategy = PageRank(every=2, damping=0.5)
    strategy.begin(None, {})
    assert visit(strategy, page("a", "b", "c"))[1] == {}
    # a links to b and c, b to c, and c, not seen, to all: a = 0.5 + c/6,
    # b = 0.5 + a/4 + c/6, c = 0.5 + a/4 + b/2 + c/6; a : b : c by hand below.
    revised = visit(strategy, page("b", "c"))[1]
    a, b, c = np.linalg.solve([[1, 0, -1 / 6], [-1 / 4, 1, -1 / 6], [-1 / 4, -1 / 2, 1 - 1 / 6]], [0.5, 0.5, 0.5])
    assert a + b + c == pytest.approx(3)
    assert revised == pytest.approx({"c": c}, abs=1e-4)  # a and b are visited
    assert visit(strategy, page("d", "c"))[1] == {}


def test_ranks_that_hardly_changed_are_not_told_again() -> None:
    strategy = PageRank(every=1)
    strategy.begin(None, {})
    visit(strategy, page("a", "x", "y"))
    # A page without links changes nothing for the others but what it shares among all.
    assert "x" in visit(strategy, page("b", "x"))[1]
    once = visit(strategy, page("b", "x"))[1]
    assert once == {}


def test_ranks_and_their_rhythm_survive_the_end_of_the_process(tmp_path: Path) -> None:
    unbroken, ended, resumed = (PageRank(every=3) for _ in range(3))
    unbroken.begin(None, {})
    ended.begin(tmp_path, {})
    for judged in (page("a", "x", "y"), page("x", "y")):
        visit(unbroken, judged)
        visit(ended, judged)  # which ends after the second page, and closes nothing
    resumed.begin(tmp_path, {"a": 0.0, "x": 0.0})
    found = visit(resumed, page("b", "y", "z"))[1]
    assert found == pytest.approx(visit(unbroken, page("b", "y", "z"))[1], abs=1e-3)
    assert found.keys() == {"y", "z"}
    later = page("c", "z")
    assert visit(resumed, later) == visit(unbroken, later)
    ended.close()
    resumed.close()


@pytest.mark.parametrize("options", [{"every": 0}, {"damping": 1.0}, {"damping": float("nan")}])
def test_options_out_of_bounds_are_said(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="pagerank"):
        PageRank(**options)  # type: ignore[arg-type]
