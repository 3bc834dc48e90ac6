"""Titles without end: the graph keeps them, the server sends their beginning."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from semcrawl.graph import CrawlGraph
from semcrawl.serve.rows import LONGEST_TITLE
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.conftest import Served

_LONG = "word " * 2_000


@pytest.fixture(scope="module")
def long_titled(tmp_path_factory: pytest.TempPathFactory, crawled: Path) -> Iterator[Served]:
    """A server over a crawl whose pages all have a title of ten thousand characters."""
    folder = tmp_path_factory.mktemp("titles") / "copy"
    shutil.copytree(crawled, folder, ignore=shutil.ignore_patterns("snapshots"))
    with CrawlGraph.open(folder) as graph:
        graph.store.update(
            "DELETE { ?url dcterms:title ?old } "
            f"INSERT {{ ?url dcterms:title '{_LONG}' }} "
            "WHERE { ?url sc:relevance ?any OPTIONAL { ?url dcterms:title ?old } }"
        )
    with running_server(folder) as served:
        yield served


def _titles(data: object) -> Iterator[str]:
    """All titles and labels in an answer, however deep."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name in ("title", "label") and isinstance(value, str):
                yield value
            else:
                yield from _titles(value)
    elif isinstance(data, list):
        for one in data:
            yield from _titles(one)


@pytest.mark.parametrize("path", ["/api/pages", "/api/page?step=5", "/api/monitor", "/api/neighbourhood?url={url}"])
def test_a_title_is_cut_wherever_it_is_sent(long_titled: Served, path: str) -> None:
    url = long_titled.client.get("/api/page?step=5").json()["url"]
    answer = long_titled.client.get(path.format(url=url))
    assert answer.status_code == 200
    titles = [title for title in _titles(answer.json()) if title.startswith("word")]
    assert titles
    assert max(map(len, titles)) <= LONGEST_TITLE
    assert all(title.endswith("…") for title in titles)


def test_a_query_gets_the_title_as_the_graph_has_it(long_titled: Served) -> None:
    question = {"text": "SELECT ?t { ?u sc:step 5 ; dcterms:title ?t }"}
    answer = long_titled.client.post("/api/query", json=question).json()
    assert answer["rows"][0][0]["value"] == _LONG
