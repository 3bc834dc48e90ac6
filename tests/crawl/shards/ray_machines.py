"""Machines with Ray, made of one: each in a network namespace of its own, where we may make some.

They see the same files, as with a shared file system, and reach each other by a cable that can be pulled. Without the
right to make namespaces all are on loopback, with ports of their own; no cable can be pulled then.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

HAS_RAY = find_spec("ray") is not None
_NAMES = f"semcrawl{os.getpid()}"

# What a driver prints: a line of JSON for each event, with the URL of a page or what is warned of.
DRIVER = """
import json, sys
from semcrawl.crawl.events import CrawlWarned, PageVisited
from semcrawl.crawl.shards.beginning import reopen_shards
from semcrawl.crawl.shards.cluster import joined
with joined(sys.argv[2], print) as cluster:
    for event in cluster.crawl(reopen_shards(sys.argv[1])).visits():
        note = event.note if isinstance(event, CrawlWarned) else ""
        print("event", json.dumps([event.url if isinstance(event, PageVisited) else "", note]), flush=True)
"""


def events(driver: subprocess.Popen[str]) -> Iterator[tuple[str, str]]:
    """The URL of a page or what is warned of, for each event of a driver; other lines are Ray's."""
    for line in driver.stdout or ():
        if line.startswith("event "):
            url, note = json.loads(line.removeprefix("event "))
            yield url, note


class RayMachines:
    """So many machines of one core, the first of which is the head; a context manager."""

    def __init__(self, count: int) -> None:
        self._folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # names of sockets must be short
        self._closing = ExitStack()
        self._closing.callback(shutil.rmtree, self._folder, ignore_errors=True)
        self._environment = dict(os.environ) | {
            "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16), "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_DISABLE_IMPORT_WARNING": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }  # fmt: skip
        self.has_network = self._make_network(count)
        self._started: dict[int, subprocess.Popen[str]] = {}
        self._port = 6379 if self.has_network else 6300 + os.getpid() % 1000
        self.address = f"{self._ip(0)}:{self._port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for number in list(self._started):
            self.kill(number)
        self._closing.close()

    def _make_network(self, count: int) -> bool:
        if os.geteuid() or not shutil.which("ip"):
            return False
        try:
            _ip("link", "add", f"br{os.getpid()}", "type", "bridge")
            self._closing.callback(_ip, "link", "del", f"br{os.getpid()}")
            _ip("link", "set", f"br{os.getpid()}", "up")
            for number in range(count):
                name, cable = f"{_NAMES}.{number}", self._cable(number)
                _ip("netns", "add", name)
                self._closing.callback(_ip, "netns", "del", name)
                _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name)
                _ip("link", "set", cable, "master", f"br{os.getpid()}", "up")
                _ip("-n", name, "addr", "add", f"10.213.7.{number + 1}/24", "dev", "eth0")
                for device in ("lo", "eth0"):
                    _ip("-n", name, "link", "set", device, "up")
        except (OSError, subprocess.CalledProcessError):
            self._closing.pop_all().close()
            return False
        return True

    def _cable(self, number: int) -> str:
        return f"v{os.getpid()}.{number}"

    def _ip(self, number: int) -> str:
        return f"10.213.7.{number + 1}" if self.has_network else "127.0.0.1"

    def on(self, number: int, *words: str) -> subprocess.Popen[str]:
        """Start a command on a machine; its output is read by the caller."""
        place = ["ip", "netns", "exec", f"{_NAMES}.{number}"] if self.has_network else []
        return subprocess.Popen(
            [*place, *words], env=self._environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def drive(self, folder: Path) -> subprocess.Popen[str]:
        """Start a driver for a crawl that has begun, on the first machine."""
        return self.on(0, sys.executable, "-c", DRIVER, str(folder), self.address)

    def start(self, number: int) -> None:
        """Start Ray on a machine, or start it again; the first one first."""
        role = ["--address", self.address]
        if number == 0:
            role = ["--head", f"--port={self._port}", f"--temp-dir={self._folder}", "--include-dashboard=false"]
        process = self._started[number] = self.on(
            number, sys.executable, "-m", "ray.scripts.scripts", "start", *role, "--num-cpus=1",
            f"--node-ip-address={self._ip(number)}", "--object-store-memory=100000000", "--block",
        )  # fmt: skip
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            told.append(line)
            if "Ray runtime started" in line:
                return
        raise OSError("".join(told[-20:]))

    def processes(self, number: int) -> list[int]:
        """The processes of Ray on a machine, those that crawl among them."""
        parents = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        found = [self._started[number].pid]
        for one in found:  # grows
            found += [child for child, parent in parents.items() if parent == one]
        return found

    def kill(self, number: int) -> None:
        """End all of Ray on a machine at once, as a loss of power does."""
        for process in self.processes(number):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._started.pop(number).communicate()

    def pull_cable(self, number: int) -> None:
        """Cut a machine off from the others; what runs there goes on."""
        _ip("link", "set", self._cable(number), "down")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
