from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.models.site_classifiers import FARTHEST, CentroidClassifier, distance_confidences
from semcrawl.text.background import Background

distances = st.lists(st.floats(0.001, FARTHEST), min_size=2, max_size=6)


def printed(given_distances: list[float]) -> list[float]:
    """The formula as the paper prints it."""
    logs = [log(one) for one in given_distances]
    return [one / sum(logs) for one in logs]


def classifier(rows: list[list[float]], owners: list[int], **options: float) -> CentroidClassifier:
    table = ("cat", "dog", "car"), np.array(rows, np.float32), np.array(owners)
    background = Background.from_counts({"cat": 10, "dog": 10, "car": 10, "tree": 10}, 100)
    classes = tuple("abc")[: max(owners) + 1]
    return CentroidClassifier(classes, *table, background, 0.1, softness=options.get("softness", 0))


def test_confidences_by_hand() -> None:
    """δ = 1/2 and 1/4: ln 2 and ln 4 are one and two shares of three."""
    assert distance_confidences((FARTHEST / 2, FARTHEST / 4), 0) == pytest.approx((1 / 3, 2 / 3))
    soft = distance_confidences((FARTHEST / 2, FARTHEST), 0.1)
    assert soft == pytest.approx(((0.1 + log(2)) / (0.2 + log(2)), 0.1 / (0.2 + log(2))))


def test_why_the_printed_formula_is_not_used() -> None:
    assert printed([0.1, 0.9])[0] > 0.9  # below 1, the nearer class has the larger share
    assert printed([1.1, 1.4])[0] < 0.3  # above 1, the smaller one
    assert printed([0.9, 1.2])[1] > 1  # on both sides, shares are no shares
    assert printed([0.99, 0.9999])[0] > 0.98  # both far: as good as certain
    near = distance_confidences((1.1, 1.4))
    assert near[0] > 0.8
    assert distance_confidences((1.41, 1.414))[0] < 0.6


@given(distances, st.integers(0, 5), st.floats(0.001, 0.999))
def test_coming_nearer_makes_a_class_more_likely_and_all_others_less(
    before: list[float], number: int, part: float
) -> None:
    which = number % len(before)
    after = list(before)
    after[which] *= part
    assume(after[which] > 0.0001)
    old, new = distance_confidences(before), distance_confidences(after)
    assert new[which] > old[which]
    assert all(new[k] < old[k] for k in range(len(before)) if k != which)


@given(distances)
def test_confidences_are_shares_in_the_order_of_nearness(given_distances: list[float]) -> None:
    found = distance_confidences(given_distances)
    assert sum(found) == pytest.approx(1)
    assert all(share > 0 for share in found)
    pairs = sorted(zip(given_distances, found, strict=True))
    assert [share for _, share in pairs] == sorted(found, reverse=True)


@pytest.mark.parametrize("ends", [(0.0, 0.0), (FARTHEST, FARTHEST), (9.0, 2.0)])
def test_what_is_as_far_from_all_classes_is_undecided(ends: tuple[float, float]) -> None:
    assert distance_confidences(ends) == pytest.approx((0.5, 0.5))


def test_the_nearest_centroid_of_each_class_counts() -> None:
    """A page of cats is √0.4 from (0.8, 0.6): cos 0.8; and √2 from what has no cat."""
    found = classifier([[0, 1, 0], [0.8, 0.6, 0], [0, 0, 1]], [0, 0, 1])
    assert found.distances({"cat": 5}) == pytest.approx([sqrt(0.4), FARTHEST], abs=1e-4)
    assert found.confidences({"cat": 5}) == pytest.approx((1, 0), abs=1e-6)


def test_words_that_nobody_knows_move_a_page_away_from_all() -> None:
    found = classifier([[1, 0, 0], [0, 1, 0]], [0, 1], softness=0.1)
    clear, mixed = (found.confidences(page) for page in ({"cat": 1}, {"cat": 1, "tree": 9}))
    assert clear[0] > mixed[0] > 0.5
    assert found.confidences({"tree": 3}) == found.confidences({}) == (0.5, 0.5)


def test_there_may_be_more_than_two_classes() -> None:
    found = classifier(np.eye(3).tolist(), [0, 1, 2], softness=0.1)
    assert found.classes == ("a", "b", "c")
    shares = found.confidences({"dog": 2, "car": 1})
    assert shares[1] > shares[2] > shares[0]


@pytest.mark.parametrize(
    ("rows", "owners", "words"),
    [
        ([[1, 0]], [0], "fit neither"),
        (np.eye(3).tolist(), [0, 1, 0], "class by class"),
        (np.eye(3).tolist(), [0, 0, 2], "each class needs a centroid"),
    ],
)
def test_centroids_that_do_not_fit_are_an_error(rows: list[list[float]], owners: list[int], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        classifier(rows, owners)
