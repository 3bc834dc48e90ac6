"""WARC files: finding their responses in one scan, reading one at random."""

import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
from msgspec.structs import replace

from semcrawl.errors import FetchError, ReplayError, UrlError, os_errors
from semcrawl.user_cache import cache_folder, load_entry, store_entry
from semcrawl.web.response import DropReason, Response, combined, decode, unix_time
from semcrawl.web.urls import canonical

MAX_BODY = 16 * 1024 * 1024  # no recorded body is read or inflated beyond this many bytes

_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})(?:\s|$)")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


def parse_http(url: str, message: bytes, fetched_at: float) -> Response:
    """Return the response that a recorded HTTP message holds, chunks and codings undone."""
    end = _HEAD_END.search(message, 0, _HEAD_LIMIT)
    status, headers = parse_head(url, message[: end.start() if end else _HEAD_LIMIT])
    body = message[end.end() :] if end else b""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _join_chunks(body)
    # Crawlers often store the body decoded, but with headers of the coded one.
    coding = headers.get("content-encoding", "").lower()
    packed = body.startswith(b"\x1f\x8b")
    marked_up = body.lstrip()[:1] == b"<"
    if (coding in {"gzip", "x-gzip"} and not packed) or (coding == "br" and marked_up):
        coding = ""
    plain, complete = decode(body, coding, MAX_BODY, url)
    return Response(url, status, headers, plain, fetched_at, 0.0, truncated=not complete)


def parse_head(url: str, head: bytes) -> tuple[int, dict[str, str]]:
    """Return the status and the headers of a recorded answer, or raise ``FetchError``."""
    line, _, rest = head.partition(b"\n")
    status = _STATUS_LINE.match(line)
    if status is None:
        raise FetchError(f"the record of {url} holds no HTTP response", reason=DropReason.BAD_RESPONSE)
    # Folded lines continue the field before them.
    lines = re.sub(rb"\r?\n[ \t]+", b" ", rest).splitlines()
    fields = (line.decode("latin-1").partition(":") for line in lines)
    return int(status.group(1)), combined((name.strip(), value) for name, colon, value in fields if colon)


