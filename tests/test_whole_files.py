"""A file is written whole, or what was there before stays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from semcrawl.whole_files import whole_file, write_whole


def test_the_new_file_takes_the_place_of_the_old(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"old")
    write_whole(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    def fail() -> None:
        with whole_file(tmp_path / "a") as unfinished:
            unfinished.write_bytes(b"half of the n")
            raise ZeroDivisionError

    write_whole(tmp_path / "a", b"old")
    with pytest.raises(ZeroDivisionError):
        fail()
    assert (tmp_path / "a").read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


@pytest.mark.parametrize("place", [".", "/", "gone/a", ""])
def test_a_place_that_cannot_be_written_is_an_error_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="directory"):
        write_whole(Path(place), b"new")
    assert not list(tmp_path.iterdir())


def test_of_several_writers_one_counts_and_no_reader_sees_a_part(tmp_path: Path) -> None:
    path, texts = tmp_path / "a", [bytes([65 + n]) * 50_000 for n in range(4)]
    write_whole(path, texts[0])
    with ThreadPoolExecutor(4) as writers:
        done = [writers.submit(write_whole, path, text) for text in texts * 10]
        while not all(one.done() for one in done):
            assert path.read_bytes() in texts
    assert [one.result() for one in done] == [None] * 40
    assert list(tmp_path.iterdir()) == [path]
