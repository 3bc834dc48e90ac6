"""Crawls in shards whose hosts are threads of this process, or processes that can be killed."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from semcrawl.companions.process import Companion
from semcrawl.crawl.events import Event
from semcrawl.crawl.shards import host as hosting
from semcrawl.crawl.shards.beginning import BegunShards
from semcrawl.crawl.shards.cluster import crawl_here
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import LocalHost, ShardHost
from semcrawl.crawl.shards.messages import Orders, ShardReport
from semcrawl.crawl.shards.shard import ShardKind


class ThreadHost:
    """A host in this process."""

    def __init__(self, host: ShardHost) -> None:
        self.host = host

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        result: Future[Any] = Future()
        threading.Thread(target=lambda: result.set_result(self.host.turn(orders)), daemon=True).start()
        return result

    def kill(self) -> None:
        """A thread cannot be killed: it is asked to stop."""
        self.host.close()


def in_threads(begun: BegunShards, hosts: int = 2) -> ShardedCrawl:
    """A crawl whose hosts are threads of this process."""
    folder, replay = begun.folder.folder, begun.settings.replay

    def start(numbers: Sequence[int]) -> ThreadHost:
        return ThreadHost(ShardHost(folder, numbers, begun.values, replay))

    return ShardedCrawl(begun, start, hosts)


def in_processes(begun: BegunShards, hosts: int = 2) -> ShardedCrawl:
    """A crawl whose hosts are processes of this machine."""
    return crawl_here(begun, hosts)


class OddHost(LocalHost):
    """A host in a process that a function makes odd, named as ``module:function``, with an argument."""

    def __init__(self, odd: str, argument: object, *arguments: Any) -> None:
        self._result = Future()
        self._companion = Companion(odd, str(argument), heard=self._heard, errors=None)
        self._companion.send(pickle.dumps(arguments))


def serve_until_a_shard_hangs(marker: str) -> None:
    """Be a host of which one shard, when it has five pages, does nothing any more; only once."""
    go_on = ShardKind.between_visits

    def between_visits(kind: ShardKind, is_told_to_stop: Any) -> Iterator[Event]:
        if kind._progress.pages >= 5 and not Path(marker).exists():
            Path(marker).write_text(str(os.getpid()))
            threading.Event().wait()
        yield from go_on(kind, is_told_to_stop)

    setattr(ShardKind, "between_visits", between_visits)  # noqa: B010 - a function of another type
    hosting.serve_driver()
