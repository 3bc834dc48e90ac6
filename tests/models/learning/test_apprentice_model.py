from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from semcrawl.errors import ConfigError
from semcrawl.models.apprentice import ApprenticeModel, equal_boundary, ordered_priority
from semcrawl.models.link_features import SLOTS, LinkFeatures

A, B, C = 1, 2, SLOTS - 1

Example = tuple[float, list[int]]


def links(*slots: list[int]) -> LinkFeatures:
    sizes = np.array([len(link) for link in slots], np.int64)
    return LinkFeatures(sizes, np.array([slot for link in slots for slot in link], np.uint32))


def taught(examples: list[Example], boundary: float = 0.5) -> ApprenticeModel:
    model = ApprenticeModel(boundary)
    model.add(np.array([r for r, _ in examples]), links(*(slots for _, slots in examples)))
    return model


def likelihoods(model: ApprenticeModel, asked: LinkFeatures) -> list[float]:
    """Pr(high) of each link."""
    found: list[float] = expit(model.log_odds(asked)).tolist()
    return found


# High: {a, b} and {a}; low: {b}. |T| = 2.
#   n(high, a) = 2, n(high, b) = 1, so θ(high, a) = 3/5 and θ(high, b) = 2/5
#   n(low, a) = 0, n(low, b) = 1, so θ(low, a) = 1/3 and θ(low, b) = 2/3
#   Pr(high) = 2/3, Pr(low) = 1/3
THREE: list[Example] = [(0.9, [A, B]), (0.5, [A]), (0.1, [B])]


@pytest.mark.parametrize(
    ("link", "probability"),
    [
        ([], 0.666667),
        # 2/3 · 3/5 = 0.4 against 1/3 · 1/3 = 0.111111
        ([A], 0.782609),
        # 2/3 · 2/5 = 0.266667 against 1/3 · 2/3 = 0.222222
        ([B], 0.545455),
        # 0.4 · 2/5 = 0.16 against 0.111111 · 2/3 = 0.074074
        ([A, B], 0.683544),
        # a twice: 0.4 · 3/5 = 0.24 against 0.111111 · 1/3 = 0.037037
        ([A, A], 0.866310),
        # What was never seen says nothing.
        ([A, C], 0.782609),
    ],
)
def test_naive_bayes_worked_on_paper(link: list[int], probability: float) -> None:
    assert likelihoods(taught(THREE), links(link)) == pytest.approx([probability], abs=1e-6)


def test_log_odds_of_several_links_at_once() -> None:
    odds = taught(THREE).log_odds(links([], [A], []))
    assert odds == pytest.approx([log(2), log(0.4 * 9), log(2)], abs=1e-6)


def test_features_may_come_in_parts() -> None:
    model = taught(THREE)
    whole = model.log_odds(links([A, B], [B]))
    assert model.log_odds(links([A], []), links([B], [B])) == pytest.approx(whole)


def test_a_new_model_knows_nothing() -> None:
    assert likelihoods(ApprenticeModel(0.5), links([A])) == [0.5]


def test_a_copy_learns_alone() -> None:
    model = taught(THREE)
    before = model.log_odds(links([A]))
    twin = model.copy()
    twin.add(np.array([0.0]), links([A]))
    assert model.log_odds(links([A])) == pytest.approx(before)
    assert twin.log_odds(links([A])) < before


slots = st.lists(st.integers(0, 30), max_size=8)
examples = st.lists(st.tuples(st.floats(0, 1), slots), min_size=1, max_size=20)


@settings(max_examples=25, deadline=None)
@given(examples, st.lists(slots, min_size=1, max_size=5))
def test_the_log_odds_of_any_links_are_numbers(known: list[Example], asked: list[list[int]]) -> None:
    found = taught(known).log_odds(links(*asked))
    assert found.shape == (len(asked),)
    assert np.isfinite(found).all()


@settings(max_examples=25, deadline=None)
@given(examples, st.integers(0, 20))
def test_learning_in_parts_is_learning_at_once(known: list[Example], cut: int) -> None:
    at_once, in_parts = taught(known), ApprenticeModel(0.5)
    for part in (known[cut:], known[:cut]):
        in_parts.add(np.array([r for r, _ in part]), links(*(found for _, found in part)))
    assert (in_parts.links == at_once.links).all()
    assert (in_parts.counts == at_once.counts).all()


@given(st.lists(st.floats(-700, 700), min_size=2, max_size=20))
def test_priorities_have_the_order_of_the_odds(odds: list[float]) -> None:
    found = ordered_priority(np.array(sorted(odds)))
    assert (np.diff(found) >= 0).all()
    assert ((found > 0) & (found < 1)).all()


def test_six_places_tell_sure_links_apart() -> None:
    # Pr(high) of both is 1 in six places.
    near, far = ordered_priority(np.array([30.0, 31.0]))
    assert round(near, 6) < round(far, 6)


@pytest.mark.parametrize(
    ("relevances", "boundary"),
    [
        ([0.1, 0.9], 0.9),
        ([0.1, 0.2, 0.3, 0.4], 0.3),
        ([0.0, 0.0, 0.0, 0.2], 0.2),  # more than half are 0: all others are high
        ([0.2, 1.0, 1.0, 1.0], 1.0),
        ([0.1, 0.2, 0.3], 0.2),  # 1 and 2, or 2 and 1: the lower one
        ([0.4, 0.4], None),
        ([], None),
    ],
)
def test_the_boundary_makes_equal_halves_as_far_as_it_can(relevances: list[float], boundary: float | None) -> None:
    assert equal_boundary(np.array(relevances)) == boundary


@given(st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]), min_size=1, max_size=40))
def test_no_other_boundary_is_more_equal(relevances: list[float]) -> None:
    values = np.array(relevances)
    boundary = equal_boundary(values)
    if boundary is None:
        assert len(set(relevances)) == 1
        return
    gap = {cut: abs(int((values >= cut).sum()) * 2 - len(values)) for cut in set(relevances)}
    del gap[min(relevances)]  # all would be high
    assert gap[boundary] == min(gap.values())


@pytest.mark.parametrize("boundary", [float("nan"), float("inf")])
def test_a_boundary_that_is_no_number(boundary: float) -> None:
    with pytest.raises(ConfigError, match="must be a number"):
        ApprenticeModel(boundary)


@pytest.mark.parametrize("smoothing", [0.0, -1.0, float("nan")])
def test_a_smoothing_that_cannot_be(smoothing: float) -> None:
    with pytest.raises(ConfigError, match="must be greater than 0"):
        ApprenticeModel(0.5, smoothing)
