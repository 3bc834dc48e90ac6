"""One writer per crawl folder: a lock that the system lets go of when a process dies."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from semcrawl.errors import CrawlLockedError, StoreError

try:
    import fcntl
except ImportError:  # pragma: no cover - other systems rely on the store's own lock
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FolderLock", "is_locked"]


class FolderLock:
    """A lock on a crawl folder: one writer, or any number of readers.

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
    """Whether another process has the crawl of a folder open for writing."""
    try:
        FolderLock(folder, shared=True).release()
    except CrawlLockedError:
        return True
    return False
