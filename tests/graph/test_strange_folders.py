"""A crawl folder from a stranger: links and names in it lead nowhere else."""

from __future__ import annotations

import os
import shutil
import subprocess
import tracemalloc
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from semcrawl.errors import NotACrawlError, StoreError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshots import (
    FolderLock,
    answer_snapshot_requests,
    clear_snapshots,
    link_snapshot,
    open_snapshot,
    remove_snapshot,
    request_snapshot,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LEFT = "4194304999-0123456789abcdef0123456789abcdef"  # of a process that cannot be alive


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A crawl with an empty graph, and a file of the user's beside it."""
    (tmp_path / "precious.txt").write_text("mine")
    CrawlGraph.create(tmp_path / "crawl").close()
    return tmp_path / "crawl"


def precious(folder: Path) -> str:
    return (folder.parent / "precious.txt").read_text()


OPENINGS: list[Callable[[Path], object]] = [
    lambda folder: CrawlGraph.read(folder).close(),
    lambda folder: CrawlGraph.open(folder).close(),
    lambda folder: remove_snapshot(link_snapshot(folder)),
    clear_snapshots,
    lambda folder: request_snapshot(folder, timeout=0.1),
]


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("target", ["..", "."])
def test_snapshots_that_are_a_link_are_neither_emptied_nor_filled(
    folder: Path, opening: Callable[[Path], object], target: str
) -> None:
    (folder / "snapshots").symlink_to(target)
    before = sorted(folder.parent.rglob("*"))
    with pytest.raises(StoreError, match="snapshots is a link"):
        opening(folder)
    assert precious(folder) == "mine"
    assert sorted(folder.parent.rglob("*")) == before


def test_only_what_has_a_name_of_ours_is_removed(folder: Path) -> None:
    snapshots = folder / "snapshots"
    snapshots.mkdir()
    names = [LEFT, f"{LEFT}.part", f"{LEFT}.wanted"]
    for name in names[:2]:
        (snapshots / name).mkdir()
        (snapshots / name / "to-elsewhere").symlink_to(folder.parent)
    (snapshots / names[2]).touch()
    kept = ["notes.txt", "1-2", f"{'9' * 5000}"[:200] + "-a", f"{os.getpid()}-{'a' * 32}"]
    for name in kept:
        (snapshots / name).mkdir()
    (snapshots / LEFT.replace("0", "1")).symlink_to(folder.parent)
    CrawlGraph.read(folder).close()
    assert sorted(path.name for path in snapshots.iterdir()) == sorted([*kept, LEFT.replace("0", "1")])
    assert precious(folder) == "mine"


def test_no_snapshot_is_removed_that_has_no_name_of_ours(folder: Path) -> None:
    for place in (folder, folder / "graph", folder.parent):
        remove_snapshot(place)
    assert (folder / "graph" / "CURRENT").is_file()


@pytest.mark.parametrize("shared", [False, True])
def test_a_lock_that_is_a_link_does_not_touch_its_target(folder: Path, shared: bool) -> None:
    (folder / "lock").unlink()
    (folder / "lock").symlink_to("../precious.txt")
    with pytest.raises(StoreError, match="lock is a link"):
        FolderLock(folder, shared=shared)
    assert precious(folder) == "mine"


def test_a_lock_that_is_a_link_to_nothing_makes_no_file(folder: Path) -> None:
    (folder / "lock").unlink()
    (folder / "lock").symlink_to("../new.txt")
    with pytest.raises(StoreError, match="lock is a link"):
        CrawlGraph.open(folder)
    assert not (folder.parent / "new.txt").exists()


def test_a_lock_that_has_another_file_s_text_is_not_overwritten(folder: Path) -> None:
    (folder / "lock").unlink()
    (folder / "lock").hardlink_to(folder.parent / "precious.txt")
    with pytest.raises(StoreError, match="lock is no lock"):
        CrawlGraph.open(folder)
    assert precious(folder) == "mine"


def test_a_lock_that_is_another_file_too_is_not_overwritten(folder: Path) -> None:
    (folder.parent / "precious.txt").write_text("123456")
    (folder / "lock").unlink()
    (folder / "lock").hardlink_to(folder.parent / "precious.txt")
    with pytest.raises(StoreError, match="lock is no lock"):
        CrawlGraph.open(folder)
    assert precious(folder) == "123456"


def test_a_lock_that_is_a_pipe_is_told_and_not_waited_for(folder: Path) -> None:
    (folder / "lock").unlink()
    os.mkfifo(folder / "lock")
    with pytest.raises(StoreError, match="neither a file nor a folder"):
        CrawlGraph.read(folder)


@pytest.mark.parametrize("opening", OPENINGS[:3])
@pytest.mark.parametrize(
    "name",
    ["graph", "graph/CURRENT", "graph/000099.sst", "strategy", "strategy/apprentice/links", "judge",
     "page-counts", "lock"],
)  # fmt: skip
def test_links_among_the_files_of_a_crawl_are_refused(
    folder: Path, opening: Callable[[Path], object], name: str
) -> None:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    elsewhere = folder.parent / "elsewhere"
    if place.exists():
        shutil.move(place, elsewhere)
    else:
        elsewhere.mkdir()
    place.symlink_to(elsewhere)
    with pytest.raises(StoreError, match="is a link"):
        opening(folder)


def test_a_snapshot_has_only_what_a_store_reads(folder: Path) -> None:
    for name in ("filler", "LOG.old.1", "MANIFEST-000001.bak", "CURRENT2", "x.log"):
        (folder / "graph" / name).write_bytes(b"x" * 1000)
    (folder / "graph" / "subfolder").mkdir()
    place = link_snapshot(folder)
    made = {path.name for path in place.iterdir()}
    assert "CURRENT" in made
    assert not made & {"filler", "LOG.old.1", "MANIFEST-000001.bak", "CURRENT2", "x.log"}
    remove_snapshot(place)
    assert not place.exists()


def test_where_others_can_write_a_snapshot_is_made_in_a_private_place(folder: Path) -> None:
    folder.chmod(0o777)
    place = link_snapshot(folder)
    assert folder not in place.parents
    assert not place.stat().st_mode & 0o077
    open_snapshot(place).close()
    remove_snapshot(place)
    assert not place.exists()


def test_a_snapshot_does_not_fill_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semcrawl.graph.snapshots._MOST_COPIED", 10_000)
    (folder / "graph" / "999999.log").write_bytes(b"x" * 10_000)
    with pytest.raises(StoreError, match="more than a snapshot copies"):
        link_snapshot(folder)
    assert not [path for path in (folder / "snapshots").glob("*") if any(path.iterdir())]


@pytest.mark.parametrize("opening", OPENINGS[:3])
@pytest.mark.parametrize("name", ["graph/999999.log", "graph/OPTIONS-000099", "judge/pages", "page-counts", "lock"])
def test_files_that_are_nearly_all_holes_are_refused(
    folder: Path, opening: Callable[[Path], object], name: str
) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    with (folder / name).open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(StoreError, match="nearly all of which are missing"):
        opening(folder)


def test_a_graph_is_not_read_for_the_name_of_a_file_without_end(folder: Path) -> None:
    with (folder / "graph" / "CURRENT").open("wb") as file:
        file.truncate(2_000)
    for opening in OPENINGS[:3]:
        with pytest.raises(NotACrawlError):
            opening(folder)


@pytest.mark.parametrize("opening", OPENINGS[:3])
@pytest.mark.parametrize("name", ["graph", "judge", f"snapshots/{LEFT}"])
def test_folders_without_end_are_no_traceback(folder: Path, opening: Callable[[Path], object], name: str) -> None:
    make_deep(folder / name)
    if name.startswith("snapshots"):
        opening(folder)
    else:
        with pytest.raises(StoreError, match="deeper than anything"):
            opening(folder)
    # Not by pytest, which goes down by recursion as well.
    subprocess.run(["rm", "-rf", folder], check=True)


def make_deep(place: Path, levels: int = 2_100) -> None:
    """Make folders in folders, more than a path can name: 4,096 characters, two for each."""
    place.mkdir(parents=True, exist_ok=True)
    here = os.open(place, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_the_folder_itself_may_be_reached_by_a_link(folder: Path) -> None:
    (folder.parent / "latest").symlink_to(folder)
    with CrawlGraph.open(folder.parent / "latest") as graph:
        assert graph.answer_readers() == 0


def test_notes_with_other_names_are_not_answered(folder: Path) -> None:
    with CrawlGraph.open(folder) as graph:
        (folder / "snapshots").mkdir()
        (folder / "snapshots" / "x.wanted").touch()
        assert answer_snapshot_requests(folder, graph.store) == 0


def test_nobody_else_can_write_into_a_new_crawl(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        CrawlGraph.create(tmp_path / "crawl").close()
        (place := link_snapshot(tmp_path / "crawl")).stat()
    finally:
        os.umask(before)
    made = [tmp_path / "crawl", *(tmp_path / "crawl").rglob("*")]
    assert not [path for path in made if path.stat().st_mode & 0o022 and path.is_dir()]
    assert not (tmp_path / "crawl" / "lock").stat().st_mode & 0o022
    remove_snapshot(place)


@pytest.mark.parametrize("part", range(8))
def test_a_damaged_table_is_told_before_a_query_meets_it(folder: Path, part: int) -> None:
    # The engine would collect the same error for a sorted answer until there is no memory.
    with CrawlGraph.open(folder) as graph:
        page = "<http://a.test/{0}> a sc:Page ; sc:step {0} ; sc:relevance 0.{0} ; dcterms:title 'Page {0}'"
        graph.store.update("INSERT DATA { " + " . ".join(map(page.format, range(1, 3000))) + " }")
        graph.store.flush()
    for path in (folder / "graph").glob("*.sst"):
        data = bytearray(path.read_bytes())
        at = len(data) * part // 8
        data[at : at + 40] = bytes(one ^ 1 for one in data[at : at + 40])
        path.write_bytes(data)
    with pytest.raises(StoreError, match=r"damaged|failed"):
        CrawlGraph.read(folder)
    with pytest.raises(StoreError, match=r"damaged|failed"):
        CrawlGraph.open(folder)
    assert precious(folder) == "mine"


def state_long(folder: Path, count: int, length: int, *, named: bool) -> None:
    """Put statements with one long value into the graph of a folder, in one graph or each in its own."""
    with CrawlGraph.open(folder) as graph:
        for number in range(count):
            place = ox.NamedNode(f"http://a.test/{number}")
            said = ox.NamedNode("http://a.test/says"), ox.Literal("x" * length)
            graph.store.raw.add(ox.Quad(place, *said, place if named else ox.DefaultGraph()))


@pytest.mark.parametrize("opening", OPENINGS[:2])
def test_a_graph_with_long_values_that_many_statements_share_is_refused(
    folder: Path, opening: Callable[[Path], object]
) -> None:
    """A value is kept once: a few megabytes on the disk took all memory where they were put together."""
    state_long(folder, 100, 1_000_000, named=False)
    with pytest.raises(StoreError, match="its values are too long"):
        opening(folder)


def test_what_many_pages_say_is_looked_at_in_small_pieces(folder: Path) -> None:
    state_long(folder, 300, 200_000, named=True)
    with CrawlGraph.open(folder) as graph:
        tracemalloc.start()
        graph.require_sound()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 80_000_000
