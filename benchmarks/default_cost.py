"""What the default crawler costs beside a best-first crawl: CPU of a page, memory of a URL.

Both crawl a web that is made up in the process; what that costs is taken off. Nothing is fetched,
so that the crawls are cheaper than over HTTP and the check stricter. Each is a process of its own,
with one worker and its graph on disk. Of every page that is visited five links lead to pages that
no other has named, so that far more URLs are known than visited. Memory is the peak of the whole
process beside that of the best-first crawl, over the URLs that the default knows.

``python -m benchmarks.default_cost PAGES`` runs it at another size.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any

import click

from benchmarks.checks import Check
from benchmarks.generated_web import TOPIC, GeneratedWeb, InProcessFetcher
from semcrawl import Crawl
from semcrawl.crawl import PageVisited

__all__ = ["run"]

PAGES, QUICK = 20_000, 1_000
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
    more = max(ours["kilobytes"] - theirs["kilobytes"], 0) / ours["known"]
    name = f"memory of a known URL beside {PLAIN}, {pages:,} pages"
    return [*checks, Check(name, more, "at most", MOST_MEMORY, " KB")]


def _in_process(strategy: str, pages: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.default_cost", str(pages), "--strategy", strategy]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    cells = (f"{int(stage):,}: {cpu / int(stage) * 1e3:.2f}" for stage, cpu in found["cpu"].items())
    print(
        f"  {strategy}: ms of CPU a page, up to page {', '.join(cells)}; "
        f"{found['known']:,} URLs known, {found['kilobytes'] / 1024:,.0f} MB",
        flush=True,
    )
    return found


def _crawl(strategy: str, pages: int) -> dict[str, Any]:
    """Crawl; return the seconds of CPU at each stage, the URLs known and the peak of memory."""
    web = GeneratedWeb(pages * WEB_PER_PAGE)
    fetcher = InProcessFetcher(web)
    fetcher.fetch(web.seed)  # the words and the numbers of all pages
    spent: dict[str, float] = {}
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
                if visited in STAGES and str(visited) not in spent:
                    spent[str(visited)] = time.process_time() - before - fetcher.cpu
                    print(strategy, spent, file=sys.stderr, flush=True)
            waiting = crawl.progress.waiting
    if visited != pages:
        raise SystemExit(f"{strategy} stopped after {visited} of {pages} pages: no figure")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"cpu": spent, "known": visited + waiting, "kilobytes": peak}


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
