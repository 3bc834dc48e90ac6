"""What the shipped policies cost at their rhythm, beside the crawl that they steer.

The same crawl is run without policies, with all that revise the frontier (and
the distiller, which one of them needs), and with ``revisit`` as well, each in a
process of its own. The web is made up in the process and what that costs is
taken off: nothing is fetched, so that the crawl is cheaper than over HTTP and
the check stricter. Counted is the CPU of the crawl and of the process beside
it. Afterwards each policy's query is run alone on the graph that was left.

``python -m benchmarks.policy_overhead PAGES`` runs it at another size.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.checks import Check
from benchmarks.generated_web import TOPIC, GeneratedWeb, InProcessFetcher

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.crawl.events import Event

__all__ = ["run"]

PAGES, QUICK = 50_000, 5_000
WEB_PER_PAGE = 18
"""Pages that there are for one that is visited: so many wait in the end, less those never found."""

FRONTIER = 700_000
MOST = 0.10
SIDES: dict[str, tuple[str, ...]] = {
    "without": (),
    "steered": ("cool-down", "favour-sites", "hard-focus", "hub-neighbours", "tunnel"),
    "revisited": (*("cool-down", "favour-sites", "hard-focus", "hub-neighbours", "tunnel"), "revisit:hours=0"),
}
ALARM = "INSERT DATA { <urn:crawl> sc:alarm <urn:alarm> . <urn:alarm> a sc:Stagnation }"


def run(*, quick: bool) -> list[Check]:
    """Crawl with and without policies; compare what they cost."""
    return measure(QUICK if quick else PAGES, quick=quick)


def measure(pages: int, *, quick: bool) -> list[Check]:
    """The same at any size; a quick look leaves out revisits."""
    sides = ["without", "steered"] if quick else list(SIDES)
    costs = {side: _in_process(side, pages) for side in sides}
    checks = []
    for side in sides[1:]:
        cost, plain = costs[side], costs["without"]
        visits = cost["pages"] + cost["revisits"]
        dearer = cost["cpu"] / visits / (plain["cpu"] / plain["pages"]) - 1
        share = cost["steering"] / (cost["cpu"] - cost["steering"])
        print(f"  {side}: a visit takes {dearer:+.1%} CPU in all; policies alone {share:.1%}")
        name = f"CPU of policies, as a share of the crawl's own, {side}"
        checks.append(Check(name, share, "at most", MOST))
    return checks


def _in_process(side: str, pages: int) -> dict[str, Any]:
    """One side in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.policy_overhead", str(pages), "--side", side]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    *lines, result = done.stdout.splitlines()
    print("\n".join(lines), flush=True)
    found: dict[str, Any] = json.loads(result)
    return found


class _Runs:
    """What policies did, by name, as the crawl tells it."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.changed: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()

    def __call__(self, event: Event) -> None:
        from semcrawl.crawl.events import Distilled, PolicyRan

        if isinstance(event, PolicyRan):
            self.times[event.name] += 1
            self.changed[event.name] += event.changed + event.dropped + event.revisits
            self.failed[event.name] += bool(event.error)
        elif isinstance(event, Distilled):
            self.times["distiller"] += 1

    def tell(self, costs: Mapping[str, float], rhythms: Mapping[str, int], pages: int) -> None:
        """A line for each, with its CPU."""
        for name, times in sorted(self.times.items()):
            failed = f", {self.failed[name]} failed" if self.failed[name] else ""
            print(
                f"    {name}: {times} runs of {pages // rhythms[name]} by its rhythm{failed}, "
                f"{self.changed[name]:,} changes; {costs[name]:.1f} s of CPU, "
                f"{costs[name] / times:.2f} s a run"
            )


def _cpu() -> float:
    """Seconds of CPU of this process and of those that it has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime + _beside()


