from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.strategies import BreadthFirst

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage


def test_all_links_are_equal_so_that_the_first_found_comes_first(judged: JudgedPage) -> None:
    assert list(BreadthFirst().rank(judged)) == [0.0] * 4
    assert BreadthFirst().batch == 1
