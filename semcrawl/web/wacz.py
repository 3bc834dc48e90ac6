"""WACZ 1.1.1: WARC files, their index and a list of pages in one file, which viewers open.

Everything is copied in pieces, so that the size of an archive does not matter.
"""

import heapq
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec

from semcrawl.errors import ConfigError
from semcrawl.version import VERSION
from semcrawl.web.warc_writer import warc_files


def write_wacz(
    path: Path, folder: Path, pages: Iterable[Mapping[str, str]], about: Mapping[str, Any]
) -> None:
    """Write the WARC files of an archive's folder as one WACZ file; also while it is written to.

    ``pages`` have ``url``, ``ts`` and perhaps ``title``; ``about`` is said of the whole, such as
    ``title``.

    Raises:
        ConfigError: the folder holds no WARC file of a crawl.
        OSError: the file cannot be written.
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
