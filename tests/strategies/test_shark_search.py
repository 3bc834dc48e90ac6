"""Worked examples of Hersovici et al. 1998, figure 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import read_html
from semcrawl.relevance import CosineJudge
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.fish_search import SharkSearch, inherited_score
from semcrawl.strategies.link_text import mixed

if TYPE_CHECKING:
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

# Anchors: with the topic's word; without, beside it; without, far from it.
PAGE = read_html(
    "<p><a href=/1>asthma car</a></p><p>asthma <a href=/2>car</a></p><p>car <a href=/3>car</a></p>", "http://a.test/"
)
HALF = 0.707107  # "asthma car" by frequency: 1 / sqrt(2)


@pytest.fixture
def shark(topic: Topic, background: Background) -> SharkSearch:
    return SharkSearch(topic, background, CosineJudge(topic, background), by="judge")


def shark_by_tf(topic: Topic, background: Background, **options: float) -> SharkSearch:
    return SharkSearch(topic, background, by="tf", **options)  # type: ignore[arg-type]


def test_links_by_what_their_page_leaves_them_and_by_anchor_and_context(topic: Topic, background: Background) -> None:
    # The page: 2 asthma, 4 car: 2 / sqrt(20) = 0.447214, of which 0.223607 is inherited.
    # /1: 0.8 · 0.707107 + 0.2 · 1 = 0.765685; half of both: 0.494646
    # /2: 0.8 · 0 + 0.2 · 0.707107 = 0.141421; 0.182514
    # /3: nothing but what is inherited: 0.111803
    ranked = shark_by_tf(topic, background).rank(JudgedPage(PAGE, 0.0, 0))
    assert ranked == pytest.approx([0.494646, 0.182514, 0.111803], abs=1e-6)


def test_scores_are_inherited_through_irrelevant_pages_and_decay(shark: SharkSearch) -> None:
    seed = JudgedPage(PAGE, 0.8, 0)
    assert shark.note(seed) == "0.4 3"
    bare = read_html("<p>bus <a href=/x>tram</a>", "http://b.test/")
    child = JudgedPage(bare, 0.0, 1, memo=shark.note(seed))
    assert shark.note(child) == "0.2 2"
    # Neither anchor nor context has anything: half of the inherited 0.2.
    assert shark.rank(child) == pytest.approx([0.1])


def test_a_relevant_page_leaves_its_own_score_not_the_inherited(shark: SharkSearch) -> None:
    assert shark.note(JudgedPage(PAGE, 0.1, 1, memo="0.4 1")) == "0.05 3"


def test_the_shark_starves_where_nothing_is_relevant(shark: SharkSearch) -> None:
    memo = ""
    notes = []
    for _ in range(4):
        judged = JudgedPage(PAGE, 0.0, 0, memo=memo)
        notes.append((memo, shark.rank(judged)[2]))
        memo = shark.note(judged)
    assert notes == [("", 0.0), ("0.0 2", 0.0), ("0.0 1", 0.0), ("0.0 0", None)]


def test_without_a_depth_it_swims_on(topic: Topic, background: Background) -> None:
    judged = JudgedPage(PAGE, 0.0, 9, memo="0.25 0")
    ranked = shark_by_tf(topic, background, depth=0, threshold=0.9).rank(judged)
    assert ranked[2] == pytest.approx(0.5 * 0.125)


def test_a_threshold_says_what_is_relevant(topic: Topic, background: Background) -> None:
    judged = JudgedPage(PAGE, 0.0, 1, memo="0.5 2")
    # The page's 0.447214 is below 0.45: what it has inherited goes on, by half.
    assert shark_by_tf(topic, background, threshold=0.45).note(judged) == "0.25 1"


@pytest.mark.parametrize("memo", ["", "3", "x y", "nan 2", "inf 2", "-1 2", "0.5 2 1", "2.0 1"])
def test_what_another_strategy_has_noted_is_not_inherited(shark: SharkSearch, memo: str) -> None:
    assert shark.note(JudgedPage(PAGE, 0.0, 1, memo=memo)) == "0.0 2"


@pytest.mark.parametrize("options", [{"decay": 1.1}, {"beta": -0.1}, {"gamma": float("nan")},
                                     {"depth": -1}, {"threshold": 2.0}])  # fmt: skip
def test_options_out_of_bounds_are_said(topic: Topic, background: Background, options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="shark-search"):
        shark_by_tf(topic, background, **options)


UNIT = st.floats(0, 1)


@given(UNIT, UNIT, UNIT, UNIT)
def test_all_scores_stay_between_0_and_1(a: float, b: float, c: float, d: float) -> None:
    inherited = inherited_score(a, b)
    neighbourhood = mixed(c, 1.0 if c > 0 else d, 0.8)
    assert 0 <= inherited <= 0.5
    assert 0 <= neighbourhood <= 1
    assert 0 <= mixed(inherited, neighbourhood, 0.5) <= 1
