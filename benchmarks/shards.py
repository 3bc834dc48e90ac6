"""A crawl in shards beside one that is not: quality, speed, kills, messages, cost of Ray.

The web is the generated one, of a hundred hosts. CPU is that of the processes that host
shards, from the first page of each on: on a machine that does other work, wall time says little. The cost of Ray is
measured only where a cluster runs and RAY_ADDRESS names it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.checks import Check
from benchmarks.generated_web import TOPIC, GeneratedWeb
from semcrawl.crawl import Crawl, PageVisited
from semcrawl.crawl.shards.beginning import begin_shards
from semcrawl.crawl.shards.cluster import joined
from semcrawl.crawl.shards.host import LocalHost
from semcrawl.errors import ConfigError
from tests.crawl.shards.hosts import in_processes
from tests.crawl.shards.webs import outboxes, recorded
from tests.started import Started

if TYPE_CHECKING:
    from semcrawl.crawl.shards.driver import ShardedCrawl

__all__ = ["run"]

_TICK = os.sysconf("SC_CLK_TCK")


def run(*, quick: bool) -> list[Check]:
    """Measure all of it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        web = GeneratedWeb(2_000 if quick else 6_000, size=8_000, links=20)
        replay = _write(web, folder / "web")
        return [
            *_quality(folder, web, replay, 150 if quick else 500),
            *_speed(folder, web, replay, 200 if quick else 1_000),
            *_kills(folder, 5 if quick else 30, 200 if quick else 1_000),
            *_ray(folder, web, replay, 200 if quick else 1_000),
        ]


