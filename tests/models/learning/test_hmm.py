from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.models.hmm import MarkovModel, count_model, with_look_ahead

# Three states: a target, one link away, farther; two clusters.
PAPER = MarkovModel(
    np.array([0.2, 0.3, 0.5]),
    np.array([[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.1, 0.5, 0.4]]),
    np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]),
)


def test_three_states_on_paper() -> None:
    # A seed in cluster 1: π_j b_j = 0.2·0.1, 0.3·0.6, 0.5·0.8 = 0.02, 0.18, 0.40; over 0.6
    seed = PAPER.states(None, 1)
    assert seed == pytest.approx([1 / 30, 0.3, 2 / 3])
    # Eq. 6: 0.5/30 + 0.6·0.3 + 0.1·2/3; 0.3/30 + 0.2·0.3 + 0.5·2/3; 0.2/30 + 0.2·0.3 + 0.4·2/3
    assert PAPER.ahead(seed) == pytest.approx([0.263333, 0.403333, 0.333333], abs=1e-6)
    # Once more, for state 0: 0.5·0.263333 + 0.6·0.403333 + 0.1·0.333333
    assert PAPER.ahead(seed, 2)[0] == pytest.approx(0.407)
    # Eq. 5, the next page in cluster 0: 0.9·0.263333, 0.4·0.403333, 0.2·0.333333
    # = 0.237, 0.161333, 0.066667; over 0.465
    page = PAPER.states(seed, 0)
    assert page == pytest.approx([0.509677, 0.346953, 0.143369], abs=1e-6)
    # Eq. 6: (0.5·0.237 + 0.6·0.161333 + 0.1·0.066667) / 0.465
    assert PAPER.ahead(page)[0] == pytest.approx(0.477348, abs=1e-6)


def test_an_unknown_cluster_says_nothing() -> None:
    assert PAPER.states(None, None) == pytest.approx([0.2, 0.3, 0.5])
    assert PAPER.states(PAPER.initial, None) == pytest.approx(PAPER.ahead(PAPER.initial))


def test_an_impossible_cluster_says_nothing() -> None:
    certain = MarkovModel(np.array([1.0, 0.0]), np.eye(2), np.array([[1.0, 0.0], [0.0, 1.0]]))
    assert certain.states(None, 1) == pytest.approx([1.0, 0.0])


def test_counting_on_paper() -> None:
    # Two paths to t. Clicks: a-b, b-t, c-b, b-t; from 2 to 1 twice, from 1 to 0 twice.
    paths = [("a", "b", "t"), ("c", "b", "t")]
    states = {"a": 2, "b": 1, "t": 0, "c": 2}
    clusters = {"a": 0, "b": 0, "t": 1, "c": 1}
    model = count_model(paths, states, clusters, states=3, clusters=2, smoothing=1)
    # Pages: one in state 0, one in 1, two in 2; with 1 added: 2, 2, 3 of 7.
    assert model.initial == pytest.approx([2 / 7, 2 / 7, 3 / 7])
    # Nothing was clicked on t: all alike.
    assert model.transitions == pytest.approx(
        np.array([[1 / 3, 1 / 3, 1 / 3], [3 / 5, 1 / 5, 1 / 5], [1 / 5, 3 / 5, 1 / 5]])
    )
    assert model.emissions == pytest.approx(np.array([[1 / 3, 2 / 3], [2 / 3, 1 / 3], [0.5, 0.5]]))


def test_a_page_without_text_counts_for_clicks_only() -> None:
    states = {"a": 1, "t": 0}
    model = count_model([("a", "t")], states, {"t": 0}, states=2, clusters=1, smoothing=0)
    assert model.initial == pytest.approx([1.0, 0.0])
    assert model.transitions[1] == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # In one piece of ε = 0.1, two steps decide, whatever one step says.
        ((0.31, 0.9), (0.39, 0.1)),
        ((0.30, 0.2), (0.30, 0.1)),
        # In different pieces one step decides.
        ((0.41, 0.0), (0.39, 1.0)),
        ((1.00, 0.0), (0.85, 1.0)),
    ],
)
def test_the_better_look_ahead_decides_between_equals(first: tuple[float, float], second: tuple[float, float]) -> None:
    assert with_look_ahead(*first, 0.1) > with_look_ahead(*second, 0.1)


