"""The folder of a crawl: what may stand in it, and whether this user made it.

A folder may come from a stranger. Nothing in it may be a link, so that reading, writing and removing never leave it. A
folder counts as this user's own if a mark in the user's state folder (``XDG_STATE_HOME`` or ``~/.local/state``) fits
it: a copy, which has other inodes, does not fit, nor does a folder whose topic or settings were replaced.
"""

import os
import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from semcrawl.errors import FolderTakenError, StoreError, os_errors
from semcrawl.user_cache import is_private, load_entry, state_folder, store_entry

GRAPH, LOCK, SNAPSHOTS = "graph", "lock", "snapshots"
MEMORIES = ("judge", "strategy")  # folders of what these have learnt
MARK_NOTES = "marks"  # left by others for a crawl that runs
PAGE_COUNTS = "page-counts"  # for languages without a background
WARC = "warc"  # what was fetched, where it is kept
MIRROR = "mirror"  # the log of changes, for a server that follows the graph
INBOX = "inbox"  # of a shard: links that other shards have for it, and what it has learnt

_MARKS = "crawls"
_LARGEST_MARKS = 2_000_000  # bytes of all marks, which are some 10,000 crawls
_DEEPEST = 20  # folders below each other
_LARGEST_EMPTY = 1 << 24  # bytes from which on a file must not be nearly all holes


def make_new(folder: Path, *, is_taken: bool = False) -> None:
    """Make the folder of a new crawl, empty.

    Raises FolderTakenError: it holds a crawl (``is_taken``), or something else; StoreError: it cannot be made.
    """
    if is_taken or (folder / GRAPH).exists():
        raise FolderTakenError(
            f"{folder} holds a crawl already: go on with 'semcrawl resume {folder}', or choose another folder"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderTakenError(f"{folder} exists and is no empty folder: choose another")
    with os_errors(StoreError, f"cannot make the folder {folder}", "; choose another"):
        # Whoever can write into it can say what a resume shall do.
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)


def remove_crawl(folder: Path) -> None:
    """Remove all that a crawl writes, and the folder where nothing else is in it."""
    for name in (GRAPH, SNAPSHOTS, MARK_NOTES, WARC, MIRROR, INBOX, *MEMORIES):
        shutil.rmtree(folder / name, ignore_errors=True)
    with suppress(OSError):
        (folder / PAGE_COUNTS).unlink(missing_ok=True)
        (folder / LOCK).unlink(missing_ok=True)
        folder.rmdir()


def require_no_links(folder: Path) -> None:
    """Raise StoreError where a part of a crawl is a link, or nothing that a crawl has.

    That is neither a file nor a folder, a file that is nearly all holes, or folders too deep.
    """
    for name in (LOCK, SNAPSHOTS, MARK_NOTES, PAGE_COUNTS):
        require_plain(folder / name)
    waiting = [(folder / name, 0) for name in (GRAPH, WARC, MIRROR, INBOX, *MEMORIES)]
    while waiting:
        place, depth = waiting.pop()
        require_plain(place)
        if depth > _DEEPEST:
            raise StoreError(f"{place} lies deeper than anything that a crawl writes: remove it")
        if place.is_dir():
            with os.scandir(place) as entries:
                waiting += [(Path(entry.path), depth + 1) for entry in entries]


def require_plain(path: Path) -> None:
    """Raise StoreError where a path is a link, or there is neither a file nor a folder.

    A file must not be much larger than what it takes on the disk, either: reading it would not end.
    """
    try:
        state = path.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISLNK(state.st_mode):
        raise StoreError(
            f"{path} is a link, and a crawl folder has none: remove the link, or put what it leads to in its place"
        )
    if not stat.S_ISREG(state.st_mode) and not stat.S_ISDIR(state.st_mode):
        raise StoreError(f"{path} is neither a file nor a folder: remove it")
    # Compression by the file system makes files ten times smaller, not a hundred times.
    stored = 512 * getattr(state, "st_blocks", state.st_size)
    if state.st_size > _LARGEST_EMPTY and 100 * stored < state.st_size:
        raise StoreError(f"{path} says that it has {state.st_size:,} bytes, nearly all of which are missing: remove it")


def mark_as_own(folder: Path, crawl: str, *said: str) -> None:
    """Note that this user made the crawl of that id in this folder; no note where it cannot be.

    ``said`` are digests of what the crawl may say, topic and settings, that come from this user.
    """
    store_entry(state_folder(_MARKS), _key(folder, crawl), _mark(folder, said), _LARGEST_MARKS)


def is_own(folder: Path, crawl: str, said: str) -> bool:
    """Whether this user made the crawl in this very folder and what it says, and no other can write into it."""
    with suppress(OSError):
        private = is_private(folder) and is_private(folder / GRAPH)
        mark = load_entry(state_folder(_MARKS), _key(folder, crawl)) if private else None
        known = bytes(mark or b"").decode("ascii", "replace").split()[3:]
        return mark is not None and said in known and bytes(mark) == _mark(folder, known)
    return False


def _key(folder: Path, crawl: str) -> str:
    # A crawl may be in two folders: that of a shard, and that where shards are gathered.
    named = f"{crawl} {folder.stat().st_ino}"
    return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()


def _mark(folder: Path, said: Sequence[str]) -> bytes:
    # Numbers that no archive brings along, and that a folder keeps when it is renamed.
    inodes = [(folder / name).stat().st_ino for name in ("", GRAPH, LOCK)]
    return " ".join(map(str, (*inodes, *said))).encode()
