from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.page import Page
from semcrawl.relevance import CosineJudge
from semcrawl.relevance.judges import SsrmJudge
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.link_text import topic_similarity

if TYPE_CHECKING:
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic


def test_tf_is_the_cosine_without_idf(topic: Topic, background: Background) -> None:
    # "asthma car": 1 / sqrt(2) by frequency; with idf ln 100 and ln 2 it is 0.988862.
    by_tf = topic_similarity("tf", topic, background)
    by_cosine = topic_similarity("cosine", topic, background)
    assert by_tf.of_text("asthma car") == pytest.approx(0.707107, abs=1e-6)
    assert by_cosine.of_text("asthma car") == pytest.approx(0.988862, abs=1e-6)


def test_sums_without_bound_are_squashed(diseases: Topic, collection: Background) -> None:
    # Ehrig's sum for "asthma flu" is 1 + 0.25 = 1.25, of which 1.25 / 2.25 is left.
    found = topic_similarity("ehrig", diseases, collection, min_weight=0.0)
    assert found.of_text("asthma flu") == pytest.approx(1.25 / 2.25)
    judged = JudgedPage(Page(url="http://a.test/", pieces=("asthma flu",)), 0.0, 0)
    assert found.of_page(judged) == pytest.approx(1.25 / 2.25)


@pytest.mark.parametrize("by", ["ehrig", "ssrm", "mihalcea", "synonym-sets"])
def test_semantic_similarities_know_synonyms(by: str, diseases: Topic, collection: Background) -> None:
    found = topic_similarity(by, diseases, collection)
    assert 0 < found.of_text("wheeze") <= 1
    assert found.of_text("") == 0


def test_the_judge_is_not_asked_twice(topic: Topic, background: Background, judged: JudgedPage) -> None:
    # The page's relevance is 0.9; its cosine would be 0.931243.
    judge = CosineJudge(topic, background)
    assert topic_similarity("cosine", topic, background, judge).of_page(judged) == 0.9
    assert topic_similarity("judge", topic, background, judge).of_page(judged) == 0.9
    assert topic_similarity("tf", topic, background, judge).of_page(judged) != 0.9


def test_texts_can_be_compared_as_the_judge_does(diseases: Topic, collection: Background) -> None:
    judge = SsrmJudge(diseases, collection, measure="wu-palmer")
    found = topic_similarity("judge", diseases, collection, judge)
    assert found.of_text("flu car") == judge.similarity.of_text("flu car")


@pytest.mark.parametrize(
    ("by", "measure", "said"),
    [
        ("nearness", "", "by=nearness is no similarity; choose one of labels, cosine, tf, ehrig"),
        ("cosine", "li", "by=cosine knows no concepts"),
        ("ssrm", "nope", "no measure 'nope'"),
        ("judge", "", "the crawl's judge compares whole pages only"),
    ],
)
def test_what_cannot_be_compared_by_is_said(
    by: str, measure: str, said: str, diseases: Topic, collection: Background
) -> None:
    with pytest.raises(ConfigError, match=said):
        topic_similarity(by, diseases, collection, measure=measure)


@pytest.mark.parametrize("weight", [float("nan"), 1.01, float("inf")])
@pytest.mark.parametrize("by", ["cosine", "ssrm"])
def test_what_is_no_weight_is_said(by: str, weight: float, diseases: Topic, collection: Background) -> None:
    with pytest.raises(ConfigError, match="is no weight: give a number from 0 to 1"):
        topic_similarity(by, diseases, collection, min_weight=weight)
