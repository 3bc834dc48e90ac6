"""Data that declares no classes, read with properties that a person names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import ConceptGraph, Topic
from semcrawl.topics.vocabularies import PROFILES, parse_roles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WIKIDATA = """@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
wd:Q35869 rdfs:label "asthma"@en , "Asthma"@de ; skos:altLabel "bronchial asthma"@en ;
    schema:description "a disease"@en ; wdt:P279 wd:Q3286546 ; wdt:P2579 wd:Q188504 .
wd:Q3286546 rdfs:label "respiratory disease"@en ; wdt:P31 wd:Q12136 .
wd:Q12136 rdfs:label "disease"@en .
wd:Q188504 rdfs:label "pulmonology"@en .
"""
DBPEDIA = """<http://dbpedia.org/resource/Asthma> a <http://dbpedia.org/ontology/Disease> ;
    <http://purl.org/dc/terms/subject> <http://dbpedia.org/resource/Category:Lung_diseases> ;
    <http://xmlns.com/foaf/0.1/name> "Bronchial asthma"@en ;
    <http://www.w3.org/2000/01/rdf-schema#label> "Asthma"@en .
"""
OWN = """@prefix my: <http://example.org/my#> .
my:a my:kindOf my:b ; my:term "apple" ; my:near my:c . my:b my:term "fruit" . my:c my:term "tree" .
"""


def only(spec: str) -> tuple[str, ConceptGraph]:
    [concept] = Topic.parse(spec).concepts
    return concept.id, concept.graph


def test_wikidata(tmp_path: Path) -> None:
    (tmp_path / "dump.ttl").write_text(WIKIDATA)
    concept, graph = only(f"{tmp_path}/dump.ttl?profile=wikidata#bronchial asthma")
    assert concept.endswith("Q35869")
    assert list(map(graph.label, graph.ancestors(concept))) == ["asthma", "respiratory disease", "disease"]
    assert [(name, graph.label(to)) for name, to in graph.relations(concept)] == [("related", "pulmonology")]


def test_dbpedia(tmp_path: Path) -> None:
    (tmp_path / "dump.ttl").write_text(DBPEDIA)
    concept, graph = only(f"{tmp_path}/dump.ttl?profile=dbpedia#bronchial asthma")
    assert sorted(map(graph.label, graph.broader(concept))) == ["Category:Lung diseases", "Disease"]


@pytest.mark.parametrize("start", ["http://example.org/my%23", ""])
def test_properties_are_named_by_iri_or_last_part(tmp_path: Path, start: str) -> None:
    (tmp_path / "own.ttl").write_text(OWN)
    options = f"isa={start}kindOf&label={start}term&related={start}near"
    concept, graph = only(f"{tmp_path}/own.ttl?{options}#apple")
    assert [graph.label(one) for one in graph.broader(concept)] == ["fruit"]
    assert [(name, graph.label(to)) for name, to in graph.relations(concept)] == [("related", "tree")]


def test_a_topic_keeps_the_options_of_its_source(tmp_path: Path) -> None:
    (tmp_path / "dump.ttl").write_text(WIKIDATA)
    for options in ("profile=wikidata", "isa=wdt:P279&label=schema:description"):
        topic = Topic.parse(f"{tmp_path}/dump.ttl?{options}#asthma")
        assert Topic.from_toml(topic.to_toml()) == topic
        assert Topic.from_turtle(topic.to_turtle()) == topic
    assert "?profile=wikidata#" in Topic.parse(f"{tmp_path}/dump.ttl?profile=wikidata#asthma").to_toml()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("isa", "ex:broader"), "prefix of 'ex:broader' is not known; write the whole IRI"),
        (("isa", ""), "a property is missing"),
        (("profile", "freebase"), "no profile 'freebase'; the profiles are wikidata, dbpedia"),
    ],
)
def test_wrong_options_are_refused(option: tuple[str, str], message: str) -> None:
    with pytest.raises(TopicError, match=message):
        parse_roles([option])


def test_without_a_profile_the_advice_is_to_name_one(ontology: Callable[..., Path]) -> None:
    with pytest.raises(TopicError, match=r"holds no concepts.*\?isa=PROPERTY"):
        Topic.parse(f"{ontology(OWN, 'own.nt.ttl')}#apple")
    assert parse_roles([("profile", "wikidata")]) == PROFILES["wikidata"]
