"""Copies of shards elsewhere: a shard that is lost comes back, and no link is lost by it."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from semcrawl.crawl import CrawlStopped, CrawlWarned, PageVisited, StopReason
from semcrawl.crawl.shards import copies
from semcrawl.crawl.shards.beginning import reopen_shards
from semcrawl.crawl.shards.copies import Copies
from semcrawl.crawl.shards.layout import is_sharded
from semcrawl.errors import ConfigError, StoreError
from tests.crawl.shards.hosts import in_threads
from tests.crawl.shards.test_sharded_crawl import begin, run
from tests.crawl.shards.webs import PAGES, outboxes, recorded, write_web

fsspec = pytest.importorskip("fsspec", reason="pip install 'semcrawl[copies]'")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("copies") / "web")


@pytest.fixture(params=["file", "memory", "s3"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A place for copies."""
    if request.param == "s3":
        yield request.getfixturevalue("bucket")
        return
    yield (tmp_path / "elsewhere").as_uri() if request.param == "file" else "memory://copies/lungs"
    fsspec.filesystem("memory").store.clear()


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A place in a bucket of an S3 server on this machine."""
    s3fs = pytest.importorskip("s3fs", reason="pip install s3fs")
    servers = pytest.importorskip("moto.server", reason="pip install 'moto[server]'")
    server = servers.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().makedirs("copies", exist_ok=True)
    yield f"s3://copies/{tmp_path.name}"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def copied(crawl: Any, address: str) -> Any:
    crawl.copies = Copies(address)
    return crawl


def test_a_lost_shard_comes_back_and_the_crawl_ends_as_undisturbed(web: Path, tmp_path: Path, address: str) -> None:
    folder = tmp_path / "crawl"
    run(copied(in_threads(begin(web, folder, pages=20)), address))
    # Later pages are in no copy: links to the shard that is lost are in no outbox any more.
    run(in_threads(reopen_shards(folder, pages=50)))
    shutil.rmtree(folder / "01")
    assert Copies(address).restore(folder) == [1]
    events = run(in_threads(reopen_shards(folder, pages=0, trust=True)))
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.FRONTIER_EMPTY
    assert len(recorded(folder)) == PAGES
    assert outboxes(folder) == 0


def test_a_whole_crawl_comes_back_elsewhere(web: Path, tmp_path: Path, address: str) -> None:
    run(copied(in_threads(begin(web, tmp_path / "crawl", pages=20)), address))
    assert Copies(address).restore(tmp_path / "other") == [0, 1, 2]
    assert recorded(tmp_path / "other") == recorded(tmp_path / "crawl")
    run(in_threads(reopen_shards(tmp_path / "other", pages=0, trust=True)))
    assert len(recorded(tmp_path / "other")) == PAGES


def test_shards_are_copied_while_they_run(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "_EVERY", 0.01)
    crawl = copied(in_threads(begin(web, tmp_path / "crawl")), "memory://copies/lungs")
    found = threading.Event()
    for event in crawl.visits():
        if isinstance(event, PageVisited) and not found.is_set():
            while not fsspec.filesystem("memory").exists("/copies/lungs/02/copy.json"):
                found.wait(0.01)
            found.set()
    assert found.is_set()
    assert Copies("memory://copies/lungs").restore(tmp_path / "other") == [0, 1, 2]
    assert len(recorded(tmp_path / "other")) == PAGES


def test_tables_are_copied_once_and_what_is_old_goes(web: Path, tmp_path: Path) -> None:
    begun, kept = begin(web, tmp_path / "crawl", pages=10), Copies("memory://copies/lungs")
    run(in_threads(begun))
    kept.save(begun.folder, 0)
    first = {*fsspec.filesystem("memory").find("/copies/lungs/00")}
    run(in_threads(reopen_shards(tmp_path / "crawl", pages=40)))
    kept.save(begun.folder, 0)
    second = {*fsspec.filesystem("memory").find("/copies/lungs/00")}
    names = json.loads(fsspec.filesystem("memory").cat_file("/copies/lungs/00/copy.json"))
    assert len(second) == len(set(names.values())) + 1
    assert first - second


def test_storage_that_cannot_be_written_is_told_and_the_crawl_goes_on(web: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    events = run(copied(in_threads(begin(web, tmp_path / "crawl")), (tmp_path / "file" / "below").as_uri()))
    notes = [event.note for event in events if isinstance(event, CrawlWarned)]
    assert any("is not up to date" in note for note in notes)
    assert len(recorded(tmp_path / "crawl")) == PAGES


def test_what_is_no_copy_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot bring back the copy"):
        Copies((tmp_path / "nothing").as_uri()).restore(tmp_path / "crawl")
    assert not is_sharded(tmp_path / "crawl")
    with pytest.raises(ConfigError, match=r"--copies none-such://x: .*semcrawl\[copies\]"):
        Copies("none-such://x")


def forged_copy(place: Path, names: dict[str, str]) -> str:
    (place / "00").mkdir(parents=True)
    (place / "shards.json").write_text('{"format": 1, "shards": 1}')
    (place / "00" / "copy.json").write_text(json.dumps(names))
    (place / "00" / "kept").write_text("ssh-rsa evil")
    return place.as_uri()


@pytest.mark.parametrize(
    ("name", "kept"),
    [("../../evil", "kept"), ("/evil", "kept"), ("", "kept"), ("judge/x", "../../secret"), ("judge/x", "..")],
)
def test_a_copy_that_names_files_elsewhere_is_refused(tmp_path: Path, name: str, kept: str) -> None:
    (tmp_path / "secret").write_text("private")
    address = forged_copy(tmp_path / "copies", {name: kept})
    with pytest.raises(StoreError, match="no file of a shard"):
        Copies(address).restore(tmp_path / "other")
    assert not (tmp_path / "other" / "00").exists()


@pytest.mark.parametrize("name", ["shards.json", "00/copy.json", "00/kept"])
def test_links_and_pipes_in_a_copy_are_not_read(tmp_path: Path, name: str) -> None:
    address = forged_copy(tmp_path / "copies", {"judge/x": "kept"})
    path = (tmp_path / "copies" / name).rename(tmp_path / "private")
    (tmp_path / "copies" / name).symlink_to(path)
    with pytest.raises(StoreError, match=f"{name} is no regular file"):
        Copies(address).restore(tmp_path / "other")
    (tmp_path / "copies" / name).unlink()
    os.mkfifo(tmp_path / "copies" / name)  # reading it would never end
    with pytest.raises(StoreError, match=f"{name} is no regular file"):
        Copies(address).restore(tmp_path / "another")


def test_nothing_is_brought_back_through_a_link_in_the_folder(tmp_path: Path) -> None:
    address = forged_copy(tmp_path / "copies", {"authorized_keys": "kept"})
    (tmp_path / "home").mkdir()
    (tmp_path / "other").mkdir()
    shutil.copy(tmp_path / "copies" / "shards.json", tmp_path / "other")
    (tmp_path / "other" / "00.part").symlink_to(tmp_path / "home")
    with pytest.raises(StoreError, match="is a link"):
        Copies(address).restore(tmp_path / "other")
    assert not [*(tmp_path / "home").iterdir()]


def test_a_copy_that_names_one_file_several_times_is_refused(tmp_path: Path) -> None:
    address = forged_copy(tmp_path / "copies", {"judge/x": "kept", "judge/y": "kept"})
    (tmp_path / "copies" / "00" / "kept").write_text("x")
    with pytest.raises(StoreError, match="names one file several times"):
        Copies(address).restore(tmp_path / "crawl")


def test_a_copy_that_is_larger_than_the_disk_is_refused(tmp_path: Path) -> None:
    address = forged_copy(tmp_path / "copies", {"judge/x": "kept"})
    with (tmp_path / "copies" / "00" / "kept").open("wb") as file:
        file.truncate(1 << 43)
    with pytest.raises(StoreError, match="larger than half of what is free"):
        Copies(address).restore(tmp_path / "crawl")


def test_files_of_a_copy_that_are_too_large_together_are_refused_before_any_is_fetched(tmp_path: Path) -> None:
    address = forged_copy(tmp_path / "copies", {"judge/x": "kept", "judge/y": "other"})
    for name in ("kept", "other"):
        with (tmp_path / "copies" / "00" / name).open("wb") as file:
            file.truncate(int(shutil.disk_usage(tmp_path).free * 0.3))
    with pytest.raises(StoreError, match="larger than half of what is free"):
        Copies(address).restore(tmp_path / "crawl")
    assert not [*tmp_path.glob("crawl/00.part/judge/*")]


@pytest.mark.parametrize("name", ["shards.json", "00/copy.json"])
def test_a_list_without_end_is_not_read_where_storage_does_not_say_how_long_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    found = Copies(forged_copy(tmp_path / "copies", {"judge/x": "kept"}))
    path = tmp_path / "copies" / name
    path.write_bytes(path.read_bytes() + b" " * 2_000)
    monkeypatch.setattr(copies, "_LARGEST_LIST", 1_000)
    files, info = found._files, found._files.info
    monkeypatch.setattr(files, "info", lambda place: {**info(place), "size": None})
    with pytest.raises(StoreError, match=f"{name} has more than 1,000 bytes"):
        found.restore(tmp_path / "other")
