from __future__ import annotations

from dataclasses import replace

import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.training_pages import judge_digest, require_topic, topic_digest
from semcrawl.relevance import CosineJudge
from semcrawl.relevance.judges import EhrigJudge
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.topics.topic import Keyword

ASTHMA = Topic("lungs", keywords=(Keyword("asthma"), Keyword("inhaler", 0.5)))


@pytest.mark.parametrize(
    "same",
    [
        replace(ASTHMA, keywords=ASTHMA.keywords[::-1]),
        replace(ASTHMA, seeds=("http://a.test/",), description="of the lungs"),
    ],
)
def test_what_makes_no_difference_to_relevance_makes_none_to_the_digest(same: Topic) -> None:
    assert topic_digest(same) == topic_digest(ASTHMA)


@pytest.mark.parametrize(
    "other",
    [
        replace(ASTHMA, keywords=ASTHMA.keywords[:1]),
        replace(ASTHMA, keywords=(Keyword("asthma"), Keyword("inhaler", 0.6))),
        replace(ASTHMA, languages=("de",)),
        replace(ASTHMA, concepts=Topic.parse("wordnet:asthma.n.01").concepts),
    ],
)
def test_another_topic_of_the_same_name_is_refused(other: Topic) -> None:
    require_topic("the model", "lungs", topic_digest(ASTHMA), ASTHMA)
    with pytest.raises(ConfigError, match="the model was trained for the topic 'lungs' with the"):
        require_topic("the model", "lungs", topic_digest(ASTHMA), other)


def test_without_a_digest_the_name_decides_and_without_a_name_nothing_does() -> None:
    require_topic("m", "lungs", "", replace(ASTHMA, keywords=(Keyword("cars"),)))
    require_topic("m", "", "", ASTHMA)
    with pytest.raises(ConfigError, match="for the topic 'cars', this crawl has 'lungs'"):
        require_topic("m", "cars", "", ASTHMA)


def test_options_of_a_judge_are_told_by_its_lens() -> None:
    topic = Topic.parse("wordnet:asthma.n.01")
    near, again = EhrigJudge(topic, min_weight=0.5), EhrigJudge(topic, min_weight=0.5)
    assert judge_digest(near) == judge_digest(again) != judge_digest(EhrigJudge(topic))
    assert judge_digest(CosineJudge(topic, Background.default())) == ""
