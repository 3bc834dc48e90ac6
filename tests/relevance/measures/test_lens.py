from __future__ import annotations

import tracemalloc
from time import process_time

import pytest

from semcrawl.errors import ConfigError
from semcrawl.relevance import Lens
from semcrawl.relevance.label_forms import label_key
from semcrawl.relevance.measures import Ehrig, Li, Related, Synonyms
from semcrawl.relevance.topic_labels import topic_labels
from semcrawl.text.terms import ENGLISH
from semcrawl.topics import ConceptGraph, ConceptGraphBuilder, Topic
from semcrawl.topics.topic import Keyword, TopicConcept


def asthma(graph: ConceptGraph, **more: object) -> Topic:
    return Topic("asthma", (TopicConcept("x:asthma", 1.0, graph),), **more)  # type: ignore[arg-type]


def test_labels_weigh_similarity_times_label_weight(lungs: ConceptGraph) -> None:
    lens = Lens.compile(asthma(lungs), Ehrig(), min_weight=0)
    assert lens.weight("asthma") == 1
    assert lens.weight("wheeze") == 0.5
    assert lens.weight("Respiratory Diseases") == 0.5
    assert lens.weight("inhaler") == 0


def test_an_ambiguous_label_has_the_similarity_of_its_nearest_sense(lungs: ConceptGraph) -> None:
    lens = Lens.compile(asthma(lungs), Ehrig(), min_weight=0)
    assert lens.weight("cold") == 0.25
    [why] = lens.reasons["cold"]
    assert why.concept == "x:flu"


def test_weights_of_several_concepts_add_up(lungs: ConceptGraph) -> None:
    concepts = (TopicConcept("x:asthma", 2.0, lungs), TopicConcept("x:flu", 1.0, lungs))
    lens = Lens.compile(Topic("both", concepts), Ehrig(), min_weight=0)
    assert lens.weight("flu") == 1.0 * 0.25 + 0.5 * 1.0


def test_only_labels_of_the_topics_language_are_used(lungs: ConceptGraph) -> None:
    assert Lens.compile(asthma(lungs), Synonyms()).weight("Atemnot") == 0
    german = Lens.compile(asthma(lungs, languages=("de",)), Synonyms())
    assert german.weight("Atemnot") == 1
    assert german.weight("asthma") == 0


def test_cut_offs(lungs: ConceptGraph) -> None:
    def size(**options: float) -> int:
        return len(Lens.compile(asthma(lungs), Ehrig(), **options))  # type: ignore[arg-type]

    everything = size(min_weight=0)
    assert size(min_weight=0.5) == 4  # asthma, wheeze, respiratory disease, allergy
    assert size(min_weight=0, max_distance=0) == 2 < everything


def test_a_keyword_is_a_label_and_its_words_are_parts_of_it() -> None:
    lens = Lens.compile(Topic("aid", keywords=(Keyword("first aid"),)))
    assert (lens.weight("first aid"), lens.weight("aid")) == (1.0, 0.5)


def test_keywords_can_be_looked_up_as_words(lungs: ConceptGraph) -> None:
    topic = Topic("t", (TopicConcept("x:cold", 1.0, lungs),), (Keyword("asthma"),))
    assert Lens.compile(topic, Synonyms()).weight("wheeze") == 0
    assert Lens.compile(topic, Synonyms(), min_weight=0, senses=9).weight("wheeze") == 0.5


def test_a_topic_at_the_top_still_has_a_lens(lungs: ConceptGraph) -> None:
    lens = Lens.compile(Topic("top", (TopicConcept("x:thing", 1.0, lungs),)), Li())
    assert {label.text for label in lens.strongest()} >= {"thing", "disease"}


def test_relations_other_than_is_a_reach_the_lens(lungs: ConceptGraph) -> None:
    assert Lens.compile(asthma(lungs), Related()).weight("inhaler") == 1


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("first aid", "first aid"),
        ("vitamin C", "vitamin c"),
        ("at work", ""),
        ("The Flu", "flu"),
        ("carbon 14", "carbon 14"),
        ("of the", ""),
        ("hepatitis A", ""),
        ("2007", ""),
        ("", ""),
        ("type 2 diabetes mellitus", "type 2 diabet mellitu"),
    ],
)
def test_labels_that_lose_their_meaning_as_stems_are_not_used(label: str, key: str) -> None:
    assert label_key(label, ENGLISH) == key


def test_counts_take_the_longest_phrase_first(lungs: ConceptGraph) -> None:
    lens = Lens.compile(asthma(lungs), Ehrig(), min_weight=0)
    stems, phrases = lens.read("Respiratory diseases are diseases; asthma is one.")
    assert {stem: stems[stem] for stem in stems if stem in lens.weights} == {"diseas": 1, "asthma": 1}
    assert phrases == {"respiratori diseas": 1}


@pytest.mark.parametrize("options", [{"min_weight": -1}, {"min_weight": float("nan")}, {"max_distance": -1}])
def test_options_out_of_range_are_refused(options: dict[str, float], lungs: ConceptGraph) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        Lens.compile(asthma(lungs), Ehrig(), **options)  # type: ignore[arg-type]


def test_a_topic_of_examples_only_has_an_empty_lens() -> None:
    lens = Lens.compile(Topic("t", examples=("http://a.example/",)))
    assert len(lens) == 0
    assert lens.explain("anything").score == 0


def test_of_equal_labels_the_topics_own_come_first_then_usual_words_and_acronyms_last() -> None:
    builder = ConceptGraphBuilder("drinks")
    builder.add("x:drink", "potable")
    builder.add("x:hot", "tisane", broader=["x:drink"])
    builder.add("x:cold", "kvass", "KVX", broader=["x:drink"])
    builder.add("x:beer", "beer", "V.05.03  root beer", broader=["x:hot"])
    topic = Topic("t", (TopicConcept("x:drink", 1.0, builder.build()),))
    shown = [label.text for label in topic_labels(topic).lens.strongest() if label.weight == 1]
    assert shown == ["potable", "beer", "tisane", "kvass", "root beer", "KVX"]


def test_the_strongest_of_many_names_are_found_in_linear_time() -> None:
    builder = ConceptGraphBuilder("names")
    builder.add("x:a", *(f"thing{number} name{number % 7}" for number in range(30_000)))
    labels = topic_labels(Topic("t", (TopicConcept("x:a", 1.0, builder.build()),)))
    began = process_time()
    assert len(labels.lens.strongest(3, first=labels.names)) == 3
    assert process_time() - began < 5


def test_the_strongest_labels_of_many_concepts_take_little_memory() -> None:
    builder = ConceptGraphBuilder("flat")
    for number in range(2_000):
        builder.add(f"x:{number}", f"thing{number}")
    graph = builder.build()
    lens = topic_labels(Topic("t", tuple(TopicConcept(one, 1.0, graph) for one in graph.ids))).lens
    tracemalloc.start()
    assert len(lens.strongest(3)) == 3
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16_000_000  # a number for each pair of concepts would take twice as much
