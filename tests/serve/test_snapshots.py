"""One snapshot for all readers: renewed when asked, removed when nobody reads it."""

from __future__ import annotations

import asyncio
import signal
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import CrawlLockedError, NotACrawlError, SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshots import open_snapshot
from semcrawl.serve.snapshots import Snapshot, Snapshots
from tests.serve.conftest import PATIENCE
from tests.started import Started

if TYPE_CHECKING:
    from collections.abc import Iterator


def triples(snapshot: Snapshot) -> int:
    store = open_snapshot(snapshot.path)
    try:
        return len(list(store.quads()))
    finally:
        store.close()


def add(graph: CrawlGraph, name: str) -> None:
    graph.store.update(f"INSERT DATA {{ <urn:{name}> <urn:is> 'there' }}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A crawl folder with one triple."""
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        add(graph, "a")
    return tmp_path / "crawl"


@contextmanager
def answering(graph: CrawlGraph) -> Iterator[None]:
    """A writer that hands out snapshots, as a running crawl does between visits."""
    over = threading.Event()

    def answer() -> None:
        while not over.wait(0.01):
            graph.answer_readers()

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def snapshot_files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "snapshots").iterdir())


def test_an_ended_crawl_is_read_from_one_snapshot(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder, interval=0, rest=0)
        first = await snapshots.current()
        assert (first.number, first.is_live, triples(first)) == (1, False, 1)
        assert await snapshots.current() == first
        snapshots.close()

    asyncio.run(main())
    assert snapshot_files(folder) == []


def test_the_snapshots_does_not_stand_in_the_way_of_a_writer(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder, interval=0, rest=0)
        first = await snapshots.current()
        with CrawlGraph.open(folder) as graph:
            add(graph, "b")
            with answering(graph):
                live = await snapshots.current()
                while not live.is_live:
                    live = await snapshots.current()
            assert (live.number, triples(live)) == (2, 2)
            add(graph, "c")
        ended = await snapshots.current()
        while ended.is_live:
            ended = await snapshots.current()
        assert triples(ended) == 3
        assert ended.number > live.number
        # Nobody held the first one.
        assert not Path(first.path).exists()
        snapshots.close()

    asyncio.run(main())


KILLED_WRITER = """
import os, signal, sys
from semcrawl.graph import CrawlGraph
from tests.serve.test_snapshots import add
graph = CrawlGraph.open(sys.argv[1])
add(graph, "b")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_writer_left_in_its_log_is_there(folder: Path) -> None:
    with Started(KILLED_WRITER, folder) as writer:
        assert writer.wait(PATIENCE) == -signal.SIGKILL

    async def main() -> None:
        snapshots = Snapshots(folder)
        assert triples(await snapshots.current()) == 2
        snapshots.close()

    asyncio.run(main())


def test_a_snapshot_is_current_for_a_while(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder, interval=3600)
        with CrawlGraph.open(folder) as graph, answering(graph):
            first = await snapshots.current()
            add(graph, "b")
            assert await snapshots.current() == first
        snapshots.close()

    asyncio.run(main())


def test_the_crawl_is_left_alone_for_a_multiple_of_what_a_snapshot_takes(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder, interval=0, rest=10_000)
        with CrawlGraph.open(folder) as graph, answering(graph):
            first = await snapshots.current()
            add(graph, "b")
            assert await snapshots.current() == first
            snapshots.hurry()
            assert (await snapshots.current(PATIENCE)).number == 2
        snapshots.close()

    asyncio.run(main())


def test_what_was_just_written_is_read_after_catching_up(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder, interval=3600)
        with CrawlGraph.open(folder) as graph, answering(graph):
            await snapshots.current()
            snapshots.hurry()
            under_way = asyncio.create_task(snapshots.current())  # may have begun before
            await asyncio.sleep(0)
            add(graph, "b")
            await snapshots.catch_up()
            assert triples(await snapshots.current()) == 2
            await under_way
        snapshots.close()

    asyncio.run(main())


def test_an_old_snapshot_stays_as_long_as_it_is_held(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder, interval=0, rest=0)
        with CrawlGraph.open(folder) as graph, answering(graph):
            first = await snapshots.current()
            snapshots.hold(first)
            snapshots.hold(first)
            while (await snapshots.current()).number < 3:
                pass
            assert triples(first) == 1
            snapshots.release(first)
            assert Path(first.path).exists()
            snapshots.release(first)
            assert not Path(first.path).exists()
        snapshots.close()

    asyncio.run(main())


def test_many_readers_at_once_share_one_snapshot(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder)
        with CrawlGraph.open(folder) as graph, answering(graph):
            found = await asyncio.gather(*(snapshots.current() for _ in range(50)))
        assert len(set(found)) == 1
        assert len(snapshot_files(folder)) == 1
        snapshots.close()

    asyncio.run(main())


def test_a_writer_that_does_not_answer_leaves_the_last_snapshot_current(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder, interval=0, rest=0)
        first = await snapshots.current()
        with CrawlGraph.open(folder):  # busy with one long page
            assert await snapshots.current() == first
        snapshots.close()

    asyncio.run(main())


def test_a_folder_without_a_crawl_is_told(tmp_path: Path) -> None:
    async def main() -> None:
        with pytest.raises(NotACrawlError, match="holds no crawl"):
            await Snapshots(tmp_path).current()

    asyncio.run(main())


def test_what_is_wrong_is_told_to_all_who_ask_until_the_next_try(tmp_path: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(tmp_path, interval=3600)
        for _ in range(3):
            with pytest.raises(NotACrawlError, match="holds no crawl"):
                await snapshots.current()

    asyncio.run(main())


def test_a_crawl_that_appears_after_a_failure_is_read(tmp_path: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(tmp_path / "crawl", interval=0, rest=0)
        with pytest.raises(SemcrawlError):
            await snapshots.current()
        with CrawlGraph.create(tmp_path / "crawl") as graph:
            add(graph, "a")
        found: list[Snapshot] = []
        while not found:
            await asyncio.sleep(0.01)
            with suppress(SemcrawlError):  # until the next try is due
                found.append(await snapshots.current())
        assert triples(found[0]) == 1
        snapshots.close()

    asyncio.run(main())


def test_a_server_that_ends_does_not_wait_for_a_crawl_that_does_not_answer(folder: Path) -> None:
    async def main() -> None:
        snapshots = Snapshots(folder)
        asking = asyncio.create_task(snapshots.current())
        while not list(folder.glob("snapshots/*.wanted")):
            await asyncio.sleep(0.01)
        snapshots.end_waiting()
        with pytest.raises(CrawlLockedError, match="when the wait was ended"):
            await asking
        snapshots.close()

    with CrawlGraph.open(folder):  # and never looks for notes
        asyncio.run(main())
    assert snapshot_files(folder) == []
