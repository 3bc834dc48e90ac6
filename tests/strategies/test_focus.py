"""Hard and soft focus (Chakrabarti et al. 1999, section 4.2)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.strategies import STRATEGIES, JudgedPage
from semcrawl.strategies.best_first import HardFocus, SoftFocus, relevance_as_priority


def test_soft_focus_gives_every_link_the_relevance_of_its_page(judged: JudgedPage) -> None:
    assert SoftFocus().rank(judged) == [0.9] * 4


def test_soft_focus_follows_pages_off_topic_too(judged: JudgedPage) -> None:
    poor = replace(judged, relevance=0.01, on_topic=False)
    assert SoftFocus().rank(poor) == [0.01] * 4


def test_hard_focus_follows_nothing_from_a_page_off_topic(judged: JudgedPage) -> None:
    assert HardFocus().rank(replace(judged, on_topic=False)) == [None] * 4
    assert HardFocus().rank(judged) == [0.9] * 4


def test_the_logarithm_tells_apart_what_rounds_to_nothing(judged: JudgedPage) -> None:
    bad = replace(judged, relevance=0.0, log_relevance=-200.0)
    worse = replace(judged, relevance=0.0, log_relevance=-300.0)
    assert SoftFocus().rank(bad)[0] == pytest.approx(1 / 201)
    assert SoftFocus().rank(worse)[0] == pytest.approx(1 / 301)


@given(st.lists(st.floats(-1e4, 0), min_size=2))
def test_priorities_are_in_the_order_of_the_relevance(logs: list[float]) -> None:
    priorities = [relevance_as_priority(math.exp(log), log) for log in sorted(logs)]
    assert priorities == sorted(priorities)
    assert all(0 < priority <= 1 for priority in priorities)


def test_both_pick_batches_that_spare_servers() -> None:
    for name in ("soft-focus", "hard-focus"):
        strategy = STRATEGIES.create(f"{name}:n=5")
        assert (strategy.batch, strategy.ordering) == (5, "load")


def test_a_batch_has_at_least_one_url() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        SoftFocus(n=0)
