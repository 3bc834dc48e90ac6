"""The log of a crawl's changes, from which a SPARQL server is kept in step with its graph.

The text of each transaction is written before it is made. A change that was made twice has changed nothing more (see
`Changes.text`): whoever opens the crawl makes those again that the graph may not have, and a server may be sent some
again. A place in the log is a number of bytes; it begins at the nanosecond of its making, so that no place of one log
is one of another.
"""

import errno
import os
import struct
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Lock
from zlib import crc32

from semcrawl.closing import Closing
from semcrawl.errors import StoreError, os_errors
from semcrawl.graph.sparql_text import is_plain_data

SEGMENT = 1 << 20  # bytes from which on another file is begun
BATCH = (
    1 << 18
)  # bytes that are read at a time: what Virtuoso takes for operations grows with the square of their number
LARGEST = 1 << 32  # bytes of all; without the oldest of them a server is sent the whole graph
_HEAD = struct.Struct("<II")  # bytes of a text, and its checksum


class ChangeLog(Closing):
    """The log in a folder; it is made where there is none. StoreError: it cannot be read or written.

    ``end`` is behind the last change that the graph has, ``safe`` behind the last that survives a loss of power.
    ``unsure`` are the changes of the last file: the graph has all before, and may not have the last of them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        with self._errors():
            folder.mkdir(mode=0o755, exist_ok=True)
            self._open(max(self._begins(), default=time.time_ns()))
            texts = dict(_texts(self._path(self._begin).read_bytes(), self._begin))
            self.end = max(texts, default=self._begin)
            self._file.truncate(self.end - self._begin)  # the rest of what was being written
        self.safe, self.unsure = self._begin, list(texts.values())
        if not all(map(is_plain_data, self.unsure)):
            self.close()
            raise StoreError(f"the log of changes in {folder} was not written by a crawl: remove it")

    def _begins(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("*.log") if path.stem.isdecimal())

    def _path(self, begin: int) -> Path:
        return self._folder / f"{begin}.log"

    def _open(self, begin: int) -> None:
        self._path(begin).touch(0o644)
        self._begin, self._file = begin, self._path(begin).open("r+b", buffering=0)

    @contextmanager
    def written(self, text: str) -> Iterator[None]:
        """Write a change, which the block makes; one that cannot be made is taken out again."""
        data = text.encode()
        record = _HEAD.pack(len(data), crc32(data)) + data
        with self._lock:
            end = self.end
            try:
                with self._errors():
                    self._file.seek(end - self._begin)
                    if self._file.write(record) < len(record):
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self.end += len(record)  # also where an interrupt comes: it is made again then
                yield
            except Exception:
                self.end = end
                self._file.truncate(end - self._begin)
                raise

    def mark_safe(self, place: int) -> None:
        """Note that all before a place, where the log ended before, is on the disk: log and graph."""
        with self._lock, self._errors():
            self.safe = place
            if place == self.end and place - self._begin > SEGMENT:
                self._file.close()
                self._open(place)
                self.forget(place - LARGEST)

    def after(self, place: int) -> tuple[list[str], int]:
        """Return safe changes behind a place, a batch of them, and the place behind them."""
        texts = dict[int, str]()
        with self._errors():
            begin = max(begin for begin in self._begins() if begin <= place)
            with self._path(begin).open("rb") as file:
                file.seek(place - begin)
                for end, text in _texts(file.read(), place):
                    if end > self.safe or (texts and end > place + BATCH):
                        break
                    texts[end] = text
        return list(texts.values()), max(texts, default=place)

    def has(self, place: int) -> bool:
        """Whether the log has all that comes behind a place."""
        return bool(begins := self._begins()) and begins[0] <= place <= self.end

    def forget(self, place: int) -> None:
        """Remove the files that end before a place."""
        begins = self._begins()
        for begin, end in pairwise(begins):
            if end <= place:
                self._path(begin).unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self._file.close()

    def _errors(self) -> AbstractContextManager[None]:
        return os_errors(StoreError, f"cannot read or write the log of changes in {self._folder}", "; free some space")


def _texts(data: bytes, place: int) -> Iterator[tuple[int, str]]:
    """Yield each whole text with the place behind it; what was cut off is left out."""
    start = 0
    while start + _HEAD.size <= len(data):
        size, check = _HEAD.unpack_from(data, start)
        start += _HEAD.size + size
        text = data[start - size : start]
        if len(text) < size or crc32(text) != check:
            return
        yield place + start, text.decode("utf-8", "replace")
