"""Which labels of a topic count, and how much of their use lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl import Topic
from semcrawl.relevance.label_similarity import LabelSimilarity
from semcrawl.relevance.topic_labels import label_uses, topic_labels
from semcrawl.topics import wordnet

if TYPE_CHECKING:
    from pathlib import Path

THESAURUS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://thesaurus.test/> .

:money a skos:Concept ; skos:prefLabel "Money"@en .
:heading a skos:Concept ; skos:broader :money ; skos:prefLabel "Inflation"@en, "Inflation"@de .
:inflation a skos:Concept ; skos:broader :heading ;
    skos:prefLabel "Inflation"@de, "Inflation"@en ; skos:altLabel "Teuerung"@de .
:core a skos:Concept ; skos:broader :inflation ; skos:prefLabel "Core inflation"@en .
:wages a skos:Concept ; skos:broader :inflation ; skos:prefLabel "Wage indexation"@en .
:tyre a skos:Concept ; skos:prefLabel "Pumping up"@en ; skos:altLabel "Core inflation"@de .
:giro a skos:Concept ; skos:broader :money ; skos:prefLabel "Seigniorage"@en .
:oath a skos:Concept ; skos:prefLabel "Seigniorage"@en .
"""


@pytest.fixture
def thesaurus(tmp_path: Path) -> str:
    path = tmp_path / "money.ttl"
    path.write_text(THESAURUS, encoding="utf-8")
    return str(path)


def weights(topic: Topic) -> dict[str, float]:
    lens = topic_labels(topic).lens
    return {label.text: round(label.weight, 2) for label in lens.strongest(100)}


def test_a_heading_of_the_same_name_above_a_concept_does_not_speak_against_it(thesaurus: str) -> None:
    assert weights(Topic.parse(f"{thesaurus}#<http://thesaurus.test/inflation>"))["Inflation"] == 1


def test_a_label_that_another_concept_has_counts_by_its_share(thesaurus: str) -> None:
    assert weights(Topic.parse(f"{thesaurus}#money"))["Seigniorage"] == 0.5


def test_the_same_word_of_another_language_does_not_speak_against_a_label(thesaurus: str) -> None:
    assert weights(Topic.parse(f"{thesaurus}#money"))["Core inflation"] == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_word_that_two_languages_share_counts_in_both(thesaurus: str, language: str) -> None:
    topic = Topic.parse(f"{thesaurus}#<http://thesaurus.test/inflation>", language=language)
    assert weights(topic)["Inflation"] == 1


@pytest.mark.parametrize(("topic", "label"), [("wordnet:mammal.n.01", "toy"), ("wordnet:music.n.01", "lay")])
def test_words_whose_stems_end_in_another_letter_have_their_other_senses(topic: str, label: str) -> None:
    assert weights(Topic.parse(topic)).get(label, 0.0) < 0.2


def parsed(text: str) -> Topic:
    return Topic.from_toml(f'name = "money"\n{text}')


def test_a_concept_of_weight_0_leaves_out_all_below_it(thesaurus: str) -> None:
    money, heading = f"{thesaurus}#money", f"{thesaurus}#heading"
    with_all = parsed(f'concepts = {{ "{money}" = 1 }}')
    without = parsed(f'concepts = {{ "{money}" = 1, "{heading}" = 0 }}')
    assert weights(with_all).keys() - weights(without).keys() >= {"Inflation", "Core inflation"}
    assert weights(without)["Money"] == 1


def test_a_concept_alone_of_weight_0_leaves_out_only_itself(thesaurus: str) -> None:
    wages = f"{thesaurus}#wages"
    topic = parsed(f'concepts = {{ "{thesaurus}#money" = 1, "{wages}!" = 0 }}')
    assert "Wage indexation" not in weights(topic)
    assert "Core inflation" in weights(topic)


def test_a_keyword_of_weight_0_leaves_out_a_label(thesaurus: str) -> None:
    topic = parsed(f'concepts = {{ "{thesaurus}#money" = 1 }}\nkeywords = {{ "core inflations" = 0 }}')
    assert "Core inflation" not in weights(topic)
    assert "Inflation" in weights(topic)


def test_a_keyword_beside_concepts_is_another_name_that_pages_need_not_have() -> None:
    plain = LabelSimilarity.of_topic(Topic.parse("wordnet:asthma"))
    more = LabelSimilarity.of_topic(
        Topic.from_toml('name = "asthma"\nconcepts = ["wordnet:asthma.n.01"]\nkeywords = {spacer = 0.1}')
    )
    text = "A cold can bring on an asthma attack in children."
    assert more.of_text(text) == pytest.approx(plain.of_text(text), rel=0.1)
    assert more.of_text("Use a spacer.") > 0 == plain.of_text("Use a spacer.")


