"""The lens's dot product is the papers' double sum, computed literally here."""

from __future__ import annotations

import json
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import Page
from semcrawl.relevance import EhrigSimilarity, Lens
from semcrawl.relevance.label_forms import key_idf, label_key
from semcrawl.relevance.measures import BaseMeasure, Ehrig, Li
from semcrawl.relevance.similarities import CosineSimilarity, MihalceaSimilarity, SsrmSimilarity, SynonymSimilarity
from semcrawl.text import Background
from semcrawl.text.terms import ENGLISH
from semcrawl.topics import ConceptGraph, Topic
from semcrawl.topics.topic import Keyword, TopicConcept
from tests.text.naive_phrases import naive_count

from .graphs import WORDS, hierarchies

WEIGHTS = st.sampled_from([0.25, 1.0, 3.0])
TEXTS = st.lists(st.sampled_from([*WORDS, "ape bee", "rain"]), max_size=12).map(" ".join)
BACKGROUND = Background.from_counts({word: n + 2 for n, word in enumerate(WORDS)}, documents=40)


@st.composite
def topics(draw: st.DrawFn) -> Topic:
    graph = draw(hierarchies())
    ids = draw(st.lists(st.sampled_from(list(graph)), min_size=1, max_size=3, unique=True))
    concepts = tuple(TopicConcept(concept, draw(WEIGHTS), graph) for concept in ids)
    return Topic("t", concepts)


def text_counts(lens: Lens, text: str) -> dict[str, int]:
    """The terms of a text: the phrases that the lens knows, and what is left as single stems."""
    return naive_count((key for key in lens.weights if " " in key), text)


def term_similarity(measure: BaseMeasure, graph: ConceptGraph, term: str, concept: str) -> float:
    senses = [c for c in graph if any(label_key(x.text, ENGLISH) == term for x in graph.labels(c))]
    return max((measure.similarity(graph, sense, concept) for sense in senses), default=0.0)


def double_sum(topic: Topic, measure: BaseMeasure, text: dict[str, float], query: dict[str, float]) -> float:
    """sum_j sum_k sim(t_j, t_k) w_ij w_qk, pair by pair."""
    total = 0.0
    for term, in_text in text.items():
        for part in topic.concepts:
            fitted = measure.fitted(part.graph, part.id) if isinstance(measure, Li) else measure
            near = term_similarity(fitted, part.graph, term, part.id)
            total += near * in_text * query[part.id]
    return total


@given(topic=topics(), text=TEXTS)
def test_ehrig_is_the_double_sum_of_eq_8(topic: Topic, text: str) -> None:
    similarity = EhrigSimilarity.of_topic(topic, min_weight=0)
    counts = text_counts(similarity.lens, text)
    in_text = {term: count / max(counts.values()) for term, count in counts.items()}
    largest = max(part.weight for part in topic.concepts)
    query = {part.id: part.weight / largest for part in topic.concepts}
    assert similarity.of_text(text) == pytest.approx(double_sum(topic, Ehrig(), in_text, query))


@given(topic=topics(), text=TEXTS)
def test_ssrm_is_the_double_sum_over_the_lengths_of_eq_9(topic: Topic, text: str) -> None:
    similarity = SsrmSimilarity.of_topic(topic, BACKGROUND, min_weight=0)
    in_text = {
        term: count * key_idf(term, BACKGROUND.idfs) for term, count in text_counts(similarity.lens, text).items()
    }
    largest = max(part.weight for part in topic.concepts)
    query = {
        part.id: part.weight / largest * key_idf(label_key(part.graph.label(part.id), ENGLISH), BACKGROUND.idfs)
        for part in topic.concepts
    }
    lengths = [sqrt(sum(w * w for w in vector.values())) for vector in (in_text, query)]
    expected = double_sum(topic, Li(), in_text, query) / (lengths[0] * lengths[1] or 1.0)
    assert similarity.of_text(text) == pytest.approx(expected)


@given(topic=topics(), text=TEXTS, squash=st.booleans())
def test_explanations_recompute_the_score(topic: Topic, text: str, squash: bool) -> None:
    ssrm = SsrmSimilarity.of_topic(topic, BACKGROUND, min_weight=0)
    ehrig = EhrigSimilarity.of_topic(topic, min_weight=0, squash=squash)
    for similarity in (ssrm, ehrig):
        told = json.loads(similarity.explain(text).to_json())
        value = sum(m["text_weight"] * m["topic_weight"] * m["similarity"] * m["label_weight"] for m in told["matches"])
        for normaliser in told["normalisers"]:
            value = value / normaliser["value"] if normaliser["value"] else 0.0
        if told["squashed"]:
            value = value / (1 + value)
        if told["limit"] is not None:
            value = min(value, told["limit"])
        assert value == pytest.approx(similarity.of_text(text), rel=1e-12)
        assert told["score"] == similarity.explain(text).score == pytest.approx(value, rel=1e-12)


