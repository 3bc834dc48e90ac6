from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import QueryError
from semcrawl.graph import SC, CrawlGraph
from semcrawl.steering import Distillation, distill, record
from tests.steering.distiller.conftest import write_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"
SCORES = {"hubScore", "authorityScore", "pageRank", "inDegree", "distilledAtStep"}

FOUND = Distillation("hits", hubs={A: 0.75, B: 0.25}, authorities={C: 1.0}, pages=3, step=3)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[CrawlGraph]:
    """A crawl on disk of three pages."""
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        write_web(graph, {A: 0.5, B: 0.4, C: 0.9}, [(A, C), (B, C), (C, A)])
        yield graph


def scores(graph: CrawlGraph, name: str) -> dict[str, object]:
    answer = graph.query(f"SELECT ?s ?score {{ ?s sc:{name} ?score }}")
    return {row["s"]: row["score"] for row in answer}


def all_else(graph: CrawlGraph) -> set[str]:
    return {str(quad) for quad in graph.store.quads() if quad.predicate.value.removeprefix(SC) not in SCORES}


def test_scores_become_triples_and_nothing_else_changes(graph: CrawlGraph) -> None:
    before = all_else(graph)
    assert record(graph, FOUND) == 3
    assert scores(graph, "hubScore") == {A: 0.75, B: 0.25}
    assert scores(graph, "authorityScore") == {C: 1.0}
    assert scores(graph, "distilledAtStep") == {graph.describe().id: 3}
    assert all_else(graph) == before


def test_what_is_read_back_is_what_was_computed(graph: CrawlGraph) -> None:
    found = distill(graph, share=0.3)
    record(graph, found)
    assert scores(graph, "hubScore") == found.hubs
    assert found.hubs[A] == pytest.approx(5 / 9)
    kinds = graph.query("SELECT DISTINCT ?kind { ?s sc:hubScore ?o BIND(DATATYPE(?o) AS ?kind) }")
    assert [row["kind"].rpartition("#")[2] for row in kinds] == ["double"]


def test_a_later_distillation_takes_the_place_of_an_earlier_one(graph: CrawlGraph) -> None:
    record(graph, FOUND)
    record(graph, Distillation("hits", hubs={B: 1.0}, authorities={A: 0.5, C: 0.5}, step=9))
    assert scores(graph, "hubScore") == {B: 1.0}
    assert scores(graph, "authorityScore") == {A: 0.5, C: 0.5}
    assert list(scores(graph, "distilledAtStep").values()) == [9]


def test_an_empty_distillation_takes_the_old_scores_away(graph: CrawlGraph) -> None:
    record(graph, FOUND)
    assert record(graph, Distillation("hits", step=4)) == 0
    assert scores(graph, "hubScore") == scores(graph, "authorityScore") == {}
    assert list(scores(graph, "distilledAtStep").values()) == [4]


@pytest.mark.parametrize(("best", "hubs"), [(1, {A: 0.75}), (2, {A: 0.75, B: 0.25}), (0, {A: 0.75, B: 0.25})])
def test_only_the_best_are_kept(graph: CrawlGraph, best: int, hubs: dict[str, float]) -> None:
    record(graph, FOUND, best)
    assert scores(graph, "hubScore") == hubs


def test_every_method_has_properties_of_its_own(graph: CrawlGraph) -> None:
    record(graph, FOUND)
    record(graph, Distillation("pagerank", authorities={A: 0.5, B: 1e-20}, step=7))
    record(graph, distill(graph, "in-degree"))
    assert scores(graph, "pageRank") == {A: 0.5, B: 1e-20}
    assert scores(graph, "inDegree") == {C: 2, A: 1}
    assert scores(graph, "hubScore") == {A: 0.75, B: 0.25}
    # How fresh hubs and authorities are is not for the others to say.
    assert list(scores(graph, "distilledAtStep").values()) == [3]


def test_the_best_are_found_by_name(graph: CrawlGraph) -> None:
    record(graph, FOUND)
    [hub] = graph.query("best-hubs", limit=1)
    assert hub == {"url": A, "title": "Page 1", "score": 0.75}
    [authority] = graph.query("best-authorities")
    assert authority == {"url": C, "title": "Page 3", "score": 1.0}


def test_nothing_is_written_where_something_is_wrong(graph: CrawlGraph) -> None:
    record(graph, FOUND)
    with pytest.raises(QueryError, match="is no IRI"):
        record(graph, Distillation("hits", hubs={"http://x.test/> . <b:b": 1.0}))
    assert scores(graph, "hubScore") == {A: 0.75, B: 0.25}
