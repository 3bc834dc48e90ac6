"""Reading the graph of a crawl that runs: the writer hands out snapshots on request.

A reader leaves a note ``snapshots/ID.wanted`` in the crawl folder; the running crawl looks for
notes between pages and answers with ``snapshots/ID`` (hard links), which the reader removes.
"""

import errno
import os
import re
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pyoxigraph as ox

from semcrawl.errors import CrawlLockedError, NotACrawlError, StoreError, os_errors
from semcrawl.graph.crawl_folder import GRAPH, LOCK, SNAPSHOTS, require_no_links, require_plain
from semcrawl.graph.journal import is_left
from semcrawl.graph.store import OxigraphStore
from semcrawl.user_cache import is_private

try:
    import fcntl
except ImportError:  # pragma: no cover - other systems rely on the store's own lock
    HAS_LOCKS = False
else:
    HAS_LOCKS = True


_LOOK = 1.0  # seconds in which a reader that asks whether a crawl is open has surely let go


class FolderLock:
    """A lock on a crawl folder for one writer or many readers; CrawlLockedError if it is taken."""

    def __init__(self, folder: Path, *, shared: bool = False) -> None:
        path = folder / LOCK
        require_plain(path)
        advice = "; check its permissions or choose another folder"
        with os_errors(StoreError, f"cannot lock the crawl folder {folder}", advice):
            self._file = _open_lock(path, shared=shared)
        try:
            self._acquire(folder, shared=shared)
        except StoreError:
            self.release()
            raise

    def _acquire(self, folder: Path, *, shared: bool) -> None:
        if not HAS_LOCKS or self._file < 0:
            return
        if not self._take(fcntl.LOCK_SH if shared else fcntl.LOCK_EX):
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            who = f"process {holder}" if holder else "another process"
            there = f"{who}: wait until it ends, or stop it"
            where = "this process: close it first" if holder == str(os.getpid()) else there
            raise CrawlLockedError(f"the crawl in {folder} is open in {where}")
        if not shared:
            # It is emptied only if it has what a lock has: it might be another's file.
            is_linked = os.fstat(self._file).st_nlink > 1
            if is_linked or os.pread(self._file, 21, 0).strip(b"0123456789"):
                raise StoreError(f"{folder / LOCK} is no lock of a crawl: remove it")
            os.truncate(self._file, 0)
            with suppress(OSError):  # the disk is full: the lock holds without its holder's name
                os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def _take(self, kind: int) -> bool:
        """Take the lock, waiting for a moment for those who only look at the crawl; whether it was to be had."""
        deadline = time.monotonic() + _LOOK
        while True:
            with suppress(OSError):
                fcntl.flock(self._file, kind | fcntl.LOCK_NB)
                return True
            if kind == fcntl.LOCK_SH or time.monotonic() > deadline:
                return False
            time.sleep(_LOOK / 20)

    def release(self) -> None:
        """Let go; doing so twice is fine."""
        if self._file >= 0:
            with suppress(OSError):
                os.close(self._file)
            self._file = -1


def _open_lock(path: Path, *, shared: bool) -> int:
    """The open file of a lock; -1 for a reader where there is none and none can be made."""
    follow = getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | follow, 0o644)
    except OSError as error:
        if not shared or error.errno not in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise
    try:
        return os.open(path, os.O_RDONLY | follow)
    except FileNotFoundError:
        return -1


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
    current = folder / GRAPH / "CURRENT"
    if not current.is_file() or current.stat().st_size > _LARGEST_CURRENT:
        raise NotACrawlError(f"{folder} holds no crawl: give a folder made by 'semcrawl crawl'")


_DUMP = "graph.nq"
_TEMPORARY = "semcrawl-"
_OURS = re.compile(rf"(\d{{1,10}})-[0-9a-f]{{32}}(\.wanted|\.part)?|{_TEMPORARY}\w+")
_STORE_FILE = re.compile(r"CURRENT|IDENTITY|journal\.log|(MANIFEST|OPTIONS)-\d{1,20}|\d{1,20}\.(log|sst)")
_LARGEST_CURRENT = 1000  # bytes; it has the name of another file
_MOST_COPIED = 1 << 31  # bytes of a snapshot that are not tables


def request_snapshot(
    folder: Path, timeout: float = 15.0, should_stop: Callable[[], bool] = lambda: False
) -> Path | None:
    """A snapshot from the running crawl, None if it has ended; CrawlLockedError if none comes."""
    what = f"the crawl in {folder} is running, and cannot be asked for a snapshot"
    with os_errors(CrawlLockedError, what, "; wait until it ends, or get the right to write there"):
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
                raise CrawlLockedError(f"the crawl in {folder} had not answered when the wait was ended: try again")
            time.sleep(0.05)
    finally:
        # Also when the reader is interrupted: nobody would remove what it asked for.
        note.unlink(missing_ok=True)
    raise CrawlLockedError(
        f"the crawl in {folder} is open in another process that did not answer "
        f"within {timeout:.0f} s: try again, or wait until it ends"
    )


