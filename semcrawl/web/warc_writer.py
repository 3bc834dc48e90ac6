"""Keeping what was fetched: WARC 1.1 files of limited size with CDXJ indexes, and WACZ files.

A record is in its file before it is named, so that whoever names it finds it, also after the process was killed. A file
without an index was not closed: it is cut behind its last whole record and indexed when its folder is next written to.
"""

import heapq
import os
import re
import struct
import threading
import zlib
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from hashlib import sha1, sha256
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4
from zipfile import ZipFile

import msgspec

from semcrawl.closing import Closing
from semcrawl.errors import ConfigError, FetchError, StoreError, os_errors
from semcrawl.version import VERSION
from semcrawl.web.response import HttpExchange, WarcPlace, media_type
from semcrawl.web.warc import BrokenWarcError, packed_records, parse_head, record_fields
from semcrawl.whole_files import write_whole

FILE_SIZE = 1_000_000_000  # bytes from which on another file is begun

_LEVEL = 1  # of compression; 6 takes twice the time for a seventh less
_SHORT = 1_500  # bytes
_STORED = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01"  # head of a gzip member, and of its only block
_FIELDS = "application/warc-fields"
_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_SAME_CONTENT = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_NAME = re.compile(r"semcrawl-[0-9]{14}-([0-9]{5,9})\.warc\.gz")
_TURNS = re.compile(r"[\r\n\0]+")
_PIECE = 1 << 20
_DIGEST = "WARC-Payload-Digest"
_TYPE = "content-type"
_NAMED = ("WARC-Type", "WARC-Target-URI", "WARC-Date", _DIGEST)
_INDEXED = frozenset({"response", "revisit"})
_Said = tuple[str, str]  # status and media type of an answer


class WarcArchive(Closing):
    """The WARC files of one folder, which one process writes; safe between threads.

    ``about`` is what each file says of its origin. The index of the open file is kept in memory until it is closed,
    about 35 MB for a file of 1 GB. Raises StoreError: the folder cannot be written, by any method.
    """

    def __init__(self, folder: Path, about: Mapping[str, str], *, size: int = FILE_SIZE) -> None:
        self._folder = folder
        self._about = about
        self._size = size
        self._lock = threading.Lock()
        self._file: Any = None
        self._end = 0  # of the open file
        self._is_closed = False
        self._name = ""
        self._lines: list[str] = []
        advice = "; make room, then go on with 'semcrawl resume'"
        self._writing = partial(os_errors, StoreError, f"cannot write the archive {folder}", advice)
        with self._writing():
            folder.mkdir(exist_ok=True)
            numbers = (int(_NAME.sub(r"\1", file.path.name)) for file in mend_archive(folder))
            self._number = max(numbers, default=0)

    def keep(self, exchange: HttpExchange, notes: Mapping[str, object], earlier: WarcPlace | None = None) -> WarcPlace:
        """Write an answer, its request, and what else is known of it; return where the answer is.

        ``earlier`` is the answer of an earlier visit. An answer with the same payload, or one
        that says that nothing has changed, becomes a record that refers to it.
        """
        head = _http_head(exchange.status_line, _true_headers(exchange.headers))
        known: dict[str, str] = {}
        if earlier and _NAME.fullmatch(earlier.file):  # it comes from the graph, which may be a stranger's
            known = record_fields(self._folder / earlier.file, earlier.offset)
        fields, body = _answer(exchange, known)
        answer, record = _packed(fields, head + body)
        with_it = {name: fields[name] for name in ("WARC-Target-URI", "WARC-Date")}
        with_it["WARC-Concurrent-To"] = record
        asked = _http_head(exchange.request_line, exchange.request)
        request, _ = _packed({"WARC-Type": "request", **with_it}, asked)
        about, _ = _packed({"WARC-Type": "metadata", **with_it}, _lines_of(notes))
        declared = next((said for name, said in exchange.headers if name.lower() == _TYPE), "")
        said = str(exchange.status), media_type({_TYPE: declared})
        return self._append(answer + request + about, fields, said, len(answer))

    def note(self, url: str, notes: Mapping[str, object]) -> WarcPlace:
        """Write what is known of a URL that gave no answer."""
        fields = {"WARC-Type": "metadata", "WARC-Target-URI": url, "WARC-Date": _date()}
        return self._append(_packed(fields, _lines_of(notes))[0], fields)

    def close(self) -> None:
        """Close the open file, and write its index."""
        with self._lock:
            self._is_closed = True
            self._close_file()

    def _append(self, data: bytes, fields: Mapping[str, str], said: _Said = ("", ""), length: int = 0) -> WarcPlace:
        with self._lock:
            if self._is_closed:  # a visit that ends after the crawl
                raise StoreError(f"the archive {self._folder} is closed")
            with self._writing():
                if self._file is None or self._end + len(data) > self._size:
                    self._close_file()
                    self._open_file()
                offset = self._write(data)
            if length:
                self._lines.append(_index_line(fields, said, self._name, offset, length))
            return WarcPlace(self._name, offset)

    def _write(self, data: bytes) -> int:
        """Append bytes wholly or not at all."""
        offset, rest = self._end, memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            self._file.truncate(offset)
            self._file.seek(offset)
            raise
        self._end += len(data)
        return offset

    def _open_file(self) -> None:
        self._number += 1
        self._name = f"semcrawl-{_stamp(_date())}-{self._number:05}.warc.gz"
        # Not through a link, and never over another file; unbuffered, to survive a kill.
        path = self._folder / self._name
        self._file, self._end = path.open("xb", buffering=0), 0
        fields = {"WARC-Type": "warcinfo", "WARC-Date": _date(), "WARC-Filename": self._name}
        try:
            self._write(_packed(fields, _lines_of(self._about))[0])
        except OSError:
            path.unlink()
            raise

    def _close_file(self) -> None:
        if self._file is None:
            return
        try:
            with self._writing():
                os.fsync(self._file.fileno())
                self._file.close()
                _write_index(index_of(self._folder / self._name), self._lines)
        finally:
            self._file, self._lines = None, []


