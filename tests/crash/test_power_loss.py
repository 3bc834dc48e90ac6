"""What a loss of power can cost: the pages since the last time that the files were synced."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl import Crawl
from semcrawl.crawl import PageVisited
from semcrawl.crawl.kind import SYNC_EVERY
from semcrawl.demo.web import demo_web
from semcrawl.web import ReplayServer

if TYPE_CHECKING:
    import pytest


def test_the_log_of_the_store_is_synced_every_few_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    sync = os.fsync

    def noted(number: int) -> None:
        synced.append(Path(f"/dev/fd/{number}").resolve().name)
        sync(number)

    monkeypatch.setattr(os, "fsync", noted)
    web = demo_web()
    with (
        ReplayServer(web.replay(), answers=web.respond) as server,
        Crawl(
            web.main_topic.spec, web.seeds, tmp_path / "crawl", proxy=server.proxy, delay=0, pages=35, strategy="dom"
        ) as crawl,
    ):
        steps = [
            (event.step, len([name for name in synced if name.endswith(".log")]))
            for event in crawl.visits()
            if isinstance(event, PageVisited)
        ]
    assert len(steps) == 35
    assert all(times >= step // SYNC_EVERY for step, times in steps)
