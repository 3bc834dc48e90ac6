r"""A small file format for large tables: named columns, each deflated by itself.

Layout, all numbers little-endian::

    8 bytes   magic "SCCOLS\r\n" (the line break shows transfers that mangle bytes)
    4 bytes   version of the format, 1
    32 bytes  SHA-256 of all that follows
    4 bytes   length of the header
    ...       header: JSON list of [name, kind, rows, bytes] in the order of the columns
    ...       the deflated columns, one after the other

Kinds of columns:

- ``text``: strings without line breaks, joined by line breaks, in UTF-8
- ``bytes``: one unsigned byte per row
- ``ints``: 32-bit numbers, zigzag-coded (0, -1, 1, -2 ... as 0, 1, 2, 3 ...), all lowest
  bytes first, then all second bytes and so on, which deflates far better than whole numbers
- ``steps``: the differences between neighbouring rows, coded as ``ints``

Reading runs no code from the file, and a column is unpacked when it is asked for.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]

__all__ = ["ColumnFile", "ColumnFileError", "Steps", "pack_columns"]

_MAGIC = b"SCCOLS\r\n"
_VERSION = 1
_HEAD = struct.Struct("<8sI32sI")


class ColumnFileError(ValueError):
    """The bytes are no column file, or a damaged one."""


@dataclass(frozen=True)
class Steps:
    """Numbers of which neighbours are close, to be stored as differences."""

    values: Sequence[int]


def pack_columns(columns: Mapping[str, Sequence[str] | bytes | Steps | Sequence[int]]) -> bytes:
    """Return the column file of the given columns; the same columns give the same bytes.

    >>> data = pack_columns({"names": ["a", "b"], "sizes": [3, -4]})
    >>> ColumnFile(data).texts("names"), ColumnFile(data).ints("sizes").tolist()
    (['a', 'b'], [3, -4])
    """
    entries: list[tuple[str, str, int, int]] = []
    bodies: list[bytes] = []
    for name, column in columns.items():
        kind, rows, raw = _encoded(column)
        body = zlib.compress(raw, 9)
        entries.append((name, kind, rows, len(body)))
        bodies.append(body)
    header = msgspec.json.encode(entries)
    rest = b"".join((struct.pack("<I", len(header)), header, *bodies))
    return _MAGIC + struct.pack("<I", _VERSION) + hashlib.sha256(rest).digest() + rest


class ColumnFile:
    """The columns of a column file that is held in memory."""

    def __init__(self, data: bytes) -> None:
        """Check the file and read its header; ColumnFileError if it is not whole."""
        if len(data) < _HEAD.size or not data.startswith(_MAGIC):
            raise ColumnFileError("it does not start as a column file does")
        _, version, digest, header_size = _HEAD.unpack_from(data)
        if version != _VERSION:
            raise ColumnFileError(f"its format has version {version}, this program reads version 1")
        if hashlib.sha256(memoryview(data)[_HEAD.size - 4 :]).digest() != digest:
            raise ColumnFileError("its checksum is wrong")
        start = _HEAD.size + header_size
        try:
            entries = msgspec.json.decode(
                data[_HEAD.size : start], type=list[tuple[str, str, int, int]]
            )
        except msgspec.MsgspecError as error:
            raise ColumnFileError(f"its header is wrong: {error}") from error
        self._columns: dict[str, tuple[str, int, bytes]] = {}
        for name, kind, rows, size in entries:
            self._columns[name] = (kind, rows, data[start : start + size])
            start += size

    def __contains__(self, name: object) -> bool:
        """Return whether there is a column of this name."""
        return name in self._columns

    def texts(self, name: str) -> list[str]:
        """Return the strings of a text column."""
        _, rows, body = self._column(name, "text")
        return _inflated(body).decode().split("\n") if rows else []

    def small_ints(self, name: str) -> NDArray[np.uint8]:
        """Return the numbers of a column of bytes."""
        _, _, body = self._column(name, "bytes")
        return np.frombuffer(_inflated(body), np.uint8)

    def ints(self, name: str) -> IntArray:
        """Return the numbers of a column of ints or steps."""
        kind, rows, body = self._column(name, "ints", "steps")
        planes = np.frombuffer(_inflated(body), np.uint8).reshape(4, rows)
        zigzag = np.ascontiguousarray(planes.T).view("<u4").reshape(rows).astype(np.int64)
        values: IntArray = (zigzag >> 1) ^ -(zigzag & 1)
        return np.cumsum(values) if kind == "steps" else values

    def _column(self, name: str, *kinds: str) -> tuple[str, int, bytes]:
        column = self._columns.get(name)
        if column is None or column[0] not in kinds:
            raise ColumnFileError(f"it has no column {name!r} of kind {' or '.join(kinds)}")
        return column


def _inflated(body: bytes) -> bytes:
    try:
        return zlib.decompress(body)
    except zlib.error as error:
        raise ColumnFileError(f"a column cannot be unpacked: {error}") from error


def _encoded(column: Sequence[str] | bytes | Steps | Sequence[int]) -> tuple[str, int, bytes]:
    """Return kind, number of rows, and bytes before deflating."""
    if isinstance(column, bytes):
        return "bytes", len(column), column
    if isinstance(column, Steps):
        steps: IntArray = np.asarray(column.values, np.int64).copy()
        steps[1:] -= steps[:-1].copy()
        return "steps", len(steps), _planes(steps)
    if len(column) and isinstance(column[0], str):
        return "text", len(column), "\n".join(map(str, column)).encode()
    return "ints", len(column), _planes(np.asarray(column, np.int64))


def _planes(values: IntArray) -> bytes:
    zigzag = (values << 1) ^ (values >> 63)
    if len(zigzag) and int(zigzag.max()) >= 1 << 32:
        raise ValueError("a column of ints holds a number of more than 31 bits")
    columns = zigzag.astype("<u4").view(np.uint8).reshape(len(zigzag), 4)
    return np.ascontiguousarray(columns.T).tobytes()
