from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import rdflib
from rdflib.namespace import DCTERMS, PROV, RDF

from semcrawl import Crawl
from semcrawl.crawl.explain import PageExplanation, explain_page, explanation_turtle
from semcrawl.graph import SC
from semcrawl.resources import ontologies_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NS = rdflib.Namespace(SC)
CRAWL = "https://w3id.org/semcrawl/crawl/1"
PAGE = "http://a.test/asthma?q=1&x=%22"


@pytest.fixture
def explained(tmp_path: Path) -> Callable[[str, str, str], PageExplanation]:
    """Crawl one page with a topic and a judge, and explain it."""

    def explain(topic: str, judge: str, text: str) -> PageExplanation:
        web = tmp_path / "web"
        web.mkdir()
        (web / "1.html").write_text(f"<title>Asthma</title><p>{text}", encoding="utf-8")
        (web / "urls.tsv").write_text(f"{PAGE}\t1.html\t200\ttext/html; charset=utf-8\n")
        with Crawl(topic, [PAGE], judge=judge, replay=[str(web)]) as crawl:
            crawl.run()
            return explain_page(crawl.graph, PAGE)

    return explain


def read(turtle: str) -> rdflib.Graph:
    return rdflib.Graph().parse(data=turtle, format="turtle")


TOPICS = [
    ("wordnet:asthma", "asthma attack, bronchitis"),
    (f"{ontologies_folder() / 'asthma.ttl'}#asthma", "Atopic asthma; airway diseases"),
    (f"taxonomy:{ontologies_folder() / 'kitchen-garden.txt'}#Legume", "Broad beans and legumes"),
    ("keywords:first aid", "first aid, and aids"),
]


@pytest.mark.parametrize(("topic", "text"), TOPICS, ids=["wordnet", "skos", "taxonomy", "words"])
@pytest.mark.parametrize("judge", ["ssrm", "ehrig", "cosine", "synonym-sets"])
def test_every_judgement_is_turtle_with_all_its_parts(
    explained: Callable[[str, str, str], PageExplanation], topic: str, text: str, judge: str
) -> None:
    found = explained(topic, judge, text)
    assert found.relevance > 0
    graph = read(explanation_turtle(found, CRAWL))
    [judgement] = graph.subjects(RDF.type, NS.Judgement)
    assert str(judgement) == f"{PAGE}#judgement"
    assert graph.value(judgement, PROV.wasDerivedFrom) == rdflib.URIRef(PAGE)
    assert graph.value(judgement, PROV.wasGeneratedBy) == rdflib.URIRef(CRAWL)
    assert str(graph.value(judgement, NS.judge)) == judge
    assert float(str(graph.value(judgement, NS.relevance))) == pytest.approx(found.relevance)
    matches = list(graph.objects(judgement, NS.match))
    assert len(matches) == len(found.explanation.matches) > 0


def test_the_score_can_be_recomputed_from_the_turtle(explained: Callable[[str, str, str], PageExplanation]) -> None:
    found = explained("wordnet:asthma", "ehrig", "asthma attack, bronchitis, asthma, asthma")
    graph = read(explanation_turtle(found, CRAWL))
    [judgement] = graph.subjects(RDF.type, NS.Judgement)
    total = sum(float(str(graph.value(match, NS.contribution))) for match in graph.objects(judgement, NS.match))
    for divisor in graph.objects(judgement, NS.dividedBy):
        assert graph.value(divisor, DCTERMS.title)
        total /= float(str(graph.value(divisor, NS.value)))
    assert str(graph.value(judgement, NS.squashed)) == "true"
    assert total / (1 + total) == pytest.approx(found.relevance, abs=1e-5)


def test_a_cosine_is_not_squashed(explained: Callable[[str, str, str], PageExplanation]) -> None:
    graph = read(explanation_turtle(explained("wordnet:asthma", "cosine", "Asthma"), CRAWL))
    assert list(graph.objects(None, NS.squashed)) == []


def test_concepts_are_iris_and_words_are_texts(explained: Callable[[str, str, str], PageExplanation]) -> None:
    graph = read(explanation_turtle(explained("wordnet:asthma", "ssrm", "Asthma"), CRAWL))
    [match] = graph.objects(None, NS.match)
    asthma = rdflib.URIRef("https://w3id.org/semcrawl/wordnet/asthma.n.01")
    assert graph.value(match, NS.concept) == graph.value(match, NS.topicConcept) == asthma
    assert [str(word) for word in graph.objects(match, NS.word)] == ["asthma"]
    assert int(str(graph.value(match, NS["count"]))) == 1


def test_every_name_is_in_the_vocabulary(explained: Callable[[str, str, str], PageExplanation]) -> None:
    written = explanation_turtle(explained("wordnet:asthma", "ssrm", "Asthma"), CRAWL)
    vocabulary = rdflib.Graph().parse(ontologies_folder() / "semcrawl.ttl")
    defined = {str(name).removeprefix(SC) for name in vocabulary.subjects()}
    used = set(re.findall(r"\bsc:(\w+)", written))
    assert {"Judgement", "match", "dividedBy", "contribution", "topicConcept"} <= used
    assert used <= defined


def test_words_of_the_web_are_escaped(explained: Callable[[str, str, str], PageExplanation]) -> None:
    found = explained("wordnet:asthma", "ssrm", "Asthma")
    [match] = found.explanation.matches
    odd = 'a" ] . <x> <y> <z> . "\\\n\x00'
    spoiled = replace(found.explanation, matches=(replace(match, words=(odd,)),))
    graph = read(explanation_turtle(replace(found, explanation=spoiled, judge=odd), CRAWL))
    assert rdflib.URIRef("y") not in set(graph.predicates())
    [word] = graph.objects(None, NS.word)
    assert str(word) == odd.replace("\x00", "\ufffd")


def test_nothing_found_is_a_judgement_too(explained: Callable[[str, str, str], PageExplanation]) -> None:
    graph = read(explanation_turtle(explained("wordnet:asthma", "ssrm", "Cars"), CRAWL))
    [judgement] = graph.subjects(RDF.type, NS.Judgement)
    assert float(str(graph.value(judgement, NS.score))) == 0
    assert list(graph.objects(judgement, NS.match)) == []
