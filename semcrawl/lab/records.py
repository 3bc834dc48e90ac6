"""Records of runs on disk: one JSON file each, named by the key of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import LabError
from semcrawl.lab.record import FORMAT, RunRecord
from semcrawl.lab.whole_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["RecordStore"]


class RecordStore:
    """The records of a folder; several processes may write to it at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        """Where the record of a key is, or would be."""
        return self.folder / f"{key}.json"

    def trace_path(self, key: str) -> Path:
        """Where the traceback of a failed run is."""
        return self.folder / f"{key}.traceback.txt"

    def get(self, key: str) -> RunRecord | None:
        """The record of a key; None where there is none, or a damaged or older one."""
        try:
            record = msgspec.json.decode(self.path(key).read_bytes(), type=RunRecord)
        except (OSError, msgspec.MsgspecError):
            return None
        return record if record.format == FORMAT and record.key == key else None

    def put(self, record: RunRecord) -> None:
        """Keep a record, in place of an earlier one of its key.

        Raises:
            LabError: it cannot be written.
        """
        try:
            write_whole(self.path(record.key), msgspec.json.encode(record))
        except OSError as error:
            raise LabError(f"cannot write to {self.folder}: {error.strerror}") from error

    def put_trace(self, key: str, text: str) -> Path | None:
        """Keep the traceback of a failed run, and return its file; None where that cannot be."""
        path = self.trace_path(key)
        try:
            write_whole(path, text.encode("utf-8", "replace"))
        except OSError:
            return None
        return path
