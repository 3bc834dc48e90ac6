from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.relevance.similarities import CosineSimilarity
from semcrawl.text.background import Background
from semcrawl.text.vectors import cosine, tf_idf

TERMS = st.sampled_from(["asthma", "inhal", "car", "lung", "the", "x"])
COUNTS = st.dictionaries(TERMS, st.integers(1, 10_000))
WEIGHTS = st.dictionaries(TERMS, st.floats(0.001, 1000.0))


def test_a_worked_example(thousand: Background) -> None:
    # Eq. 1, page with asthma 2, inhal 1, car 4; the largest frequency is 4:
    #   asthma 2/4 · ln 100 = 0.5  · 4.605170 = 2.302585
    #   inhal  1/4 · ln 10  = 0.25 · 2.302585 = 0.575646
    #   car    4/4 · ln 2   = 1    · 0.693147 = 0.693147
    # Eq. 2 with the topic (asthma 4.605170), whose length is its only weight:
    #   cos = 2.302585 / sqrt(2.302585² + 0.575646² + 0.693147²)
    #       = 2.302585 / sqrt(5.301898 + 0.331369 + 0.480453) = 2.302585 / 2.472594 = 0.931243
    similarity = CosineSimilarity({"asthma": 4.605170}, thousand)
    assert similarity.of_counts({"asthma": 2, "inhal": 1, "car": 4}) == pytest.approx(0.931243, abs=1e-6)


def test_a_topic_of_two_terms_by_hand(thousand: Background) -> None:
    # Topic (3, 4) has length 5; the text holds "asthma" alone: cos = 3 / 5.
    similarity = CosineSimilarity({"asthma": 3.0, "inhal": 4.0}, thousand)
    assert similarity.of_counts({"asthma": 7}) == pytest.approx(0.6)


@given(WEIGHTS, COUNTS)
def test_it_is_the_cosine_of_the_two_vectors(topic: dict[str, float], text: dict[str, int]) -> None:
    background = Background.from_counts({"asthma": 10, "inhal": 100, "car": 500, "the": 1000}, documents=1000)
    fast = CosineSimilarity(topic, background).of_counts(text)
    assert fast == pytest.approx(cosine(tf_idf(text, background), topic), abs=1e-9)


@given(WEIGHTS, COUNTS)
def test_it_lies_between_0_and_1(topic: dict[str, float], text: dict[str, int]) -> None:
    background = Background.from_counts({"asthma": 10, "the": 1000}, documents=1000)
    assert 0.0 <= CosineSimilarity(topic, background).of_counts(text) <= 1.0


def test_nothing_in_common_is_0(thousand: Background) -> None:
    similarity = CosineSimilarity({"asthma": 1.0}, thousand)
    assert similarity.of_counts({}) == 0.0
    assert similarity.of_counts({"car": 3}) == 0.0
    assert CosineSimilarity({}, thousand).of_counts({"car": 3}) == 0.0


def test_a_term_that_every_document_has_tells_nothing() -> None:
    everywhere = Background.from_counts({"page": 10}, documents=10)
    assert CosineSimilarity({"page": 1.0}, everywhere).of_counts({"page": 5}) == 0.0
