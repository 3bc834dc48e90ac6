"""Records on disk: whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from semcrawl.errors import LabError
from semcrawl.lab.records import FORMAT, FoundSite, RecordStore, RunRecord, Visit

if TYPE_CHECKING:
    from pathlib import Path

RECORD = RunRecord(
    key="k",
    contender="breadth-first",
    topic="lungs",
    visits=(Visit("http://a.test/", 0.25, 1.0, 0, 120, "http://c.test/#1"),),
    sites=(FoundSite("a.test", 0.9, True, 3, 12),),
)


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "runs")
    store.put(RECORD)
    assert store.get("k") == RECORD
    assert [path.name for path in store.folder.iterdir()] == ["k.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"key": "k"}'])
def test_a_damaged_record_counts_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "k.json").write_bytes(content)
    assert RecordStore(tmp_path).get("k") is None


def test_a_record_of_another_format_or_key_counts_as_none(tmp_path: Path) -> None:
    store = RecordStore(tmp_path)
    store.put(msgspec.structs.replace(RECORD, format=FORMAT + 1))
    assert store.get("k") is None
    store.put(RECORD)
    store.path("k").rename(store.path("other"))
    assert store.get("other") is None


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot write to"):
        RecordStore(tmp_path / "file").put(RECORD)
