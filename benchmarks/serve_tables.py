"""How fast the server of a large crawl shows its tables.

The crawl of 50,000 pages is made up (made_up_crawl.py) and served by a process
of its own. First the views that somebody sees first are asked for, before the
server has looked at the crawl. Then, once the tables are sorted by all their
columns, pages of them are asked for one after the other: any table, sorted by
any column, half of them searched, most of them not the first page, none twice.
Times are those of whole requests, over loopback.

    python -m benchmarks serve_tables
    python -m benchmarks.serve_tables FOLDER      over a crawl that is there
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from benchmarks.checks import Check
from benchmarks.made_up_crawl import WORDS, CrawlSize, make_crawl
from semcrawl.serve.table_index import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["run"]

REQUESTS = 1_000
COMMAND = "from semcrawl.cli.main import main; main()"
P99, FIRST = 0.3, 1.0
FIRST_VIEWS = ("/api/crawl", "/api/monitor", "/api/pages", "/api/waiting", "/api/hubs", "/api/page?step=17")
OTHER_VIEWS = ("/api/topic", "/api/site-graph", "/api/neighbourhood")


def run(*, quick: bool) -> list[Check]:
    """Make the crawl, serve it and ask."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "crawl"
        size = CrawlSize().over(10 if quick else 1)
        started = time.monotonic()
        make_crawl(folder, size)
        print(f"{size.pages:,} pages, {size.waiting:,} URLs wait ({_since(started):.0f} s to make)")
        return measure(folder, REQUESTS // (10 if quick else 1))


def measure(folder: Path, requests: int) -> list[Check]:
    """Ask the server of a crawl."""
    with _served(folder) as client:
        first = {path: _timed(client, path)[0] for path in FIRST_VIEWS}
        for path, seconds in first.items():
            print(f"  {path}, first: {seconds * 1e3:.0f} ms")
        _get_ready(client)
        times = _ask_tables(client, requests)
        url = client.get("/api/pages", params={"limit": 1}).json()["rows"][0]["url"]
        for path in OTHER_VIEWS:
            print(f"  {path}: {_timed(client, path, url=url)[0] * 1e3:.0f} ms")
    slowest, asked = max(times)
    print(
        f"  {len(times):,} pages of tables: median {_share(times, 0.5) * 1e3:.0f} ms, "
        f"p99 {_share(times, 0.99) * 1e3:.0f} ms, slowest {slowest * 1e3:.0f} ms ({asked})"
    )
    return [
        Check("first view of anything", max(first.values()), "at most", FIRST, " s"),
        Check("p99 of a page of a table", _share(times, 0.99), "at most", P99, " s"),
    ]


def _get_ready(client: httpx.Client) -> None:
    """Sort each table by each of its columns once, and say what that takes."""
    started = time.monotonic()
    for table, columns in _columns().items():
        for column in columns:
            seconds, _ = _timed(client, f"/api/{table}", sort=column, q="warm")
            if seconds > P99:
                print(f"  {table} by {column}, once: {seconds:.1f} s")
    print(f"  all columns of all tables read in {_since(started):.0f} s")


def _ask_tables(client: httpx.Client, requests: int) -> list[tuple[float, str]]:
    chance = random.Random(7)
    columns = _columns()
    times = []
    for number in range(requests):
        table = chance.choice(list(columns))
        query: dict[str, Any] = {
            "sort": chance.choice(columns[table]),
            "descending": chance.choice("01"),
            "q": f"{chance.choice(WORDS)[:4]}{chance.choice(['', '', '/', str(number % 10)])}"
            if chance.random() < 0.5
            else "",
        }
        total = client.get(f"/api/{table}", params=query | {"limit": 1}).json()["total"]
        query["offset"] = chance.randrange(max(total, 1))
        seconds, found = _timed(client, f"/api/{table}", **query)
        assert found["rows"] or not total
        times.append((seconds, f"{table} by {query['sort']}, q={query['q']!r}"))
    return times


def _columns() -> dict[str, list[str]]:
    found = {name: [key.name for key in kind.keys] for name, kind in TABLES.items()}
    return found | {"sites": ["host", "pages", "relevant", "mean_relevance"]}


def _timed(client: httpx.Client, path: str, **query: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = client.get(path, params=query or None)
    seconds = time.perf_counter() - started
    answer.raise_for_status()
    return seconds, answer.json()


@contextmanager
def _served(folder: Path) -> Iterator[httpx.Client]:
    command = [sys.executable, "-c", COMMAND, "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        assert address
        try:
            with httpx.Client(base_url=address[0], timeout=120) as client:
                # Workers take a moment to start; a browser has the page to load meanwhile.
                client.get("/")
                time.sleep(3)
                yield client
        finally:
            process.terminate()
            process.wait(30)


def _share(times: list[tuple[float, str]], share: float) -> float:
    ordered = sorted(seconds for seconds, _ in times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _since(started: float) -> float:
    return time.monotonic() - started


if __name__ == "__main__":
    for check in measure(Path(sys.argv[1]), REQUESTS):
        print(check)
