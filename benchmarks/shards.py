"""A crawl in shards beside one that is not: quality, speed, kills, messages, cost of Ray.

The web is the generated one, of a hundred hosts. CPU is that of the processes that host
shards, from the first page of each on: on a machine that does other work, wall time says little. What needs Ray is
left out where it is not installed. ``python -m benchmarks.shards PART ...`` runs some parts alone.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.checks import Check, spread
from benchmarks.debian_web import web_folder
from benchmarks.generated_web import TOPIC, GeneratedWeb
from benchmarks.labelled_webs import find_web
from semcrawl.crawl import Crawl, PageVisited
from semcrawl.crawl.shards.beginning import begin_shards, reopen_shards
from semcrawl.crawl.shards.host import LocalHost
from semcrawl.web.urls import host_of
from tests.crawl.shards.hosts import in_processes
from tests.crawl.shards.ray_machines import HAS_RAY, RayMachines, events
from tests.crawl.shards.webs import outboxes, recorded
from tests.started import Started

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from subprocess import Popen

    from semcrawl.crawl.shards.driver import ShardedCrawl

__all__ = ["run", "write_web"]

_TICK = os.sysconf("SC_CLK_TCK")


def run(*, quick: bool, only: Sequence[str] = ()) -> list[Check]:
    """Measure all of it, or some parts."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        web = GeneratedWeb(2_000 if quick else 6_000, size=8_000, links=20)
        replay = _write(web, folder / "web")
        pages = 200 if quick else 1_000
        parts: dict[str, Callable[[], list[Check]]] = {
            "quality": lambda: _quality(folder, web, replay, 150 if quick else 500),
            "debian": lambda: _debian(folder),
            "speed": lambda: _speed(folder, web, replay, pages),
            "kills": lambda: _kills(folder, 5 if quick else 30, pages),
            "ray": lambda: _ray(web, replay, pages, 1 if quick else 5),
            "machines": lambda: _machines(folder, pages),
        }
        if not HAS_RAY:
            print("what needs Ray is not measured: it is not installed")
        return [
            check
            for name, part in parts.items()
            if name in (only or parts) and (HAS_RAY or name not in ("ray", "machines"))
            for check in part()
        ]


def _write(web: GeneratedWeb, folder: Path) -> str:
    return write_web({web.url(number): web.html(number) for number in range(web.pages)}, folder)


def write_web(pages: Mapping[str, str], folder: Path) -> str:
    """Write pages, given by URL, as a folder to be replayed; return it."""
    folder.mkdir()
    lines = []
    for number, (url, html) in enumerate(pages.items()):
        (folder / f"{number}.html").write_text(html, encoding="utf-8")
        lines.append(f"{url}\t{number}.html\t200\ttext/html")
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


_TOPICS = ("astronomy", "chemistry", "music")


