"""Tests over topics, against examples worked by hand and against what must hold for any."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semcrawl.lab.comparing import bootstrap, bootstrap_band, holm, paired_t, wilcoxon

shares = st.floats(0, 1)
pairs = st.lists(st.tuples(shares, shares), min_size=2, max_size=20)
some = st.lists(shares, min_size=1, max_size=20)


def test_the_paired_t_test_of_a_worked_example() -> None:
    # Differences 2, 1, 2, 3: mean 2, standard deviation sqrt(2/3), so t = 2 sqrt(6), 3 degrees
    # of freedom. The tail of t with 3 degrees of freedom has a closed form.
    from math import atan, pi

    x = 2 * sqrt(6) / sqrt(3)
    tail = 0.5 - (atan(x) + x / (1 + x * x)) / pi
    assert paired_t([3, 5, 4, 6], [1, 4, 2, 3]) == pytest.approx(tail)


def test_wilcoxon_of_a_worked_example() -> None:
    # Ranks 1, 2, 3, 4 with all but the smallest positive: 2 of 16 sign patterns are as good.
    assert wilcoxon([1, 5, 9, 13], [2, 3, 4, 5]) == pytest.approx(2 / 16)


def test_equal_differences_share_a_rank() -> None:
    # Ranks 1.5, 1.5, 3 with a minus at one of the two: 4.5 or more in 3 of 8 sign patterns.
    assert wilcoxon([2, 1, 5], [1, 2, 2]) == 3 / 8


@given(pairs)
def test_both_tests_agree_with_scipy(pairs: list[tuple[float, float]]) -> None:
    from scipy import stats  # slow to import, and needed nowhere else

    left, right = zip(*pairs, strict=True)
    differences = [round(a - b, 12) for a, b in pairs]
    sizes = {abs(one) for one in differences}
    assume(len(sizes) == len(pairs) and 0 not in sizes and max(sizes) > 1e-6)
    assert paired_t(left, right) == pytest.approx(
        stats.ttest_1samp(differences, 0, alternative="greater").pvalue, abs=1e-9
    )
    exact = stats.wilcoxon(differences, alternative="greater", method="exact").pvalue
    assert wilcoxon(left, right) == pytest.approx(exact)


def test_equal_crawlers_are_not_different() -> None:
    assert paired_t([0.5, 0.25], [0.5, 0.25]) == 1
    assert wilcoxon([0.5, 0.25], [0.5, 0.25]) == 1


def test_a_constant_lead_counts_as_that_many_wins() -> None:
    assert paired_t([0.3, 0.4, 0.7], [0.2, 0.3, 0.6]) == 1 / 8
    assert paired_t([0.2, 0.3, 0.6], [0.3, 0.4, 0.7]) == 1


def test_one_topic_proves_nothing() -> None:
    assert paired_t([1], [0]) is None
    assert wilcoxon([1], [0]) is None


@given(pairs)
def test_p_lies_between_0_and_1(pairs: list[tuple[float, float]]) -> None:
    left, right = zip(*pairs, strict=True)
    for p in (paired_t(left, right), wilcoxon(left, right)):
        assert p is not None
        assert 0 <= p <= 1


def test_holm_of_a_worked_example() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1; the last may not fall below the third.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(some)
def test_holm_keeps_the_order_and_only_raises(ps: list[float]) -> None:
    found = holm(ps)
    assert all(p <= q <= 1 for p, q in zip(ps, found, strict=True))
    ordered = [q for _, q in sorted(zip(ps, found, strict=True))]
    assert ordered == sorted(ordered)
    assert all(q <= min(1, p * len(ps)) for p, q in zip(ps, found, strict=True))


@given(some, st.integers(0, 9))
def test_the_interval_holds_its_mean_and_stays_within_the_values(values: list[float], seed: int) -> None:
    found = bootstrap(values, seed)
    assert found.low <= found.mean <= found.high
    assert min(values) - 1e-9 <= found.low
    assert found.high <= max(values) + 1e-9
    assert found == bootstrap(values, seed)


def test_the_interval_is_about_as_wide_as_theory_says() -> None:
    values = [0.0, 1.0] * 50
    found = bootstrap(values)
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.5 / sqrt(100), rel=0.1)


def test_a_band_has_an_interval_for_each_column() -> None:
    means, low, high = bootstrap_band([[0.0, 5.0], [1.0, 5.0], [0.5, 5.0]])
    assert means == [0.5, 5.0]
    assert low[0] < 0.5 < high[0]
    assert low[1] == high[1] == 5
