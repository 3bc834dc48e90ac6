"""The folder of a crawl in shards: what its manifest may say, who owns a URL, who may run it."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from semcrawl.crawl.shards.layout import MANIFEST, ShardedFolder, is_sharded, owner_of
from semcrawl.errors import ConfigError, CrawlLockedError, FolderTakenError, NotACrawlError, StoreError


def test_a_folder_says_how_many_shards_it_has(tmp_path: Path) -> None:
    made = ShardedFolder.create(tmp_path / "crawl", 3).seal()
    assert ShardedFolder.open(tmp_path / "crawl") == made
    assert [path.name for path in made.folders] == ["00", "01", "02"]
    assert is_sharded(tmp_path / "crawl")
    assert not is_sharded(tmp_path)


def test_a_shard_has_a_crawl_when_its_graph_is_there(tmp_path: Path) -> None:
    made = ShardedFolder.create(tmp_path / "crawl", 3).seal()
    (made.shard(1) / "graph").mkdir(parents=True)
    assert made.begun == [made.shard(1)]


def test_hosts_of_one_registered_domain_have_one_owner() -> None:
    assert owner_of("http://www.example.co.uk/a", 97) == owner_of("https://example.co.uk/", 97)
    assert owner_of("http://a.test:8080/", 97) == owner_of("http://a.test/b", 97)


def test_an_owner_stays_the_same_from_run_to_run() -> None:
    """Folders made today must be read tomorrow: these numbers must never change."""
    assert [owner_of(f"http://host{n}.test/", 16) for n in range(8)] == [13, 1, 8, 7, 12, 4, 11, 4]


@given(some.integers(1, 4096), some.integers(0, 10_000))
def test_every_url_has_an_owner(shards: int, host: int) -> None:
    assert 0 <= owner_of(f"http://h{host}.test/", shards) < shards


def test_owners_are_spread_evenly() -> None:
    owners = [owner_of(f"http://host{n}.test/", 16) for n in range(4_000)]
    counts = [owners.count(number) for number in range(16)]
    assert min(counts) > 180
    assert max(counts) < 320


@pytest.mark.parametrize("count", [0, -1, 5_000])
def test_a_count_that_cannot_be_is_refused(tmp_path: Path, count: int) -> None:
    with pytest.raises(ConfigError, match="from 1 to 4096 shards"):
        ShardedFolder.create(tmp_path / "crawl", count)
    assert not (tmp_path / "crawl").exists()


def test_another_count_than_that_of_the_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has 3 shards, not 4"):
        ShardedFolder.create(tmp_path / "crawl", 3).require_count(4)


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderTakenError, match="no empty folder"):
        ShardedFolder.create(tmp_path, 3)
    ShardedFolder.create(tmp_path / "crawl", 3).seal()
    with pytest.raises(FolderTakenError, match="semcrawl resume"):
        ShardedFolder.create(tmp_path / "crawl", 3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "no manifest"),
        (b"\xff\xfe", "no manifest"),
        (b"[" * 4_000, "no manifest"),
        (b'{"format": 1, "shards": 0, "version": "1"}', "no manifest"),
        (b'{"format": 1, "shards": 99999999, "version": "1"}', "no manifest"),
        (b'{"format": 1, "shards": 2, "version": "1", "code": "x"}', "no manifest"),
        (b'{"format": 2, "shards": 2, "version": "9.9"}', "'9.9' that made it"),
    ],
)
def test_a_manifest_that_is_none_is_told(tmp_path: Path, text: bytes, told: str) -> None:
    (tmp_path / MANIFEST).write_bytes(text)
    with pytest.raises(StoreError, match=told):
        ShardedFolder.open(tmp_path)


def test_a_folder_without_a_manifest_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotACrawlError, match="no crawl in shards"):
        ShardedFolder.open(tmp_path)


def test_links_are_not_followed(tmp_path: Path) -> None:
    made = ShardedFolder.create(tmp_path / "crawl", 2).seal()
    made.shard(0).symlink_to(tmp_path)
    with pytest.raises(StoreError, match="is a link"):
        ShardedFolder.open(tmp_path / "crawl")
    made.shard(0).unlink()
    (tmp_path / "crawl" / MANIFEST).rename(tmp_path / "manifest")
    (tmp_path / "crawl" / MANIFEST).symlink_to(tmp_path / "manifest")
    with pytest.raises(StoreError, match="is a link"):
        ShardedFolder.open(tmp_path / "crawl")


def test_one_driver_runs_at_a_time(tmp_path: Path) -> None:
    made = ShardedFolder.create(tmp_path / "crawl", 2).seal()
    with made.driven(), pytest.raises(CrawlLockedError), made.driven():
        pass
    with made.driven():
        pass


def test_a_copy_made_while_it_ran_is_refused(tmp_path: Path) -> None:
    made = ShardedFolder.create(tmp_path / "crawl", 2).seal()
    with made.driven():
        shutil.copytree(tmp_path / "crawl", tmp_path / "copy")
    shutil.copytree(tmp_path / "crawl", tmp_path / "later")
    with pytest.raises(StoreError, match="was copied while"), ShardedFolder(tmp_path / "copy", 2).driven():
        pass
    with ShardedFolder(tmp_path / "later", 2).driven():
        pass


def test_a_killed_driver_can_be_followed_by_another_in_its_place(tmp_path: Path) -> None:
    made = ShardedFolder.create(tmp_path / "crawl", 2).seal()
    with pytest.raises(RuntimeError), made.driven():
        raise RuntimeError
    with made.driven():
        pass
