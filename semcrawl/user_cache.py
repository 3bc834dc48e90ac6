"""What was costly to make, kept in the user's cache folder: bytes by key, bounded in size.

The folder is ``semcrawl`` in ``XDG_CACHE_HOME`` or ``~/.cache``; ``SEMCRAWL_CACHE=off`` turns
it off. Nothing in it is needed: what is damaged, or cannot be read or written, is done without.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from semcrawl.whole_files import write_whole

LARGEST = 1_000_000_000  # of all entries of one folder together, in bytes

_MAGIC = b"SCCACHE\n"
_DIGEST = 32  # bytes of SHA-256, for which processors have instructions


def cache_folder(name: str) -> Path | None:
    """Return the user's folder for one kind of entries; None where nothing is to be kept."""
    if os.environ.get("SEMCRAWL_CACHE", "").lower() in ("off", "no", "0"):
        return None
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        root = Path(home) if Path(home).is_absolute() else Path("~/.cache").expanduser()
    except RuntimeError:  # no home folder is known
        return None
    return root / "semcrawl" / name


def load_entry(folder: Path, key: str) -> memoryview | None:
    """Return what was stored under a key; None if nothing was, or if it is damaged."""
    path = folder / key
    try:
        if not _is_private(folder):
            return None
        data = path.read_bytes()
        os.utime(path)  # what is used stays longer
    except OSError:
        return None
    content = memoryview(data)[len(_MAGIC) + _DIGEST :]
    head = _MAGIC + sha256(content).digest()
    return content if data.startswith(head) else None


def store_entry(folder: Path, key: str, content: bytes) -> None:
    """Store bytes under a key, and remove the oldest entries where the folder grows too large."""
    if len(content) > LARGEST // 2:
        return
    data = _MAGIC + sha256(content).digest() + content
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_private(folder):
            write_whole(folder / key, data)
            _remove_oldest(folder)


def _is_private(folder: Path) -> bool:
    """Whether only the user can have written what is in a folder."""
    state = folder.stat()
    own = not hasattr(os, "getuid") or state.st_uid == os.getuid()
    return own and not state.st_mode & 0o022


def _remove_oldest(folder: Path) -> None:
    entries = [(path.stat(), path) for path in folder.iterdir()]
    total = 0
    for state, path in sorted(entries, key=lambda entry: -entry[0].st_mtime):
        total += state.st_size
        if total > LARGEST:
            path.unlink(missing_ok=True)
