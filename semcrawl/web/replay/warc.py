"""WARC files: finding their responses in one scan, reading one at random."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from semcrawl.errors import FetchError, ReplayError, UrlError
from semcrawl.web.reasons import DropReason
from semcrawl.web.replay.recording import MAX_BODY, parse_http
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.web.response import Response

__all__ = ["WarcIndex", "WarcRecord", "scan_warc"]

_BLOCK = 1 << 20
_HEAD_LIMIT = 1 << 16
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_FIELD = re.compile(rb"^([A-Za-z-]+):[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)


@dataclass(slots=True)
class WarcIndex:
    """The responses of one WARC file: URL, offset and stored length of each, first come."""

    entries: list[tuple[str, int, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """One response record of a WARC file."""

    path: str
    offset: int
    length: int

    def read(self, url: str) -> Response:
        """Return the recorded answer."""
        try:
            with Path(self.path).open("rb") as file:
                file.seek(self.offset)
                stored = file.read(self.length)
        except OSError as problem:
            raise self._error(url, problem.strerror or "unreadable") from None
        record = self._inflate(url, stored)
        end = _HEAD_END.search(record)
        if end is None or not record.startswith(b"WARC/"):
            raise self._error(url, "the file has changed since it was indexed")
        fields = _fields(record[: end.start()])
        message = record[end.end() : end.end() + _length(fields)]
        return parse_http(url, message, _moment(fields.get("warc-date", "")))

    def _inflate(self, url: str, stored: bytes) -> bytes:
        if not stored.startswith(b"\x1f\x8b"):
            return stored
        try:
            # Room for the two heads besides the body.
            return zlib.decompressobj(31).decompress(stored, MAX_BODY + 2 * _HEAD_LIMIT)
        except zlib.error as problem:
            raise self._error(url, str(problem)) from None

    def _error(self, url: str, text: str) -> FetchError:
        return FetchError(
            f"cannot read the record of {url} at byte {self.offset} of {self.path}: {text}",
            reason=DropReason.BAD_RESPONSE,
        )


def scan_warc(path: Path) -> WarcIndex:
    """Find every whole response record of a WARC file, plain or compressed per record.

    A file that breaks off keeps its whole records and says so in `problems`;
    one that is no WARC at all raises ``ReplayError``.
    """
    index = WarcIndex()
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            records = _packed_records(file, path) if packed else _plain_records(file)
            seen = _collect(records, index, path)
    except OSError as problem:
        raise ReplayError(f"cannot read {path}: {problem.strerror}") from None
    if not seen:
        raise ReplayError(f"no WARC record in {path}; give a .warc or .warc.gz file")
    return index


class _BrokenError(Exception):
    """The file cannot be followed beyond a byte."""

    def __init__(self, offset: int, text: str) -> None:
        super().__init__(text)
        self.offset = offset


def _collect(
    records: Iterator[tuple[dict[str, str], int, int]], index: WarcIndex, path: Path
) -> bool:
    known: set[str] = set()
    seen = False
    try:
        for fields, offset, length in records:
            seen = True
            url = _response_url(fields, index, path)
            if url is not None and url not in known:
                known.add(url)
                index.entries.append((url, offset, length))
    except _BrokenError as problem:
        index.problems.append(
            f"{path.name} breaks off at byte {problem.offset} ({problem}); "
            f"the {len(index.entries)} responses before it are used"
        )
    return seen


def _response_url(fields: dict[str, str], index: WarcIndex, path: Path) -> str | None:
    uri = fields.get("warc-target-uri", "").strip("<>")
    if fields.get("warc-type") != "response" or not uri.lower().startswith("http"):
        return None
    try:
        return canonical(uri)
    except UrlError as problem:
        index.problems.append(f"{path.name}: {problem}")
        return None


def _plain_records(file: BinaryIO) -> Iterator[tuple[dict[str, str], int, int]]:
    size = file.seek(0, 2)
    offset = 0
    while offset < size:
        file.seek(offset)
        head = file.read(_HEAD_LIMIT)
        blank = len(head) - len(head.lstrip(b"\r\n"))
        if blank:
            offset += blank
            continue
        end = _HEAD_END.search(head)
        if end is None or not head.startswith(b"WARC/"):
            raise _BrokenError(offset, "no record begins here")
        fields = _fields(head[: end.start()])
        length = end.end() + _length(fields)
        if offset + length > size:
            raise _BrokenError(offset, "the record is cut")
        yield fields, offset, length
        offset += length


def _packed_records(file: BinaryIO, path: Path) -> Iterator[tuple[dict[str, str], int, int]]:
    offset = 0
    pending = file.read(_BLOCK)
    while pending:
        head, inflated, used, pending = _member(file, pending, offset)
        end = _HEAD_END.search(head)
        if end is None or not head.startswith(b"WARC/"):
            raise _BrokenError(offset, "no record begins here")
        fields = _fields(head[: end.start()])
        length = end.end() + _length(fields)
        if inflated < length:
            raise _BrokenError(offset, "the record is cut")
        if inflated > length + 64:
            raise ReplayError(
                f"{path} is compressed as a whole, which allows no access to single records; "
                f"recompress it: warcio recompress {path.name} new-{path.name}"
            )
        yield fields, offset, used
        offset += used


def _member(file: BinaryIO, pending: bytes, offset: int) -> tuple[bytes, int, int, bytes]:
    """Return a gzip member's first bytes, inflated size, stored size, and what follows it."""
    stream = zlib.decompressobj(31)
    head = b""
    inflated = used = 0
    while True:
        try:
            out = stream.decompress(pending, _BLOCK)
        except zlib.error as problem:
            raise _BrokenError(offset, str(problem)) from None
        if len(head) < _HEAD_LIMIT:
            head += out[:_HEAD_LIMIT]
        inflated += len(out)
        rest = stream.unused_data if stream.eof else stream.unconsumed_tail
        used += len(pending) - len(rest)
        pending = rest or file.read(_BLOCK)
        if stream.eof:
            return head, inflated, used, pending
        if not pending and not out:
            raise _BrokenError(offset, "the record is cut")


def _fields(head: bytes) -> dict[str, str]:
    return {
        name.decode().lower(): value.decode("utf-8", "replace")
        for name, value in _FIELD.findall(head)
    }


def _length(fields: dict[str, str]) -> int:
    length = fields.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 16 else 0


def _moment(date: str) -> float:
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
