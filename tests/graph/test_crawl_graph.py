from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import CrawlLockedError, NotACrawlError, StoreError
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.graph.snapshots import FolderLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOPIC = "<#topic> a <https://w3id.org/semcrawl/ns#Topic> ."


def begin(graph: CrawlGraph) -> None:
    seeds = Changes()
    seeds.found(FoundUrl("http://a.test/", "a.test", 1.0, 1, 0))
    graph.begin(seeds, title="asthma", topic_file="x", topic_turtle=TOPIC, settings="{}", threshold=0.1, started_at=0.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        begin(graph)
    return tmp_path / "crawl"


def test_the_crawl_describes_itself(folder: Path) -> None:
    with CrawlGraph.read(folder) as graph:
        about = graph.describe()
        assert (about.name, about.topic, about.threshold, about.stopped) == ("asthma", "x", 0.1, None)
        assert graph.query("ASK { ?crawl sc:topic ?topic . ?topic a sc:Topic }")


def test_a_stop_is_noted_once_however_often_it_happens(folder: Path) -> None:
    with CrawlGraph.open(folder) as graph:
        graph.note_stop("PagesReached", 1.0, "{}")
        graph.note_stop("FrontierEmpty", 2.0, '{"pages":3}')
        about = graph.describe()
        assert about.stopped is not None
        assert about.stopped.endswith("#FrontierEmpty")
        assert about.settings == '{"pages":3}'
        assert len(graph.query("monitor/crawl")) == 1


def test_a_folder_with_a_crawl_is_not_overwritten(folder: Path) -> None:
    with pytest.raises(StoreError, match="holds a crawl already: go on with 'semcrawl resume"):
        CrawlGraph.create(folder)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(StoreError, match="is no empty folder"):
        CrawlGraph.create(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("opener", [CrawlGraph.open, CrawlGraph.read])
def test_a_graph_that_cannot_be_opened_stays_unlocked(folder: Path, opener: Callable[[Path], CrawlGraph]) -> None:
    for manifest in (folder / "graph").glob("MANIFEST-*"):
        manifest.write_bytes(b"x" * 1000)
    with pytest.raises(StoreError):
        opener(folder)
    FolderLock(folder).release()


def test_a_snapshot_that_cannot_be_read_is_removed(folder: Path) -> None:
    place = folder / "snapshots"

    def answer() -> None:
        while not (wanted := list(place.glob("*.wanted"))):
            over.wait(0.01)
        wanted[0].with_suffix("").mkdir()

    over, writer = threading.Event(), threading.Thread(target=answer)
    lock = FolderLock(folder)
    writer.start()
    with pytest.raises(StoreError):
        CrawlGraph.read(folder)
    writer.join()
    lock.release()
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("opener", [CrawlGraph.open, CrawlGraph.read])
def test_a_folder_without_a_crawl_is_said_to_be_none(tmp_path: Path, opener: object) -> None:
    assert callable(opener)
    with pytest.raises(NotACrawlError, match="holds no crawl"):
        opener(tmp_path)
    with pytest.raises(NotACrawlError, match="there is no folder"):
        opener(tmp_path / "gone")


def test_a_misspelt_folder_is_answered_with_a_crawl_beside_it(tmp_path: Path) -> None:
    CrawlGraph.create(tmp_path / "lungs").close()
    with pytest.raises(NotACrawlError, match=r"there is no folder .*lungz; did you mean .*/lungs\?"):
        CrawlGraph.read(tmp_path / "lungz")


def test_a_crawl_that_never_began_is_said_to_be_none(tmp_path: Path) -> None:
    CrawlGraph.create(tmp_path / "c").close()
    with CrawlGraph.open(tmp_path / "c") as graph, pytest.raises(NotACrawlError, match="never began"):
        graph.describe()


def test_a_second_writer_is_refused_and_told_who_writes(folder: Path) -> None:
    with CrawlGraph.open(folder), pytest.raises(CrawlLockedError, match="is open in this process: close it first"):
        CrawlGraph.open(folder)


def test_a_writer_waits_for_one_who_only_looks_at_the_crawl(folder: Path) -> None:
    looking = FolderLock(folder, shared=True)
    threading.Timer(0.1, looking.release).start()
    CrawlGraph.open(folder).close()


def test_the_lock_of_a_killed_process_is_gone(folder: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from semcrawl.graph import CrawlGraph\n"
        "graph = CrawlGraph.open(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder)], check=False, timeout=60)
    assert done.returncode == -9
    CrawlGraph.open(folder).close()


def test_many_can_read_at_once(folder: Path) -> None:
    with CrawlGraph.read(folder) as one, CrawlGraph.read(folder) as two:
        assert len(one.query("frontier/seeds")) == len(two.query("frontier/seeds")) == 1


def test_a_reader_of_a_running_crawl_gets_fresh_data(folder: Path) -> None:
    with CrawlGraph.open(folder) as writer:
        changes = Changes()
        changes.found(FoundUrl("http://b.test/", "b.test", 0.5, 2, 1, "http://a.test/"))
        writer.apply(changes)
        done = threading.Event()

        def answer_requests() -> None:
            while not done.wait(0.02):
                writer.answer_readers()

        thread = threading.Thread(target=answer_requests)
        thread.start()
        try:
            with CrawlGraph.read(folder) as reader:
                assert reader.is_snapshot
                waiting = [row["url"] for row in reader.query("frontier/waiting")]
        finally:
            done.set()
            thread.join()
    assert waiting == ["http://a.test/", "http://b.test/"]
    assert list((folder / "snapshots").iterdir()) == []


def test_a_writer_that_does_not_answer_is_said_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from semcrawl.graph import snapshots

    with CrawlGraph.open(folder), pytest.raises(CrawlLockedError, match="did not answer"):
        snapshots.request_snapshot(folder, timeout=0.1)
    assert list((folder / "snapshots").iterdir()) == []


def test_users_of_rdflib_see_the_same_graph(folder: Path) -> None:
    from rdflib import URIRef

    with CrawlGraph.read(folder) as graph:
        dataset = graph.rdflib()
        seed = URIRef("http://a.test/")
        assert (seed, None, None, None) in dataset
        rows = list(dataset.query("SELECT ?d { ?u <https://w3id.org/semcrawl/ns#depth> ?d }"))
    assert len(rows) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to read-only folders")
def test_a_read_only_place_is_a_clear_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="choose another"):
        CrawlGraph.create(tmp_path / "crawl")


def test_a_file_in_the_place_of_a_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another"):
        CrawlGraph.create(tmp_path / "file" / "crawl")
