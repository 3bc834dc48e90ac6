from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.relevance import topic_labels as labels
from semcrawl.relevance.lens import usual_senses
from semcrawl.relevance.topic_labels import label_remarks, membership, relation_to_topic, topic_labels
from semcrawl.topics import ConceptGraph, ConceptGraphBuilder, Topic, wordnet
from semcrawl.topics.labels import Label
from semcrawl.topics.topic import TopicConcept


@pytest.fixture(scope="module")
def graph() -> ConceptGraph:
    """Diseases and a job, which share a label; parts, an acronym, and two languages."""
    builder = ConceptGraphBuilder("diseases")
    builder.add("x:disease", "disease", Label("maladie", "fr"))
    builder.add("x:lung", "respiratory disease", broader=["x:disease"])
    builder.add("x:asthma", "asthma", Label("asthme", "fr"), Label("COAD", "en"), broader=["x:lung"])
    builder.add("x:catarrh", "catarrh", broader=["x:lung"])
    builder.add("x:mucus", "catarrh")
    builder.add("x:crabs", "crabs", broader=["x:disease"])
    builder.add("x:wheeze", "bronchospasm")
    builder.relate("x:asthma", "has-part", "x:wheeze")
    return builder.build()


def about(graph: ConceptGraph, concept: str, *, alone: bool = False, language: str = "en") -> Topic:
    return Topic("t", (TopicConcept(concept, 1.0, graph, alone),), languages=(language,))


def test_a_topic_is_its_concept_with_all_that_is_narrower_and_what_belongs_to_it(graph: ConceptGraph) -> None:
    lens = topic_labels(about(graph, "x:lung")).lens
    assert lens.weight("respiratory disease") == lens.weight("asthma") == 1.0
    assert lens.weight("bronchospasm") == 0.6
    assert lens.weight("disease") < 0.5  # as a word of the phrase only


def test_a_concept_alone_has_its_own_labels_only(graph: ConceptGraph) -> None:
    lens = topic_labels(about(graph, "x:lung", alone=True)).lens
    assert lens.weight("respiratory disease") == 1.0
    assert lens.weight("asthma") == 0


def test_a_narrower_concept_counts_fully_though_it_has_other_parents() -> None:
    builder = ConceptGraphBuilder("pizzas")
    builder.add("x:vegetarian", "vegetarian pizza")
    builder.add("x:cheesy", "cheesy pizza")
    builder.add("x:named", "named pizza")
    builder.add("x:margherita", "margherita", broader=["x:vegetarian", "x:cheesy", "x:named"])
    lens = topic_labels(about(builder.build(), "x:vegetarian")).lens
    assert lens.weight("margherita") == 1.0


def test_a_sense_of_wordnet_counts_less_where_it_is_a_kind_of_other_things_too() -> None:
    graph = wordnet().graph
    found = membership(graph, "wordnet:music.n.01")
    assert 0 < found[graph.position("wordnet:section.n.01")] < 1


def test_depth_counts_where_it_is_asked_to(graph: ConceptGraph) -> None:
    topic = about(graph, "x:disease")
    assert topic_labels(topic, decay=0.5).lens.weight("asthma") == 0.25
    assert topic_labels(topic, related=0).lens.weight("bronchospasm") == 0
    with pytest.raises(ConfigError, match="decay=0"):
        topic_labels(topic, decay=0)


def test_a_label_of_several_concepts_counts_by_its_share(graph: ConceptGraph) -> None:
    assert topic_labels(about(graph, "x:disease")).lens.weight("catarrh") == 0.5


def test_senses_that_wordnet_has_of_a_word_speak_against_it_but_not_against_the_topics_name(
    graph: ConceptGraph,
) -> None:
    assert topic_labels(about(graph, "x:disease")).lens.weight("crabs") < 0.5
    assert topic_labels(about(graph, "x:crabs")).lens.weight("crabs") == 1.0


def test_what_is_below_other_concepts_as_well_belongs_less() -> None:
    """Sections are music and writing: so are the books of the Bible, which are sections."""
    graph = wordnet().graph
    found = membership(graph, "wordnet:music.n.01")
    assert found[graph.position("wordnet:leviticus.n.01")] == pytest.approx(0.5**0.5)
    assert found[graph.position("wordnet:ragtime.n.01")] == 1.0


def test_parents_above_the_topic_do_not_speak_against_what_is_below_it() -> None:
    builder = ConceptGraphBuilder("all parents are told")
    builder.add("x:a", "thing")
    builder.add("x:b", "disease", broader=["x:a"])
    builder.add("x:c", "asthma", broader=["x:a", "x:b"])
    assert membership(builder.build(), "x:b").tolist() == [0.0, 1.0, 1.0]


def test_other_words_of_the_stem_do_not_speak_against_the_name_of_a_topic() -> None:
    """The senses of "music" do, those of "musical" and "musically" do not."""
    weight = topic_labels(Topic.parse("wordnet:music.n.01")).lens.weight("music")
    assert weight == pytest.approx(1 / sum(rank**-1.5 for rank in range(1, 6)), abs=0.2)


def test_an_acronym_that_is_a_keyword_brings_only_what_is_written_like_it() -> None:
    assert topic_labels(Topic.parse("keywords:KMS")).lens.weights == {"=KMS": 1.0}
    assert topic_labels(Topic.parse("keywords:DNA")).lens.weight("intron") == 0.5
    assert topic_labels(Topic.parse("wordnet:dna.n.01")).lens.weight("DNA") == 1.0


