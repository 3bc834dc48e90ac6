from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.models.site_classifiers import NaiveBayesClassifier

COUNTS = np.array([[3.0, 1.0, 0.0], [1.0, 3.0, 0.0]])
TERMS = ("purr", "bark", "tail")


def pets(**options: float) -> NaiveBayesClassifier:
    settings = {"smoothing": 1.0, "length": 0.0} | options
    return NaiveBayesClassifier(("cats", "dogs"), TERMS, COUNTS, 0.1, **settings)


def test_confidences_by_hand() -> None:
    """(3 + 1) / (4 + 3) against (1 + 1) / (4 + 3), the first twice, the second once."""
    page = {"purr": 2, "bark": 1}
    cats, dogs = (4 / 7) ** 2 * (2 / 7), (2 / 7) ** 2 * (4 / 7)
    assert pets().confidences(page) == pytest.approx((cats / (cats + dogs), dogs / (cats + dogs)))


def test_a_long_page_counts_as_one_of_so_many_words() -> None:
    short, long = {"purr": 2}, {"purr": 2000}
    assert pets(length=2).confidences(long) == pytest.approx(pets().confidences(short))
    assert pets().confidences(long)[1] < 1e-300


@pytest.mark.parametrize("page", [{}, {"zebra": 5}])
def test_a_page_of_no_known_word_is_undecided(page: dict[str, int]) -> None:
    assert pets().confidences(page) == (0.5, 0.5)


@given(st.dictionaries(st.sampled_from([*TERMS, "zebra"]), st.integers(1, 10**6)))
def test_confidences_are_shares(page: dict[str, int]) -> None:
    assert sum(pets().confidences(page)) == pytest.approx(1)


def test_counts_that_do_not_fit_are_an_error() -> None:
    with pytest.raises(ConfigError, match="fit neither"):
        NaiveBayesClassifier(("a", "b", "c"), TERMS, COUNTS, 0.1)
    with pytest.raises(ConfigError, match="above 0, not 0"):
        pets(smoothing=0)
