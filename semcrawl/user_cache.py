"""What is kept in folders of the user's: bytes by key, bounded in size.

What was costly to make is in ``semcrawl`` in ``XDG_CACHE_HOME`` or ``~/.cache``; ``SEMCRAWL_CACHE=off`` turns it off.
What is known of the user's crawls is in ``semcrawl`` in ``XDG_STATE_HOME`` or ``~/.local/state``. What is damaged, or
cannot be read or written, is done without.
"""

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
    return _user_folder("XDG_CACHE_HOME", "~/.cache", name)


def state_folder(name: str) -> Path | None:
    """Return the user's folder for what is not made again; None where no home is known."""
    return _user_folder("XDG_STATE_HOME", "~/.local/state", name)


def _user_folder(variable: str, otherwise: str, name: str) -> Path | None:
    home = os.environ.get(variable, "")
    try:
        root = Path(home) if Path(home).is_absolute() else Path(otherwise).expanduser()
    except RuntimeError:  # no home folder is known
        return None
    return root / "semcrawl" / name


def load_entry(folder: Path | None, key: str) -> memoryview | None:
    """Return what was stored under a key; None if nothing was, if it is damaged, or without a folder."""
    if folder is None:
        return None
    path = folder / key
    try:
        if not is_private(folder):
            return None
        data = path.read_bytes()
        os.utime(path)  # what is used stays longer
    except OSError:
        return None
    content = memoryview(data)[len(_MAGIC) + _DIGEST :]
    return content if data.startswith(_MAGIC + sha256(content).digest()) else None


def store_entry(folder: Path | None, key: str, content: bytes, largest: int = 0) -> None:
    """Store bytes under a key, if there is a folder; the oldest go where all are over ``largest``, or `LARGEST`."""
    largest = largest or LARGEST
    if folder is None or len(content) > largest // 2:
        return
    data = _MAGIC + sha256(content).digest() + content
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_private(folder):
            write_whole(folder / key, data)
            entries = [(path.stat(), path) for path in folder.iterdir()]
            total = 0
            for state, path in sorted(entries, key=lambda entry: -entry[0].st_mtime):
                total += state.st_size
                if total > largest:  # the oldest go
                    path.unlink(missing_ok=True)


def is_private(folder: Path) -> bool:
    """Return whether only the user can have written what is in a folder."""
    state = folder.stat()
    own = not hasattr(os, "getuid") or state.st_uid == os.getuid()
    return own and not state.st_mode & 0o022
