"""A SPARQL server that follows a crawl: how many pages a second, and what it costs the crawl.

Made-up pages of 40 links, 12 of them new, are recorded and logged; then Oxigraph's server is sent
the log. Beside it the crawler ``best-first-page-anchor`` fetches a generated web over HTTP with and
without ``--mirror``, in turns; the best round of each counts.

``python -m benchmarks.mirror PROXY PAGES ADDRESS`` runs one side; an empty address is no mirror.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.checks import Check, spread
from benchmarks.generated_web import TOPIC, GeneratedWeb
from benchmarks.recording import LINKS, NEW_LINKS, changes_of, made_up_pages
from benchmarks.web_server import serving
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph.mirror import Mirror, mirrored

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["run"]

PAGES_PER_SECOND, MOST = 300.0, 1.1


def run(*, quick: bool) -> list[Check]:
    """Send a log, then crawl with and without a mirror in turns."""
    pages, rounds = (500, 2) if quick else (3_000, 3)
    rate = _rate(pages)
    costs: dict[str, list[float]] = {"plain": [], "mirrored": []}
    with serving(pages) as proxy:
        for _ in range(rounds):
            costs["plain"].append(_measure(proxy, pages, ""))
            with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (address, _):
                costs["mirrored"].append(_measure(proxy, pages, address))
    for side, found in costs.items():
        print(f"{side:>10}: {spread(found)} ms of CPU per page, best {min(found):.2f}")
    ratio = min(costs["mirrored"]) / min(costs["plain"])
    return [
        Check("pages a second into Oxigraph's server", rate, "at least", PAGES_PER_SECOND),
        Check("CPU per page with a mirror, as a multiple of without", ratio, "at most", MOST),
    ]


def _rate(pages: int) -> float:
    """How many pages a second a server takes from a log, the median of ten parts."""
    rates, cpu, theirs = [], 0.0, 0.0
    with (
        tempfile.TemporaryDirectory() as folder,
        _server(Path(folder) / "server") as (address, server),
        CrawlGraph.create(Path(folder) / "crawl") as graph,
    ):
        graph.begin(Changes(), title="made up", topic_file="", topic_turtle="", settings="{}",
                    threshold=0.5, started_at=0.0)  # fmt: skip
        with Mirror(mirrored(graph), address) as mirror:
            mirror.catch_up()
            made = list(made_up_pages(pages))
            for start in range(0, pages, pages // 10):
                part = made[start : start + pages // 10]
                for page in part:
                    graph.apply(changes_of(page))
                begun, spent, before = time.perf_counter(), time.process_time(), _cpu(server)
                mirror.catch_up()
                rates.append(len(part) / (time.perf_counter() - begun))
                cpu += time.process_time() - spent
                theirs += _cpu(server) - before
            mirror.compare()
    print(f"{pages:,} pages of {LINKS} links, {NEW_LINKS} of them new: {spread(rates, 0)} pages/s, "
          f"{cpu * 1000 / pages:.2f} ms of our CPU a page, "
        f"{theirs * 1000 / pages:.2f} ms of the server's")  # fmt: skip
    return statistics.median(rates)


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, int]]:
    """Oxigraph's server on a new folder: the address for updates, and its process."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent))
    if program is None:
        raise SystemExit("the package oxigraph, which holds the server, is not installed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [program, "serve", "-l", str(folder), "-b", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=10).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/update", process.pid
    finally:
        process.kill()
        process.wait()


def _cpu(process: int) -> float:
    """Seconds of CPU that another process has taken (Linux)."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _measure(proxy: str, pages: int, address: str) -> float:
    """Milliseconds of CPU per page of one side, in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.mirror", proxy, str(pages), address]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    fetched, cpu, told = json.loads(done.stdout.splitlines()[-1])
    if fetched != pages or told:
        raise SystemExit(f"{fetched} of {pages} pages, {told}: no comparison")
    return float(cpu) * 1000 / pages


def _crawl(proxy: str, pages: int, address: str) -> tuple[int, float, list[str]]:
    from semcrawl import Crawl
    from semcrawl.crawl import CrawlWarned

    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(
            TOPIC, [GeneratedWeb(pages).seed], f"{folder}/crawl", strategy="best-first-page-anchor",
            judge="cosine", mirror=address, proxy=proxy, delay=0, robots=False, pages=pages,
            workers=16,
        )  # fmt: skip
        cpu = time.process_time()
        with crawl:
            told = [event.note for event in crawl.visits() if isinstance(event, CrawlWarned)]
            return crawl.progress.pages, time.process_time() - cpu, told


if __name__ == "__main__":
    proxy, number, address = sys.argv[1:]
    print(json.dumps(_crawl(proxy, int(number), address)))