def index_of(path: Path) -> Path:
    """Return where the index of a WARC file is."""
    return path.with_name(f"{path.name.removesuffix('.warc.gz')}.cdxj")


class WarcFile:
    """A WARC file of a crawl as far as it is whole, also while it is written to.

    ``is_closed``: it has an index. ``is_cut``: it ends within a record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.index = index_of(path)
        self.is_closed, self.is_cut = self.index.exists(), False
        self.size = path.stat().st_size if self.is_closed else 0  # bytes of whole records
        self._lines = [] if self.is_closed else self._scan()

    def _scan(self) -> list[str]:
        lines = []
        with self.path.open("rb") as file:
            try:
                for found, head, offset, length in packed_records(file, self.path):
                    self.size = offset + length
                    fields = {name: found.get(name.lower(), "") for name in _NAMED}
                    if fields["WARC-Type"] in _INDEXED:
                        said = _said(fields["WARC-Target-URI"], head)
                        lines.append(_index_line(fields, said, self.path.name, offset, length))
            except BrokenWarcError as problem:
                self.is_cut = problem.is_cut
        return sorted(lines)

    def lines(self) -> Iterator[str]:
        """Yield the lines of its CDXJ index, sorted."""
        if not self.is_closed:
            yield from self._lines
            return
        with self.index.open(encoding="utf-8") as file:
            yield from file

    def pieces(self) -> Iterator[bytes]:
        """Yield its bytes."""
        with self.path.open("rb") as file:
            for start in range(0, self.size, _PIECE):
                yield file.read(min(_PIECE, self.size - start))


def warc_files(folder: Path) -> list[WarcFile]:
    """Return the WARC files that a crawl has kept in a folder, in their order."""
    found = sorted(folder.iterdir()) if folder.is_dir() else ()
    ours = (path for path in found if _NAME.fullmatch(path.name) and not path.is_symlink())
    return [WarcFile(path) for path in ours]


def mend_archive(folder: Path) -> list[WarcFile]:
    """Cut the tails of files that were not closed, and index these; return all that are left.

    Only an unfinished record at the end is cut off; a file that is damaged elsewhere stays.
    """
    files = warc_files(folder)
    for file in files:
        if file.is_cut:
            os.truncate(file.path, file.size)
        if not file.path.stat().st_size:
            file.path.unlink()
        elif not file.is_closed:
            _write_index(file.index, file.lines())
    return [file for file in files if file.path.exists()]


def _write_index(place: Path, lines: Iterable[str]) -> None:
    write_whole(place, "".join(sorted(lines)).encode())


def _said(url: str, head: bytes) -> _Said:
    """Status and media type of a recorded answer."""
    try:
        status, headers = parse_head(url, head)
    except FetchError:
        return "0", ""
    return str(status), media_type(headers)


def _index_line(fields: Mapping[str, str], said: _Said, name: str, offset: int, length: int) -> str:
    """A line of CDXJ: key of the URL, time, and where the record is."""
    url = re.sub(r"\s", "%20", fields["WARC-Target-URI"])
    known = {
        "url": url,
        "mime": "warc/revisit" if fields["WARC-Type"] == "revisit" else said[1] or "unk",
        "status": said[0],
        "digest": fields[_DIGEST],
        "length": str(length),
        "offset": str(offset),
        "filename": name,
    }
    return f"{_sort_key(url)} {_stamp(fields['WARC-Date'])} {msgspec.json.encode(known).decode()}\n"


def _sort_key(url: str) -> str:
    """The URL as archives sort and look it up.

    >>> _sort_key("http://www.Example.org:8080/A/?b=2&a=1")
    'org,example:8080)/a?a=1&b=2'
    """
    try:
        parts = urlsplit(url.lower())
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        return url
    if ":" not in host:
        host = ",".join(reversed(re.sub(r"^www\d*\.", "", host).split(".")))
    query = "&".join(sorted(parts.query.split("&")))
    return f"{host}{port}){parts.path.rstrip('/') or '/'}{'?' + query if query else ''}"


def _answer(exchange: HttpExchange, known: Mapping[str, str]) -> tuple[dict[str, str], bytes]:
    """The fields of an answer's record and its body; ``known`` are those of an earlier one."""
    fields = {
        "WARC-Type": "response",
        "WARC-Target-URI": exchange.url,
        "WARC-Date": _date(exchange.began_at),
        # The web's archives have always told payloads apart by SHA-1; nothing is secured by it.
        _DIGEST: f"sha1:{b32encode(sha1(exchange.body, usedforsecurity=False).digest()).decode()}",
    }
    before, is_304 = known.get(_DIGEST.lower()), exchange.status == 304
    if before and (is_304 or (before == fields[_DIGEST] and exchange.body)):
        fields |= {
            "WARC-Type": "revisit",
            "WARC-Profile": _NOT_MODIFIED if is_304 else _SAME_CONTENT,
            "WARC-Refers-To-Target-URI": exchange.url,
            "WARC-Refers-To-Date": known.get("warc-date", ""),
            _DIGEST: before,
        }
        return fields, b""
    if exchange.truncated:
        fields["WARC-Truncated"] = exchange.truncated
    return fields, exchange.body


