"""Hosts of shards as Ray actors: on the cores of this machine, or on the machines of a cluster."""

import os
import secrets
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from semcrawl.crawl.settings import Settings
from semcrawl.crawl.shards.beginning import BegunShards
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.host import HostLink, ShardHost
from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.crawl.shards.messages import Orders, ShardReport
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.version import VERSION

_QUIET = {"logging_level": "ERROR", "log_to_driver": False}


class Cluster:
    """A Ray cluster that this process has joined."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.cores = max(int(ray.cluster_resources().get("CPU", 1)), 1)

    def crawl(self, begun: BegunShards) -> ShardedCrawl:
        """Return a crawl that runs here: a host for each core of the cluster."""
        folder, settings = begun.folder, begun.settings
        return ShardedCrawl(
            folder,
            begun.topic,
            settings,
            lambda: self.host(folder, settings),
            self.cores,
            values=begun.values,
            warnings=begun.warnings,
        )

    def host(self, folder: ShardedFolder, settings: Settings) -> HostLink:
        """Start a host somewhere in the cluster, where the folder must be seen."""
        # An actor asks for no core, so that one can always be placed; Ray spreads them.
        kind = self._ray.remote(ShardHost).options(num_cpus=0, scheduling_strategy="SPREAD")
        path = str(folder.folder.resolve())
        return _RayHost(self._ray, kind.remote(path, VERSION, settings.replay))


class _RayHost:
    """A host in a worker process of Ray; if that ends, another one is started."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor

    def open(self, number: int, values: Mapping[str, Any]) -> Future[str]:
        """Let the host run a shard."""
        return self._future(self._actor.open.remote(number, dict(values)))

    def turn(self, orders: Mapping[int, Orders]) -> Future[list[ShardReport]]:
        """Give orders to the shards of the host."""
        return self._future(self._actor.turn.remote(orders))

    def kill(self) -> None:
        """End the worker process."""
        self._ray.kill(self._actor)

    def _future(self, ref: Any) -> Future[Any]:
        result: Future[Any] = Future()
        ref.future().add_done_callback(lambda done: self._settle(done, result))
        return result

    def _settle(self, done: Future[Any], result: Future[Any]) -> None:
        error = done.exception()
        if error is None:
            result.set_result(done.result())
            return
        cause = getattr(error, "cause", None)
        if isinstance(cause, SemcrawlError):
            result.set_exception(cause)
        elif isinstance(error, self._ray.exceptions.RayTaskError):
            result.set_exception(error)
        else:
            words = str(error).strip().partition("\n")[0]
            result.set_exception(ConnectionError(words or type(error).__name__))


@contextmanager
def joined(address: str | None = None) -> Iterator[Cluster]:
    """Join the Ray cluster at an address, or start one on this machine, as long as the block lasts.

    Raises:
        ConfigError: Ray is not installed, or there is no cluster at the address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address is None and "RAY_AUTH_MODE" not in os.environ:
        # Whoever reaches Ray can run code: on this machine alone, and with a secret of ours.
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    ray = _ray()
    try:
        _init(ray, address)
    except Exception as error:  # Ray raises errors of many kinds, bare ones too
        words = str(error).strip().partition("\n")[0]
        where = f"at {address}" if address else "on this machine"
        raise ConfigError(
            f"no Ray cluster answers {where}: {words}; see docs/scaling.md for how to start one"
        ) from error
    try:
        yield Cluster(ray)
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ConfigError(
            "crawls in shards need Ray, which is not installed: pip install 'semcrawl[cluster]'"
        ) from error
    return ray


def _init(ray: Any, address: str | None) -> None:
    if address is not None:
        ray.init(address=address, **_QUIET)
        return
    local = {"address": "local", "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    try:
        ray.init(**local, **_QUIET)
    except Exception:  # noqa: BLE001 - on a busy machine Ray's processes may miss a limit of 30 s
        ray.shutdown()
        ray.init(**local, **_QUIET)
