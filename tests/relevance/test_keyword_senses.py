"""A query of keywords reaches WordNet (Batsakis 2007, section 3.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from semcrawl.errors import ConfigError
from semcrawl.page import read_html
from semcrawl.relevance import JUDGES
from semcrawl.relevance.lens import Lens
from semcrawl.relevance.similarities import WITH_CONCEPTS, similarity_named
from semcrawl.strategies import STRATEGIES, JudgedPage
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.topics.topic import Keyword

THESIS_TOPICS = {  # Batsakis 2007, section 4: the six topics, each with a term near its first sense
    "linux": "operating system",
    "asthma": "bronchitis",
    "robotics": "artificial intelligence",
    "dengue fever": "hepatitis",
    "java programming": "scheduling",
    "first aid": "treatment",
}


def known(spec: str) -> dict[str, object]:
    return {"topic": Topic.parse(spec), "background": Background.default()}


def similarity(spec: str, name: str, text: str, senses: int = -1) -> float:
    topic = Topic.parse(spec)
    return similarity_named(name, topic, Background.default(), senses=senses).of_text(text)


@pytest.mark.parametrize("name", WITH_CONCEPTS)
@pytest.mark.parametrize("query", THESIS_TOPICS)
def test_batsakis_section_3_3_terms_near_the_query_count(query: str, name: str) -> None:
    """Batsakis 2007, section 3.3, with the topics of section 4."""
    own, near, far = (
        similarity(f"keywords:{query}", name, text) for text in (query, THESIS_TOPICS[query], "saxophone")
    )
    assert own > near > far
    assert similarity(f"keywords:{query}", name, THESIS_TOPICS[query], senses=0) == 0


@pytest.mark.parametrize("name", WITH_CONCEPTS)
def test_batsakis_section_3_3_judges_and_strategies_look_keywords_up(name: str) -> None:
    page = read_html("<a href=/b>bronchitis</a> <a href=/c>saxophone</a>", "http://a.test/")
    judged = JudgedPage(page, 0.5, 0)
    near, far = STRATEGIES.create(name, **known("keywords:asthma")).rank(judged)
    assert near > 0.1 > far
    off = STRATEGIES.create(f"{name}:senses=0", **known("keywords:asthma"))
    assert off.rank(judged) == [0, 0]
    assert JUDGES.create(name, **known("keywords:asthma")).judge(page).relevance > 0.05
    assert JUDGES.create(f"{name}:senses=0", **known("keywords:asthma")).judge(page).relevance == 0


def test_a_single_word_is_looked_up_like_its_only_sense() -> None:
    for text in ("bronchitis", "disease", "attack of asthma"):
        looked_up = similarity("keywords:asthma", "ehrig", text)
        assert looked_up == pytest.approx(similarity("wordnet:asthma", "ehrig", text))


def test_more_senses_bring_more_terms() -> None:
    coffee = [similarity("keywords:java", "ehrig", "coffee", senses) for senses in (0, 1, 2)]
    assert coffee[0] == coffee[1] == 0 < coffee[2]


def test_keywords_beside_concepts_are_looked_up_only_where_asked_for() -> None:
    topic = replace(Topic.parse("wordnet:saxophone"), keywords=(Keyword("asthma"),))
    background = Background.default()
    by_default = similarity_named("ehrig", topic, background)
    asked_for = similarity_named("ehrig", topic, background, senses=1)
    assert by_default.of_text("bronchitis") == 0 < asked_for.of_text("bronchitis")


def test_other_languages_than_english_have_no_wordnet_to_look_in() -> None:
    topic = Topic.parse("keywords:asthma").in_language("fr")
    assert similarity_named("ehrig", topic).of_text("bronchitis") == 0


def test_a_number_of_senses_below_none_is_refused_by_a_lens() -> None:
    with pytest.raises(ConfigError, match="senses=-2"):
        Lens.compile(Topic.parse("keywords:asthma"), senses=-2)
