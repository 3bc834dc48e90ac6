from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from semcrawl.strategies import STRATEGIES
from semcrawl.strategies.best_first import BreadthFirst, SoftFocus, Unfocused

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage


def test_all_links_are_equal_so_that_the_first_found_comes_first(judged: JudgedPage) -> None:
    assert list(BreadthFirst().rank(judged)) == [0.0] * 4
    assert BreadthFirst().batch == 1


def test_1999_section_5_2_unfocused_goes_by_a_hash_of_the_url(judged: JudgedPage) -> None:
    """Chakrabarti et al. 1999, section 5.2: batches, in the order of a hash of the URL."""
    ranked = Unfocused().rank(judged)
    assert len(set(ranked)) == len({link.url for link in judged.page.links})
    assert all(0 <= priority < 1 for priority in ranked)
    elsewhere = replace(judged, relevance=0.0, on_topic=False)
    assert Unfocused().rank(elsewhere) == ranked
    assert STRATEGIES.create("unfocused:n=5").batch == 5
    assert Unfocused().batch == SoftFocus().batch
    with pytest.raises(ValueError, match="at least 1"):
        Unfocused(n=0)
