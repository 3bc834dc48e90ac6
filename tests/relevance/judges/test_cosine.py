from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.page import Page
from semcrawl.relevance import JUDGES, CosineJudge, Judge, Judgement
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from semcrawl.text.background import Background


def page(text: str, title: str = "") -> Page:
    return Page(url="http://a.test/", title=title, pieces=(text,))


def test_relevance_is_the_cosine_of_page_and_topic(background: Background) -> None:
    # The worked example of tests/relevance/measures: 2 asthma, 1 inhaler, 4 cars.
    judge = CosineJudge(Topic.parse("keywords:asthma"), background)
    judgement = judge.judge(page("asthma asthma inhaler car car cars car"))
    assert judgement.relevance == pytest.approx(0.931243, abs=1e-6)
    assert judgement.concept is None


def test_the_text_is_judged_and_not_its_length(background: Background) -> None:
    judge = CosineJudge(Topic.parse("keywords:asthma"), background)
    once, often = judge.judge(page("asthma car")), judge.judge(page("asthma car " * 50))
    assert once.relevance == pytest.approx(often.relevance)


@pytest.mark.parametrize("text", ["", "cars and vans", "the of and"])
def test_a_page_without_a_word_of_the_topic_is_irrelevant(background: Background, text: str) -> None:
    judge = CosineJudge(Topic.parse("keywords:asthma"), background)
    assert judge.judge(page(text)) == Judgement(0.0)


def test_more_of_the_topic_is_more_relevant(background: Background) -> None:
    judge = CosineJudge(Topic.parse("keywords:asthma"), background)
    mixed = [judge.judge(page("asthma " * n + "car " * 5)).relevance for n in range(5)]
    assert mixed == sorted(mixed)
    assert mixed[0] < mixed[-1]


def test_the_judge_is_found_by_its_name(background: Background) -> None:
    judge: Judge = JUDGES.create("cosine", topic=Topic.parse("keywords:asthma"), background=background)
    assert isinstance(judge, CosineJudge)
    assert judge.judge(page("asthma")).relevance >= judge.threshold > 0
