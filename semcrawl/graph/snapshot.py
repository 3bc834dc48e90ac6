"""Reading the graph of a crawl that runs: the writer hands out snapshots on request.

A disk store must not be opened beside its writer. So a reader leaves a note
``snapshots/ID.wanted`` in the crawl folder; the running crawl, which looks for
notes between pages, answers with a snapshot ``snapshots/ID`` (hard links, a few
milliseconds); the reader opens that and removes it when it is done.
"""

from __future__ import annotations

import shutil
import time
import uuid
from typing import TYPE_CHECKING

from semcrawl.errors import CrawlLockedError

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.graph.store import Store

__all__ = ["answer_snapshot_requests", "clear_snapshots", "request_snapshot"]


def request_snapshot(folder: Path, timeout: float = 15.0) -> Path:
    """Ask the running crawl for a snapshot and wait for it; the caller removes it.

    Raises:
        CrawlLockedError: the process that has the crawl open does not answer.
    """
    snapshots = folder / "snapshots"
    snapshots.mkdir(exist_ok=True)
    snapshot = snapshots / uuid.uuid4().hex
    note = snapshot.with_suffix(".wanted")
    note.touch()
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        if snapshot.is_dir():
            return snapshot
        time.sleep(0.05)
    note.unlink(missing_ok=True)
    raise CrawlLockedError(
        f"the crawl in {folder} is open in another process that did not answer "
        f"within {timeout:.0f} s: try again, or wait until it ends"
    )


def answer_snapshot_requests(folder: Path, store: Store) -> int:
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
    """Remove what readers of an earlier run left behind."""
    shutil.rmtree(folder / "snapshots", ignore_errors=True)
