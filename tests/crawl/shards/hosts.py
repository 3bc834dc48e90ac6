"""Crawls in shards whose hosts are threads of this process, or processes that can be killed."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from semcrawl.crawl.shards.beginning import BegunShards
from semcrawl.crawl.shards.cluster import crawl_here
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import ShardHost
from semcrawl.crawl.shards.messages import Orders, ShardReport


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
