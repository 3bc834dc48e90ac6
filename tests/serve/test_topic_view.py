"""The topic: its tree, with the pages of each concept."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from semcrawl.graph import CrawlGraph
from semcrawl.serve.topic_view import TopicView
from semcrawl.serve.worker import ServedGraph
from semcrawl.topics.sources import iri_reference

if TYPE_CHECKING:
    from tests.serve.conftest import Served


def test_the_topic_has_its_concepts_with_weights_and_pages(served: Served) -> None:
    topic = served.client.get("/api/topic").json()
    concepts = {concept["id"]: concept for concept in topic["concepts"]}
    with CrawlGraph.read(served.folder) as graph:
        counted = Counter(row["c"] for row in graph.query("SELECT ?c { ?p sc:bestConcept ?c }"))
        wanted = {row["c"] for row in graph.query("SELECT ?c { ?t a sc:Topic ; sc:concept ?c }")}
        assert topic["name"] == graph.describe().name
    assert {name: one["pages"] for name, one in concepts.items() if one["pages"]} == counted
    assert {name for name, one in concepts.items() if one["weight"] is not None} == wanted
    covered = sum(one["relevant"] > 0 for one in concepts.values())
    assert topic["coverage"]["covered"] == covered
    best = next(one["best"] for one in concepts.values() if one["pages"])
    page = served.client.get("/api/page", params={"url": best["url"]}).json()
    assert page["relevance"] == best["relevance"]


def test_every_parent_is_there_and_the_tree_has_no_circle(served: Served) -> None:
    concepts = served.client.get("/api/topic").json()["concepts"]
    parents = {concept["id"]: concept["parent"] for concept in concepts}
    assert len(parents) == len(concepts)
    for concept in parents:
        step, seen = concept, set()
        while step is not None:
            assert step not in seen
            seen.add(step)
            step = parents[step]


def test_concepts_that_are_near_the_topic_and_not_below_it_come_last() -> None:
    with ServedGraph.create() as graph:
        graph.store.update(
            "INSERT DATA { <urn:c> a sc:Crawl ; sc:topic <urn:t> ; dcterms:title 'x' ; "
            "sc:topicFile '' ; sc:settings '{}' ; sc:threshold 0.5 ; prov:startedAtTime "
            "'2026-11-16T00:00:00Z'^^xsd:dateTime . <urn:t> sc:concept <urn:m> . "
            "<urn:a> a skos:Concept ; skos:prefLabel 'near' . <urn:m> a skos:Concept . "
            "<urn:n> a skos:Concept ; skos:broader <urn:m> }"
        )
        assert [concept.id for concept in TopicView().do(graph).concepts] == ["urn:m", "urn:n", "urn:a"]


def test_concepts_that_are_broader_than_each_other_become_roots() -> None:
    with ServedGraph.create() as graph:
        graph.store.update(
            "INSERT DATA { <urn:c> a sc:Crawl ; sc:topic <urn:t> ; dcterms:title 'x' ; "
            "sc:topicFile '' ; sc:settings '{}' ; sc:threshold 0.5 ; prov:startedAtTime "
            "'2026-11-16T00:00:00Z'^^xsd:dateTime . <urn:t> sc:interest <urn:i> . "
            "<urn:i> sc:keyword 'wheeze' ; sc:weight 0.25 . "
            "<urn:a> a skos:Concept ; skos:broader <urn:b> . "
            "<urn:b> a skos:Concept ; skos:broader <urn:a> . "
            "<urn:d> a skos:Concept ; skos:broader <urn:a> ; skos:prefLabel 'd' }"
        )
        topic = msgspec.to_builtins(TopicView().do(graph))
    assert topic["keywords"] == [{"text": "wheeze", "weight": 0.25}]
    parents = {concept["id"]: concept["parent"] for concept in topic["concepts"]}
    assert parents == {"urn:a": None, "urn:b": None, "urn:d": "urn:a"}


def test_other_weights_are_tried_on_the_pages_by_who_has_the_token(served: Served) -> None:
    concepts = served.client.get("/api/topic").json()["concepts"]
    [root] = [one["id"] for one in concepts if one["weight"] is not None]
    below = max((one for one in concepts if one["id"] != root), key=lambda one: one["relevant"])
    body = {"weights": {root: 0, below["id"]: 1}}
    assert served.client.post("/api/try-weights", json=body).status_code == 401
    tried = served.client.post("/api/try-weights", json=body, headers=served.authorised).json()
    assert tried["pages"] == tried["read"] > 0
    lost = [page for page in tried["moved"] if page["after"] < tried["threshold"] <= page["before"]]
    assert 0 < len(lost) == len(tried["moved"])
    assert below["best"]["url"] not in {page["url"] for page in lost}
    assert f'"{iri_reference(below["id"])}" = 1.0' in tried["topic"]
    bad = {"weights": {"urn:nowhere": 1}}
    answer = served.client.post("/api/try-weights", json=bad, headers=served.authorised)
    assert (answer.status_code, "no concept of the topic" in answer.json()["error"]) == (422, True)
