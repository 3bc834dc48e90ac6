"""A paused crawl starts no visits, answers readers, and time does not count for it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl.progress import Progress
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.demo import demo_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=[Crawl, SiteCrawl], ids=["pages", "sites"])
def crawl(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Crawl | SiteCrawl]:
    """A crawl of either kind over the demo web, in a folder."""
    web = demo_web()
    with request.param(web.main_topic.spec, web.seeds, tmp_path / "crawl", fetcher=web.replay(), pages=10) as made:
        yield made


def test_a_paused_crawl_visits_nothing_until_it_goes_on(crawl: Crawl | SiteCrawl) -> None:
    crawl.pause()
    thread = threading.Thread(target=crawl.run)
    thread.start()
    try:
        folder = crawl.graph.folder
        assert folder is not None
        with CrawlGraph.read(folder) as graph:  # it answers readers
            assert graph.is_snapshot
            assert not graph.query("analyse/harvest")
        assert (crawl.is_paused, crawl.progress.pages) == (True, 0)
        assert crawl.progress.held_since is not None
    finally:
        crawl.unpause()
        thread.join(60)
    assert not crawl.is_paused
    assert crawl.progress.pages == 10


def test_a_paused_crawl_can_be_stopped(crawl: Crawl | SiteCrawl) -> None:
    crawl.pause()
    thread = threading.Thread(target=crawl.run)
    thread.start()
    crawl.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert crawl.progress.pages == 0


def test_a_crawl_can_be_paused_between_pages_and_loses_nothing(web_folder: str) -> None:
    web, recorded = demo_web(), (web_folder,)
    with Crawl(web.main_topic.spec, web.seeds, replay=recorded, pages=30) as undisturbed:
        undisturbed.run()
        expected = [row["url"] for row in undisturbed.query("analyse/harvest")]
    with Crawl(web.main_topic.spec, web.seeds, replay=recorded, pages=30) as crawl:

        def now_and_then(_event: object) -> None:
            if crawl.progress.pages % 10 == 5:
                crawl.pause()
                threading.Timer(0.05, crawl.unpause).start()

        crawl.run(now_and_then)
        assert [row["url"] for row in crawl.query("analyse/harvest")] == expected


def test_the_clock_stands_while_it_is_held() -> None:
    progress = Progress(started=time.monotonic() - 100)
    progress.hold_clock()
    progress.held_since = time.monotonic() - 60
    progress.hold_clock()  # already held
    assert 40 <= progress.seconds < 50
    progress.go_on()
    progress.go_on()
    assert 40 <= progress.seconds < 50
