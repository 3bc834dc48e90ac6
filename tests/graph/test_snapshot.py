"""Asking a running crawl for a snapshot when it is just about to end."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshots import is_locked

if TYPE_CHECKING:
    from pathlib import Path


def test_a_reader_that_waits_when_the_crawl_ends_reads_its_own_graph(tmp_path: Path) -> None:
    writer = CrawlGraph.create(tmp_path / "crawl")
    assert is_locked(tmp_path / "crawl")
    waiting = threading.Event()

    def end() -> None:
        # The crawl no longer looks for notes once it is about to end.
        while not list((tmp_path / "crawl").glob("snapshots/*.wanted")):
            waiting.wait(0.01)
        writer.close()

    ending = threading.Thread(target=end)
    ending.start()
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        ending.join()
        assert not graph.is_snapshot
        assert not list((tmp_path / "crawl" / "snapshots").iterdir())
    assert not is_locked(tmp_path / "crawl")
