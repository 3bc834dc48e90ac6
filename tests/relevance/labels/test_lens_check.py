from __future__ import annotations

import pytest

from semcrawl.errors import TopicError
from semcrawl.page.read import read_html
from semcrawl.relevance.judges import LabelsJudge, SsrmJudge
from semcrawl.relevance.lens_check import check_lens, seed_warning
from semcrawl.relevance.similarities import CosineSimilarity
from semcrawl.topics import ConceptGraph, ConceptGraphBuilder, Topic
from semcrawl.topics.labels import Label
from semcrawl.topics.topic import TopicConcept


def graph_of(*labels: Label | str) -> ConceptGraph:
    builder = ConceptGraphBuilder("g")
    builder.add("x:a", *labels)
    return builder.build()


def warnings(topic: Topic) -> list[str]:
    return check_lens(topic, LabelsJudge(topic).similarity)


def about(graph: ConceptGraph, *languages: str) -> Topic:
    return Topic("t", (TopicConcept("x:a", 1.0, graph),), languages=languages or ("en",))


@pytest.mark.parametrize("label", ["2019", "***", "KM", "of the", "x", "a" * 400])
def test_a_lens_without_labels_is_refused_with_the_reason(label: str) -> None:
    with pytest.raises(TopicError, match=r"is left out: .*; name a concept with narrower ones"):
        warnings(about(graph_of(label)))


def test_the_languages_that_a_topic_has_labels_in_are_named() -> None:
    topic = about(graph_of(Label("asthme", "fr"), Label("Asthma", "de")), "ru")
    with pytest.raises(TopicError, match="labels in de, fr: give --language"):
        warnings(topic)


def test_one_language_of_several_without_labels_is_a_warning() -> None:
    [told] = warnings(about(graph_of(Label("asthme", "fr")), "fr", "ru"))
    assert told.startswith("the topic 't' has no label in ru: pages in it will score 0")


def test_names_that_mostly_mean_something_else_are_told() -> None:
    [told] = warnings(Topic.parse("wordnet:crane.n.04"))
    assert "'crane' 5%" in told
    assert not warnings(Topic.parse("wordnet:asthma"))
    assert not warnings(Topic.parse("wordnet:cold.n.01"))  # "common cold" is sure
    assert not warnings(Topic.parse("keywords:bank"))


def test_an_ontology_of_acronyms_has_a_lens() -> None:
    builder = ConceptGraphBuilder("g")
    builder.add("x:a", "UNO")
    for name in ("WHO", "KMS", "EU", "mRNA"):
        builder.add(f"x:{name}", name, broader=["x:a"])
    topic = about(builder.build())
    assert not warnings(topic)
    lens = LabelsJudge(topic).similarity.lens
    assert lens is not None
    assert sorted(lens.weights) == ["=EU", "=KMS", "=UNO", "=mRNA"]


def test_only_what_has_a_lens_is_checked() -> None:
    topic = about(graph_of("2019"))
    assert check_lens(topic, None) == []
    assert check_lens(topic, CosineSimilarity.of_topic(topic, topic.background())) == []
    with pytest.raises(TopicError, match="has no label"):
        check_lens(topic, SsrmJudge(topic).similarity)


def test_a_seed_in_another_language_is_told_with_what_to_give() -> None:
    lens = LabelsJudge(Topic.parse("wordnet:asthma")).similarity.lens
    assert lens is not None
    french = read_html('<html lang="fr"><p>asthme', "http://a.test/")
    assert seed_warning(lens, french).endswith("it is in fr: give --language en,fr if the topic has such labels")
    english = read_html('<html lang="en"><p>cars', "http://a.test/")
    assert "start from a page on the topic" in seed_warning(lens, english)
