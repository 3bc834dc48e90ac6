"""What ``--warc`` costs a crawl: CPU per page with and without.

The default crawler and the cheapest, ``best-first-page-anchor``, fetch all pages of one generated
web over HTTP, through a server in another process, once with and once without WARC files. Sides
take turns; the median of the rounds' ratios counts.

``python -m benchmarks.archive CRAWLER KEPT PROXY PAGES`` runs one side.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.checks import Check, spread
from benchmarks.generated_web import TOPIC, GeneratedWeb
from benchmarks.web_server import serving

__all__ = ["run"]

MOST = 1.15
CRAWLERS = ("adaptive", "best-first-page-anchor")


def run(*, quick: bool) -> list[Check]:
    """Measure all sides in turn; both crawlers are held to the target."""
    pages, rounds = (500, 3) if quick else (1_500, 7)
    costs: dict[tuple[str, str], list[float]] = {
        (crawler, kept): [] for crawler in CRAWLERS for kept in ("plain", "warc")
    }
    print(f"{pages:,} pages on 100 hosts, 40 links and 24 KB each")
    with serving(pages) as proxy:
        for _ in range(rounds):
            for side, found in costs.items():
                found.append(_measure(*side, proxy, pages))
    for side, found in costs.items():
        print(f"{' '.join(side):>28}: {spread(found)} ms of CPU per page, best {min(found):.2f}")
    return [
        Check(f"CPU per page of {name} with WARC files, to without", _ratio(costs, name), "at most", MOST)
        for name in CRAWLERS
    ]


def _ratio(costs: dict[tuple[str, str], list[float]], name: str) -> float:
    both = zip(costs[name, "warc"], costs[name, "plain"], strict=True)
    return statistics.median(kept / plain for kept, plain in both)


def _measure(crawler: str, kept: str, proxy: str, pages: int) -> float:
    """Milliseconds of CPU per page of one side, in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.archive", crawler, kept, proxy, str(pages)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    fetched, cpu = json.loads(done.stdout.splitlines()[-1])
    if fetched != pages:
        raise SystemExit(f"{crawler} fetched {fetched} of {pages} pages: no comparison")
    return float(cpu) * 1000 / pages


def _crawl(crawler: str, kept: str, proxy: str, pages: int) -> tuple[int, float]:
    from semcrawl import Crawl

    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(
            TOPIC,
            [GeneratedWeb(pages).seed],
            f"{folder}/crawl",
            strategy=crawler,
            judge="adaptive" if crawler == "adaptive" else "cosine",
            warc=kept == "warc",
            proxy=proxy,
            delay=0,
            robots=False,
            pages=pages,
            workers=16,
        )
        cpu = time.process_time()
        with crawl:
            summary = crawl.run()
        return summary.progress.pages, time.process_time() - cpu


if __name__ == "__main__":
    crawler, kept, proxy, number = sys.argv[1:]
    print(json.dumps(_crawl(crawler, kept, proxy, int(number))))
