"""After kills of workers and of the driver at any moment, no page and no link is lost."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from semcrawl.crawl import CrawlStopped, CrawlWarned, PageVisited, StopReason
from semcrawl.crawl.shards.beginning import reopen_shards
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import LocalHost
from tests.crawl.shards.hosts import in_processes
from tests.crawl.shards.test_sharded_crawl import begin
from tests.crawl.shards.webs import PAGES, outboxes, recorded, url, write_web
from tests.started import Started


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("kills") / "web")


def test_killed_workers_cost_nothing(web: Path, tmp_path: Path) -> None:
    crawl = in_processes(begin(web, tmp_path / "crawl"))
    chance, kills, seen = random.Random(3), 0, 0
    for event in crawl.visits():
        seen += isinstance(event, PageVisited)
        if seen >= 10 * (kills + 1) and kills < 5:
            kills += 1
            os.kill(_pid(crawl, chance.randrange(2)), signal.SIGKILL)
    assert isinstance(event, CrawlStopped)
    assert event.reason is StopReason.FRONTIER_EMPTY
    assert kills == 5
    assert len(recorded(tmp_path / "crawl")) == PAGES == event.progress.pages
    assert outboxes(tmp_path / "crawl") == 0


def _pid(crawl: ShardedCrawl, number: int) -> int:
    link = crawl._hosts[number].link
    assert isinstance(link, LocalHost)
    return link.process_id


DRIVER = """
import sys
from semcrawl.crawl.events import PageVisited
from semcrawl.crawl.shards.beginning import reopen_shards
from tests.crawl.shards.hosts import in_processes
for event in in_processes(reopen_shards(sys.argv[1])).visits():
    if isinstance(event, PageVisited):
        print(event.url, flush=True)
"""


@pytest.mark.parametrize("after", [1, 13, 29])
def test_a_killed_driver_can_be_followed_by_another(web: Path, tmp_path: Path, after: int) -> None:
    folder = tmp_path / "crawl"
    begin(web, folder)
    driver = Started(DRIVER, folder)
    told = []
    for line in driver.stdout or ():
        told.append(line.strip())
        if len(told) == after:
            os.kill(driver.pid, signal.SIGKILL)
    driver.wait(timeout=120)
    events = list(in_processes(reopen_shards(folder)).visits())
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.FRONTIER_EMPTY
    again = {event.url for event in events if isinstance(event, PageVisited)}
    assert len(told) >= after
    assert not again & set(told)
    assert len(recorded(folder)) == PAGES
    assert outboxes(folder) == 0


def test_a_shard_that_cannot_be_opened_holds_up_no_other(web: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl")
    crawl = in_processes(begun)
    number = (begun.folder.owner(url(0)) + 1) % 3
    broken = begun.folder.shard(number) / "graph"
    broken.rename(tmp_path / "graph")
    seen = 0
    for event in crawl.visits():
        seen += isinstance(event, PageVisited)
        is_told = isinstance(event, CrawlWarned) and f"shard {number} failed" in event.note
        if is_told and seen and not broken.exists():
            (tmp_path / "graph").rename(broken)
    assert isinstance(event, CrawlStopped)
    assert event.reason is StopReason.FRONTIER_EMPTY
    assert len(recorded(tmp_path / "crawl")) == PAGES
