from __future__ import annotations

from math import isclose, log

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semcrawl.text import Background
from semcrawl.text.vectors import cosine, norm, tf, tf_idf

VECTORS = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(1e-3, 1e3), max_size=8)


def test_tf_is_relative_to_the_most_frequent_term() -> None:
    assert tf({"a": 10, "b": 5, "c": 1}) == {"a": 1.0, "b": 0.5, "c": 0.1}


def test_tf_idf_by_hand() -> None:
    # 1,000 documents, "a" in 100 of them, "b" in 10; "a" occurs twice as often as "b".
    background = Background.from_counts({"a": 100, "b": 10}, documents=1000)
    assert tf_idf({"a": 4, "b": 2}, background) == pytest.approx({"a": log(10), "b": log(100) / 2})


@pytest.mark.parametrize("counts", [{}, {"a": 0}])
def test_nothing_counted_gives_an_empty_vector(counts: dict[str, float]) -> None:
    background = Background.from_counts({}, documents=10)
    assert tf(counts) == tf_idf(counts, background) == {}


def test_cosine_by_hand() -> None:
    # (1, 2, 0) . (2, 1, 2) = 4; lengths sqrt(5) and 3
    a, b = {"x": 1.0, "y": 2.0}, {"x": 2.0, "y": 1.0, "z": 2.0}
    assert cosine(a, b) == pytest.approx(4 / (5**0.5 * 3))


def test_cosine_with_nothing_in_common_or_nothing_at_all_is_zero() -> None:
    assert cosine({"a": 1.0}, {"b": 1.0}) == 0.0
    assert cosine({}, {}) == cosine({"a": 0.0}, {"a": 0.0}) == 0.0


@given(VECTORS, VECTORS)
def test_cosine_is_symmetric_and_bounded(a: dict[str, float], b: dict[str, float]) -> None:
    assert 0.0 <= cosine(a, b) <= 1.0
    assert isclose(cosine(a, b), cosine(b, a), rel_tol=1e-12)


@given(VECTORS, VECTORS, st.floats(1e-3, 1e3))
def test_cosine_does_not_depend_on_length(a: dict[str, float], b: dict[str, float], factor: float) -> None:
    scaled = {term: weight * factor for term, weight in a.items()}
    assert isclose(cosine(scaled, b), cosine(a, b), rel_tol=1e-9)


@given(VECTORS)
def test_a_vector_is_like_itself(a: dict[str, float]) -> None:
    assume(a)
    assert isclose(cosine(a, a), 1.0)
    assert isclose(norm(a) ** 2, sum(weight**2 for weight in a.values()))
