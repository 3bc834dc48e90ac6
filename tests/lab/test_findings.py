"""Verdicts on findings: the four rules, and what cannot be tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.lab.comparing import TopicValues, compare, compare_all, judge_finding
from semcrawl.lab.experiment import Finding
from semcrawl.lab.results import Value, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

GOOD = [0.50, 0.62, 0.71, 0.55, 0.68]
BAD = [0.30, 0.35, 0.52, 0.31, 0.40]


def values_of(measure: str = "harvest-rate", **by_name: Sequence[float | None]) -> TopicValues:
    return TopicValues(
        Value(name, f"topic-{number}", 0, measure, 100, value)
        for name, values in by_name.items()
        for number, value in enumerate(values)
    )


def judge(values: TopicValues, topics: int = 5, **said: Any) -> Verdict:
    finding = Finding(says="good is above bad", **{"left": ("good",), "right": ("bad",), **said})
    return judge_finding(finding, values, pages=100, topics=topics)


def test_a_clear_lead_over_enough_topics_is_reproduced() -> None:
    verdict = judge(values_of(good=GOOD, bad=BAD))
    assert verdict.outcome == "reproduced"
    assert verdict.figures.startswith("good 0.612 [")
    assert verdict.figures.endswith("good over bad: +0.236, p < 0.001; 5 topics")


def test_three_topics_are_too_few_however_clear_the_lead() -> None:
    verdict = judge(values_of(good=[0.8, 0.81, 0.79], bad=[0.1, 0.12, 0.1]), topics=3)
    assert verdict.outcome == "same direction"


def test_a_lead_that_chance_explains_is_the_same_direction() -> None:
    assert judge(values_of(good=[0.6, 0.1, 0.9, 0.2], bad=[0.2, 0.5, 0.4, 0.3])).outcome == ("same direction")


def test_one_pair_in_the_wrong_order_is_not_reproduced() -> None:
    values = values_of(good=GOOD, other=BAD, bad=[value + 0.01 for value in BAD])
    assert judge(values, left=("good", "other")).outcome == "not reproduced"


def test_less_is_better_for_the_loss() -> None:
    values = values_of("loss", good=BAD, bad=GOOD)
    assert judge(values, measure="loss").outcome == "reproduced"


def test_several_pairs_must_stand_the_correction() -> None:
    weak = [0.31, 0.50, 0.52, 0.34, 0.40]
    alone = judge(values_of(good=weak, bad=[0.30, 0.45, 0.45, 0.33, 0.38]))
    beside = judge(
        values_of(good=weak, bad=[0.30, 0.45, 0.45, 0.33, 0.38], worse=[0.3, 0.46, 0.5, 0.28, 0.4]),
        right=("bad", "worse"),
    )
    assert (alone.outcome, beside.outcome) == ("reproduced", "same direction")


@pytest.mark.parametrize(("within", "outcome"), [(0.1, "not reproduced"), (0.4, "reproduced")])
def test_near_is_a_share_of_the_larger(within: float, outcome: str) -> None:
    verdict = judge(values_of(good=GOOD, bad=BAD), expect="near", within=within)
    assert verdict.outcome == outcome
    assert "38.6% apart" in verdict.figures


@pytest.mark.parametrize(
    ("bounds", "outcome"),
    [({"low": 1.5, "high": 2.0}, "reproduced"), ({"low": 3.0}, "same direction"), ({"high": 0.7}, "not reproduced")],
)
def test_a_ratio_is_of_means(bounds: dict[str, Any], outcome: str) -> None:
    verdict = judge(values_of(good=GOOD, bad=BAD), expect="ratio", **bounds)
    assert verdict.outcome == outcome
    assert "ratio 1.63" in verdict.figures


def test_between_is_about_the_left_alone() -> None:
    values = values_of(good=GOOD)
    fits = judge(values, expect="between", right=(), low=0.33, high=0.7)
    misses = judge(values, expect="between", right=(), high=0.5)
    assert (fits.outcome, misses.outcome) == ("reproduced", "not reproduced")


def test_a_crawler_without_values_leaves_the_finding_untested() -> None:
    verdict = judge(values_of(good=GOOD))
    assert (verdict.outcome, verdict.figures) == ("not tested", "no value for bad")


def test_a_topic_where_one_run_failed_is_left_out_and_told() -> None:
    verdict = judge(values_of(good=GOOD, bad=[*BAD[:4], None]))
    assert verdict.outcome == "reproduced"
    assert verdict.figures.endswith("4 of 5 topics")


def test_repetitions_are_averaged_before_topics_are_compared() -> None:
    values = TopicValues(
        Value(name, topic, repetition, "harvest-rate", 100, value)
        for name, topic, repetition, value in [
            ("good", "health", 0, 0.2),
            ("good", "health", 1, 0.4),
            ("bad", "health", 0, 0.1),
        ]
    )
    found = compare(values, "good", "bad", "harvest-rate", 100)
    assert found is not None
    assert (found.topics, found.wins, found.t) == (1, 1, None)
    assert found.difference == pytest.approx(0.2)


def test_the_matrix_has_every_ordered_pair_and_is_corrected_as_a_whole() -> None:
    values = values_of(a=GOOD, b=BAD, c=[0.1, 0.11, 0.13, 0.1, 0.12])
    matrix = {(one.left, one.right): one for one in compare_all(values, "abc", "harvest-rate", 100)}
    assert len(matrix) == 6
    ahead, behind = matrix["a", "c"], matrix["c", "a"]
    assert ahead.difference == pytest.approx(-behind.difference)
    assert (ahead.wins, behind.wins) == (5, 0)
    smallest = min(one.t for one in matrix.values() if one.t is not None)
    assert min(one.corrected for one in matrix.values() if one.corrected is not None) == (pytest.approx(6 * smallest))


def test_a_difference_that_is_only_rounding_is_a_tie() -> None:
    verdict = judge(values_of(good=[0.1 + 0.2, 0.5], bad=[0.3, 0.5]), topics=2)
    assert verdict.outcome == "not reproduced"
    assert "good over bad: a tie" in verdict.figures
