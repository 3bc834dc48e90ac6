"""A small web written down as a crawl graph."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from semcrawl.graph import Changes, CrawlGraph, FoundUrl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Make = Callable[..., CrawlGraph]


def write_web(graph: CrawlGraph, relevance: Mapping[str, float], links: Iterable[tuple[str, str]]) -> None:
    """Record visited pages with their relevance, and the links between them, as a crawl does."""
    out: dict[str, list[str]] = {url: [] for url in relevance}
    for source, target in links:
        out[source].append(target)
    changes = Changes()
    graph.begin(changes, title="asthma", topic_file="", topic_turtle="", settings="{}", threshold=0.05, started_at=0.0)
    for step, (url, score) in enumerate(relevance.items(), start=1):
        entry = FoundUrl(url, urlsplit(url).netloc, 0.5, step, 0)
        changes.found(entry)
        changes.left_frontier(entry)
        title = f"Page {step}"
        changes.visited(url, step=step, relevance=score, title=title, links=out[url])
    graph.apply(changes)


@pytest.fixture
def make() -> Make:
    """Make the graph of a crawl in memory, of pages with their relevance and links."""

    def make_graph(relevance: Mapping[str, float], links: Iterable[tuple[str, str]] = ()) -> CrawlGraph:
        graph = CrawlGraph.create()
        write_web(graph, relevance, links)
        return graph

    return make_graph
