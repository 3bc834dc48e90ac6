"""After kills of workers and of the driver at any moment, no page and no link is lost."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl.crawl import CrawlStopped, CrawlWarned, PageVisited, StopReason
from semcrawl.crawl.shards import driver
from semcrawl.crawl.shards.beginning import reopen_shards
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import LocalHost
from semcrawl.crawl.shards.messages import Orders, ShardReport
from tests.crawl.shards.hosts import in_processes
from tests.crawl.shards.test_sharded_crawl import begin
from tests.crawl.shards.webs import PAGES, outboxes, recorded, url, write_web
from tests.started import Started

if TYPE_CHECKING:
    from concurrent.futures import Future


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
    told = []
    with Started(DRIVER, folder) as started:
        for line in started.stdout or ():
            told.append(line.strip())
            if len(told) == after:
                os.kill(started.pid, signal.SIGKILL)
    events = list(in_processes(reopen_shards(folder)).visits())
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.FRONTIER_EMPTY
    again = {event.url for event in events if isinstance(event, PageVisited)}
    assert len(told) >= after
    assert not again & set(told)
    assert len(recorded(folder)) == PAGES
    assert outboxes(folder) == 0


def test_a_worker_that_hangs_is_begun_anew(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = in_processes(begin(web, tmp_path / "crawl"))
    seen, told = 0, list[str]()

    def turn_of_one_that_hangs(link: LocalHost, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        os.kill(link.process_id, signal.SIGSTOP)
        monkeypatch.setattr(driver, "_HANGS", 0.5)
        return LocalHost.turn(link, orders)

    for event in crawl.visits():
        seen += isinstance(event, PageVisited)
        if seen == 10 and not told:
            link = crawl._hosts[0].link
            assert isinstance(link, LocalHost)
            monkeypatch.setattr(link, "turn", partial(turn_of_one_that_hangs, link))
            told.append("")
        elif isinstance(event, CrawlWarned) and "with the shards 0, 2" in event.note:
            told.append(event.note)
            monkeypatch.setattr(driver, "_HANGS", 300.0)  # the new one needs time to begin
    assert "did not answer" in told[1]
    assert isinstance(event, CrawlStopped)
    assert event.reason is StopReason.FRONTIER_EMPTY
    assert len(recorded(tmp_path / "crawl")) == PAGES
    assert outboxes(tmp_path / "crawl") == 0


# A file may not grow beyond so many bytes, as on a full disk; when a shard has failed there is room again.
FULL_DISK = """
import resource, sys
from semcrawl.crawl.events import CrawlWarned
from semcrawl.crawl.shards.beginning import reopen_shards
from tests.crawl.shards.hosts import in_threads
limit, most = int(sys.argv[2]), resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
for event in in_threads(reopen_shards(sys.argv[1])).visits():
    if isinstance(event, CrawlWarned):
        print(event.note, flush=True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
print(event.reason, event.progress.pages)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are a thing of POSIX")
def test_a_shard_whose_disk_was_full_goes_on_when_there_is_room(web: Path, tmp_path: Path) -> None:
    begin(web, tmp_path / "crawl")
    told, _ = Started(FULL_DISK, tmp_path / "crawl", 200_000).communicate(timeout=300)
    first, *_, last = told.splitlines()
    assert first.startswith("shard ")
    assert "a limit on the size of files is reached" in first
    assert last == f"{StopReason.FRONTIER_EMPTY} {PAGES}"
    assert len(recorded(tmp_path / "crawl")) == PAGES
    assert outboxes(tmp_path / "crawl") == 0


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