def _beside() -> float:
    """Seconds of CPU of the processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _crawl(side: str, pages: int) -> dict[str, Any]:
    """Crawl, tell of it, and give what it cost."""
    from semcrawl import Crawl

    # A number of hosts that ten divides makes a tenth of them all about the topic, so
    # that a soft-focused crawl finds about half of its pages relevant, as in the paper.
    web = GeneratedWeb(pages * WEB_PER_PAGE, hosts=max(pages // 250 * 10, 100))
    fetcher, runs = InProcessFetcher(web), _Runs()
    fetcher.fetch(web.seed)  # the words and the numbers of all pages
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(
            TOPIC,
            [web.seed],
            f"{folder}/crawl",
            fetcher=fetcher,
            strategy="soft-focus",
            policy=SIDES[side],
            robots=False,
            delay=0,
            workers=1,
            pages=pages,
            pages_per_host=0,
            frontier_size=FRONTIER,
        )
        fetcher.cpu, before = 0.0, _cpu()
        with crawl:
            progress = crawl.run(runs).progress
            # The accounts of single policies are no part of what a crawl tells.
            beside = crawl._engine.kind.steering  # type: ignore[attr-defined]
            steering, schedule = beside.spent, beside._schedule
        cpu = _cpu() - before - fetcher.cpu
        if progress.pages != pages:
            raise SystemExit(f"{side} stopped after {progress.pages} of {pages} pages: no figure")
        costs = {name: schedule[name].spent for name in runs.times}
        visits = progress.pages + progress.revisits
        print(
            f"  {side}: {progress.pages:,} pages ({progress.harvest_rate:.0%} relevant), "
            f"{progress.revisits:,} revisits, {progress.waiting:,} URLs wait; "
            f"{cpu / visits * 1e3:.2f} ms of CPU a visit, {steering:.1f} s of {cpu:.0f} s "
            "for policies"
        )
        if side == "revisited":
            _queries_alone(f"{folder}/crawl", pages)
    runs.tell(costs, _rhythms(side), pages)
    return {
        "pages": progress.pages,
        "revisits": progress.revisits,
        "cpu": cpu,
        # By the crawl's own account, or by the system's of the process beside it if that is more.
        "steering": max(steering, _beside()),
    }


def _rhythms(side: str) -> dict[str, int]:
    from semcrawl.crawl.pages.steering import DISTIL_EVERY
    from semcrawl.steering import load_policy

    policies = map(load_policy, SIDES[side])
    return {policy.name: policy.every for policy in policies} | {"distiller": DISTIL_EVERY}


def _queries_alone(folder: str, pages: int) -> None:
    """What one run of each policy costs on the graph of a crawl that has ended."""
    from semcrawl.graph import CrawlGraph
    from semcrawl.steering import distill, load_policy

    graph = CrawlGraph.open(Path(folder))
    # Without an alarm the tunnel would have nothing to do.
    graph.store.update(ALARM)
    threshold = graph.describe().threshold
    for spec in SIDES["revisited"]:
        policy = load_policy(spec)
        since = pages - policy.every
        text = policy.text({"threshold": threshold, "since": since, "step": pages})
        cpu = time.process_time()
        rows = len(list(graph.store.query(text)))
        print(f"    {policy.name} alone: {time.process_time() - cpu:.2f} s of CPU, {rows:,} rows")
    cpu = time.process_time()
    hubs = len(distill(graph).hubs)
    print(f"    distiller alone: {time.process_time() - cpu:.2f} s of CPU, {hubs:,} hubs")
    graph.close()


@click.command()
@click.argument("pages", type=click.IntRange(100), default=PAGES)
@click.option("--side", type=click.Choice(list(SIDES)), help="One side only, as JSON.")
def main(pages: int, side: str | None) -> None:
    """Measure with PAGES pages."""
    if side is not None:
        print(json.dumps(_crawl(side, pages)))
        return
    for check in measure(pages, quick=False):
        print(check)


if __name__ == "__main__":
    main()
