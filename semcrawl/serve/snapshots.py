"""The one snapshot that all readers of a server share.

It is renewed on request. An old one is removed when no worker has it open. A crawl that has
ended is read by a snapshot of hard links too, so that ``semcrawl resume`` finds it free.
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from semcrawl.errors import SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshots import is_locked, link_snapshot, open_snapshot, remove_snapshot, request_snapshot

_CATCHING_UP = 10.0  # seconds


class Snapshot(Struct, frozen=True):
    """A crawl graph at one moment. ``is_live``: a process is writing the crawl."""

    path: Path | str
    number: int
    is_live: bool
    taken_at: float


class Snapshots:
    """Keeps the current snapshot of the crawl in a folder; used from one event loop.

    Two are ``interval`` seconds apart, or ``rest`` times what the last took, at most 5 s. An ``endpoint`` is a SPARQL
    server that has the graph instead: it is what it is when it is asked.
    """

    def __init__(
        self, folder: Path, interval: float = 1.0, rest: float = 40, *, trust: bool = False, endpoint: str = ""
    ) -> None:
        self.folder = folder
        self._endpoint = endpoint
        self.trust = trust
        self.on_renewed: list[Callable[[Snapshot], None]] = []
        self._interval, self._rest = interval, rest
        self._snapshot: Snapshot | None = None
        self._problem: SemcrawlError | None = None
        self._is_ending = threading.Event()
        self._stamp: object = None
        self._due = 0.0
        self._renewal: asyncio.Task[None] | None = None
        self._held: Counter[int] = Counter()
        self._old: dict[int, Snapshot] = {}

    async def current(self, patience: float = 0.5) -> Snapshot:
        """Return the current snapshot, or the last one where the crawl is slow to answer."""
        is_known = self._snapshot is not None or self._problem is not None
        if self._renewal is None and (time.monotonic() >= self._due or not is_known):
            self._renewal = asyncio.create_task(self._renew())
        if self._renewal is not None:
            if self._snapshot is None:
                await asyncio.shield(self._renewal)
            else:
                await asyncio.wait({self._renewal}, timeout=patience)
        if self._snapshot is None:
            assert self._problem is not None
            # Told to all who ask until the next try is due.
            raise self._problem.with_traceback(None)
        return self._snapshot

    def hold(self, snapshot: Snapshot) -> None:
        """Keep a snapshot until it is released as often."""
        self._held[snapshot.number] += 1

    def release(self, snapshot: Snapshot | None) -> None:
        """End one use of a snapshot, if it is one."""
        if snapshot is None:
            return
        self._held[snapshot.number] -= 1
        if self._held[snapshot.number] <= 0:
            del self._held[snapshot.number]
            if old := self._old.pop(snapshot.number, None):
                remove_snapshot(old.path)

    def hurry(self) -> None:
        """Renew at the next request: the crawl is known to have ended."""
        self._due = 0.0

    async def catch_up(self) -> None:
        """Wait, for some seconds at most, for a snapshot that has what was written until now."""
        if self._renewal is not None:  # it may have begun before that was written
            await asyncio.wait({self._renewal}, timeout=_CATCHING_UP)
        self.hurry()
        await self.current(_CATCHING_UP)

    def end_waiting(self) -> None:
        """Stop waiting for a crawl that does not answer: the server ends."""
        self._is_ending.set()

    def close(self) -> None:
        """Remove all snapshots; their readers must have ended."""
        self.end_waiting()
        if self._renewal is not None:
            self._renewal.cancel()
        for snapshot in (*self._old.values(), self._snapshot):
            if snapshot is not None:
                remove_snapshot(snapshot.path)
        self._old, self._snapshot = {}, None

    async def _renew(self) -> None:
        began = time.monotonic()
        try:
            taken = await asyncio.to_thread(self._take)
        except SemcrawlError as error:
            # Busy with one long page, or the folder is gone: the old one stays current.
            self._problem = error
        else:
            self._problem = None
            if taken is not None:
                self._replace(*taken)
        finally:
            took = time.monotonic() - began
            self._due = time.monotonic() + min(max(self._interval, self._rest * took), 5.0)
            self._renewal = None

    def _take(self) -> tuple[Path | str, bool] | None:
        """A new snapshot and whether the crawl runs, None where nothing has changed."""
        if self._endpoint:
            with CrawlGraph(open_snapshot(self._endpoint)) as graph:
                about = graph.describe()
            if about == self._stamp:
                return None
            self._stamp = about
            return f"{self._endpoint}#{time.time_ns()}", about.stopped is None
        stamp = folder_stamp(self.folder)
        if stamp == self._stamp:
            return None
        if is_locked(self.folder) and (path := request_snapshot(self.folder, should_stop=self._is_ending.is_set)):
            return path, True
        path = link_snapshot(self.folder)
        # Noted as it was before, so that a change in between is seen at the next look.
        self._stamp = stamp
        return path, False

    def _replace(self, path: Path | str, is_live: bool) -> None:
        before = self._snapshot
        self._snapshot = Snapshot(path, before.number + 1 if before else 1, is_live, time.time())
        if is_live:
            self._stamp = None
        if before is not None:
            self._old[before.number] = before
            self.hold(before)
            for listener in self.on_renewed:
                listener(self._snapshot)
            self.release(before)


def folder_stamp(folder: Path) -> object:
    """A value that changes when a process opens the crawl for writing; it takes no lock."""
    times = []
    for path in (folder / "lock", folder / "graph", folder / "graph" / "CURRENT"):
        with suppress(OSError):
            times.append((path.stat().st_mtime_ns, path.stat().st_ino))
    return times
