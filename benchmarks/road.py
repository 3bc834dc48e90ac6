"""CPU per page of the whole road, beside Scrapy and beside requests with lxml.

All sides fetch all pages of one generated web of a hundred hosts, over HTTP,
through a server in another process. semcrawl also reads, judges, ranks and
records on disk, by the papers' best-first with the judge ``cosine`` and by the default
crawler; the others only fetch and look at links.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

from benchmarks.checks import Check, spread
from benchmarks.web_server import serving

__all__ = ["run"]


def run(*, quick: bool) -> list[Check]:
    """Measure every side in turn, in several rounds; the best round of each counts."""
    pages, rounds = (1_000, 1) if quick else (5_000, 3)
    sides = ["best-first", "default", "requests"]
    if find_spec("scrapy") is None:
        print("Scrapy is not installed and left out; to have it: pip install 'semcrawl[bench]'")
    else:
        sides.append("scrapy")
    costs: dict[str, list[float]] = {side: [] for side in sides}
    print(f"{pages:,} pages on 100 hosts, 40 links and 24 KB each, robots.txt not asked")
    with serving(pages) as proxy:
        for _ in range(rounds):
            for side, found in costs.items():
                found.append(_measure(side, proxy, pages))
    for side, found in costs.items():
        print(f"{side:>10}: {spread(found)} ms of CPU per page, best {min(found):.2f}")
    return _compare({side: min(found) for side, found in costs.items()})


def _measure(side: str, proxy: str, pages: int) -> float:
    """Milliseconds of CPU per page of one run of one side, in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.road_sides", side, proxy, str(pages)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    fetched, cpu, clock = json.loads(done.stdout.splitlines()[-1])
    if fetched != pages:
        raise SystemExit(f"{side} fetched {fetched} of {pages} pages: no comparison")
    print(f"{side:>10}: {cpu:.1f} s of CPU, {pages / clock:.0f} pages/s", flush=True)
    return float(cpu) * 1000 / pages


def _compare(best: dict[str, float]) -> list[Check]:
    checks = [
        Check("best-first, CPU per page, to requests + lxml", best["best-first"] / best["requests"], "at most", 1.4),
        Check("the default crawler, CPU per page, to best-first", best["default"] / best["best-first"], "at most", 1.5),
    ]
    if "scrapy" in best:
        ratio = best["scrapy"] / best["best-first"]
        checks.append(Check("Scrapy, CPU per page, to best-first", ratio, "at least", 4))
    return checks
