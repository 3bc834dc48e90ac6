"""Push and pop in a frontier of ten thousand URLs and in one of a million; many new priorities.

The steady state of a long crawl: the best URL is popped, its host released,
and a URL pushed with a new priority that may lie anywhere among the others, so
that the frontier keeps its size and its shape. Rounds at both sizes take
turns in one process; with few hosts, and again with many.

A strategy that learns may give all waiting URLs other priorities: what that takes of frontier
and graph together, where the graph may be told later, as a share of writing all at once.
"""

from __future__ import annotations

import gc
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.checks import Check, spread
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.pages.intake import Intake
from semcrawl.crawl.pages.priorities import Priorities
from semcrawl.crawl.pages.revisits import Revisits
from semcrawl.crawl.pages.state import PageState
from semcrawl.crawl.settings import Settings
from semcrawl.graph import Changes, CrawlGraph, FoundUrl

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["run"]

SMALL = 10_000
HOSTS = (2_000, 50_000)
MICROSECONDS = 50.0
GROWTH = 1.5
REVISED = 100_000
SHARE = 0.25


def run(*, quick: bool) -> list[Check]:
    """Fill frontiers, then time pop, release and push together, in turns; then many new priorities."""
    large, rounds = (100_000, 5) if quick else (1_000_000, 15)
    checks = [check for hosts in HOSTS for check in _compared(large, hosts, rounds)]
    return [*checks, _revised(10_000 if quick else REVISED)]


def _compared(large: int, hosts: int, rounds: int) -> list[Check]:
    frontiers = [_filled(size, hosts) for size in (SMALL, large)]
    rng = random.Random(2)
    small_costs: list[float] = []
    large_costs: list[float] = []
    for _ in range(rounds):
        # What waits is no garbage: the collector shall not look at it in the middle of a round.
        gc.collect()
        gc.freeze()
        small_costs.append(_cycle_cost(frontiers[0], rng))
        large_costs.append(_cycle_cost(frontiers[1], rng))
    gc.unfreeze()
    print(f"{hosts:,} hosts; one pop, release and push together, µs of CPU over {rounds} rounds")
    print(f"{SMALL:>10,} URLs: {spread(small_costs)}")
    print(f"{large:>10,} URLs: {spread(large_costs)}")
    cost, beside = statistics.median(large_costs), statistics.median(small_costs)
    return [
        Check(f"pop and push among {large:,} URLs of {hosts:,} hosts", cost, "at most", MICROSECONDS, " µs"),
        Check(f"the same, as a multiple of {SMALL:,} URLs", cost / beside, "at most", GROWTH),
    ]


def _revised(size: int) -> Check:
    """Compare many new priorities that are written at once with such as may be written later."""
    with tempfile.TemporaryDirectory() as folder, CrawlGraph.create(Path(folder) / "crawl") as graph:
        frontier = Frontier(capacity=2 * size)
        state = PageState(settings=Settings(), graph=graph, threshold=0.5, frontier=frontier)
        priorities = Priorities(state, Intake(state), Revisits(state))
        entries = list(_entries(size, HOSTS[0]))
        for start in range(0, size, 1000):
            changes = Changes()
            for entry in entries[start : start + 1000]:
                changes.found(entry)
                frontier.push(entry)
            graph.apply(changes)
        rng = random.Random(3)
        costs = []
        for may_wait in (False, True):
            new = {entry.url: round(rng.random(), 6) for entry in entries}
            cpu = time.process_time()
            priorities.reprioritise(new, may_wait=may_wait)
            costs.append(time.process_time() - cpu)
        cpu = time.process_time()
        priorities.write_all()
        later = time.process_time() - cpu
    at_once, now = costs
    print(f"{size:,} new priorities, s of CPU: {at_once:.2f} all written at once, "
          f"{now:.2f} and {later:.2f} later")  # fmt: skip
    what = f"{size:,} new priorities, as a share of writing all at once"
    return Check(what, now / at_once, "at most", SHARE)


def _filled(size: int, hosts: int) -> Frontier:
    frontier = Frontier(capacity=2 * size)
    cpu = time.process_time()
    for entry in _entries(size, hosts):
        frontier.push(entry)
    cpu = time.process_time() - cpu
    print(f"{size:>10,} URLs made and pushed: {cpu / size * 1e6:.2f} µs of CPU each")
    return frontier


def _entries(size: int, hosts: int) -> Iterator[FoundUrl]:
    rng = random.Random(1)
    for number in range(size):
        host = f"www.site{number % hosts}.test"
        url = f"http://{host}/articles/{number % 97}/page-{number}.html"
        yield FoundUrl(url, host, round(rng.random(), 6), number, 1)


def _cycle_cost(frontier: Frontier, rng: random.Random, cycles: int = 10_000) -> float:
    """Microseconds of CPU that a pop, a release and a push take together."""
    cpu = time.process_time()
    for _ in range(cycles):
        entry = frontier.pop(0.0)
        assert entry is not None
        frontier.release(entry.host, 0.0)
        # Anywhere below the best: the usual model of a queue that is held at one size.
        entry.priority = round(entry.priority - rng.random(), 6)
        frontier.push(entry)
    return (time.process_time() - cpu) / cycles * 1e6
