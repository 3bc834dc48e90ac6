"""Hosts of shards without Ray: in threads of this process, or in processes that can be killed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import ShardHost

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from semcrawl.crawl.shards.beginning import BegunShards
    from semcrawl.crawl.shards.host import HostLink
    from semcrawl.crawl.shards.messages import Orders, ShardReport

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.crawl.forked", "semcrawl.crawl.shards.host"])


def _in_thread(call: Callable[[], Any]) -> Future[Any]:
    result: Future[Any] = Future()

    def run() -> None:
        try:
            result.set_result(call())
        except Exception as error:  # noqa: BLE001 - raised where the result is asked for
            result.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return result


class ThreadHost:
    """A host in this process."""

    def __init__(self, host: ShardHost) -> None:
        self.host = host

    def open(self, number: int, values: Mapping[str, Any]) -> Future[str]:
        return _in_thread(lambda: self.host.open(number, values))

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        return _in_thread(lambda: self.host.turn(orders))

    def kill(self) -> None:
        """A thread cannot be killed: it is asked to stop."""
        self.host.close()


class ProcessHost:
    """A host in a process of its own."""

    def __init__(self, folder: str, replay: tuple[str, ...] = ()) -> None:
        self._pipe, there = _FORKS.Pipe()
        self._process = _FORKS.Process(target=_serve, args=(there, folder, replay), daemon=True)
        self._process.start()
        there.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def open(self, number: int, values: Mapping[str, Any]) -> Future[str]:
        return _in_thread(lambda: self._ask("open", number, values))

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        return _in_thread(lambda: self._ask("turn", orders))

    def _ask(self, name: str, *values: Any) -> Any:
        try:
            self._pipe.send((name, values))
            return self._pipe.recv()
        except EOFError as error:
            raise ConnectionError("the process is gone") from error

    def kill(self) -> None:
        self._process.kill()
        self._process.join(30)
        self._pipe.close()


def _serve(pipe: Connection, folder: str, replay: tuple[str, ...]) -> None:
    host = ShardHost(folder, replay=replay)
    while True:
        try:
            name, values = pipe.recv()
            pipe.send(getattr(host, name)(*values))
        except (EOFError, OSError):  # the driver is gone
            host.close()
            return


def in_threads(begun: BegunShards, hosts: int = 2) -> ShardedCrawl:
    """A crawl whose hosts are threads of this process."""
    folder, replay = begun.folder.folder, begun.settings.replay
    return _crawl(begun, lambda: ThreadHost(ShardHost(folder, replay=replay)), hosts)


def in_processes(begun: BegunShards, hosts: int = 2) -> ShardedCrawl:
    """A crawl whose hosts are processes."""
    folder, replay = str(begun.folder.folder), begun.settings.replay
    return _crawl(begun, lambda: ProcessHost(folder, replay), hosts)


def _crawl(begun: BegunShards, start: Callable[[], HostLink], hosts: int) -> ShardedCrawl:
    return ShardedCrawl(
        begun.folder,
        begun.topic,
        begun.settings,
        start,
        hosts,
        values=begun.values,
        warnings=begun.warnings,
    )
