"""What pages say themselves, recorded in the named graphs of their URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from tests.crawl.conftest import WORDS, html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from semcrawl.graph import CrawlGraph

SEED, OTHER = "http://a.test/", "http://a.test/other"
JSON_LD = (
    '<script type="application/ld+json">'
    '{"@context": "https://schema.org", "@type": "MedicalWebPage", "name": "Asthma",'
    ' "about": {"@type": "MedicalCondition", "name": "Asthma"}}</script>'
)
MICRODATA = '<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ann</b></p>'
LIE = f'<p about="{OTHER}" property="https://w3id.org/semcrawl/ns#relevance" content="1.0"></p>'


@pytest.fixture
def crawled(make_web: Callable[..., Path]) -> Iterator[Callable[..., CrawlGraph]]:
    """Crawl two pages, the first with these things in head and body; the crawl's graph."""
    crawls: list[Crawl] = []

    def crawl(head: str = "", body: str = "", **settings: Any) -> CrawlGraph:
        web = {SEED: html("Asthma", {OTHER: "asthma"}, body + WORDS, head), OTHER: html("Other", body=WORDS)}
        made = Crawl("wordnet:asthma", [SEED], replay=(str(make_web(web)),), **settings)
        crawls.append(made)
        made.run()
        return made.graph

    yield crawl
    for made in crawls:
        made.close()


def said(graph: CrawlGraph, url: str = SEED) -> list[tuple[str, str]]:
    rows = graph.query("own-statements", url=url)
    return sorted((row["property"].rpartition("/")[2], row["value"]) for row in rows)


def test_a_page_speaks_in_the_graph_of_its_url(crawled: Callable[..., CrawlGraph]) -> None:
    graph = crawled(JSON_LD, MICRODATA)
    assert ("name", "Ann") in said(graph)
    assert said(graph).count(("name", "Asthma")) == 2
    assert said(graph, OTHER) == []
    rows = graph.query("SELECT ?page ?n { ?page sc:statements ?n }")
    assert [tuple(row.values()) for row in rows] == [(SEED, len(said(graph)))]


def test_kinds_of_things_are_counted_by_pages(crawled: Callable[..., CrawlGraph]) -> None:
    rows = crawled(JSON_LD, MICRODATA + MICRODATA).query("own-types", min_relevance=0.0)
    assert [(row["type"].rpartition("/")[2], row["pages"], row["things"]) for row in rows] == [
        ("MedicalCondition", 1, 1),
        ("MedicalWebPage", 1, 1),
        ("Person", 1, 2),
    ]


def test_what_a_page_claims_is_not_what_the_crawl_found(crawled: Callable[..., CrawlGraph]) -> None:
    graph = crawled(body=LIE)
    assert [value for _, value in said(graph)] == ["1.0"]
    found = graph.query(f"SELECT ?r {{ <{OTHER}> sc:relevance ?r }}")
    assert [row["r"] < 1.0 for row in found] == [True]


def test_what_could_not_be_read_is_told(crawled: Callable[..., CrawlGraph]) -> None:
    graph = crawled('<script type="application/ld+json">{"name": </script>' + JSON_LD)
    problem = graph.query("SELECT ?why { ?page sc:statementProblem ?why }").value()
    assert "JSON-LD block 1 is not JSON" in problem
    assert ("name", "Asthma") in said(graph)


def test_statements_can_be_left_out(crawled: Callable[..., CrawlGraph]) -> None:
    graph = crawled(JSON_LD, linked_data="off")
    assert said(graph) == []
    assert not list(graph.query("SELECT ?n { ?page sc:statements ?n }"))
