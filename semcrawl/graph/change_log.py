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
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Lock
from zlib import crc32

from semcrawl.closing import Closing
from semcrawl.errors import StoreError, os_errors
from semcrawl.graph.crawl_folder import MIRROR
from semcrawl.graph.sparql_text import is_plain_data

SEGMENT = 1 << 20  # bytes from which on another file is begun
BATCH = 1 << 18  # bytes that are sent together: what Virtuoso takes grows with the square of the operations
LARGEST = 1 << 32  # bytes of all; without the oldest of them a server is sent the whole graph
_HEAD = struct.Struct("<II")  # bytes of a text, and its checksum


class LogReader:
    """The log in the folder of a crawl that another process may write."""

    def __init__(self, crawl: Path, is_open: Callable[[], bool] = lambda: True) -> None:
        """``is_open`` tells whether a process has the crawl open for writing."""
        self._folder, self._is_open = crawl / MIRROR, is_open

    def _begins(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("*.log") if path.stem.isdecimal())

    def _path(self, begin: int) -> Path:
        return self._folder / f"{begin}.log"

    def _made(self, texts: dict[int, str]) -> dict[int, str]:
        """Of texts by the place behind each, up to the end of the log, those of changes that are surely made."""
        # What cannot be made is taken out again; before what follows it, it is made.
        return dict(list(texts.items())[:-1]) if self._is_open() else texts

    @property
    def end(self) -> int:
        """The place behind the last change that is surely made."""
        begin = max(self._begins(), default=0)
        with self._errors():
            texts = dict(_texts(self._path(begin).read_bytes(), begin))
        return max(self._made(texts), default=begin)

    def after(self, place: int) -> tuple[list[str], int]:
        """Return changes behind a place, a batch of them, and the place behind them; 0 where the log is damaged.

        They are made, and on the disk: whoever opens the crawl makes those of the last file again.
        """
        begins = self._begins()
        begin = max(begin for begin in begins if begin <= place)
        with self._errors(), self._path(begin).open("rb") as file:
            texts = dict[int, str]()
            for size in (2 * BATCH, -1):  # the rest of the file only where a change is that large
                file.seek(place - begin)
                for end, text in _texts(file.read(size), place):
                    texts[end] = text
                    if end > place + BATCH and len(texts) > 1:
                        break
                if len(texts) > 1:
                    break
            os.fsync(file.fileno())
        if begin == begins[-1]:
            texts = self._made(texts)
        elif not texts:
            return [], 0
        batch = [end for number, end in enumerate(texts) if not number or end <= place + BATCH]
        return [texts[end] for end in batch], max(batch, default=place)

    def has(self, place: int) -> bool:
        """Whether the log has all that comes behind a place."""
        begins = self._begins()
        return bool(begins) and begins[0] <= place <= begins[-1] + self._path(begins[-1]).stat().st_size

    def forget(self, place: int) -> None:
        """Remove the files that end before a place."""
        for begin, end in pairwise(self._begins()):
            if end <= place:
                self._path(begin).unlink(missing_ok=True)

    def _errors(self) -> AbstractContextManager[None]:
        return os_errors(StoreError, f"cannot read or write the log of changes in {self._folder}", "; free some space")


class ChangeLog(LogReader, Closing):
    """The log of a crawl that is open for writing; made where there is none. StoreError: it cannot be read or written.

    ``unsure`` are the changes of the last file: the graph has all before, and may not have the last of them.
    """

    def __init__(self, crawl: Path) -> None:
        super().__init__(crawl)
        self._lock = Lock()
        with self._errors():
            self._folder.mkdir(mode=0o755, exist_ok=True)
            self._open(max(self._begins(), default=time.time_ns()))
            texts = dict(_texts(self._path(self._begin).read_bytes(), self._begin))
            self._end = max(texts, default=self._begin)
            self._file.truncate(self._end - self._begin)  # the rest of what was being written
        self.unsure = list(texts.values())
        if not all(map(is_plain_data, self.unsure)):
            self.close()
            raise StoreError(f"the log of changes in {self._folder} was not written by a crawl: remove it")

    def _open(self, begin: int) -> None:
        self._path(begin).touch(0o644)
        self._begin, self._file = begin, self._path(begin).open("r+b", buffering=0)

    def _made(self, texts: dict[int, str]) -> dict[int, str]:
        end = self.end
        return {place: text for place, text in texts.items() if place <= end}

    @property
    def end(self) -> int:
        """The place behind the last change; a change that is being made is waited for."""
        with self._lock:
            return self._end

    @contextmanager
    def written(self, text: str) -> Iterator[None]:
        """Write a change, which the block makes; one that cannot be made is taken out again."""
        data = text.encode()
        record = _HEAD.pack(len(data), crc32(data)) + data
        with self._lock:
            end = self._end
            try:
                with self._errors():
                    self._file.seek(end - self._begin)
                    if self._file.write(record) < len(record):
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._end += len(record)  # also where an interrupt comes: it is made again then
                yield
            except Exception:
                self._end = end
                self._file.truncate(end - self._begin)
                raise

    def mark_safe(self, place: int) -> None:
        """Note that all before a place, where the log ended before, is on the disk: log and graph."""
        with self._lock, self._errors():
            if place == self._end and place - self._begin > SEGMENT:
                self._file.close()
                self._open(place)
                self.forget(place - LARGEST)

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self._file.close()


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
