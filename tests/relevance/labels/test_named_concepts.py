"""Pages that name a concept of the topic by its IRI, in RDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from semcrawl.page import Page, read_html
from semcrawl.relevance.label_similarity import LabelSimilarity
from semcrawl.topics import Topic

CONCEPTS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://voc.test/> .
:lung a skos:Concept ; skos:prefLabel "lung disease"@en ; skos:narrower :c17 .
:c17 a skos:Concept ; skos:prefLabel "quotidian wheeze"@en ; skos:broader :lung .
:c99 a skos:Concept ; skos:prefLabel "cooking"@en .
"""


@pytest.fixture
def similarity(tmp_path: Path) -> LabelSimilarity:
    file = tmp_path / "concepts.ttl"
    file.write_text(CONCEPTS)
    return LabelSimilarity.of_topic(Topic.parse(f"{file}#lung"))


def page(*statements: str) -> Page:
    links = "".join(f'<link property="{name}" href="{iri}">' for name, iri in
                    (one.split() for one in statements))  # fmt: skip
    return read_html(f"<title>Notes</title>{links}<p>Ordinary words only.", "http://a.test/")


@pytest.mark.parametrize("name", ["dcterms:subject", "http://schema.org/about", "foaf:topic", "rdf:type", "owl:sameAs"])
def test_a_page_about_a_narrower_concept_counts_as_if_its_title_were_its_label(
    similarity: LabelSimilarity, name: str
) -> None:
    said = similarity.of_page(page(f"{name} http://voc.test/c17"))
    titled = read_html("<title>Quotidian wheeze</title><p>Ordinary words only.", "http://a.test/")
    assert similarity.of_page(page()) == 0.0
    assert said == pytest.approx(similarity.of_page(titled), abs=0.05)


def test_other_concepts_and_other_relations_say_nothing(similarity: LabelSimilarity) -> None:
    other = page("dcterms:subject http://voc.test/c99", "dcterms:creator http://voc.test/c17")
    assert similarity.of_page(other) == 0.0


def test_an_explanation_names_the_place_and_is_exact(similarity: LabelSimilarity) -> None:
    about = page("dcterms:subject http://voc.test/c17")
    explanation = similarity.explain_page(about)
    assert [match.place for match in explanation.matches] == ["statements"]
    assert explanation.score == pytest.approx(similarity.of_page(about))


def test_nobody_is_believed_to_name_senses_of_wordnet() -> None:
    similarity = LabelSimilarity.of_topic(Topic.parse("wordnet:asthma"))
    about = page("dcterms:subject https://w3id.org/semcrawl/wordnet/asthma.n.01")
    assert similarity.of_page(about) == 0.0
