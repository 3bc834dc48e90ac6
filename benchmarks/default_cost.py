"""What the default crawler costs beside a best-first crawl: CPU of a page, memory of a URL.

Both crawl a web that is made up in the process; what that costs is taken off. Nothing is fetched,
so that the crawls are cheaper than over HTTP and the check stricter. Each is a process of its own,
with one worker and its graph on disk. The web has ten times as many pages as are visited,
so that far more URLs are known than visited. Memory is what the process of the default holds
more than that of best-first: once after 500 pages, most of which does not grow (tables by word,
what the store keeps until it writes it out), and what comes to it until the end, over the URLs
found since. The words of a page, 2 KB each, are in that: with ten URLs a page 0.2 KB a URL.

``python -m benchmarks.default_cost PAGES`` runs it at another size.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from benchmarks.checks import Check
from benchmarks.generated_web import TOPIC, GeneratedWeb, InProcessFetcher
from semcrawl import Crawl
from semcrawl.crawl import PageVisited

__all__ = ["run"]

PAGES, QUICK = 20_000, 1_000
FIXED = 500  # pages after which memory is first looked at
STAGES = (1_000, 5_000, 10_000, 20_000)
WEB_PER_PAGE = 10
DEFAULT, PLAIN = "adaptive", "best-first-page-anchor"
JUDGES = {DEFAULT: "adaptive", PLAIN: "labels"}
MOST_CPU = 1.5
MOST_MEMORY = 1.0  # KB


def run(*, quick: bool) -> list[Check]:
    """Crawl by both; compare what they cost."""
    return measure(QUICK if quick else PAGES)


def measure(pages: int) -> list[Check]:
    """The same at any size."""
    ours, theirs = (_in_process(strategy, pages) for strategy in (DEFAULT, PLAIN))
    checks = []
    for stage in (str(stage) for stage in STAGES if stage <= pages):
        ratio = ours["cpu"][stage] / theirs["cpu"][stage]
        name = f"CPU of the default at {int(stage):,} pages, as a multiple of {PLAIN}"
        checks.append(Check(name, ratio, "at most", MOST_CPU))
    (fixed, known), (more, all_known) = (
        (ours["held"][stage][0] - theirs["held"][stage][0], ours["held"][stage][1])
        for stage in (str(FIXED), str(pages))
    )
    print(f"  memory beside {PLAIN}: {fixed / 1024:.0f} MB at {FIXED}, {more / 1024:.0f} at {pages:,}")
    name = f"memory of a URL found after {FIXED} pages, beside {PLAIN}, {pages:,} pages"
    each = max(more - fixed, 0) / max(all_known - known, 1)
    return [*checks, Check(name, each, "at most", MOST_MEMORY, " KB")]


def _in_process(strategy: str, pages: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.default_cost", str(pages), "--strategy", strategy]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    cells = (f"{int(stage):,}: {cpu / int(stage) * 1e3:.2f}" for stage, cpu in found["cpu"].items())
    print(
        f"  {strategy}: ms of CPU a page, up to page {', '.join(cells)}; "
        f"{found['known']:,} URLs known, at most {found['kilobytes'] / 1024:,.0f} MB",
        flush=True,
    )
    return found


def _crawl(strategy: str, pages: int) -> dict[str, Any]:
    """Crawl; return seconds of CPU and memory held at stages, URLs known and the peak of memory."""
    web = GeneratedWeb(pages * WEB_PER_PAGE)
    fetcher = InProcessFetcher(web)
    fetcher.fetch(web.seed)  # the words and the numbers of all pages
    spent: dict[str, float] = {}
    held: dict[str, tuple[float, int]] = {}  # KB, and the URLs known
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(
            TOPIC,
            [web.seed],
            f"{folder}/crawl",
            fetcher=fetcher,
            strategy=strategy,
            judge=JUDGES[strategy],
            robots=False,
            delay=0,
            workers=1,
            pages=pages,
            pages_per_host=0,
        )
        with crawl:
            fetcher.cpu, before, visited = 0.0, time.process_time(), 0
            for event in crawl.visits():
                visited += isinstance(event, PageVisited)
                if visited in (FIXED, *STAGES, pages) and str(visited) not in held:
                    held[str(visited)] = _resident(), visited + crawl.progress.waiting
                if visited in STAGES and str(visited) not in spent:
                    spent[str(visited)] = time.process_time() - before - fetcher.cpu
                    print(strategy, spent, held, file=sys.stderr, flush=True)
            waiting = crawl.progress.waiting
    if visited != pages:
        raise SystemExit(f"{strategy} stopped after {visited} of {pages} pages: no figure")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"cpu": spent, "held": held, "known": visited + waiting, "kilobytes": peak}


def _resident() -> float:
    """What the process holds now, in KB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024


@click.command()
@click.argument("pages", type=int, default=PAGES)
@click.option("--strategy", type=click.Choice(list(JUDGES)), help="One side; prints JSON.")
def main(pages: int, strategy: str | None) -> None:
    """Compare both crawlers at a size, or crawl by one."""
    if strategy is not None:
        print(json.dumps(_crawl(strategy, pages)))
        return
    for check in measure(pages):
        print(check)


if __name__ == "__main__":
    main()