def _write(web: GeneratedWeb, folder: Path) -> str:
    folder.mkdir()
    lines = []
    for number in range(web.pages):
        (folder / f"{number}.html").write_text(web.html(number), encoding="utf-8")
        lines.append(f"{web.url(number)}\t{number}.html\t200\ttext/html")
    (folder / "urls.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(folder)


def _follow(crawl: ShardedCrawl) -> tuple[list[str], list[float]]:
    """Run a crawl; its pages, and the CPU of each of its hosts from its first page on."""
    found, cpu, first = [], dict[int, float](), dict[int, float]()
    for event in crawl.visits():
        if isinstance(event, PageVisited):
            found.append(event.url)
            for number, host in enumerate(crawl._hosts):
                if isinstance(host.link, LocalHost):
                    pid = host.link.process_id
                    cpu[pid] = _cpu_of(pid)
                    if crawl.folder.owner(event.url) % len(crawl._hosts) == number:
                        first.setdefault(pid, cpu[pid])
    return found, [last - first[pid] for pid, last in cpu.items() if pid in first]


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def _quality(folder: Path, web: GeneratedWeb, replay: str, pages: int) -> list[Check]:
    good = {web.url(number) for number in range(web.pages) if number % 10 == 3}
    settings: dict[str, Any] = {"replay": [replay], "pages": pages}
    with Crawl(TOPIC, [web.seed], folder / "one", **settings) as crawl:
        one = [event.url for event in crawl.visits() if isinstance(event, PageVisited)]
    whole = in_processes(begin_shards(TOPIC, [web.seed], folder / "eight", 8, **settings))
    eight, _ = _follow(whole)
    found, alone = sum(url in good for url in eight), sum(url in good for url in one)
    print(
        f"on topic in {pages} pages: {alone} unsharded, {found} with 8 shards; per page "
        f"{_sent(whole, 'batches_sent') / pages:.2f} batches and "
        f"{_sent(whole, 'bytes_sent') / pages:,.0f} bytes "
        f"of links between shards, {whole.turns / pages:.2f} turns of hosts"
    )
    return [Check("on topic, 8 shards against unsharded", found / alone, "at least", 0.95)]


def _sent(crawl: ShardedCrawl, name: str) -> int:
    return sum(getattr(shard.report, name) for shard in crawl._shards)


def _speed(folder: Path, web: GeneratedWeb, replay: str, pages: int) -> list[Check]:
    """Pages by second of CPU of the busiest process: what as many free cores would give."""
    rates, walls = [], []
    for shards in (1, 2):
        settings: dict[str, Any] = {"replay": [replay], "pages": pages}
        place = folder / f"speed-{shards}"
        begun = begin_shards(TOPIC, [web.seed], place, shards, **settings)
        started = time.monotonic()
        _, cpu = _follow(in_processes(begun, shards))
        walls.append(pages / (time.monotonic() - started))
        rates.append(pages / max(cpu))
    print(
        f"one shard {rates[0]:.1f} pages per second of CPU, two {rates[1]:.1f} of the busier "
        f"process; by the clock, with the start, {walls[0]:.1f} and {walls[1]:.1f} pages/s"
    )
    return [Check("two shards against one, by CPU", rates[1] / rates[0], "at least", 1.7)]


_DRIVER = """
import json, sys
from semcrawl.crawl.events import PageVisited
from semcrawl.crawl.shards.beginning import reopen_shards
from tests.crawl.shards.hosts import in_processes
crawl = in_processes(reopen_shards(sys.argv[1]))
for event in crawl.visits():
    url = event.url if isinstance(event, PageVisited) else None
    print(json.dumps([url, [host.link.process_id for host in crawl._hosts]]), flush=True)
print(json.dumps([None, []]), flush=True)
"""


def _kills(folder: Path, kills: int, pages: int) -> list[Check]:
    """Kill workers and drivers at random until so many are dead; then let the crawl end."""
    web = GeneratedWeb(pages, size=3_000, links=12)
    replay, place, chance = _write(web, folder / "whole"), folder / "killed", random.Random(1)
    begin_shards(TOPIC, [web.seed], place, 4, replay=[replay], pages=0)
    done, told, again, has_ended = 0, set[str](), 0, False
    while not has_ended:
        driver, due = Started(_DRIVER, place), chance.randrange(1, pages // kills)
        for line in driver.stdout or ():
            url, pids = json.loads(line)
            if url is not None:
                again += url in told
                told.add(url)
                due -= 1
            has_ended = not pids
            if due <= 0 and done < kills and pids:
                done, due = done + 1, chance.randrange(1, pages // kills)
                victim = chance.choice([driver.pid, *pids])
                os.kill(victim, signal.SIGKILL)
        driver.wait(timeout=300)
    found = recorded(place)
    print(f"{done} kills in a crawl of {len(found):,} pages on 4 shards")
    return [
        Check("kills of workers and drivers", done, "at least", kills),
        Check("pages told of but not recorded", len(told - found.keys()), "at most", 0),
        Check("pages recorded twice or told again", again, "at most", 0),
        Check("pages that an undisturbed crawl has more", pages - len(found), "at most", 0),
        Check("links that were never delivered", outboxes(place), "at most", 0),
    ]


def _ray(folder: Path, web: GeneratedWeb, replay: str, pages: int) -> list[Check]:
    settings: dict[str, Any] = {"replay": [replay], "pages": pages}
    with Crawl(TOPIC, [web.seed], folder / "plain", **settings) as crawl:
        started = time.process_time()
        crawl.run()
        alone = time.process_time() - started
    begun = begin_shards(TOPIC, [web.seed], folder / "ray", 1, **settings)
    try:
        with joined(os.environ.get("RAY_ADDRESS", "auto")) as cluster:
            started, first, last = time.process_time(), 0.0, 0.0
            for event in cluster.crawl(begun).visits():
                if isinstance(event, PageVisited):
                    last = _cpu_of(_ray_pid())
                    first = first or last  # what the worker needed to begin does not count
            whole = last - first + time.process_time() - started
    except ConfigError as error:
        print(f"the cost of Ray is not measured: {error}")
        return []
    print(f"{pages} pages: {alone:.1f} s of CPU alone, {whole:.1f} s as one shard under Ray")
    return [Check("CPU of one shard under Ray against a plain crawl", whole / alone, "at most", 1.1)]


@cache
def _ray_pid() -> int:
    """The worker process of Ray that hosts shards; looked for once, as looking takes CPU."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if b"ray::ShardHost" in path.read_bytes():
                return int(path.parent.name)
    return os.getpid()
