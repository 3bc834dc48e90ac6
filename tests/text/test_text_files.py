from __future__ import annotations

import gzip
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError, LabError
from semcrawl.text.text_files import numbered_lines, read_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "content",
    [
        "ä\tb\n".encode(),
        "ä\tb\n".encode("utf-8-sig"),
        gzip.compress("ä\t".encode(), mtime=0) + gzip.compress(b"b\n", mtime=0),
    ],
)
def test_a_text_is_read_plain_with_a_mark_or_packed_in_several_members(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.tsv").write_bytes(content)
    assert read_text(tmp_path / "a.tsv") == "ä\tb\n"


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"")
    assert read_text(tmp_path / "a.tsv") == ""


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semcrawl.text.text_files._LARGEST", 1 << 20)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"0" * ((1 << 20) + 1)))
    with pytest.raises(ConfigError, match="larger than 1 MB unpacked"):
        read_text(tmp_path / "bomb.gz")


def test_the_caller_says_which_error_and_what_to_give_instead(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"cannot read .*gone: No such file or directory; give one"):
        read_text(tmp_path / "gone", "; give one", LabError)
    (tmp_path / "a").write_bytes(b"\xff\xfe\0")
    with pytest.raises(LabError, match="a is no UTF-8 text; give one"):
        read_text(tmp_path / "a", "; give one", LabError)


def test_lines_are_numbered_as_in_the_file_and_empty_ones_take_no_memory() -> None:
    text = "\n" * 3_000_000 + " a \n# b\n\nc"
    tracemalloc.start()
    assert list(numbered_lines(text)) == [(3_000_001, "a"), (3_000_004, "c")]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
