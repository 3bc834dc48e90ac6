"""Notes with marks, for a crawl that runs: files in the folder ``marks`` of the crawl.

Whoever marks a page leaves one; the crawl looks for them between two visits, records what they say, and removes them.
"""

import os
import re
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

import msgspec

from semcrawl.errors import StoreError, os_errors
from semcrawl.graph import CrawlGraph
from semcrawl.graph.crawl_folder import MARK_NOTES
from semcrawl.whole_files import write_whole

_NOTE = re.compile(r"[0-9]{1,10}-[0-9a-f]{32}\.json")
_MOST_BYTES = 1 << 20  # of a note
_MOST_NOTES = 100  # read at once

Marks = Mapping[str, bool | None]
"""By URL, whether a page is right or wrong; None takes a mark away."""


def recorded_marks(graph: CrawlGraph) -> dict[str, bool]:
    """Return the marks of a crawl, by URL."""
    return {row["url"]: row["marked"] for row in graph.query("analyse/marks")}


class MarkNotes:
    """The notes that are left for the crawl in a folder; None: a crawl in memory has none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / MARK_NOTES
        self._read: list[Path] = []

    def read(self) -> dict[str, bool | None]:
        """Return what the notes say, the later one where two differ; bad ones are removed."""
        if self._folder is None or not self._folder.is_dir() or self._folder.is_symlink():
            return {}
        notes = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError):  # it may be gone by now
                if _NOTE.fullmatch(path.name) and S_ISREG((about := path.lstat()).st_mode):
                    notes.append((about.st_mtime_ns, path))
        marks: dict[str, bool | None] = {}
        for _, path in sorted(notes[:_MOST_NOTES]):
            marks |= _note(path)
            self._read.append(path)
        if not marks:
            self.remove_read()
        return marks

    def remove_read(self) -> None:
        """Remove the notes that were read: what they say is recorded."""
        for path in self._read:
            with suppress(OSError):
                path.unlink()
        self._read.clear()

    def leave(self, marks: Marks) -> Path:
        """Leave a note, whole; StoreError where it cannot be written."""
        assert self._folder is not None
        path = self._folder / f"{os.getpid()}-{uuid.uuid4().hex}.json"
        what = f"cannot leave a note for the running crawl in {self._folder}"
        with os_errors(StoreError, what, "; check its permissions"):
            self._folder.mkdir(exist_ok=True)
            write_whole(path, msgspec.json.encode(marks))
        return path


def _note(path: Path) -> dict[str, bool | None]:
    try:
        # Not a link or a pipe that somebody has put there since.
        flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        file = os.open(path, os.O_RDONLY | flags)
        with os.fdopen(file, "rb") as note:
            return msgspec.json.decode(note.read(_MOST_BYTES), type=dict[str, bool | None])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
