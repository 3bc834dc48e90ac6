from __future__ import annotations

from typing import TYPE_CHECKING

import networkx

from semcrawl.graph import export
from tests.graph.export.conftest import RELEVANT

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl import Crawl


def test_pages_are_nodes_and_links_are_edges(crawl: Crawl, tmp_path: Path) -> None:
    assert export(crawl.graph, tmp_path / "a.graphml") == 3
    graph = networkx.read_graphml(tmp_path / "a.graphml")
    assert graph.is_directed()
    assert set(graph) == RELEVANT
    assert set(graph.edges) == {
        ("http://a.test/", "http://a.test/asthma"),
        ("http://a.test/", "http://a.test/q"),
        ("http://a.test/asthma", "http://a.test/q"),
        ("http://a.test/q", "http://a.test/asthma"),
    }


def test_a_node_has_what_is_known_of_its_page(crawl: Crawl, tmp_path: Path) -> None:
    export(crawl.graph, tmp_path / "a.graphml")
    graph = networkx.read_graphml(tmp_path / "a.graphml")
    asthma = graph.nodes["http://a.test/asthma"]
    assert asthma["title"] == 'Asthma, "wheeze" & <cough>'
    assert 0.05 <= asthma["relevance"] <= 1
    assert asthma["depth"] == 1
    assert asthma["found_on"] == "http://a.test/"
    # The seed has neither a title nor a page that it was found on.
    assert "title" not in graph.nodes["http://a.test/"]
    assert "found_on" not in graph.nodes["http://a.test/"]


def test_what_xml_cannot_hold_is_left_out(crawl: Crawl, tmp_path: Path) -> None:
    export(crawl.graph, tmp_path / "a.graphml")
    title = networkx.read_graphml(tmp_path / "a.graphml").nodes["http://a.test/q"]["title"]
    assert title.startswith("喘息")
    assert title.endswith("end")
    assert not {"\x0b", "\x1b", "\ufffe"} & set(title)


def test_links_to_pages_that_are_not_listed_make_no_nodes(crawl: Crawl) -> None:
    assert set(crawl.graph.networkx(0.05)) == RELEVANT
