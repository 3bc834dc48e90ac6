"""A crawl that is killed thirty times, beside one that is left alone.

Real processes, real HTTP, SIGKILL at random moments. After each kill the crawl
graph must hold every page that the crawl had told of, no page in the graph may
be asked for again, and in the end all pages must have been visited in the
order in which the undisturbed crawl visited them.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.checks import Check
from benchmarks.generated_web import TOPIC, GeneratedWeb
from semcrawl import CrawlGraph
from semcrawl.errors import SemcrawlError
from semcrawl.web import ReplayServer

if TYPE_CHECKING:
    from collections import Counter

__all__ = ["run"]

LATENCY = 0.001
COMMAND = "from semcrawl.cli.main import main; main()"


def run(*, quick: bool) -> list[Check]:
    """Crawl once in one go and once with kills, then compare."""
    kills, pages = (6, 250) if quick else (30, 1_200)
    web = GeneratedWeb(2 * pages, size=8_000, links=15)
    with tempfile.TemporaryDirectory() as place:
        whole, broken = Path(place) / "whole", Path(place) / "broken"
        with ReplayServer(answers=web.respond, latency=LATENCY) as server:
            _told_until(_start(whole, server, web, pages), None)
        with ReplayServer(answers=web.respond, latency=LATENCY) as server:
            ledger = _crawl_with_kills(broken, server, web, pages, kills)
            asked = [n for url, n in server.requests.items() if not url.endswith("/robots.txt")]
        same = _recorded(broken) == _recorded(whole)
        visited = len(_recorded(broken))
    print(
        f"{ledger.kills} kills in a crawl of {visited:,} pages, {ledger.early} of them before the "
        f"first page of a run; {ledger.told:,} pages told of, {sum(asked) - len(asked)} fetched "
        "twice because the kill came between fetching and recording"
    )
    return [
        Check("kills", ledger.kills, "at least", kills),
        Check("pages in the end", visited, "at least", pages),
        Check("pages told of but not recorded", ledger.lost, "at most", 0),
        Check("recorded pages asked for again", ledger.asked_again, "at most", 0),
        Check("order of visits differs from the undisturbed crawl", int(not same), "at most", 0),
    ]


@dataclass(slots=True)
class _Ledger:
    """What was seen over all kills; ``asked`` counts the requests for every recorded page."""

    kills: int = 0
    told: int = 0
    lost: int = 0
    early: int = 0
    asked_again: int = 0
    asked: dict[str, int] = field(default_factory=dict)

    def close_run(self, told: list[str], recorded: list[str], requests: Counter[str]) -> None:
        """Compare what a run told of with the graph, and old pages with the new requests."""
        self.told += len(told)
        self.early += not told
        self.lost += len(set(told).difference(recorded))
        self.asked_again += sum(requests[url] != count for url, count in self.asked.items())
        self.asked = {url: requests[url] for url in recorded}


def _crawl_with_kills(folder: Path, server: ReplayServer, web: GeneratedWeb, pages: int, kills: int) -> _Ledger:
    ledger, rng = _Ledger(), random.Random(5)
    for _ in range(kills):
        # Mostly in the middle of the work, now and then while the crawl is being opened.
        after = None if rng.random() < 0.15 else rng.randint(1, 2 * pages // kills - 10)
        process = _start(folder, server, web, pages)
        told = _told_until(process, rng, after)
        ledger.kills += process.returncode == -signal.SIGKILL
        ledger.close_run(told, _recorded(folder), server.requests)
    told = _told_until(_start(folder, server, web, pages), None)
    ledger.close_run(told, _recorded(folder), server.requests)
    return ledger


def _start(folder: Path, server: ReplayServer, web: GeneratedWeb, pages: int) -> subprocess.Popen[str]:
    """Start the command line in a process of its own: a new crawl, or the rest of one."""
    if _began(folder):
        arguments = ["resume", str(folder), "--json"]
    else:
        shutil.rmtree(folder, ignore_errors=True)
        arguments = ["crawl", TOPIC, "--seed", web.seed, "--folder", str(folder), "--json"]
        arguments += ["--proxy", server.proxy, "--pages", str(pages), "--workers", "1"]
        arguments += ["--delay", "0"]
    command = [sys.executable, "-c", COMMAND, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _told_until(process: subprocess.Popen[str], moments: random.Random | None, after: int | None = None) -> list[str]:
    """The URLs that the crawl says are recorded, until its end or until it is killed.

    With ``moments``, it is killed a moment after ``after`` pages, or, where that is
    None, within the first second, whatever it is doing then.
    """
    told: list[str] = []
    assert process.stdout is not None
    if moments and after is None:
        time.sleep(moments.random())
        os.kill(process.pid, signal.SIGKILL)
    for line in process.stdout:
        if not line.endswith("\n"):
            break  # cut off by the kill
        event = json.loads(line)
        if event["event"] == "page":
            told.append(event["url"])
        if moments and len(told) == after:
            time.sleep(moments.random() * 0.01)
            os.kill(process.pid, signal.SIGKILL)
            after = None
    process.wait(timeout=60)
    process.stdout.close()
    return told


def _began(folder: Path) -> bool:
    """Whether the folder holds a crawl that can go on: a kill may come before it began."""
    try:
        with CrawlGraph.read(folder) as graph:
            graph.describe()
    except SemcrawlError:
        return False
    return True


def _recorded(folder: Path) -> list[str]:
    """The URLs of the recorded pages, in the order of their visits."""
    if not _began(folder):
        return []
    with CrawlGraph.read(folder) as graph:
        return [str(row["url"]) for row in graph.query("harvest")]
