"""What a crawl loses by being looked at: 200 who follow it live and 20 who ask the endpoint.

The same crawl over HTTP is run alone, and served (``ServerCompanion``, as
``crawl --serve`` does) with readers in a process of their own (serve_readers.py).
The crawl goes as fast as it can, with no delay, so that all that readers take
is seen: a polite crawl mostly waits. Measured is the clock over the last three
quarters of its pages, when all readers are there. Sides in turn; the best
round of each counts, for what disturbs from elsewhere only makes it slower.

Then nothing may be lost: every stream has heard every page in order and the
end, and every question was answered in full with status 200.
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

from benchmarks.checks import Check, spread
from benchmarks.generated_web import TOPIC, GeneratedWeb
from benchmarks.web_server import serving

__all__ = ["run"]

PAGES, QUICK = 5_000, 2_000
ROUNDS = 3
STREAMS, ASKERS = 200, 20
MOST = 1.2
WORKERS = 16


def run(*, quick: bool) -> list[Check]:
    """Crawl alone and served, compare, and look for what was lost."""
    return measure(QUICK if quick else PAGES, 1 if quick else ROUNDS, STREAMS, ASKERS)


def measure(pages: int, rounds: int, streams: int, askers: int) -> list[Check]:
    """The same at any size."""
    alone: list[dict[str, Any]] = []
    served: list[dict[str, Any]] = []
    with serving(pages) as proxy:
        for number in range(rounds):
            # The side that begins changes, in case the machine gets slower or faster.
            sides = [(alone, 0, 0), (served, streams, askers)]
            for found, following, asking in sides if number % 2 == 0 else reversed(sides):
                found.append(_side(proxy, pages, following, asking))
    best = {name: min(each["seconds"] for each in found) for name, found in _named(alone, served)}
    for name, found in _named(alone, served):
        speeds = spread([each["pages"] / each["seconds"] for each in found], 0)
        cpu = spread([each["cpu"] / each["pages"] * 1e3 for each in found])
        server = spread([each["server_cpu"] for each in found], 1)
        print(f"  {name}: {speeds} pages/s; {cpu} ms of the crawl's CPU a page; {server} s of the server's CPU in all")
    lost = sum(_lost(each, pages, streams) for each in served)
    asked = sum(sum(each["readers"]["answers"].values()) for each in served)
    what = f"{streams} streams and {askers} askers"
    return [
        Check(f"time of a crawl with {what}, to alone", best["served"] / best["alone"], "at most", MOST),
        Check(f"streams broken, pages unheard, answers lost ({asked:,} asked)", lost, "at most", 0),
    ]


def _named(alone: list[dict[str, Any]], served: list[dict[str, Any]]) -> tuple[tuple[str, list[dict[str, Any]]], ...]:
    return ("alone", alone), ("served", served)


def _side(proxy: str, pages: int, streams: int, askers: int) -> dict[str, Any]:
    """One crawl in a fresh process, with readers beside it where there are any."""
    command = [sys.executable, "-m", "benchmarks.serve", "--side", proxy, str(pages)]
    crawl = subprocess.Popen([*command, str(streams)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert crawl.stdout is not None
    assert crawl.stdin is not None
    try:
        port = crawl.stdout.readline().strip()
        readers = _readers(port, streams, askers) if streams else None
        if readers is not None:
            assert readers.stdout is not None
            readers.stdout.readline()
        crawl.stdin.write("measure\n")
        crawl.stdin.flush()
        found: dict[str, Any] = json.loads(crawl.stdout.readline())
        if readers is not None:
            found["readers"] = json.loads(readers.communicate(timeout=120)[0])
            _tell(found["readers"])
        crawl.stdin.close()  # it goes when its input ends, and tells what the server took
        found["server_cpu"] = float(crawl.stdout.readline())
        return found
    finally:
        crawl.stdin.close()
        crawl.stdout.close()
        crawl.wait(timeout=60)


def _readers(port: str, streams: int, askers: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.serve_readers", port, str(streams), str(askers)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _tell(readers: dict[str, Any]) -> None:
    answers = ", ".join(f"{number:,} with {status}" for status, number in readers["answers"].items())
    print(
        f"    {readers['ended']} streams to the end; {answers or 'nothing asked'}; "
        f"an answer took {readers['median']:.2f} s, the slowest {readers['slowest']:.2f} s",
        flush=True,
    )


def _lost(found: dict[str, Any], pages: int, streams: int) -> int:
    readers = found["readers"]
    heard_all = readers["steps"].get(str(pages), 0)
    refused = sum(number for status, number in readers["answers"].items() if status != "200")
    return int(streams - heard_all + streams - readers["ended"] + readers["gaps"] + refused)


# In the process of one side


def _crawl(proxy: str, pages: int, *, is_served: bool) -> None:
    """Crawl in this process; print the port, then what it took, and wait to be told to go."""
    import threading

    from semcrawl import Crawl
    from semcrawl.crawl.events import PageVisited
    from semcrawl.serve import ServerCompanion, ServeSettings, listen

    told = threading.Event()

    def hear() -> None:
        sys.stdin.readline()
        told.set()
        crawl.unpause()

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "crawl"
        settings = ServeSettings("127.0.0.1", 0, "a-token-of-the-benchmark", 30.0, 10_000)
        server = None
        with Crawl(
            TOPIC,
            [GeneratedWeb(pages).seed],
            folder,
            strategy="best-first-page-anchor",
            judge="labels",  # one that learns has pages told again, which are no gaps
            proxy=proxy,
            delay=0,
            robots=False,
            pages=pages,
            workers=WORKERS,
        ) as crawl:
            listener = listen(settings)
            port = listener.getsockname()[1]
            if is_served:
                server = ServerCompanion(folder, settings, listener, crawl)
            print(port, flush=True)
            threading.Thread(target=hear, daemon=True).start()
            found = _timed(crawl, PageVisited, told, pages)
        if server is not None:
            server.crawl_ended()
        print(json.dumps(found), flush=True)
        sys.stdin.read()
        if server is not None:
            server.close()
        listener.close()
    beside = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(beside.ru_utime + beside.ru_stime, flush=True)


def _timed(crawl: Any, visited: type, told: Any, pages: int) -> dict[str, Any]:
    """Pages, seconds and CPU from a quarter of the crawl on, where it waits for the readers."""
    begun: tuple[int, float, float] | None = None
    done = 0
    for event in crawl.visits():
        if not isinstance(event, visited):
            continue
        done += 1
        if begun is None and done >= pages // 4:
            if told.is_set():
                begun = done, time.monotonic(), time.process_time()
            elif not crawl.is_paused:
                crawl.pause()
                if told.is_set():  # just now
                    crawl.unpause()
    if begun is None or done != pages:
        raise SystemExit(f"{done} of {pages} pages, measured from {begun}: no figure")
    first, clock, cpu = begun
    return {"pages": done - first, "seconds": time.monotonic() - clock, "cpu": time.process_time() - cpu}


@click.command()
@click.option("--side", nargs=3, type=(str, int, int), help="One side: PROXY PAGES STREAMS.")
@click.option("--pages", type=click.IntRange(200), default=PAGES)
@click.option("--rounds", type=click.IntRange(1), default=ROUNDS)
@click.option("--streams", type=click.IntRange(1), default=STREAMS)
@click.option("--askers", type=click.IntRange(0), default=ASKERS)
def main(side: tuple[str, int, int] | None, pages: int, rounds: int, streams: int, askers: int) -> None:
    """Measure at another size."""
    if side is not None:
        proxy, wanted, following = side
        _crawl(proxy, wanted, is_served=following > 0)
        return
    for check in measure(pages, rounds, streams, askers):
        print(check)


if __name__ == "__main__":
    main()
