"""One long crawl of a generated web, with ``adaptive``, policies, the distiller and the server on.

What is looked at: how memory grows once the crawl is warm, which is by what it remembers of every
page and link and by nothing else; CPU per page at the end beside the beginning, open files, and
processes that are left behind. A run that is interrupted tells of the pages so far.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.checks import Check
from benchmarks.generated_web import TOPIC, GeneratedWeb
from semcrawl import CrawlGraph
from semcrawl.web import ReplayServer

__all__ = ["run"]

COMMAND = "from semcrawl.cli.main import main; main()"
WARM_UP = 0.2  # share of the pages after which memory must be flat but for known URLs
STEP = 0.05  # share of the pages between two looks
MEGABYTE = 1 << 20
LINKS = 15  # of each page
PER_PAGE = 20_000  # bytes that a visited page may cost in memory, with all of its links


@dataclass(frozen=True, slots=True)
class _Look:
    """The crawl's process after so many pages."""

    pages: int
    seconds: float
    cpu: float
    memory: int
    files: int


def run(*, quick: bool) -> list[Check]:
    """Crawl 100,000 pages, or 1,000."""
    pages = 1_000 if quick else 100_000
    web = GeneratedWeb(2 * pages, size=8_000, links=LINKS, hosts=1_000)
    with tempfile.TemporaryDirectory() as place, ReplayServer(answers=web.respond) as server:
        folder = Path(place) / "crawl"
        looks, left = _crawl(folder, server, web, pages)
        with CrawlGraph.read(folder) as graph:
            asked = "SELECT (COUNT(*) AS ?n) { ?u sc:order ?o }"
            urls = int(graph.query(asked).value())
    return _checks(looks, left, pages, urls)


def _crawl(folder: Path, server: ReplayServer, web: GeneratedWeb, pages: int) -> tuple[list[_Look], int]:
    """Crawl, looking at the process now and then; and how many of its processes were left."""
    words = ["crawl", TOPIC, "--seed", web.seed, "--folder", str(folder), "--json", "--delay", "0"]
    words += ["--proxy", server.proxy, "--pages", str(pages), "--serve", "127.0.0.1:0"]
    words += ["--strategy", "adaptive", "--judge", "adaptive", "--policy", "tunnel"]
    words += ["--distill-every", str(pages // 4)]
    started, looks = time.monotonic(), []
    children: set[int] = set()
    with subprocess.Popen([sys.executable, "-c", COMMAND, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            if event["event"] == "stopped":
                break
            if event["event"] == "page" and not event["step"] % max(1, int(pages * STEP)):
                children |= _children(process.pid)
                looks.append(_look(process.pid, event["step"], started))
                print(_told(looks[-1]), flush=True)
        _end(process)
    until = time.monotonic() + 30
    while (left := [one for one in children if Path(f"/proc/{one}").exists()]) and (time.monotonic() < until):
        time.sleep(0.5)
    return looks, len(left)


def _end(process: subprocess.Popen[str]) -> None:
    """Interrupt the process until it ends: its server stays after the crawl."""
    for _ in range(24):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
            return
    process.kill()


def _look(pid: int, pages: int, started: float) -> _Look:
    status = Path(f"/proc/{pid}/status").read_text()
    memory = next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    cpu = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
    files = len([*Path(f"/proc/{pid}/fd").iterdir()])
    return _Look(pages, time.monotonic() - started, cpu, memory * 1024, files)


def _children(pid: int) -> set[int]:
    return {
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    }


def _told(look: _Look) -> str:
    return (
        f"{look.pages:,} pages: {look.memory / MEGABYTE:,.0f} MB, {look.files} open files, "
        f"{look.cpu:,.0f} s of CPU, {look.seconds:,.0f} s"
    )


def _checks(looks: list[_Look], left: int, pages: int, urls: int) -> list[Check]:
    warm = next(look for look in looks if look.pages >= WARM_UP * pages)
    last, before = looks[-1], looks[-5]
    early = looks[looks.index(warm) - 1]
    # By design: the words of a page, and of each link its URL, its anchor and what speaks for it.
    per_page = (last.memory - warm.memory) / max(1, last.pages - warm.pages)
    first_rate = (warm.pages - early.pages) / max(0.01, warm.cpu - early.cpu)
    last_rate = (last.pages - before.pages) / max(0.01, last.cpu - before.cpu)
    print(f"{urls:,} URLs known; {per_page / LINKS:,.0f} bytes of memory for each link of a page")
    return [
        Check("pages", last.pages, "at least", pages),
        Check(f"memory for a page and its {LINKS} links", per_page, "at most", PER_PAGE, " bytes"),
        Check("pages by CPU at the end, beside the beginning", last_rate / first_rate,
              "at least", 0.7),
        Check("open files more than at the beginning", last.files - warm.files, "at most", 20),
        Check("processes left behind", left, "at most", 0),
    ]  # fmt: skip
