"""Indexes of WARC files kept between runs in the user's cache folder.

A cached index counts only for the same path, size and time of change of the
file. The cache is a convenience: whatever goes wrong with it, the file is
scanned instead.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Annotated

import msgspec

from semcrawl.web.replay.warc import WarcIndex, scan_warc

__all__ = ["cache_folder", "warc_index"]

_FORMAT = 1
_Natural = Annotated[int, msgspec.Meta(ge=0)]


class _Stored(msgspec.Struct, array_like=True):
    format: int
    path: str
    size: int
    changed: int
    entries: list[tuple[str, _Natural, _Natural]]
    problems: list[str]


def cache_folder() -> Path:
    """Return the folder for cached indexes, by ``XDG_CACHE_HOME`` or ``~/.cache``."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(home) if Path(home).is_absolute() else Path("~/.cache").expanduser()
    return root / "semcrawl" / "warc-index"


def warc_index(path: Path) -> WarcIndex:
    """Return the index of a WARC file, from the cache if the file has not changed."""
    try:
        path = path.resolve()
        state = path.stat()
    except OSError:
        return scan_warc(path)
    key = (_FORMAT, str(path), state.st_size, state.st_mtime_ns)
    file = _file_of(path)
    stored = _load(file) if file else None
    if stored and (stored.format, stored.path, stored.size, stored.changed) == key:
        return WarcIndex(stored.entries, stored.problems)
    index = scan_warc(path)
    if file:
        _save(file, _Stored(*key, index.entries, index.problems))
    return index


def _file_of(path: Path) -> Path | None:
    try:
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
        return cache_folder() / f"{name}.json"
    except RuntimeError:  # no home folder is known
        return None


def _load(file: Path) -> _Stored | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Stored)
    except (OSError, msgspec.DecodeError):
        return None


def _save(file: Path, stored: _Stored) -> None:
    # Written beside and moved into place, so that no reader sees half an index.
    try:
        data = msgspec.json.encode(stored)
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as out:
            try:
                out.write(data)
                out.close()
                Path(out.name).replace(file)
            except OSError:
                Path(out.name).unlink(missing_ok=True)
    except (OSError, ValueError):
        return
