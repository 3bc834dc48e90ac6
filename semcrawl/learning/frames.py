"""A file of frames that only grows: what a learner remembers, page by page.

A frame is its length and its checksum, four bytes each, and then its bytes. A
process that is killed leaves at most one frame unfinished, at the end; it is
cut off when the file is opened again. Whatever else is wrong is damage, which
is said and left as it is.
"""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, BinaryIO
from zlib import crc32

from semcrawl.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["FrameFile"]

_HEAD = struct.Struct("<II")
_CHECKSUM = struct.Struct("<I")
_LONGEST = 1 << 24
"""So far from the end a last frame is looked for; few pages fill a megabyte."""


class FrameFile:
    """Frames in a file, or in memory where there is no path.

    Args:
        path: the file; it is made where it is not there.
        title: a line that the file begins with: what is in it, in which format, made how.

    Raises:
        ConfigError: the file begins with another title.
        StoreError: it cannot be read or written, or is damaged.
    """

    def __init__(self, path: Path | None, title: str) -> None:
        self._path = path
        self._title = title.encode() + b"\n"
        try:
            self._file = self._open()
            self._end = self._start()
            self._places = list(self._scan())
            self._file.truncate(self._end)
        except OSError as error:
            raise self._failure(error) from error

    def __len__(self) -> int:
        return len(self._places)

    def append(self, data: bytes) -> int:
        """Write a frame, as safe from the end of the process as it can be; return its number.

        Raises:
            StoreError: the disk is full, or the file gone.
        """
        try:
            self._file.seek(self._end)
            self._file.write(_HEAD.pack(len(data), crc32(data)) + data)
            self._file.flush()
        except OSError as error:
            raise self._failure(error) from error
        self._places.append((self._end + _HEAD.size, len(data)))
        self._end += _HEAD.size + len(data)
        return len(self._places) - 1

    def read(self, number: int) -> bytes:
        """The bytes of a frame, as they were when the file was opened."""
        start, length = self._places[number]
        try:
            self._file.seek(start)
            return self._file.read(length)
        except OSError as error:
            raise self._failure(error) from error

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self._file.close()

    def _open(self) -> BinaryIO:
        if self._path is None:
            return io.BytesIO()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch()
        return self._path.open("r+b", buffering=1 << 18)

    def _start(self) -> int:
        """Read or write the title; return where the frames begin."""
        size = self._file.seek(0, io.SEEK_END)
        self._file.seek(0)
        found = self._file.read(len(self._title))
        if found == self._title:
            return len(found)
        # The end may have come while the title was being written.
        if size < len(self._title) and self._title.startswith(found):
            self._file.seek(0)
            self._file.write(self._title)
            return len(self._title)
        self._file.close()
        raise ConfigError(
            f"{self._path} was not made with these options, or by this version of semcrawl: it "
            f"begins with {found[:200].partition(bytes([10]))[0].decode(errors='replace')!r}, not "
            f"{self._title.decode().strip()!r}; take the options of the crawl's beginning, or "
            "remove the file to forget what was learned"
        )

    def _scan(self) -> Iterator[tuple[int, int]]:
        """Where the whole frames lie; an unfinished one counts as torn if it is the last."""
        size = self._file.seek(0, io.SEEK_END)
        self._file.seek(self._end)
        while len(head := self._file.read(_HEAD.size)) == _HEAD.size:
            length, checksum = _HEAD.unpack(head)
            start = self._end + _HEAD.size
            # A torn length must not be believed, it may be gigabytes.
            end = start + length
            if end > size or crc32(self._file.read(length)) != checksum:
                if end < size or (end > size and self._has_last_frame(start, size)):
                    raise self._damage()
                return
            self._end = end
            yield start, length

    def _has_last_frame(self, start: int, size: int) -> bool:
        """Whether a whole frame ends where the file ends: then it is no torn one before it."""
        self._file.seek(max(start, size - _LONGEST))
        rest = self._file.read()
        for length in range(1, len(rest) - _HEAD.size + 1):
            place = len(rest) - length
            if rest.startswith(length.to_bytes(4, "little"), place - _HEAD.size):
                [checksum] = _CHECKSUM.unpack_from(rest, place - _CHECKSUM.size)
                if crc32(rest[place:]) == checksum:
                    return True
        return False

    def _damage(self) -> StoreError:
        self._file.close()
        return StoreError(
            f"{self._path} is damaged at byte {self._end:,}, and more was written behind that: "
            "bring the file back from a copy, or remove it to forget what was learned"
        )

    def _failure(self, error: OSError) -> StoreError:
        return StoreError(
            f"cannot keep what was learned in {self._path}: {error.strerror or error}; "
            "check the disk and the rights of the folder"
        )
