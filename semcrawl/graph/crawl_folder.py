"""The folder of a crawl: what may stand in it, and whether this user made it.

A folder may come from a stranger. Nothing in it may be a link, so that reading, writing and
removing never leave it. A folder counts as this user's own if a mark in the user's state folder
(``XDG_STATE_HOME`` or ``~/.local/state``) fits it; a copy, which has other inodes, does not fit.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from semcrawl.errors import StoreError
from semcrawl.user_cache import is_private, load_entry, state_folder, store_entry

GRAPH, LOCK, SNAPSHOTS = "graph", "lock", "snapshots"
MEMORIES = ("judge", "strategy")  # folders of what these have learnt
MARK_NOTES = "marks"  # left by others for a crawl that runs
PAGE_COUNTS = "page-counts"  # for languages without a background

_MARKS = "crawls"
_LARGEST_MARKS = 500_000  # bytes of all marks, which are some 7,000 crawls


def require_no_links(folder: Path) -> None:
    """Raise StoreError where a part of a crawl is a link, or neither a file nor a folder."""
    for name in (GRAPH, *MEMORIES):
        require_plain(folder / name)
        for place, folders, files in os.walk(folder / name):
            for one in (*folders, *files):
                require_plain(Path(place, one))
    for name in (LOCK, SNAPSHOTS, MARK_NOTES, PAGE_COUNTS):
        require_plain(folder / name)


def require_plain(path: Path) -> None:
    """Raise StoreError where a path is a link, or there is neither a file nor a folder."""
    if path.is_symlink():
        raise StoreError(
            f"{path} is a link, and a crawl folder has none: remove the link, "
            "or put what it leads to in its place"
        )
    if path.exists() and not path.is_file() and not path.is_dir():
        raise StoreError(f"{path} is neither a file nor a folder: remove it")


def mark_as_own(folder: Path, crawl: str) -> None:
    """Note that this user made the crawl of that id in this folder; no note where it cannot be."""
    marks = state_folder(_MARKS)
    if marks is not None:
        store_entry(marks, _key(crawl), _identity(folder), _LARGEST_MARKS)


def is_own(folder: Path, crawl: str) -> bool:
    """Whether this user made the crawl in this very folder, and nobody else can write into it."""
    marks = state_folder(_MARKS)
    with suppress(OSError):
        private = is_private(folder) and is_private(folder / GRAPH)
        mark = load_entry(marks, _key(crawl)) if marks is not None and private else None
        return mark is not None and bytes(mark) == _identity(folder)
    return False


def _key(crawl: str) -> str:
    return sha256(crawl.encode("utf-8", "surrogatepass")).hexdigest()


def _identity(folder: Path) -> bytes:
    # Numbers that no archive brings along, and that a folder keeps when it is renamed.
    inodes = [(folder / name).stat().st_ino for name in ("", GRAPH, LOCK)]
    return " ".join(map(str, inodes)).encode()
