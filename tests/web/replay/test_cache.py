from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from semcrawl.user_cache import cache_folder
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


RECORD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{}.test/\r\n"
    "Content-Length: 20\r\n\r\n"
    "HTTP/1.1 200 OK\r\n\r\n{}\r\n\r\n"
)


@pytest.fixture
def recorded(write: Callable[[str, str], Path]) -> Path:
    return write("web.warc", RECORD.format("a", "x"))


def test_the_second_opening_reads_the_index_only(recorded: Path, cache_home: Path) -> None:
    first = list(open_replay(recorded).urls())
    (index,) = (cache_home / "semcrawl" / "warc-index").iterdir()
    state = recorded.stat()
    # Other bytes of the same length and age: a scan would find no record.
    recorded.write_bytes(b"x" * state.st_size)
    os.utime(recorded, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert list(open_replay(recorded).urls()) == first
    assert index.is_file()


def test_a_changed_file_is_scanned_again(recorded: Path) -> None:
    open_replay(recorded)
    recorded.write_text(RECORD.format("a", "x") + RECORD.format("b", "y"), newline="")
    assert len(open_replay(recorded)) == 2


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1]", b'[1,"x",1,1,[["u",-1,-1]],[]]', b"\xff"])
def test_a_damaged_index_is_made_anew(recorded: Path, cache_home: Path, damage: bytes) -> None:
    open_replay(recorded)
    (index,) = (cache_home / "semcrawl" / "warc-index").iterdir()
    whole = index.read_bytes()
    index.write_bytes(damage)
    assert len(open_replay(recorded)) == 1
    assert index.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_done_without(recorded: Path, cache_home: Path) -> None:
    cache_home.write_text("a file where the folder should be")
    assert len(open_replay(recorded)) == 1


def test_a_relative_cache_home_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    folder = cache_folder("warc-index")
    assert folder is not None
    assert folder.is_absolute()