def _http_head(line: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """The head of a message as it was sent, but for turns of line in it."""
    lines = [line, *[f"{name}: {value}" for name, value in headers]]
    if _TURNS.search("".join(lines)):
        lines = [_TURNS.sub(" ", one) for one in lines]
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


def _true_headers(headers: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    # Chunks are joined as they are read, so that this header would be untrue.
    for name, value in headers:
        yield f"X-Crawler-{name}" if name.lower() == "transfer-encoding" else name, value


def _packed(fields: Mapping[str, str], block: bytes) -> tuple[bytes, str]:
    """A record, compressed, and its id."""
    # Written here and not by warcio, which takes more time for the heads than for the rest.
    kind = fields["WARC-Type"]
    of_http = kind in {"response", "revisit", "request"}
    message = "response" if kind == "revisit" else kind
    known = {
        **fields,
        "WARC-Record-ID": f"<urn:uuid:{uuid4()}>",
        "Content-Type": f"application/http; msgtype={message}" if of_http else _FIELDS,
        "Content-Length": str(len(block)),
    }
    head = "\r\n".join(["WARC/1.1", *[f"{name}: {value}" for name, value in known.items()]])
    data = b"".join((head.encode(), b"\r\n\r\n", block, b"\r\n\r\n"))
    return _member(data), known["WARC-Record-ID"]


def _member(data: bytes) -> bytes:
    """Data as a member of a gzip file; a short one is not compressed, as that takes longer than all else of it."""
    if len(data) > _SHORT:
        return zlib.compress(data, _LEVEL, 31)
    size, check = len(data), zlib.crc32(data)
    return _STORED + struct.pack("<HH", size, size ^ 0xFFFF) + data + struct.pack("<II", check, size)


def _lines_of(notes: Mapping[str, object]) -> bytes:
    """Names and values as ``application/warc-fields``."""
    said = ((name, _TURNS.sub(" ", str(one))) for name, one in notes.items() if one is not None)
    return "".join(f"{name}: {value}\r\n" for name, value in said).encode("utf-8", "replace")


def _date(when: float | None = None) -> str:
    moment = datetime.now(UTC) if when is None else datetime.fromtimestamp(when, UTC)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _stamp(date: str) -> str:
    return re.sub(r"\D", "", date)[:14]


def write_wacz(path: Path, folder: Path, pages: Iterable[Mapping[str, str]], about: Mapping[str, Any]) -> None:
    """Write the WARC files of an archive's folder as one WACZ file; also while it is written to.

    ``pages`` have ``url``, ``ts`` and perhaps ``title``; ``about`` is said of the whole, such as ``title``. Raises
    ConfigError: the folder holds no WARC file of a crawl; OSError: the file cannot be written.
    """
    files = warc_files(folder)
    if not files:
        raise ConfigError("nothing that was fetched is kept: crawl with --warc for that")
    lines = heapq.merge(*(file.lines() for file in files))
    head = {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}
    parts: dict[str, Iterable[bytes]] = {
        **{f"archive/{file.path.name}": file.pieces() for file in files},
        "indexes/index.cdx": (line.encode() for line in lines),
        "pages/pages.jsonl": (msgspec.json.encode(one) + b"\n" for one in chain([head], pages)),
    }
    with ZipFile(path, "w") as target:
        known = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "software": f"semcrawl {VERSION}",
            "created": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            **about,
            "resources": [_write(target, name, pieces) for name, pieces in parts.items()],
        }
        package = msgspec.json.format(msgspec.json.encode(known), indent=2)
        described = _write(target, "datapackage.json", [package])
        digest = {name: described[name] for name in ("path", "hash")}
        _write(target, "datapackage-digest.json", [msgspec.json.encode(digest)])


def _write(target: ZipFile, name: str, pieces: Iterable[bytes]) -> dict[str, Any]:
    digest, size = sha256(), 0
    with target.open(name, "w", force_zip64=True) as file:
        for piece in pieces:
            file.write(piece)
            digest.update(piece)
            size += len(piece)
    short = name.rpartition("/")[2]
    return {"name": short, "path": name, "hash": f"sha256:{digest.hexdigest()}", "bytes": size}
