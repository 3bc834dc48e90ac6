"""A host: a process that runs several shards, each in a thread of its own.

On this machine it is a companion of the driver. On a cluster it is a Ray actor (cluster.py).
"""

import pickle
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from semcrawl.companions.process import Companion, ParentPipe, end_with_parent
from semcrawl.crawl.progress import StopReason
from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.crawl.shards.messages import Mailbox, Orders, ShardReport
from semcrawl.crawl.shards.shard import ShardCrawl
from semcrawl.errors import ConfigError, CrawlLockedError, SemcrawlError
from semcrawl.version import VERSION
from semcrawl.web import open_replay

TURN = 0.1
"""Seconds after which a host answers at the latest, where nothing happens."""

_SWITCH = 0.02  # seconds between two switches of threads: shards in one process take turns
_MOST_FAILURES = 8  # in a row, after which a shard is given up
_LONGEST_WAIT = 60.0  # seconds before a shard that failed is tried again
# A machine that was cut off lets go of its shards when Ray has ended its workers, after a minute or two.
_MOST_LOCKED, _LOCKED_WAIT = 120, 5.0


class HostLink(Protocol):
    """How the driver reaches a host."""

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        """Give orders to shards; the result are the reports of all, or OSError: it is gone."""
        ...

    def kill(self) -> None:
        """End the host at once; it may be gone already."""
        ...


class ShardHost:
    """Runs shards of a crawl folder, and opens those again that fail."""

    def __init__(
        self,
        folder: str | Path,
        numbers: Sequence[int],
        values: Mapping[str, Any] | None = None,
        replay: Sequence[str] = (),
        version: str = VERSION,
    ) -> None:
        """``values`` are settings that change; ``version`` of semcrawl is that of the driver."""
        self._folder = Path(folder)
        self._values = dict(values or {})
        self._problem: SemcrawlError | None = None  # why no shard is begun
        self._news, self._closed = threading.Event(), threading.Event()
        self._boxes = {number: Mailbox(ShardReport(number), self._news) for number in numbers}
        sys.setswitchinterval(_SWITCH)
        try:
            if version != VERSION:
                raise ConfigError(
                    f"the driver runs semcrawl {version}, and a worker of the cluster {VERSION}: "
                    "install the same version on all machines"
                )
            # A recording is read once for all shards; to close it does nothing.
            self._fetcher = open_replay(list(replay)) if replay else None
        except SemcrawlError as error:
            self._problem = error
            return
        for number in numbers:
            threading.Thread(target=self._run, args=(number,), daemon=True).start()

    def turn(self, orders: Mapping[int, Orders]) -> list[ShardReport]:
        """Give orders; return the reports when visits run short, or after a moment.

        Raises ConfigError: this is another version of semcrawl than the driver's; ReplayError: the recording cannot be
        read here.
        """
        if self._problem is not None:
            raise self._problem
        self._news.clear()
        for number, told in orders.items():
            self._boxes[number].orders.put(told)
        self._news.wait(TURN)
        return [box.collect() for box in self._boxes.values()]

    def close(self) -> None:
        """Let all shards stop after the visits under way, and open none any more."""
        self._closed.set()
        for box in self._boxes.values():
            box.orders.put(Orders(stop=StopReason.INTERRUPTED))

    def _run(self, number: int) -> None:
        box, failures = self._boxes[number], 0
        while not self._closed.is_set():
            pages = box.report.progress.pages
            problem, is_locked = self._work(box, number)
            if not problem:
                return
            most, longest = (_MOST_LOCKED, _LOCKED_WAIT) if is_locked else (_MOST_FAILURES, _LONGEST_WAIT)
            failures = 1 if box.report.progress.pages > pages else failures + 1
            if failures >= most:
                kept = "it is given up, and links to it are kept for 'semcrawl resume'"
                box.closed(StopReason.FAILED, f"shard {number} failed: {problem}; {kept}")
                return
            box.closed(None, "" if is_locked and failures > 1 else f"shard {number} failed: {problem}")
            self._closed.wait(min(2.0 ** (failures - 1), longest))

    def _work(self, box: Mailbox, number: int) -> tuple[str, bool]:
        """Run a shard from its folder until it ends; return what is wrong, or nothing, and if another process has it.

        Not the error itself: its traceback would keep the store of the shard open.
        """
        try:  # the driver has looked whether the folder is to be trusted
            folder = ShardedFolder.open(self._folder).shard(number)
            with ShardCrawl.resume(folder, fetcher=self._fetcher, trust=True, **self._values) as crawl:
                reason = crawl.work(box)
        except SemcrawlError as error:
            return str(error), isinstance(error, CrawlLockedError)
        except BaseException as error:  # noqa: BLE001 - told to the driver
            return f"{type(error).__name__}: {error}", False
        box.closed(reason)
        return "", False


class LocalHost:
    """A host in another process of this machine, which ends with this one."""

    _has_ended = False

    def __init__(self, *arguments: Any) -> None:
        """Take the arguments of `ShardHost`."""
        self._result: Future[Any] = Future()
        self._companion = Companion(f"{__name__}:serve_driver", heard=self._heard, errors=None)
        self._companion.send(pickle.dumps(arguments))

    @property
    def process_id(self) -> int:
        """The id of the process."""
        return self._companion.process_id

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        """Give orders to its shards; one turn at a time."""
        self._result = Future()
        self._companion.send(pickle.dumps(orders))
        if self._has_ended:  # as was heard in the turn before, it may be
            self._heard(None)
        return self._result

    def kill(self) -> None:
        """End the process."""
        self._companion.close()

    def _heard(self, message: bytes | None) -> None:
        self._has_ended |= message is None  # first: either this or `turn` then fails the turn under way
        with suppress(InvalidStateError):  # its end was heard before
            told = ConnectionError("its process has ended") if message is None else pickle.loads(message)  # noqa: S301
            if isinstance(told, Exception):
                self._result.set_exception(told)
            else:
                self._result.set_result(told)


def serve_driver() -> None:
    """Run a host in this process, for the driver that has started it."""
    end_with_parent()
    pipe = ParentPipe()
    messages = (pickle.loads(message) for message in pipe)  # noqa: S301 - our own driver
    host = ShardHost(*next(messages))
    with suppress(BrokenPipeError):  # the driver has ended
        for orders in messages:
            told: list[ShardReport] | SemcrawlError
            try:
                told = host.turn(orders)
            except SemcrawlError as error:
                told = error
            pipe.send(pickle.dumps(told))
