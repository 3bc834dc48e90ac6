"""The graph of ``web.ttl``, and how to ask it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest

from semcrawl.graph import CrawlGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ask = Callable[..., list[tuple[Any, ...]]]

SHORT = {
    "http://": "",
    "urn:semcrawl:site:": "",
    "urn:concept:": "",
    "https://w3id.org/semcrawl/ns#": "sc:",
    ".test/": ":",
    ".test": "",
}


@pytest.fixture
def graph() -> Iterator[CrawlGraph]:
    with CrawlGraph.create() as graph:
        web = Path(__file__).with_name("web.ttl")
        graph.store.raw.load(path=str(web), format=ox.RdfFormat.TURTLE)
        yield graph


@pytest.fixture
def ask(graph: CrawlGraph) -> Ask:
    """Ask a named query; its rows, with the names of ``web.ttl`` and numbers of three places."""

    def rows(name: str, *columns: str, **parameters: object) -> list[tuple[Any, ...]]:
        answer = graph.query(name, **parameters)
        wanted = columns or answer.variables
        return [tuple(readable(row[column]) for column in wanted) for row in answer]

    return rows


def readable(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3)
    if not isinstance(value, str):
        return value
    for long, short in SHORT.items():
        value = value.replace(long, short)
    return value
