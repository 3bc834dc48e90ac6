"""Reading the graph of a crawl that runs: the writer hands out snapshots on request.

A reader leaves a note ``snapshots/ID.wanted`` in the crawl folder; the running crawl looks for
notes between pages and answers with ``snapshots/ID`` (hard links), which the reader removes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semcrawl.errors import CrawlLockedError, NotACrawlError, StoreError
from semcrawl.graph.store import OxigraphStore

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    import fcntl
except ImportError:  # pragma: no cover - other systems rely on the store's own lock
    HAS_LOCKS = False
else:
    HAS_LOCKS = True


class FolderLock:
    """A lock on a crawl folder, at most until the process dies: one writer, or many readers.

    Raises:
        CrawlLockedError: another process holds a lock that excludes this one.
    """

    def __init__(self, folder: Path, *, shared: bool = False) -> None:
        self._path = folder / "lock"
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StoreError(
                f"cannot lock the crawl folder {folder}: {error.strerror}; "
                "check its permissions or choose another folder"
            ) from error
        try:
            self._acquire(folder, shared=shared)
        except CrawlLockedError:
            self.release()
            raise

    def _acquire(self, folder: Path, *, shared: bool) -> None:
        if not HAS_LOCKS:  # pragma: no cover
            return
        try:
            fcntl.flock(self._file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            who = f"process {holder}" if holder else "another process"
            raise CrawlLockedError(
                f"the crawl in {folder} is open in {who}: wait until it ends, or stop it"
            ) from None
        if not shared:
            os.truncate(self._file, 0)
            os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Let go; doing so twice is fine."""
        if self._file >= 0:
            with suppress(OSError):
                os.close(self._file)
            self._file = -1


def is_locked(folder: Path) -> bool:
    """Whether a process has the crawl of a folder open for writing."""
    try:
        FolderLock(folder, shared=True).release()
    except CrawlLockedError:
        return True
    return False


def require_graph(folder: Path) -> None:
    """Raise NotACrawlError where a folder holds no graph."""
    # Opening a graph for writing would make one: look for the file that every graph has.
    if not (folder / "graph" / "CURRENT").is_file():
        raise NotACrawlError(f"{folder} holds no crawl: give a folder made by 'semcrawl crawl'")


_DUMP = "graph.nq"
_NOT_READ = {"LOCK", "LOG"}


def request_snapshot(
    folder: Path, timeout: float = 15.0, should_stop: Callable[[], bool] = lambda: False
) -> Path | None:
    """A snapshot from the running crawl, None if it has ended; the caller removes it.

    Raises:
        CrawlLockedError: the running crawl does not answer, or ``should_stop`` says so.
    """
    snapshot = _new_place(folder)
    note = snapshot.with_suffix(".wanted")
    note.touch()
    deadline = time.monotonic() + timeout
    try:
        while time.monotonic() < deadline:
            if snapshot.is_dir():
                return snapshot
            if not is_locked(folder):
                return None
            if should_stop():
                raise CrawlLockedError(
                    f"the crawl in {folder} had not answered when the wait was ended: try again"
                )
            time.sleep(0.05)
    finally:
        # Also when the reader is interrupted: nobody would remove what it asked for.
        note.unlink(missing_ok=True)
    raise CrawlLockedError(
        f"the crawl in {folder} is open in another process that did not answer "
        f"within {timeout:.0f} s: try again, or wait until it ends"
    )


def answer_snapshot_requests(folder: Path, store: OxigraphStore) -> int:
    """Write a snapshot for every waiting note; the number of snapshots written."""
    notes = list((folder / "snapshots").glob("*.wanted"))
    for note in notes:
        part = note.with_suffix(".part")
        store.backup(part)
        # The rename comes last, so that a reader never sees half a snapshot.
        part.rename(note.with_suffix(""))
        note.unlink(missing_ok=True)
    return len(notes)


def clear_snapshots(folder: Path) -> None:
    """Remove what processes that have ended left behind; what others still read stays."""
    for path in (folder / "snapshots").glob("*"):
        owner = path.name.partition("-")[0]
        if not (owner.isdecimal() and _is_alive(int(owner))):
            # A note or a folder; what cannot be removed does no harm.
            path.unlink(missing_ok=True) if path.is_file() else remove_snapshot(path)


def _new_place(folder: Path) -> Path:
    """A place whose name tells whose snapshot it is."""
    snapshots = folder / "snapshots"
    snapshots.mkdir(exist_ok=True)
    return snapshots / f"{os.getpid()}-{uuid.uuid4().hex}"


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it belongs to somebody else
    return True


def take_snapshot(folder: Path | None, store: OxigraphStore) -> Path:
    """A snapshot of a graph that this process writes; a graph in memory is written out."""
    if folder is None:
        place = Path(tempfile.mkdtemp(prefix="semcrawl-"))
        store.dump(ox.RdfFormat.N_QUADS, place / _DUMP)
        return place
    place = _new_place(folder)
    store.backup(place)
    return place


def link_snapshot(folder: Path) -> Path:
    """A snapshot of a crawl that no process writes, which it leaves unlocked.

    Raises:
        NotACrawlError: the folder holds no crawl.
        CrawlLockedError: a process has it open for writing.
        StoreError: the folder cannot be written.
    """
    require_graph(folder)
    lock = FolderLock(folder, shared=True)
    place: Path | None = None
    try:
        clear_snapshots(folder)
        place = _new_place(folder)
        place.mkdir()
        for path in (folder / "graph").iterdir():
            if path.name not in _NOT_READ:
                _link_or_copy(path, place / path.name)
    except OSError as error:
        if place:
            remove_snapshot(place)
        raise StoreError(
            f"cannot make a snapshot in {folder}: {error.strerror}; "
            "free some space, or check its permissions"
        ) from error
    finally:
        lock.release()
    return place


def _link_or_copy(path: Path, target: Path) -> None:
    # Tables never change once written; the next writer goes on with all other files.
    if path.suffix == ".sst":
        with suppress(OSError):  # a file system without hard links
            target.hardlink_to(path)
            return
    shutil.copyfile(path, target)


def open_snapshot(place: Path) -> OxigraphStore:
    """The store of a snapshot, for reading."""
    dump = place / _DUMP
    if not dump.exists():
        return OxigraphStore(place, read_only=True)
    store = OxigraphStore()
    store.raw.bulk_load(path=str(dump), format=ox.RdfFormat.N_QUADS)
    return store


def remove_snapshot(place: Path) -> None:
    """Remove a snapshot that is no longer needed."""
    shutil.rmtree(place, ignore_errors=True)
