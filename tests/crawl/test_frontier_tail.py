"""A frontier with a tail gives what one without gives: the same URLs in the same order, whatever happens."""

from __future__ import annotations

import heapq
from itertools import islice
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from semcrawl.crawl import frontier as module
from semcrawl.crawl.frontier import Frontier, LeastLoaded
from semcrawl.graph import FoundUrl

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTS = 5
LEVELS = 9


@pytest.fixture(autouse=True)
def _small_parts() -> Iterator[None]:
    """Frontiers made here have a tail as soon as four items are in queues."""
    with patch.multiple(module, _FEW=3, _PART=2):
        yield


def found(number: int, level: int, tries: int = 0) -> FoundUrl:
    host = f"h{number % HOSTS}"
    return FoundUrl(f"http://{host}/{number}", host, level / LEVELS, number, 0, tries=tries)


class Pair:
    """Two frontiers that are told the same, one with a tail, and must say the same."""

    def __init__(self, capacity: int, rotation: int, *, loaded: bool, patience: float) -> None:
        self.tailed, self.plain = (
            Frontier(capacity, rotation, LeastLoaded() if loaded else None, patience) for _ in range(2)
        )
        self.plain._most = 10**9
        self.now = 0.0
        self.known = 0
        self.busy: list[str] = []

    def both(self, method: str, *arguments: object) -> object:
        """Call a method of both, and compare."""
        said = [getattr(frontier, method)(*arguments) for frontier in (self.tailed, self.plain)]
        assert said[0] == said[1]
        assert len(self.tailed) == len(self.plain)
        assert self.tailed._held == sum(map(len, self.tailed._queues.values()))
        return said[0]

    def push(self, level: int, b: int) -> None:
        self.known += 1
        not_before = self.now + b if b > LEVELS - 2 else None
        entries = [found(self.known * 10 + b, level, tries=int(b % 4 == 3)) for _ in range(2)]
        given_up = [f.push(e, not_before) for f, e in zip((self.tailed, self.plain), entries, strict=True)]
        assert given_up[0] == given_up[1]

    def prioritise(self, a: int, level: int) -> None:
        if urls := sorted(self.plain._entries):
            self.both("prioritise", urls[a % len(urls)], level / LEVELS)

    def prioritise_all(self, a: int, b: int) -> None:
        waiting = sorted(self.plain._entries)[:: a % 7 + 1]
        self.both("prioritise_all", {url: (number * b % 8) / LEVELS for number, url in enumerate(waiting)})

    def remove(self, a: int, b: int) -> None:
        if b:
            self.both("remove", f"http://h{a % HOSTS}/{a}")
        else:
            self.both("remove_hosts", f"h{a % HOSTS}".__eq__)

    def set_factor(self, a: int, b: int) -> None:
        self.both("set_factor", f"h{a % HOSTS}", (b + 1) / 3)

    def take(self, a: int, _b: int) -> None:
        if self.plain.batch_is_served:
            self.both("take", a)

    def pop(self, _a: int, _b: int) -> None:
        entry = self.both("pop", self.now)
        if isinstance(entry, FoundUrl):
            self.busy.append(entry.host)

    def release(self, a: int, b: int) -> None:
        if self.busy:
            self.both("release", self.busy.pop(a % len(self.busy)), self.now + max(b - 6, 0))

    def best(self, a: int, b: int) -> None:
        said = [frontier.best(self.now, a % 8 + 1, b % 3 + 1) for frontier in (self.tailed, self.plain)]
        # What no longer holds may be told as well, but where it has left the queues.
        assert said[0] == said[1] or self.plain._stale

    def wait(self, a: int, _b: int) -> None:
        self.now += a / 4

    def drain(self) -> None:
        self.now += 100.0
        while self.busy:
            self.release(0, 0)
        while len(self.plain) and self.both("pop", self.now) is not None:
            self.best(2, 0)
            self.busy += [host for host in self.plain._gate._busy if host not in self.busy]
            self.release(0, 0)


often = ["push"] * 6 + ["pop"] * 3 + ["release"] * 3 + ["prioritise"] * 2
steps = st.lists(
    st.tuples(
        st.sampled_from([*often, "prioritise_all", "remove", "set_factor", "take", "best", "wait"]),
        st.integers(0, LEVELS),
        st.integers(0, LEVELS),
    ),
    max_size=150,
)


@settings(max_examples=100)
@given(
    steps, st.sampled_from([6, 20, 999]), st.sampled_from([0, 0, 2]), st.booleans(), st.sampled_from([0.0, 0.0, 2.0])
)
def test_a_tail_changes_nothing_that_is_seen(
    said: list[tuple[str, int, int]], capacity: int, rotation: int, loaded: bool, patience: float
) -> None:
    pair = Pair(capacity, rotation, loaded=loaded, patience=patience)
    for method, a, b in said:
        getattr(pair, method)(a, b)
    pair.drain()


@given(st.lists(st.integers(0, LEVELS), max_size=80), st.integers(1, 90))
@example([0] * 40, 30)
def test_filling_puts_all_but_the_best_into_the_tail(levels: list[int], capacity: int) -> None:
    frontier = Frontier(capacity)
    entries = [found(number, level) for number, level in enumerate(levels)]
    losers = frontier.fill(entries)
    kept = sorted((entry for entry in entries if entry not in losers), key=lambda entry: (-entry.priority, entry.order))
    # Equals stay together; beyond them no more than a part is in the queues.
    assert sum(map(len, frontier._queues.values())) <= max(4, max(map(levels.count, levels), default=0))
    popped = []
    while (entry := frontier.pop(0.0)) is not None:
        popped.append(entry)
        frontier.release(entry.host, 0.0)
    assert popped == kept


def test_urls_of_a_host_that_is_busy_stay_in_the_tail() -> None:
    frontier = Frontier()
    frontier.fill([FoundUrl(f"http://a/{n}", "a", n / 100, n, 0) for n in range(100)])
    assert frontier.pop(0.0) is not None
    assert [frontier.pop(0.0) for _ in range(3)] == [None] * 3
    assert frontier._held < 4


def test_what_waits_for_nothing_but_a_busy_host_is_told_of_when_it_is_free() -> None:
    frontier = Frontier()
    frontier.fill([FoundUrl(f"http://a/{n}", "a", n / 100, n, 0) for n in range(10)])
    frontier.push(FoundUrl("http://b/0", "b", 0.001, 99, 0))
    assert frontier.best(0.0, 32, 1) == [0.09, 0.001]
    assert frontier.best(0.0, 32, 8) == [*(n / 100 for n in range(9, 1, -1)), 0.001]
    assert [e.url for _ in range(3) if (e := frontier.pop(0.0))] == ["http://a/9", "http://b/0"]


def test_a_factor_lifts_urls_out_of_the_tail() -> None:
    frontier = Frontier()
    frontier.fill([FoundUrl(f"http://h{n}/", f"h{n}", n / 100, n, 0) for n in range(20)])
    frontier.set_factor("h1", 50.0)
    frontier.set_factor("h19", 0.1)
    assert [e.host for _ in range(3) if (e := frontier.pop(0.0))] == ["h1", "h18", "h17"]


@given(st.lists(st.tuples(st.integers(0, 9).map(float), st.integers(0, 9), st.just(""))), st.integers(0, 40))
def test_a_heap_is_read_in_order_as_far_as_needed(items: list[module.Item], count: int) -> None:
    heap = list(items)
    heapq.heapify(heap)
    assert list(islice(module._in_order(heap), count)) == sorted(items)[:count]