def asthma(graph: ConceptGraph) -> Topic:
    return Topic("asthma", (TopicConcept("x:asthma", 1.0, graph),))


def test_an_explanation_tells_words_concepts_and_path(lungs: ConceptGraph) -> None:
    similarity = EhrigSimilarity.of_topic(asthma(lungs), min_weight=0)
    first, second = similarity.explain("Colds, a cold, and a disease of trees").matches
    assert (first.words, first.count) == (("colds", "cold"), 2)
    assert (first.concept, first.topic) == ("x:flu", "x:asthma")
    assert first.path == ("flu", "respiratory disease", "asthma")
    assert (second.words, second.path[0], second.path[-1]) == (("disease",), "disease", "asthma")


def test_an_explained_phrase_shows_the_words_between_its_stems(lungs: ConceptGraph) -> None:
    lens = EhrigSimilarity.of_topic(asthma(lungs), min_weight=0).lens
    [match] = lens.explain("Respiratory and other diseases").matches
    assert (match.label, match.words) == ("respiratory disease", ("respiratory and other diseases",))


def test_counts_alone_find_no_phrases_and_text_does(lungs: ConceptGraph) -> None:
    similarity = EhrigSimilarity.of_topic(asthma(lungs), min_weight=0)
    counts = {"respiratori": 1, "diseas": 1}
    assert similarity.score(*similarity.lens.split(counts, list, str)) == 0.25
    assert similarity.of_text("respiratory disease") == 0.5


def test_squashing_keeps_the_order_below_1(lungs: ConceptGraph) -> None:
    raw = EhrigSimilarity.of_topic(asthma(lungs), min_weight=0)
    judge = EhrigSimilarity.of_topic(asthma(lungs), min_weight=0, squash=True)
    texts = ["tree", "flu tree", "asthma tree", "asthma wheeze flu cold allergy"]
    assert sorted(texts, key=raw.of_text) == sorted(texts, key=judge.of_text) == texts
    assert raw.of_text(texts[-1]) > 1 > judge.of_text(texts[-1])


def test_mihalcea_is_the_mean_of_both_directions(lungs: ConceptGraph, background: Background) -> None:
    concepts = (TopicConcept("x:asthma", 1.0, lungs), TopicConcept("x:cold", 1.0, lungs))
    topic = Topic("t", concepts)
    similarity = MihalceaSimilarity.of_topic(topic, background, Ehrig(), min_weight=0)
    idf = background.idf
    # flu is 2 edges from asthma and 4 from the other cold; tree is in no graph
    from_text = 0.25 * idf("flu") / (idf("flu") + idf("tree"))
    from_topic = (0.25 * idf("asthma") + 0.5**4 * idf("cold")) / (idf("asthma") + idf("cold"))
    assert similarity.of_text("flu flu tree") == pytest.approx((from_text + from_topic) / 2)


def test_synonyms_expand_topic_and_anchor(lungs: ConceptGraph, background: Background) -> None:
    topic = Topic("flu", (TopicConcept("x:flu", 1.0, lungs),))
    similarity = SynonymSimilarity(topic, background)
    assert similarity.expand("Influenza") == {"influenza": 1, "flu": 1, "cold": 1}
    assert similarity.of_anchor("Influenza") == pytest.approx(1.0)
    assert 0 < similarity.of_text("Influenza") < 1


def test_synonyms_of_longer_labels_come_first(background: Background) -> None:
    similarity = SynonymSimilarity(Topic("t", keywords=(Keyword("car"),)), background)
    assert "automobil" in similarity.expand("cars")
    assert "infarct" not in similarity.expand("heart")
    assert "coronari" not in similarity.expand("attack")
    with pytest.raises(ConfigError, match="senses"):
        SynonymSimilarity(Topic("t", keywords=(Keyword("car"),)), background, senses=0)


@pytest.mark.parametrize("text", ["", "the of and", "12 3 4", "\x00 \ud800 é" * 3])
def test_texts_without_terms_of_the_topic_have_0(text: str, lungs: ConceptGraph, background: Background) -> None:
    topic = asthma(lungs)
    for similarity in (
        CosineSimilarity(topic.vector(background), background),
        EhrigSimilarity.of_topic(topic),
        SsrmSimilarity.of_topic(topic, background),
        MihalceaSimilarity.of_topic(topic, background),
        SynonymSimilarity(topic, background),
    ):
        assert similarity.of_text(text) == similarity.of_page(Page(url="http://a.test/", pieces=(text,))) == 0
