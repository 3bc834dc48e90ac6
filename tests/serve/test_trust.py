"""The server never loads code that a crawl or a request names; a stranger's files need trust."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from semcrawl.crawl import Settings
from semcrawl.graph import CrawlGraph
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.conftest import Served

CODE = """
from pathlib import Path
from semcrawl.relevance import JUDGES
Path(__file__).with_name("code-ran").touch()
def Mine(topic, background):
    return JUDGES.create("cosine", topic=topic, background=background)
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A file with a judge, which leaves a mark when it is run."""
    path = tmp_path / "evil.py"
    path.write_text(CODE)
    return path


def copied(crawled: Path, folder: Path, **settings: object) -> Path:
    """A copy of the crawl, with other settings."""
    shutil.copytree(crawled, folder)
    with CrawlGraph.open(folder) as graph:
        before = Settings.from_json(graph.describe().settings)
        graph.note_start(before.changed(dict(settings)).to_json(), 0.1)
    return folder


def test_the_judge_of_a_crawl_is_not_loaded_from_a_file(crawled: Path, tmp_path: Path, code: Path) -> None:
    folder = copied(crawled, tmp_path / "strange", judge=f"{code}:Mine")
    with CrawlGraph.read(folder) as graph:
        url = next(iter(graph.query("best-pages", limit=1)))["url"]
    with running_server(folder, trust=True) as server:
        explained = server.client.get("/api/explain", params={"url": url})
        assert explained.status_code == 422
        assert "code in a file" in explained.json()["error"]
        asked = {"query": "SELECT (sc:similarity('asthma') AS ?s) {}"}
        assert server.client.get("/sparql", params=asked).status_code == 400
    assert not code.with_name("code-ran").exists()


def test_a_query_cannot_name_a_file_as_judge(served: Served, code: Path) -> None:
    for judge in (f"{code}:Mine", f"ssrm:measure={code}:M", "taxonomy:model=/etc/passwd"):
        asked = {"query": f"SELECT (sc:similarity('asthma', '{judge}') AS ?s) {{}}"}
        answer = served.client.get("/sparql", params=asked)
        assert (answer.status_code, "no file" in answer.text) == (400, True)
    assert not code.with_name("code-ran").exists()


def test_the_recorded_web_of_a_stranger_is_not_read_without_trust(crawled: Path, tmp_path: Path) -> None:
    folder = copied(crawled, tmp_path / "strange")
    with CrawlGraph.read(folder) as graph:
        url = next(iter(graph.query("best-pages", limit=1)))["url"]
    with running_server(folder) as server:
        answer = server.client.get("/api/explain", params={"url": url})
        assert (answer.status_code, "--trust" in answer.text) == (422, True)
