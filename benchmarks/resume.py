"""Resuming a crawl with many waiting URLs: CPU until it could go on, and memory of a waiting URL.

Two crawls are made up that differ only in how many URLs wait; each is resumed in a process of its own. What the
larger process holds more, over the URLs that it has more, is the memory of one. What the store keeps is taken off:
that is what a process holds that only reads the same from the graph.

``python -m benchmarks.resume WAITING`` runs it at another size.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.checks import Check
from benchmarks.default_cost import _resident
from benchmarks.made_up_crawl import CrawlSize, make_crawl
from semcrawl import Crawl, CrawlGraph
from semcrawl.garbage_collection import give_back_memory

__all__ = ["run"]

WAITING, QUICK, FEW = 1_000_000, 100_000, 10_000
PAGES, HOSTS = 1_000, 2_000


def run(*, quick: bool) -> list[Check]:
    """Make up both crawls, and resume them."""
    return measure(QUICK if quick else WAITING)


def measure(waiting: int) -> list[Check]:
    """The same at any size."""
    (few_seconds, few, few_cached), (seconds, many, cached) = (_resumed(size) for size in (FEW, waiting))
    print(f"  {FEW:,} waiting: {few_seconds:.2f} s of CPU, {few / 1024:.0f} MB; {waiting:,}: {many / 1024:.0f} MB")
    each, store = ((more - less) * 1024 / (waiting - FEW) for more, less in ((many, few), (cached, few_cached)))
    print(f"  bytes of a waiting URL: {each:.0f}, of which {store:.0f} are the store's")
    return [
        Check(f"CPU of a resume with {waiting:,} waiting URLs", seconds, "at most", 15 * waiting / WAITING, " s"),
        Check("memory of a waiting URL beyond the store's", each - store, "at most", 400, " bytes"),
    ]


def _resumed(waiting: int) -> tuple[float, float, float]:
    """Seconds of CPU, KB that the process holds then, and KB of one that only reads."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "crawl"
        make_crawl(folder, CrawlSize(PAGES, 10, HOSTS, waiting, 0))
        (seconds, held), (_, cached) = (_in_process(str(folder), *only) for only in ((), ("reads",)))
    return seconds, held, cached


def _in_process(*arguments: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.resume", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    seconds, kilobytes = json.loads(done.stdout.splitlines()[-1])
    return seconds, kilobytes


def _resume(folder: str) -> tuple[float, float]:
    before = time.process_time()
    room: dict[str, Any] = {"frontier_size": 2 * WAITING, "pages_per_host": 0}
    with Crawl.resume(folder, strategy="best-first-page-anchor", pages=2 * PAGES, **room) as crawl:
        assert crawl.progress.waiting >= FEW
        return time.process_time() - before, _resident()


def _read(folder: str) -> tuple[float, float]:
    """Read what a resume reads, and keep nothing."""
    before = time.process_time()
    with CrawlGraph.open(Path(folder)) as graph:
        rows: Any = graph.store.raw.query(graph.named_query("frontier/found").bind({}))
        for _ in rows:
            pass
        del rows
        give_back_memory()
        return time.process_time() - before, _resident()


if __name__ == "__main__":
    if sys.argv[1].isdigit():
        print(*measure(int(sys.argv[1])), sep="\n")
    else:
        print(json.dumps((_read if sys.argv[2:] else _resume)(sys.argv[1])))