def _join_chunks(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while size := _CHUNK_SIZE.match(body, at):
        length = int(size.group(1), 16)
        if length == 0:
            return b"".join(parts)
        parts.append(body[size.end() : size.end() + length])
        at = size.end() + length
        at += 2 if body.startswith(b"\r\n", at) else 1
    # No chunk at the very start: the recorder had joined them already.
    return b"".join(parts) if at else body


_Natural = Annotated[int, msgspec.Meta(ge=0)]
_BLOCK = 1 << 16  # what follows a record in it is copied
_HEAD_LIMIT = 1 << 16
_MOST_READ = MAX_BODY + 2 * _HEAD_LIMIT  # the body, and the heads of the record and of the answer
_FIELD = re.compile(rb"^([A-Za-z-]+):(.*)$", re.MULTILINE)


class WarcIndex(msgspec.Struct, array_like=True):
    """The responses of one WARC file: URL, offset and stored length of each."""

    entries: list[tuple[str, _Natural, _Natural]] = []
    problems: list[str] = []


class WarcRecord(msgspec.Struct, frozen=True):
    """One response record of a WARC file."""

    path: str
    offset: int
    length: int

    def read(self, url: str) -> Response:
        """Return the recorded answer."""
        try:
            with Path(self.path).open("rb") as file:
                file.seek(self.offset)
                record = file.read(min(self.length, _MOST_READ))
            if record.startswith(b"\x1f\x8b"):
                record = zlib.decompressobj(31).decompress(record, _MOST_READ)
            fields, start, end = _parse_record(record)
        except OSError as problem:
            raise self._error(url, problem.strerror or "unreadable") from None
        except zlib.error as problem:
            raise self._error(url, str(problem)) from None
        except BrokenWarcError:
            raise self._error(url, "the file has changed since it was indexed") from None
        answer = parse_http(url, record[start:end], unix_time(fields.get("warc-date", "")) or 0.0)
        return replace(answer, truncated=True) if "warc-truncated" in fields or end > len(record) else answer

    def _error(self, url: str, text: str) -> FetchError:
        return FetchError(
            f"cannot read the record of {url} at byte {self.offset} of {self.path}: {text}",
            reason=DropReason.BAD_RESPONSE,
        )


def record_fields(path: Path, offset: int) -> dict[str, str]:
    """Return the fields of a packed record, none where no record begins; names in lower case."""
    with suppress(OSError, zlib.error, BrokenWarcError), path.open("rb") as file:
        file.seek(offset)
        head = zlib.decompressobj(31).decompress(file.read(_HEAD_LIMIT), _HEAD_LIMIT)
        return _parse_record(head)[0]
    return {}


def scan_warc(path: Path) -> WarcIndex:
    """Find the whole response records of a WARC file; ReplayError if it is none."""
    index = WarcIndex()
    known: set[str] = set()
    seen = False
    try:
        with os_errors(ReplayError, f"cannot read {path}"), path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            records = packed_records(file, path) if packed else _plain_records(file)
            for fields, _, offset, length in records:
                seen = True
                if (url := _response_url(fields, index, path)) is not None and url not in known:
                    known.add(url)
                    index.entries.append((url, offset, length))
    except BrokenWarcError as problem:
        index.problems.append(
            f"{path.name} breaks off at byte {problem.offset} ({problem}); "
            f"the {len(index.entries)} responses before it are used"
        )
    if not seen:
        raise ReplayError(f"no WARC record in {path}; give a .warc or .warc.gz file")
    return index


class BrokenWarcError(Exception):
    """No whole record begins at ``offset``; ``is_cut``: the file ends within a packed one."""

    def __init__(self, text: str, offset: int = 0, *, is_cut: bool = False) -> None:
        super().__init__(text)
        self.offset = offset
        self.is_cut = is_cut


def _parse_record(record: bytes, offset: int = 0) -> tuple[dict[str, str], int, int]:
    end = _HEAD_END.search(record)
    if end is None or not record.startswith(b"WARC/"):
        raise BrokenWarcError("no record begins here", offset)
    fields = {
        name.decode().lower(): value.strip(b" \t\r").decode("utf-8", "replace")
        for name, value in _FIELD.findall(record[: end.start()])
    }
    length = fields.get("content-length", "")
    known = length.isascii() and length.isdigit() and len(length) < 16
    return fields, end.end(), end.end() + (int(length) if known else 0)


def _response_url(fields: dict[str, str], index: WarcIndex, path: Path) -> str | None:
    uri = fields.get("warc-target-uri", "").strip("<>")
    if fields.get("warc-type") != "response" or not uri.lower().startswith("http"):
        return None
    try:
        return canonical(uri)
    except UrlError as problem:
        index.problems.append(f"{path.name}: {problem}")
        return None


_Found = tuple[dict[str, str], bytes, int, int]


def _plain_records(file: BinaryIO) -> Iterator[_Found]:
    size = file.seek(0, 2)
    offset = 0
    while offset < size:
        file.seek(offset)
        head = file.read(_HEAD_LIMIT)
        if blank := len(head) - len(head.lstrip(b"\r\n")):
            offset += blank
            continue
        fields, start, length = _parse_record(head, offset)
        if offset + length > size:
            raise BrokenWarcError("the record is cut", offset)
        yield fields, head[start:length], offset, length
        offset += length


def packed_records(file: BinaryIO, path: Path) -> Iterator[_Found]:
    """Yield the fields of each record, the beginning of its content, its offset and length."""
    offset = 0
    pending = file.read(_BLOCK)
    while pending:
        head, inflated, used, pending = _member(file, pending, offset)
        fields, start, length = _parse_record(head, offset)
        if inflated < length:
            raise BrokenWarcError("the record is cut", offset)
        if inflated > length + 64:
            raise ReplayError(
                f"{path} is compressed as a whole, which allows no access to single records; "
                f"recompress it: warcio recompress {path.name} new-{path.name}"
            )
        yield fields, head[start:length], offset, used
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
            raise BrokenWarcError(str(problem), offset) from None
        if len(head) < _HEAD_LIMIT:
            head += out[:_HEAD_LIMIT]
        inflated += len(out)
        rest = stream.unused_data if stream.eof else stream.unconsumed_tail
        used += len(pending) - len(rest)
        pending = rest or file.read(_BLOCK)
        if stream.eof:
            return head, inflated, used, pending
        if not pending and not out:
            raise BrokenWarcError("the record is cut", offset, is_cut=True)


_FORMAT = 3


def warc_index(path: Path) -> WarcIndex:
    """Return the index of a WARC file, from the user's cache if the file has not changed."""
    try:
        path = path.resolve()
        state = path.stat()
    except OSError:  # there is no file
        return scan_warc(path)
    folder = cache_folder("warc-index")
    said = repr((_FORMAT, os.fsencode(path), state.st_size, state.st_mtime_ns))
    key = hashlib.sha256(said.encode()).hexdigest()
    if (entry := load_entry(folder, key)) is not None:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(entry, type=WarcIndex)
    index = scan_warc(path)
    with suppress(ValueError):  # a name that is no text cannot be stored
        store_entry(folder, key, msgspec.json.encode(index))
    return index