def _debian(folder: Path) -> list[Check]:
    """The same on real sites, a shard for some twenty of them; on topic is a page of a site of the topic."""
    place = web_folder()
    if not (place / "sites.tsv").is_file():
        print("the Debian web is not there: python -m benchmarks.debian_web makes it")
        return []
    web, found, alone = find_web(small=False), 0, 0
    for topic in _TOPICS:
        settings: dict[str, Any] = {"replay": [str(place / "pages.warc.gz")], "pages": web.budget}
        seeds, named = web.seeds[topic], f"wordnet:{topic}.n.01"
        with Crawl(named, seeds, folder / f"{topic} alone", **settings) as crawl:
            one = [event.url for event in crawl.visits() if isinstance(event, PageVisited)]
        eight, _ = _follow(in_processes(begin_shards(named, seeds, folder / topic, 8, **settings)))
        counts = [sum(host_of(url) in web.sites[topic] for url in urls) for urls in (eight, one)]
        print(f"Debian web, {topic}, on topic in {web.budget} pages: {counts[1]} unsharded, {counts[0]} with 8 shards")
        found, alone = found + counts[0], alone + counts[1]
    return [Check("on topic on the Debian web, 8 shards against unsharded", found / alone, "at least", 0.95)]


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
                due = chance.randrange(1, pages // kills)
                victim = chance.choice([driver.pid, *pids])
                with suppress(ProcessLookupError):  # it has ended since this was told
                    os.kill(victim, signal.SIGKILL)
                    done += 1
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


_PLAIN = """
import json, os, sys, tempfile, time
from semcrawl.crawl import Crawl, PageVisited
topic, seed, replay, pages = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    with Crawl(topic, [seed], f"{folder}/crawl", replay=[replay], pages=int(pages)) as crawl:
        times = [time.process_time() for event in crawl.visits() if isinstance(event, PageVisited)]
print(json.dumps(times[-1] - times[0]))
"""

_ONE_SHARD = """
import json, os, sys, tempfile, time
from benchmarks.shards import _cpu_of
from semcrawl.crawl import PageVisited
from semcrawl.crawl.shards.beginning import begin_shards
from semcrawl.crawl.shards.cluster import joined
topic, seed, replay, pages, address = sys.argv[1:]
times = []
with tempfile.TemporaryDirectory() as folder, joined(address, print) as cluster:
    crawl = cluster.crawl(begin_shards(topic, [seed], f"{folder}/crawl", 1, replay=[replay], pages=int(pages)))
    for event in crawl.visits():
        if isinstance(event, PageVisited):
            worker = int(crawl._shards[0].report.where.split()[-1])
            times.append((_cpu_of(worker), time.process_time()))
print(json.dumps([times[-1][0] - times[0][0], times[-1][1] - times[0][1], crawl.turns]))
"""


def _ray(web: GeneratedWeb, replay: str, pages: int, rounds: int) -> list[Check]:
    """A plain crawl and one shard under Ray in turns, each in a process of its own."""
    words = (TOPIC, web.seed, replay, str(pages))
    plain, sharded, drivers = [], [], []
    with RayMachines(1) as machines:
        machines.start(0)
        for _ in range(rounds):
            plain.append(_said(machines.on(0, sys.executable, "-c", _PLAIN, *words)))
            worker, driver, turns = _said(machines.on(0, sys.executable, "-c", _ONE_SHARD, *words, machines.address))
            sharded.append(worker + driver)
            drivers.append(driver)
        own, started = sum(map(_cpu_of, machines.processes(0))), time.monotonic()
        time.sleep(10)
        idle = (sum(map(_cpu_of, machines.processes(0))) - own) / (time.monotonic() - started)
    print(
        f"{pages} pages, seconds of CPU: {spread(plain)} alone, {spread(sharded)} as one shard under Ray, of which the "
        f"driver {spread(drivers)} in {turns} turns; Ray alone, where nothing runs, {idle:.1%} of a core"
    )
    ratio = statistics.median(sharded) / statistics.median(plain)
    return [Check("CPU of one shard under Ray against a plain crawl", ratio, "at most", 1.1)]


def _said(process: Popen[str]) -> Any:
    told = process.communicate()[0]
    if process.returncode:
        raise SystemExit(told)
    return json.loads(told.splitlines()[-1])


def _machines(folder: Path, pages: int) -> list[Check]:
    """Lose a machine of two, then cut one off, then lose the head, on which the driver is."""
    web = GeneratedWeb(pages, size=3_000, links=12)
    replay, checks = _write(web, folder / "web of machines"), []
    for fault in ("killed", "head killed", "cut off"):
        place = folder / fault
        begin_shards(TOPIC, [web.seed], place, 4, replay=[replay], pages=0)
        with RayMachines(2) as machines:
            if fault == "cut off" and not machines.has_network:
                print("no machine is cut off: network namespaces cannot be made here")
                continue
            machines.start(0)
            machines.start(1)
            told, lost, seconds = _driven(machines, place, fault, pages // 3)
        if fault == "head killed":
            for event in in_processes(reopen_shards(place)).visits():
                if isinstance(event, PageVisited):
                    told.append(event.url)
        found = recorded(place)
        print(f"a machine of two is {fault}: {len(found):,} pages, {lost} workers begun anew, {seconds:.0f} s")
        checks += [
            Check(f"{fault}: pages told of but not recorded", len(set(told) - found.keys()), "at most", 0),
            Check(f"{fault}: pages told again", len(told) - len(set(told)), "at most", 0),
            Check(f"{fault}: pages that an undisturbed crawl has more", pages - len(found), "at most", 0),
            Check(f"{fault}: links that were never delivered", outboxes(place), "at most", 0),
        ]
    return checks


def _driven(machines: RayMachines, place: Path, fault: str, after: int) -> tuple[list[str], int, float]:
    """The pages that a driver tells of, how many workers it has lost, and how long it took."""
    told, lost, started = list[str](), 0, time.monotonic()
    with machines.drive(place) as driver:
        for url, note in events(driver):
            lost += note.startswith("a worker is lost")
            told += [url] * bool(url)
            if url and len(told) == after:
                if fault == "cut off":
                    machines.pull_cable(1)
                else:
                    machines.kill(int(fault == "killed"))
    if driver.returncode and fault != "head killed":
        raise SystemExit(f"the driver ended with {driver.returncode}")
    return told, lost, time.monotonic() - started


if __name__ == "__main__":
    for check in run(quick="--quick" in sys.argv, only=[word for word in sys.argv[1:] if word != "--quick"]):
        print(check)
