"""Worked examples of the ordering by IB' of Cho, Garcia-Molina, Page 1998."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.page import Link, Page
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.link_counts import BacklinkCount

if TYPE_CHECKING:
    from pathlib import Path


def page(url: str, *targets: str) -> JudgedPage:
    return JudgedPage(Page(url=url, links=[Link(target) for target in targets]), 0.0, 0)


def visit(strategy: BacklinkCount, judged: JudgedPage) -> list[float]:
    ranked = list(strategy.rank(judged))
    strategy.observe(judged)
    return ranked


def test_a_link_has_the_number_of_pages_that_link_to_its_target() -> None:
    strategy = BacklinkCount()
    strategy.begin(None, {})
    assert visit(strategy, page("a", "x", "y")) == [1, 1]
    assert visit(strategy, page("b", "y", "z", "y")) == [2, 1, 2]
    assert visit(strategy, page("c", "y", "z")) == [3, 2]


def test_a_page_that_is_visited_again_counts_once() -> None:
    strategy = BacklinkCount()
    visit(strategy, page("a", "x"))
    assert visit(strategy, page("a", "x", "y")) == [1, 0]


def test_counts_survive_the_end_of_the_process(tmp_path: Path) -> None:
    first = BacklinkCount()
    first.begin(tmp_path, {})
    visit(first, page("a", "x"))  # the process ends here, and closes nothing
    second = BacklinkCount()
    second.begin(tmp_path, {"a": 0.5})
    assert visit(second, page("b", "x", "y")) == [2, 1]
    second.close()
    first.close()
