"""A host: a process, or a part of one, that runs several shards, each in a thread of its own."""

import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol

from semcrawl.crawl.progress import Progress
from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.crawl.shards.messages import Orders, ShardReport
from semcrawl.crawl.shards.shard import ShardCrawl
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.version import VERSION
from semcrawl.web import Fetcher, open_replay

TURN = 0.1
"""Seconds after which a host answers at the latest, where nothing happens."""

_SWITCH = 0.02  # seconds between two switches of threads: shards in one process take turns


class HostLink(Protocol):
    """How the driver reaches a host. A call fails with an OSError where the host is gone."""

    def open(self, number: int, values: Mapping[str, Any]) -> Future[str]:
        """Let the host run a shard; the result says why it cannot, or nothing."""
        ...

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        """Give orders to the shards of the host; the result are the reports of all."""
        ...

    def kill(self) -> None:
        """End the host at once; it may be gone already."""
        ...


class _KeptOpen:
    """A fetcher that several crawls use, and none closes."""

    def __init__(self, fetcher: Fetcher) -> None:
        self.fetch = fetcher.fetch

    def close(self) -> None:
        """Leave it open for the others."""


class ShardHost:
    """Runs shards of a crawl folder; called by one thread at a time."""

    def __init__(
        self, folder: str | Path, version: str = VERSION, replay: Sequence[str] = ()
    ) -> None:
        """Take the folder of the whole crawl; ``version`` of semcrawl is that of the driver."""
        self._path = Path(folder)
        self._version = version
        # A recording is read once for all shards.
        self._fetcher = _KeptOpen(open_replay(list(replay))) if replay else None
        self._crawls: dict[int, ShardCrawl] = {}
        self._threads: dict[int, threading.Thread] = {}
        self._news = threading.Event()
        sys.setswitchinterval(_SWITCH)

    def open(self, number: int, values: Mapping[str, Any]) -> str:
        """Run a shard from its folder, with some settings changed; return what is wrong, or "".

        Raises:
            ConfigError: this is another version of semcrawl than the driver's.
        """
        if self._version != VERSION:
            raise ConfigError(
                f"the driver runs semcrawl {self._version}, and a worker of the cluster {VERSION}: "
                "install the same version on all machines"
            )
        self._let_go(number)
        try:  # the driver has looked whether the folder is to be trusted
            folder = ShardedFolder.open(self._path).shard(number)
            crawl = ShardCrawl.resume(folder, fetcher=self._fetcher, trust=True, **values)
        except SemcrawlError as error:
            return str(error)
        crawl.mailbox.needs_visits = self._news
        self._crawls[number] = crawl
        name = f"shard-{number}"
        thread = threading.Thread(target=self._work, args=(crawl,), name=name, daemon=True)
        self._threads[number] = thread
        thread.start()
        return ""

    def _work(self, crawl: ShardCrawl) -> None:
        try:
            with crawl:
                crawl.work()
        except SemcrawlError as error:
            crawl.mailbox.ended(None, str(error))
        except BaseException as error:  # told to the driver, which opens the shard again
            crawl.mailbox.ended(None, f"{type(error).__name__}: {error}")
            raise

    def turn(self, orders: Mapping[int, Orders]) -> list[ShardReport]:
        """Give orders; return the reports when visits run short, or after a moment."""
        self._news.clear()
        for number, told in orders.items():
            if number in self._crawls:
                self._crawls[number].mailbox.order(told)
        if not any(told.stop for told in orders.values()):
            self._news.wait(TURN)
        reports = [crawl.mailbox.collect() for crawl in self._crawls.values()]
        for report in reports:
            if report.failed or report.ended:
                self._let_go(report.number)
        heard = {report.number for report in reports}
        return reports + [
            ShardReport(number, Progress(), failed="it was not opened")
            for number in orders
            if number not in heard
        ]

    def _let_go(self, number: int) -> None:
        crawl, thread = self._crawls.pop(number, None), self._threads.pop(number, None)
        if crawl is not None and thread is not None:
            crawl.stop()
            thread.join(30.0)

    def close(self) -> None:
        """Stop all shards after the visits under way."""
        for crawl in self._crawls.values():
            crawl.stop()
        deadline = time.monotonic() + 30.0
        for number in list(self._crawls):
            self._threads[number].join(max(deadline - time.monotonic(), 0.1))
