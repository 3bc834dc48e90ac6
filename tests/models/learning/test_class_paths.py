from __future__ import annotations

from semcrawl.models.link_features import ClassPaths
from semcrawl.topics import ConceptGraphBuilder, Topic, TopicConcept


def test_a_concept_comes_with_all_above_it() -> None:
    builder = ConceptGraphBuilder("diseases")
    builder.add("x:disease", "disease")
    builder.add("x:lung", "lung disease", broader=["x:disease"])
    builder.add("x:asthma", "asthma", broader=["x:lung"])
    paths = ClassPaths(Topic("asthma", (TopicConcept("x:asthma", 1.0, builder.build()),)))
    assert paths.of("x:asthma") == ("x:asthma", "x:disease", "x:lung")
    assert paths.of("x:disease") == ("x:disease",)
    assert paths.of("y:elsewhere") == ("y:elsewhere",)
    assert paths.of(None) == ()


def test_a_topic_of_words_knows_nothing_above() -> None:
    for topic in (None, Topic.parse("keywords:asthma")):
        assert ClassPaths(topic).of("x:asthma") == ("x:asthma",)