def test_a_label_with_several_forms_is_shown_once(tmp_path: Path) -> None:
    path = tmp_path / "java.ttl"
    path.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<http://t.test/1> a skos:Concept ; skos:prefLabel "Java (programming language)"@en .',
        encoding="utf-8",
    )
    labels = topic_labels(Topic.parse(str(path))).lens.strongest(10)
    assert [label.text for label in labels].count("Java (programming language)") == 1


WATERS = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix obo: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix : <http://waters.test/> .

:water a owl:Class ; rdfs:label "water body"@en .
:lake a owl:Class ; rdfs:subClassOf :water ; rdfs:label "lake"@en ;
    obo:hasRelatedSynonym "mere"@en , "waterlet"@en ; obo:hasExactSynonym "drip"@en .
:pond a owl:Class ; rdfs:subClassOf :water ; rdfs:label "pond"@en ; obo:hasBroadSynonym "lake"@en .
:bed a owl:Class ; rdfs:label "lake bed"@en ; obo:hasRelatedSynonym "lake"@en .
:bayou a owl:Class ; rdfs:subClassOf :water ; rdfs:label "bayou"@en ;
    obo:hasBroadSynonym "oxbowlet"@en , "waterlet"@en .
:oxbow a owl:Class ; rdfs:label "swamp"@en ; obo:hasRelatedSynonym "oxbowlet"@en .
"""


@pytest.fixture
def waters(tmp_path: Path) -> str:
    path = tmp_path / "waters.ttl"
    path.write_text(WATERS, encoding="utf-8")
    return str(path)


def test_loose_synonyms_of_other_concepts_say_nothing_against_a_preferred_label(waters: str) -> None:
    assert weights(Topic.parse(f"{waters}#lake"))["lake"] == 1
    assert weights(Topic.parse(f"{waters}#water"))["lake"] > 0.5  # for its senses in WordNet


def test_a_label_counts_by_how_much_it_means_its_concept(waters: str) -> None:
    found = weights(Topic.parse(f"{waters}#lake"))
    assert found["waterlet"] == round(0.5 * 0.5 / 0.9, 2)  # beside a broad synonym, 0.4
    assert weights(Topic.parse(f"{waters}#bayou!"))["oxbowlet"] == round(0.4 * 0.4 / 0.9, 2)


def test_own_short_synonyms_that_are_usual_words_count_little(waters: str) -> None:
    found = weights(Topic.parse(f"{waters}#lake"))
    assert found["mere"] <= 0.13
    assert found["drip"] <= 0.25
    similarity = LabelSimilarity.of_topic(Topic.parse(f"{waters}#lake"))
    assert similarity.of_text("A mere trifle") < 0.5 < similarity.of_text("A lake")


def test_a_preferred_label_in_the_second_language_of_a_concept_is_preferred(tmp_path: Path) -> None:
    path = tmp_path / "drinks.ttl"
    path.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix : <http://d.test/> .\n"
        ':drinks a skos:Concept ; skos:prefLabel "Getränke"@de, "Drinks"@en .\n'
        ':beer a skos:Concept ; skos:broader :drinks ; skos:prefLabel "Bier"@de, "Beer"@en .',
        encoding="utf-8",
    )
    assert weights(Topic.parse(f"{path}#Drinks"))["Beer"] == 1


@pytest.mark.parametrize(("topic", "name"), [("wordnet:plant.n.02", "plant"), ("wordnet:painting.n.02", "painting")])
def test_the_topic_itself_shows_weight_1(topic: str, name: str) -> None:
    labels = topic_labels(Topic.parse(topic)).lens
    whys = [why for found in labels.reasons.values() for why in found]
    own = [why for why in whys if why.label == name]
    assert [(why.concept, why.similarity) for why in own] == [(topic, 1.0)]
    assert all(why.label_weight <= 1 for why in whys)


def test_a_rare_word_counts_less_than_the_common_one_of_its_stem() -> None:
    lens = topic_labels(Topic.parse("wordnet:dog.n.01")).lens
    assert lens.weight("retriever") < 0.5  # pages that say "retrieved" have its stem
    assert lens.weight("spaniel") == 1


def test_a_stem_begins_like_every_word_of_wordnet_that_has_it() -> None:
    uses = label_uses(wordnet().graph, "en")
    words = [text.lower() for text in wordnet().graph.label_table.texts if text.isalpha()]
    words = [word for word in words if word.isascii()]
    stems = uses._analyser.words_of_tokens(words)
    assert [
        (word, stem) for word, stem in zip(words, stems, strict=True) if stem and word[:2] not in uses._beginnings(stem)
    ] == []
