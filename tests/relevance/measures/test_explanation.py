"""Scores can be recomputed from what is told of them (SSRM and Ehrig: test_text_similarities)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.relevance.explanation import Explanation, Match, ScoreFactor
from semcrawl.relevance.similarities import CosineSimilarity, SsrmSimilarity, SynonymSimilarity
from semcrawl.text import Background
from semcrawl.topics import ConceptGraph, Topic
from semcrawl.topics.topic import TopicConcept

WORDS = ["asthma", "Asthmas", "car", "cars", "inhaler", "the", "über", "automobile"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join)
THOUSAND = Background.from_counts({"asthma": 10, "inhal": 100, "car": 500}, documents=1000)


def recomputed(told: dict[str, Any]) -> float:
    """The score, from the written explanation alone."""
    value = 0.0
    for match in told["matches"]:
        weights = match["text_weight"] * match["topic_weight"]
        value += weights * match["similarity"] * match["label_weight"]
    for normaliser in told["normalisers"]:
        value = value / normaliser["value"] if normaliser["value"] else 0.0
    if told["squashed"]:
        value /= 1 + value
    return value if told["limit"] is None else min(value, float(told["limit"]))


@given(text=TEXTS)
def test_a_cosine_can_be_recomputed(text: str) -> None:
    topic = Topic.parse("keywords:asthma, asthma inhaler")
    similarity = CosineSimilarity(topic.vector(THOUSAND), THOUSAND)
    explanation = similarity.explain(text)
    assert explanation.similarity == "cosine"
    assert recomputed(json.loads(explanation.to_json())) == pytest.approx(similarity.of_text(text))
    assert explanation.score == pytest.approx(similarity.of_text(text), rel=1e-12)


@given(text=TEXTS)
def test_a_cosine_with_synonyms_can_be_recomputed(text: str) -> None:
    similarity = SynonymSimilarity(Topic.parse("keywords:car"), THOUSAND)
    explanation = similarity.explain(text)
    assert explanation.similarity == "synonym-sets"
    assert recomputed(json.loads(explanation.to_json())) == pytest.approx(similarity.of_text(text))
    assert {match.topic for match in explanation.matches} <= {"car", "automobil"}


def test_a_cosine_tells_the_words_as_they_were_written(thousand: Background) -> None:
    topic = Topic.parse("keywords:asthma")
    explanation = CosineSimilarity(topic.vector(thousand), thousand).explain("Asthma, asthmas, cars")
    [match] = explanation.matches
    assert (match.words, match.count, match.topic) == (("asthma", "asthmas"), 2, "asthma")
    # 2 asthma and a car: 9.210340 / sqrt(9.210340² + 0.693147²) = 9.210340 / 9.236385
    assert match.contribution == pytest.approx(9.210340)
    assert explanation.normalisers[0].value == pytest.approx(9.236385)
    assert explanation.score == pytest.approx(0.997180, abs=1e-6)


def test_the_largest_contributions_come_first(lungs: ConceptGraph, background: Background) -> None:
    topic = Topic("asthma", (TopicConcept("x:asthma", 1.0, lungs),))
    similarity = SsrmSimilarity.of_topic(topic, background, min_weight=0)
    explanation = similarity.explain("a disease, the flu, and asthma")
    given = [match.contribution for match in explanation.matches]
    assert len(given) == 3
    assert given == sorted(given, reverse=True)
    assert explanation.matches[0].concept == "x:asthma"


def test_nothing_found_is_0_and_no_division_by_0() -> None:
    nothing = Explanation("x", (), (ScoreFactor("length", 0.0),), squashed=True, limit=1.0)
    assert nothing.score == 0
    assert json.loads(nothing.to_json())["matches"] == []


def test_dividing_squashing_and_limiting_come_in_this_order() -> None:
    match = Match(("a",), 1, 6.0, "a", None, "a", "a", 1.0, 1.0, 1.0, (), 6.0)
    by_two = (ScoreFactor("two", 2.0),)
    assert Explanation("x", (match,), by_two, squashed=False, limit=None).score == 3
    assert Explanation("x", (match,), by_two, squashed=True, limit=None).score == 0.75
    assert Explanation("x", (match,), by_two, squashed=True, limit=0.5).score == 0.5
