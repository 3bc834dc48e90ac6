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

SEGMENT = 1 << 25  # bytes from which on another file is begun
LARGEST = 1 << 32  # bytes of all; without the oldest of them a server is sent the whole graph
_HEAD = struct.Struct("<II")  # bytes of a text, and its checksum
_MARK = "#"  # begins a text that says up to where the graph is on the disk


class ChangeLog(Closing):
    """The log in a folder; it is made where there is none. StoreError: it cannot be read or written.

    ``end`` is behind the last change that the graph has, ``safe`` behind the last that survives a loss of power.
    ``unsure`` are the changes behind that, which the graph may have.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        with self._errors():
            folder.mkdir(mode=0o755, exist_ok=True)
            begins = self._begins()
            begin = begins[-1] if begins else time.time_ns()
            self._open(begin)
            texts = dict(_texts(self._path(begin).read_bytes(), begin))
            self.safe = self.end = self._tail = begin
            for self._tail, text in texts.items():
                if text.startswith(_MARK):
                    self.safe = int(text[1:])
                else:
                    self.end = self._tail
            self._file.truncate(self._tail - begin)  # the rest of what was being written
        self.unsure = [text for end, text in texts.items() if end > self.safe and not text.startswith(_MARK)]

    def _begins(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("*.log") if path.stem.isdecimal())

    def _path(self, begin: int) -> Path:
        return self._folder / f"{begin}.log"

    def _open(self, begin: int) -> None:
        self._path(begin).touch(0o644)
        self._begin, self._file = begin, self._path(begin).open("r+b", buffering=0)

    def _write(self, text: str) -> int:
        data = text.encode()
        record = _HEAD.pack(len(data), crc32(data)) + data
        self._file.seek(self._tail - self._begin)
        if self._file.write(record) < len(record):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return len(record)

    @contextmanager
    def written(self, text: str) -> Iterator[None]:
        """Write a change, which the block makes; one that cannot be made is taken out again."""
        with self._lock:
            begun = self._tail
            try:
                with self._errors():
                    self._tail += self._write(text)
                yield
            except Exception:
                self._tail = begun
                self._file.truncate(begun - self._begin)
                raise
            finally:  # an interrupt comes before it is made, or behind: it counts as made
                self.end = max(self.end, self._tail)

    def mark(self, place: int) -> None:
        """Note that all before a place, where the log ended before, is on the disk: log and graph."""
        with self._lock, self._errors():
            if place > self.safe:
                self._tail += self._write(f"{_MARK}{place}")
                self.safe = place
            if place == self.end and self._tail - self._begin > SEGMENT:
                self._file.close()
                self._open(self._tail)
                self.forget(self._tail - LARGEST)

    def after(self, place: int, most: int) -> tuple[list[str], int]:
        """Return the safe changes behind a place, of ``most`` bytes or a bit more, and the place behind them.

        StoreError: they are not, or no longer, in the log.
        """
        texts = []
        with self._errors():
            begin = max((begin for begin in self._begins() if begin <= place), default=None)
            if begin is not None and place <= self.end:
                with self._path(begin).open("rb") as file:
                    file.seek(place - begin)
                    data = file.read(most)
                    size = _HEAD.unpack_from(data)[0] if len(data) >= _HEAD.size else 0
                    data += file.read(max(size + _HEAD.size - len(data), 0))
                for end, text in _texts(data, place):
                    if end > self.safe:
                        break
                    place = end
                    texts += [] if text.startswith(_MARK) else [text]
        return texts, place

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
        yield place + start, text.decode()
