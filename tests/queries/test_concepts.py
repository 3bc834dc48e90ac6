"""Concepts: census, coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from tests.queries.conftest import Ask


def test_the_census_counts_pages_by_their_best_concept(ask: Ask) -> None:
    assert ask("census") == [
        ("asthma", "asthma", 3, 3, 0.733),
        ("car", "car", 2, 0, 0.005),
        ("inhaler", "inhaler", 2, 2, 0.45),
    ]


def test_a_concept_without_a_label_is_named_by_the_end_of_its_iri(ask: Ask, graph: CrawlGraph) -> None:
    graph.store.update(
        "INSERT DATA { <http://a.test/9> sc:bestConcept <https://a.test/wheezy.s.01> ; sc:relevance 0.5 ."
        "<http://a.test/8> sc:bestConcept <https://a.test/names#rattle/> ; sc:relevance 0.5 }"
    )
    assert {"wheezy.s.01", "rattle"} <= {label for _, label, *_ in ask("census")}


def test_the_census_goes_up_to_the_roots(ask: Ask) -> None:
    assert ask("census-with-narrower", "concept", "pages", "relevant") == [
        ("asthma", 5, 5),
        ("lung-disease", 5, 5),
        ("car", 2, 0),
        ("inhaler", 2, 2),
        ("vehicle", 2, 0),
    ]


def test_a_concept_that_is_narrower_by_two_ways_counts_once(ask: Ask, graph: CrawlGraph) -> None:
    graph.store.update("INSERT DATA { <urn:concept:inhaler> skos:broader <urn:concept:copd> }")
    counted: dict[str, int] = dict(ask("census-with-narrower", "concept", "pages"))
    assert (counted["lung-disease"], counted["copd"]) == (5, 2)


def test_coverage_lists_the_concepts_of_the_topic_the_missing_first(ask: Ask) -> None:
    assert ask("coverage") == [
        # concept, label, pages, relevant, relevant with narrower
        ("copd", "COPD", 0, 0, 0),
        ("lung-disease", "lung disease", 0, 0, 5),
        ("inhaler", "inhaler", 2, 2, 2),
        ("asthma", "asthma", 3, 3, 5),
    ]


def test_coverage_can_list_only_what_is_missing(ask: Ask) -> None:
    assert ask("coverage", "concept", at_most=0) == [("copd",), ("lung-disease",)]


@pytest.mark.parametrize(
    "statement",
    [
        "<urn:concept:vehicle> sc:good true",
        "<urn:topic> sc:interest [ sc:concept <urn:concept:vehicle> ; sc:weight 0.5 ]",
    ],
)
def test_good_categories_and_weighted_interests_are_covered_too(ask: Ask, graph: CrawlGraph, statement: str) -> None:
    graph.store.update(f"INSERT DATA {{ {statement} }}")
    covered = ask("coverage", "concept", "pages", "relevant", at_most=0)
    assert set(covered) == {("copd", 0, 0), ("lung-disease", 0, 0), ("vehicle", 0, 0), ("car", 2, 0)}