@pytest.mark.parametrize(("first", "second"), [("wordnet:java.n.01", "wordnet:java.n.03")])
def test_in_wordnet_a_first_sense_has_the_larger_share(first: str, second: str) -> None:
    shares = [topic_labels(Topic.parse(spec)).lens.weight("java") for spec in (first, second)]
    assert 1 > shares[0] > 3 * shares[1] > 0


def test_words_that_differ_in_their_end_only_share_a_label() -> None:
    """The stem of "lay" is spelt otherwise; most of its use is no ballad."""
    assert topic_labels(Topic.parse("wordnet:ballad.n.01")).lens.weight("lay") < 0.5


def test_a_word_of_a_phrase_counts_only_as_far_as_it_tells_of_the_topic() -> None:
    lens = topic_labels(Topic.parse("wordnet:asthma")).lens
    assert lens.weight("asthma attack") == 1.0
    assert lens.weight("attack") < 0.05


def test_labels_are_those_of_the_topics_language(graph: ConceptGraph) -> None:
    lens = topic_labels(about(graph, "x:disease", language="fr")).lens
    assert lens.weight("maladies") == lens.weight("asthme") == 1.0
    assert lens.weight("asthma") == 0


def test_keywords_count_fully_and_their_senses_less() -> None:
    found = topic_labels(Topic.parse("keywords:asthma"))
    assert found.keywords == found.names == ("asthma",)
    assert found.lens.weight("asthma") == 1.0
    assert 0 < found.lens.weight("status asthmaticus") < 1


def test_the_root_of_wordnet_has_a_lens() -> None:
    members = membership(Topic.parse("wordnet:entity.n.01").concepts[0].graph, "wordnet:entity.n.01")
    assert (members == 1).sum() > 70_000


@given(st.sampled_from(["asthma.n.01", "bank.n.01", "music.n.01", "get.v.01", "sky.n.01"]))
def test_weights_lie_above_0_and_up_to_1(sense: str) -> None:
    lens = topic_labels(Topic.parse(f"wordnet:{sense}")).lens
    assert all(0 < weight <= 1 for weight in lens.weights.values())


@pytest.mark.parametrize(
    ("other", "relation"),
    [
        ("x:lung", "topic"),
        ("x:asthma", "narrower"),
        ("x:disease", "broader"),
        ("x:wheeze", "has-part"),
        ("x:mucus", ""),
    ],
)
def test_how_a_concept_belongs_to_a_topic(graph: ConceptGraph, other: str, relation: str) -> None:
    assert relation_to_topic(graph, "x:lung", other) == relation


def test_remarks_say_what_is_left_out_or_counts_less() -> None:
    builder = ConceptGraphBuilder("units")
    builder.add("x:unit", "UNO", Label("KM", "en"), Label("KMS", "en"), Label("2019", "en"))
    graph = builder.build()
    assert [(one.text, one.remark) for one in label_remarks(about(graph, "x:unit"))] == [
        ("KM", "left out: a unit or stop word, too"),
        ("KMS", "counts 0.25 in this spelling only: an acronym that is a word, too"),
        ("2019", "left out: only numbers or single characters"),
        ("UNO", "found in this spelling only: an acronym"),
    ]


def test_own_names_are_remarked_on_first() -> None:
    first = label_remarks(Topic.parse("wordnet:music.n.01"))[0]
    assert (first.text, first.concept) == ("music", "wordnet:music.n.01")
    assert first.remark.endswith("it names other concepts, too")


def test_keywords_that_name_something_together_are_read_as_that() -> None:
    lens = topic_labels(Topic.parse("keywords:computer, programming, language")).lens
    assert lens.weight("programming language") == 1.0
    assert lens.weight("COBOL") > 0
    assert lens.weight("Esperanto") == 0  # a language, but none to programme in
    apart = topic_labels(Topic.parse("keywords:language, programming")).lens
    assert apart.weight("Esperanto") > 0


def test_keywords_tell_which_of_their_senses_is_meant() -> None:
    lens = topic_labels(Topic.parse("keywords:plant, tree")).lens
    assert lens.weight("fern") > 0.5  # a plant that grows
    assert lens.weight("refinery") == 0
    assert topic_labels(Topic.parse("keywords:plant")).lens.weight("refinery") > 0


def test_a_keyword_that_is_broader_than_one_before_it_tells_the_sense_and_little_else() -> None:
    lens = topic_labels(Topic.parse("keywords:jaguar, animal")).lens
    assert lens.weight("jaguar") == lens.weight("animal") == 1.0
    assert lens.weight("Panthera onca") > 0.5
    assert lens.weight("sparrow") < 0.2  # an animal, but no jaguar
    assert topic_labels(Topic.parse("keywords:animal, jaguar")).lens.weight("sparrow") > 0.5


@pytest.mark.parametrize("count", [40, 60])
def test_keywords_are_looked_up_once_each_however_many_there_are(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    asked: list[str] = []

    def counted(graph: ConceptGraph, name: str, pos: str) -> list[str]:
        asked.append(name)
        return usual_senses(graph, name, pos)

    monkeypatch.setattr(labels, "usual_senses", counted)
    topic_labels(Topic.parse("keywords:" + ",".join(f"word{number}" for number in range(count))))
    assert len(asked) <= 2 * count


def test_of_many_keywords_each_is_read_by_itself() -> None:
    others = ",".join(f"word{number}" for number in range(60))
    assert topic_labels(Topic.parse("keywords:plant, tree")).lens.weight("factory") == 0
    assert topic_labels(Topic.parse(f"keywords:plant, tree,{others}")).lens.weight("factory") > 0
