"""A crawl that is shown from a SPARQL server, and not from its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph import CrawlGraph
from semcrawl.graph.send import send
from tests.serve.conftest import Served, running_server, until

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_views_and_queries_are_those_of_the_folder(
    sparql_server: str, crawled: Path, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with CrawlGraph.read(crawled) as graph:
        send(graph, f"{sparql_server}/update")
    question = "SELECT ?page ?step WHERE { ?page sc:step ?step } ORDER BY ?step LIMIT 5"
    with running_server(tmp_path / "server", endpoint=f"{sparql_server}/query") as there:
        until(lambda: bool(there.client.get("/api/crawl").json()["progress"]["waiting"]))
        for path in ("/api/pages", "/api/waiting", "/api/sites", "/api/page-graph"):
            assert there.client.get(path).json() == served.client.get(path).json()
        ours, theirs = (one.client.get("/sparql", params={"query": question}) for one in (served, there))
        assert theirs.json() == ours.json()
        named = {"query": "ASK { ?s ?p ?o }", "default-graph-uri": "urn:none"}
        assert there.client.get("/sparql", params=named).json()["boolean"] is False
        page = ours.json()["results"]["bindings"][0]["page"]["value"]
        marked = there.client.post("/api/mark", json={"url": page, "mark": True}, headers=there.authorised)
        assert marked.is_error
