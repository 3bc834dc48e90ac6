"""After kills of workers and of the driver at any moment, no page and no link is lost."""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest

from semcrawl.companions.process import Companion
from semcrawl.crawl import CrawlStopped, CrawlWarned, Event, PageVisited, StopReason
from semcrawl.crawl.shards import driver, host
from semcrawl.crawl.shards.beginning import reopen_shards
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import LocalHost, ShardHost
from semcrawl.crawl.shards.messages import Mailbox, Orders, ShardReport
from semcrawl.crawl.shards.shard import ShardCrawl
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph
from tests.crawl.shards.hosts import OddHost, in_processes, in_threads
from tests.crawl.shards.test_sharded_crawl import begin
from tests.crawl.shards.webs import PAGES, outboxes, recorded, url, write_web
from tests.started import Started


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("kills") / "web")


def test_killed_workers_cost_nothing(web: Path, tmp_path: Path) -> None:
    crawl = in_processes(begin(web, tmp_path / "crawl"))
    chance, kills, seen, read = random.Random(3), 0, 0, 0
    for event in crawl.visits():
        assert event.progress.bytes >= read
        read = event.progress.bytes
        if isinstance(event, PageVisited):
            seen += 1
            assert event.step == seen
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


def test_a_turn_after_the_end_of_a_worker_fails_at_once(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin(web, tmp_path / "crawl")
    link = LocalHost(str(tmp_path / "crawl"), [0], begun.values, begun.settings.replay)
    os.kill(link.process_id, signal.SIGKILL)
    # For a moment a process has no files any more, and is still there.
    monkeypatch.setattr(Companion, "is_alive", True)
    for _ in range(2):
        with pytest.raises(ConnectionError, match="has ended"):
            link.turn({}).result(timeout=60)
    link.kill()


def test_visits_that_a_shard_was_allowed_before_it_failed_are_not_made(web: Path, tmp_path: Path) -> None:
    begun, mailbox = begin(web, tmp_path / "crawl", shards=1), Mailbox(ShardReport(0), threading.Event())
    mailbox.orders.put(Orders(visits=5, opened=1))
    mailbox.orders.put(Orders(stop=StopReason.INTERRUPTED))
    with ShardCrawl.resume(begun.folder.shard(0)) as shard:
        assert shard.work(mailbox) is StopReason.INTERRUPTED
    assert mailbox.report.given == mailbox.report.progress.pages == 0


def test_a_worker_that_hangs_is_begun_anew(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = in_processes(begin(web, tmp_path / "crawl"))
    seen, told = 0, list[str]()

    def turn_of_one_that_hangs(link: LocalHost, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        os.kill(link.process_id, signal.SIGSTOP)
        monkeypatch.setattr(driver, "_HANGS", 0.5)
        return LocalHost.turn(link, orders)

    for event in crawl.visits():
        seen += isinstance(event, PageVisited)
        if seen and not told:
            link = crawl._hosts[0].link
            assert isinstance(link, LocalHost)
            monkeypatch.setattr(link, "turn", partial(turn_of_one_that_hangs, link))
            told.append("")
        elif isinstance(event, CrawlWarned) and "with the shards 0, 2" in event.note:
            told.append(event.note)
            monkeypatch.setattr(driver, "_HANGS", 300.0)  # the new one needs time to begin
    assert isinstance(event, CrawlStopped)
    assert event.reason is StopReason.FRONTIER_EMPTY
    assert len(recorded(tmp_path / "crawl")) == PAGES
    assert outboxes(tmp_path / "crawl") == 0
    assert ["did not answer" in note for note in told] == [False, True], told


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


def test_a_shard_that_hangs_is_begun_anew(web: Path, tmp_path: Path) -> None:
    begun, marker = begin(web, tmp_path / "crawl"), tmp_path / "hangs"

    class Hurried(OddHost):
        def _heard(self, message: bytes | None) -> None:
            if message and marker.exists() and marker.read_text() == str(self.process_id):
                reports = pickle.loads(message)
                for report in reports:  # of the process in which a shard hangs
                    report.silent *= 1_000
                message = pickle.dumps(reports)
            super()._heard(message)

    def start(numbers: Sequence[int]) -> OddHost:
        odd = "tests.crawl.shards.hosts:serve_until_a_shard_hangs", marker
        return Hurried(*odd, begun.folder.folder, numbers, begun.values, begun.settings.replay)

    told = list[str]()
    for event in ShardedCrawl(begun, start, 2).visits():
        if isinstance(event, CrawlWarned):
            told.append(event.note)
    assert "did nothing for" in told[0]
    assert_whole(tmp_path / "crawl", event)


def assert_whole(folder: Path, last: Event) -> None:
    assert isinstance(last, CrawlStopped)
    assert last.reason is StopReason.FRONTIER_EMPTY
    assert len(recorded(folder)) == PAGES == last.progress.pages
    assert outboxes(folder) == 0


def test_clocks_of_machines_may_differ(web: Path, tmp_path: Path) -> None:
    begun, clocks = begin(web, tmp_path / "crawl"), iter((0, 400_000, -400_000, 0))

    def start(numbers: Sequence[int]) -> OddHost:
        odd = "tests.crawl.shards.other_clock:serve", next(clocks)
        return OddHost(*odd, begun.folder.folder, numbers, begun.values, begun.settings.replay)

    crawl, seen, told = ShardedCrawl(begun, start, 2), 0, list[str]()
    for event in crawl.visits():
        seen += isinstance(event, PageVisited)
        if isinstance(event, CrawlWarned):
            told.append(event.note)
        if seen == 20 and not told:  # its shards go on where the clock is behind
            told.append("")
            os.kill(_pid(crawl, 1), signal.SIGKILL)
    assert len(told) == 2
    assert_whole(tmp_path / "crawl", event)


def test_a_shard_that_another_process_has_is_waited_for(web: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl")
    number = (begun.folder.owner(url(0)) + 1) % 3
    other, told, seen = CrawlGraph.open(begun.folder.shard(number)), list[str](), 0
    for event in in_processes(begun).visits():
        seen += isinstance(event, PageVisited)
        if isinstance(event, CrawlWarned):
            told.append(event.note)
        if told and seen:
            other.close()
    assert len(told) == 1
    assert f"shard {number} failed" in told[0]
    assert "is open in process" in told[0]
    assert_whole(tmp_path / "crawl", event)


def test_a_shard_that_cannot_be_opened_at_all_is_given_up_and_its_links_are_kept(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "_LONGEST_WAIT", 0.01)
    begun = begin(web, tmp_path / "crawl")
    number = (begun.folder.owner(url(0)) + 1) % 3
    place = begun.folder.shard(number) / "graph"
    place.rename(tmp_path / "graph")
    events = list(in_threads(begun).visits())
    assert "given up" in [event.note for event in events if isinstance(event, CrawlWarned)][-1]
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.FAILED
    (tmp_path / "graph").rename(place)
    assert_whole(tmp_path / "crawl", list(in_processes(reopen_shards(tmp_path / "crawl")).visits())[-1])


def test_pages_of_a_shard_that_is_given_up_count(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "_LONGEST_WAIT", 0.01)
    folder = tmp_path / "crawl"
    list(in_threads(begin(web, folder, pages=20)).visits())
    begun, place = reopen_shards(folder, pages=0), folder / recorded(folder)[url(0)] / "graph"
    place.rename(tmp_path / "graph")
    events = list(in_threads(begun).visits())
    (tmp_path / "graph").rename(place)
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.FAILED
    assert events[-1].progress.pages == len(recorded(folder)) > 20


def test_another_version_on_a_machine_is_refused(web: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl")

    class OtherVersion:
        def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
            result = Future[list[ShardReport]]()
            try:
                result.set_result(ShardHost(begun.folder.folder, [0], version="0.0.1").turn(orders))
            except ConfigError as error:
                result.set_exception(error)
            return result

        def kill(self) -> None:
            pass

    with pytest.raises(ConfigError, match=r"semcrawl 0\.0\.1.*install the same version"):
        list(ShardedCrawl(begun, lambda _: OtherVersion(), 1).visits())
