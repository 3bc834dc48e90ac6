from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.models.clustering import TermTable, centroid, heaviest_terms, vector_matrix
from semcrawl.text.background import Background
from semcrawl.text.vectors import tf_idf

PLAIN = Background.from_counts({"cat": 1, "dog": 1, "rain": 10}, 10)


def test_a_vector_has_length_one_and_its_heaviest_terms_only() -> None:
    assert heaviest_terms({"cat": 3, "dog": 4}, PLAIN, 0) == pytest.approx({"dog": 0.8, "cat": 0.6})
    assert heaviest_terms({"cat": 3, "dog": 4}, PLAIN, 1) == {"dog": 1.0}
    assert heaviest_terms({"dog": 1, "cat": 1}, PLAIN, 1) == {"cat": 1.0}


def test_terms_of_every_document_weigh_nothing() -> None:
    assert heaviest_terms({"rain": 3}, PLAIN, 0) == {}


def test_the_matrix_has_a_row_for_each_vector() -> None:
    rows = [{"dog": 0.5}, {}, {"cat": 1.0, "dog": 0.25}]
    matrix = vector_matrix(rows, {"cat": 0, "dog": 1})
    assert matrix.toarray().tolist() == [[0, 0.5], [0, 0], [1, 0.25]]


def test_the_centroid_is_the_average() -> None:
    assert centroid([{"a": 1.0}, {"a": 3.0, "b": 1.0}]) == {"a": 2.0, "b": 0.5}
    assert centroid([]) == {}


def read(counts: dict[str, int], most: int) -> dict[str, float]:
    terms = ["cat", "dog", "rain", "snow", "sun"]
    columns, found = TermTable(terms, SOME, most).read(counts)
    weights = zip(columns.tolist(), found.tolist(), strict=True)
    return {terms[column]: weight for column, weight in weights}


# idf of cat, dog, snow and sun: ln 10 = 2.302585; of rain: ln 2 = 0.693147
SOME = Background.from_counts({"cat": 1, "dog": 1, "snow": 1, "sun": 1, "rain": 5}, 10)


def test_a_page_is_read_into_columns_and_weights() -> None:
    weights = read({"cat": 3, "zebra": 7, "rain": 9}, most=0)
    assert weights == pytest.approx({"cat": 3 * 2.302585, "rain": 9 * 0.693147})


def test_the_heaviest_of_the_most_frequent_terms_are_kept() -> None:
    # The two most frequent are rain and cat, of which cat is the heavier.
    assert read({"cat": 3, "rain": 5, "dog": 2, "sun": 1}, most=1) == pytest.approx({"cat": 3 * 2.302585})


def test_among_equally_frequent_terms_those_that_come_first_are_looked_up() -> None:
    assert set(read({"rain": 1, "sun": 1, "cat": 1, "dog": 1}, most=1)) == {"sun"}


@given(st.dictionaries(st.sampled_from(["cat", "dog", "rain", "zebra"]), st.integers(1, 9)))
def test_without_a_limit_the_weights_are_those_of_tf_idf(counts: dict[str, int]) -> None:
    largest = max(counts.values(), default=0)
    known = {term: weight * largest for term, weight in tf_idf(counts, SOME).items()}
    known.pop("zebra", None)
    assert read(counts, most=0) == pytest.approx(known, rel=1e-5)