def answer_snapshot_requests(folder: Path, store: OxigraphStore, first: Callable[[], None] = lambda: None) -> int:
    """Write a snapshot for every waiting note, doing ``first`` first; how many were written."""
    notes = [note for note in _in_snapshots(folder) if note.suffix == ".wanted"]
    if notes:
        first()
    for note in notes:
        part = note.with_suffix(".part")
        store.backup(part)
        # The rename comes last, so that a reader never sees half a snapshot.
        part.rename(note.with_suffix(""))
        note.unlink(missing_ok=True)
    return len(notes)


def clear_snapshots(folder: Path) -> None:
    """Remove what processes that have ended left behind; what others still read stays."""
    for path in _in_snapshots(folder):
        if not _is_alive(int(path.name.partition("-")[0])):
            # A note or a folder; what cannot be removed does no harm.
            path.unlink(missing_ok=True) if path.is_file() else remove_snapshot(path)


def _in_snapshots(folder: Path) -> list[Path]:
    """What has a name that semcrawl gives, and is no link."""
    snapshots = folder / SNAPSHOTS
    require_plain(snapshots)
    try:
        with os.scandir(snapshots) as entries:  # a running crawl looks often
            return [
                Path(entry.path)
                for entry in entries
                if (name := _OURS.fullmatch(entry.name)) and name[1] and not entry.is_symlink()
            ]
    except OSError:
        return []


def _new_place(folder: Path) -> Path:
    """A place whose name tells whose snapshot it is."""
    snapshots = folder / SNAPSHOTS
    require_plain(snapshots)
    snapshots.mkdir(mode=0o755, exist_ok=True)
    return snapshots / f"{os.getpid()}-{uuid.uuid4().hex}"


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it belongs to somebody else
    return True


def take_snapshot(folder: Path | None, store: OxigraphStore) -> Path:
    """A snapshot of a graph that this process writes; a graph in memory is written out."""
    if folder is None:
        place = Path(tempfile.mkdtemp(prefix=_TEMPORARY))
        store.dump(ox.RdfFormat.N_QUADS, place / _DUMP)
        return place
    place = _new_place(folder)
    store.backup(place)
    return place


def link_snapshot(folder: Path) -> Path:
    """A snapshot of a crawl that no process writes, which it leaves unlocked.

    Raises NotACrawlError: the folder holds no crawl; CrawlLockedError: a process has it open for writing; StoreError:
    the folder cannot be written.
    """
    require_graph(folder)
    require_no_links(folder)
    lock = FolderLock(folder, shared=True)
    place: Path | None = None
    try:
        clear_snapshots(folder)
        # Where others can write, they could put a link for what is copied, and read the copy.
        is_inside = os.access(folder, os.W_OK) and is_private(folder)
        place = _new_place(folder) if is_inside else Path(tempfile.mkdtemp(prefix=_TEMPORARY))
        place.mkdir(mode=0o755, exist_ok=True)
        for path in _store_files(folder):
            _link_or_copy(path, place / path.name, is_inside=is_inside)
        if is_left(place):
            with closing(OxigraphStore(place)) as store:
                store.flush()
    except (OSError, StoreError) as error:
        if place:
            remove_snapshot(place)
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(
            f"cannot make a snapshot in {folder}: {why}; free some space, or check its permissions"
        ) from error
    finally:
        lock.release()
    return place


def _store_files(folder: Path) -> list[Path]:
    """The files that a reader of a store needs; StoreError if they are too large to be copied."""
    files = [path for path in (folder / GRAPH).iterdir() if _STORE_FILE.fullmatch(path.name)]
    copied = sum(path.stat().st_size for path in files if path.suffix != ".sst")
    if copied > _MOST_COPIED:
        raise StoreError(
            f"the graph of {folder} has {copied:,} bytes beside its tables, more than a snapshot "
            "copies: open the crawl once with 'semcrawl resume', which puts them into tables"
        )
    return files


def _link_or_copy(path: Path, target: Path, *, is_inside: bool) -> None:
    # Tables never change once written; the next writer goes on with all other files.
    if path.suffix == ".sst":
        with suppress(OSError):  # a file system without hard links
            if is_inside:
                target.hardlink_to(path)
            else:
                # It may be on another disk, and is not copied.
                target.symlink_to(path.absolute())
            return
    shutil.copyfile(path, target)


def is_address(place: object) -> bool:
    """Whether a text is the address of a server, and not the name of a folder."""
    return isinstance(place, str) and place.lower().startswith(("http://", "https://"))


def open_snapshot(place: Path | str) -> OxigraphStore:
    """The store of a snapshot, for reading; or a server, by its address."""
    if is_address(place):
        from semcrawl.graph.endpoint import EndpointStore

        return EndpointStore(str(place))
    dump = Path(place, _DUMP)
    if not dump.exists():
        return OxigraphStore(Path(place), read_only=True)
    store = OxigraphStore()
    store.raw.bulk_load(path=str(dump), format=ox.RdfFormat.N_QUADS)
    return store


def remove_snapshot(place: Path | str) -> None:
    """Remove a snapshot that is no longer needed; what has no name of one stays.

    So does a folder that has folders: no snapshot has.
    """
    place = Path(place)
    if not _OURS.fullmatch(place.name):
        return
    with suppress(OSError):
        if not any(path.is_dir() and not path.is_symlink() for path in place.iterdir()):
            shutil.rmtree(place, ignore_errors=True)
