"""Where the hosts of a crawl in shards run: on the cores of this machine, or on a Ray cluster."""

import os
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from semcrawl.crawl.shards.beginning import BegunShards
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import LocalHost, ShardHost
from semcrawl.crawl.shards.messages import Orders, ShardReport
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.version import VERSION

_ANSWERS = 5.0  # seconds within which the head of a cluster takes a connection
_LOOK, _MOST_MISSES = 5.0, 3  # seconds between two looks at the head; in a row, after which it is lost


def crawl_here(begun: BegunShards, hosts: int | None = None) -> ShardedCrawl:
    """Return a crawl whose shards run on this machine, on all its cores or in so many processes."""
    path, values, replay = str(begun.folder.folder.resolve()), begun.values, begun.settings.replay
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return ShardedCrawl(begun, lambda numbers: LocalHost(path, numbers, values, replay), hosts or cores or 1)


class RayCluster:
    """A Ray cluster that this process has joined."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def crawl(self, begun: BegunShards) -> ShardedCrawl:
        """Return a crawl with a host for each core; all machines must see its folder."""
        kind = self._ray.remote(ShardHost)
        path, values, replay = (str(begun.folder.folder.resolve()), begun.values, begun.settings.replay)
        cores = max(int(self._ray.cluster_resources().get("CPU", 1)), 1)
        placed = Counter[str]()

        def start(numbers: Sequence[int]) -> _RayHost:
            # Ray's own spreading puts all hosts of a small crawl on one machine at times.
            room = {one["NodeID"]: one["Resources"].get("CPU", 0.0) for one in self._ray.nodes() if one["Alive"]}
            node = min(room, key=lambda name: (placed[name] + 1) / (room[name] or 0.1))
            placed[node] += 1
            place = import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy(node, soft=False)
            # An actor asks for no core, so that one can always be placed.
            actor = kind.options(num_cpus=0, scheduling_strategy=place).remote(path, numbers, values, replay, VERSION)
            return _RayHost(self._ray, actor)

        return ShardedCrawl(begun, start, cores)


class _RayHost:
    """A host in a worker process of Ray; if that ends, the driver starts another one."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        result: Future[Any] = Future()
        ref = self._actor.turn.remote(orders)
        ref.future().add_done_callback(lambda done: self._settle(done, result))
        return result

    def kill(self) -> None:
        self._ray.kill(self._actor)

    def _settle(self, done: Future[Any], result: Future[Any]) -> None:
        error = done.exception()
        cause = getattr(error, "cause", None)
        if error is None:
            result.set_result(done.result())
        elif isinstance(cause, SemcrawlError):
            result.set_exception(cause)
        elif isinstance(error, self._ray.exceptions.RayTaskError):
            result.set_exception(error)
        else:
            words = str(error).strip().partition("\n")[0]
            result.set_exception(ConnectionError(words or type(error).__name__))


@contextmanager
def joined(address: str, warn: Callable[[str], None]) -> Iterator[RayCluster]:
    """Join the Ray cluster at an address as long as the block lasts; ``warn`` is told when its head is lost.

    Raises ConfigError: Ray is not installed, or there is no cluster at the address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray = import_module("ray")
    except ImportError as error:
        raise ConfigError(
            "--ray needs Ray, which is not installed: pip install 'semcrawl[cluster]'; without "
            "--ray the shards run on this machine"
        ) from error
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if port.isdigit():  # where nothing listens, Ray would try for many minutes
            _require_head(f"{host}:{port}")
        ray.init(address=address, logging_level="ERROR", log_to_driver=False)
        head = f"{host}:{port}" if port.isdigit() else ray.get_runtime_context().gcs_address
    except Exception as error:  # Ray raises errors of many kinds, bare ones too
        words = str(error).strip().partition("\n")[0]
        raise ConfigError(
            f"no Ray cluster answers at {address}: {words}; see docs/scaling.md for how to start one"
        ) from error
    left = threading.Event()
    threading.Thread(target=_watch, args=(head, left, warn), daemon=True).start()
    try:
        yield RayCluster(ray)
    finally:
        left.set()
        ray.shutdown()


def _require_head(address: str) -> None:
    """Raise OSError where nothing listens at the address of the head of a cluster."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), _ANSWERS).close()


def _watch(head: str, left: threading.Event, warn: Callable[[str], None]) -> None:
    """Warn where the head of a cluster does not answer any more: Ray ends this process then, and says less.

    It is a thread's, as what the driver asks of Ray meanwhile does not come back.
    """
    misses = 0
    while not left.wait(_LOOK) and misses < _MOST_MISSES:
        try:
            _require_head(head)
            misses = 0
        except OSError:
            misses += 1
    if not left.is_set():
        warn(f"the head of the Ray cluster at {head} does not answer; without it Ray ends this command within a minute")