PART = st.floats(0, 1)
EPSILON = st.floats(1e-4, 0.5)


@given(PART, PART, EPSILON)
def test_the_rule_moves_a_priority_by_no_more_than_epsilon(one: float, two: float, epsilon: float) -> None:
    value = with_look_ahead(one, two, epsilon)
    assert abs(value - one) <= epsilon * 1.0001
    assert value >= 0


@given(PART, PART, PART, PART, EPSILON)
def test_two_that_are_far_apart_keep_their_order(
    one: float, two: float, other: float, other_two: float, epsilon: float
) -> None:
    if one > other + epsilon * 1.001:
        assert with_look_ahead(one, two, epsilon) >= with_look_ahead(other, other_two, epsilon)


@st.composite
def tables(draw: st.DrawFn) -> MarkovModel:
    states, clusters = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    pages = draw(st.integers(1, 30))
    state = st.integers(0, states - 1)
    states_of = {str(n): draw(state) for n in range(pages)}
    clusters_of = {url: draw(st.integers(0, clusters - 1)) for url in states_of}
    path = st.lists(st.sampled_from(sorted(states_of)), min_size=1, max_size=8)
    return count_model(
        draw(st.lists(path, max_size=6)),
        states_of,
        clusters_of,
        states=states,
        clusters=clusters,
        smoothing=draw(st.sampled_from([0, 0.01, 1.0])),
    )


@given(tables())
def test_what_was_counted_sums_to_one(model: MarkovModel) -> None:
    assert model.initial.sum() == pytest.approx(1)
    assert model.transitions.sum(axis=1) == pytest.approx(np.ones(len(model.initial)))
    assert model.emissions.sum(axis=1) == pytest.approx(np.ones(len(model.initial)))


@given(tables(), st.data())
def test_the_states_stay_normalised_along_any_path(model: MarkovModel, data: st.DataObject) -> None:
    cluster = st.none() | st.integers(0, model.emissions.shape[1] - 1)
    states = model.states(None, data.draw(cluster))
    for seen in data.draw(st.lists(cluster, max_size=50)):
        states = model.states(states, seen)
    for found in (states, model.ahead(states), model.ahead(states, 2)):
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()


@pytest.mark.parametrize(
    ("initial", "transitions", "emissions"),
    [
        ([0.5, 0.6], [[1, 0], [0, 1]], [[1], [1]]),
        ([0.5, 0.5], [[1, 0], [0, 0]], [[1], [1]]),
        ([0.5, 0.5], [[1, 0], [0, 1]], [[1], [np.nan]]),
        ([1.5, -0.5], [[1, 0], [0, 1]], [[1], [1]]),
        ([np.inf, 0.5], [[1, 0], [0, 1]], [[1], [1]]),
    ],
)
def test_what_are_no_probabilities_is_refused(
    initial: list[float], transitions: list[list[float]], emissions: list[list[float]]
) -> None:
    with pytest.raises(ConfigError, match="do not sum to 1, or are no numbers"):
        MarkovModel(np.array(initial), np.array(transitions), np.array(emissions))


@pytest.mark.parametrize(
    ("initial", "transitions", "emissions"),
    [
        (np.ones(1), np.ones((1, 1)), np.ones((1, 1))),
        (np.full(2, 0.5), np.eye(3), np.ones((2, 1))),
        (np.full(2, 0.5), np.eye(2), np.ones((3, 1))),
        (np.full(2, 0.5), np.eye(2), np.ones((2, 0))),
        (np.full((2, 2), 0.5), np.eye(2), np.ones((2, 1))),
    ],
)
def test_tables_that_do_not_fit_each_other_are_refused(initial: object, transitions: object, emissions: object) -> None:
    with pytest.raises(ConfigError, match="do not fit each other"):
        MarkovModel(initial, transitions, emissions)  # type: ignore[arg-type]
