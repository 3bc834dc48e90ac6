from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semcrawl.crawl.frontier import Frontier
from semcrawl.graph import FoundUrl


def found(name: str, priority: float, order: int, host: str = "a") -> FoundUrl:
    return FoundUrl(f"http://{host}/{name}", host, priority, order, 0)


def drain(frontier: Frontier, now: float = 0.0) -> list[str]:
    """Pop everything, releasing each host at once."""
    names = []
    while (entry := frontier.pop(now)) is not None:
        names.append(entry.url.rpartition("/")[2])
        frontier.release(entry.host, now)
    return names


def filled(*entries: FoundUrl, **options: float) -> Frontier:
    frontier = Frontier(**options)  # type: ignore[arg-type]
    for entry in entries:
        frontier.push(entry)
    return frontier


def test_the_highest_priority_comes_first() -> None:
    assert drain(filled(found("low", 0.1, 1), found("high", 0.9, 2, "b"))) == ["high", "low"]


def test_equals_come_in_the_order_found() -> None:
    entries = [found(str(n), 0.5, n, host=f"h{n % 3}") for n in range(9)]
    assert drain(filled(*reversed(entries))) == [str(n) for n in range(9)]


def test_a_raised_priority_moves_a_url_to_the_front() -> None:
    frontier = filled(found("a", 0.2, 1), found("b", 0.1, 2))
    frontier.prioritise("http://a/b", 0.3)
    assert drain(frontier) == ["b", "a"]


def test_a_lowered_priority_moves_it_back() -> None:
    frontier = filled(found("a", 0.2, 1), found("b", 0.1, 2))
    frontier.prioritise("http://a/a", 0.05)
    assert drain(frontier) == ["b", "a"]


def test_one_host_is_asked_once_at_a_time() -> None:
    frontier = filled(found("1", 0.9, 1), found("2", 0.8, 2), found("3", 0.1, 3, "b"))
    assert [e.url for _ in range(3) if (e := frontier.pop(0.0))] == ["http://a/1", "http://b/3"]
    assert len(frontier) == 1


def test_a_host_waits_until_its_time() -> None:
    frontier = filled(found("1", 0.9, 1), found("2", 0.8, 2))
    first = frontier.pop(0.0)
    assert first is not None
    frontier.release("a", 5.0)
    assert frontier.pop(4.9) is None
    assert frontier.next_due() == 5.0
    second = frontier.pop(5.0)
    assert second is not None
    assert second.url == "http://a/2"


@pytest.mark.parametrize("machine", ["a", "[2001:db8::1]"])
def test_ports_of_a_machine_are_asked_one_at_a_time_and_once_a_second(machine: str) -> None:
    ports = [f"{machine}:{81 + number}" for number in range(3)]
    frontier = filled(*[found("x", 0.9 - n / 10, n, host) for n, host in enumerate([*ports, machine, "b"])])
    assert [e.host for _ in range(3) if (e := frontier.pop(0.0))] == [ports[0], "b"]
    frontier.release(ports[0], 60.0)
    assert frontier.pop(0.9) is None
    assert frontier.next_due() == 1.0
    assert [e.host for _ in range(3) if (e := frontier.pop(1.0))] == [ports[1]]
    frontier.push(found("y", 1.0, 9, ports[2]))
    frontier.release(ports[1], 1.5)
    assert [e.url for now in (1.4, 1.5) if (e := frontier.pop(now))] == [f"http://{ports[2]}/y"]


def test_ports_of_a_machine_keep_their_order_with_rotation() -> None:
    frontier = filled(*[found(str(n), 0.5, n, f"a:{81 + n % 2}") for n in range(4)], rotation=50)
    assert [e.url[-1] for _ in range(2) if (e := frontier.pop(0.0))] == ["0"]
    frontier.release("a:81", 0.0)
    assert drain(frontier) == ["1", "2", "3"]


def busy(**options: float) -> Frontier:
    """A frontier whose best host is asked from time 0 on and has another URL, which is better than the third."""
    frontier = filled(found("1", 0.9, 1), found("2", 0.4, 2), found("3", 0.19, 3, "b"), **options)
    assert frontier.pop(0.0) is not None
    return frontier


def test_with_patience_a_url_waits_for_a_busy_host_that_has_one_twice_as_good() -> None:
    frontier = busy(patience=2.0)
    assert frontier.pop(0.1) is None
    frontier.release("a", 1.0)
    assert frontier.pop(0.9) is None
    assert [e.url for _ in range(2) if (e := frontier.pop(1.0))] == ["http://a/2", "http://b/3"]


@pytest.mark.parametrize(("better", "priority"), [(0.4, 0.21), (0.9, 0.26)])
def test_with_patience_a_url_that_is_half_as_good_or_likely_enough_is_not_held_back(
    better: float, priority: float
) -> None:
    frontier = busy(patience=2.0)
    frontier.prioritise("http://a/2", better)
    frontier.push(found("4", priority, 4, "c"))
    entry = frontier.pop(0.1)
    assert entry is not None
    assert entry.url == "http://c/4"
    assert frontier.pop(0.1) is None


@pytest.mark.parametrize("ready_at", [None, 5.1])
def test_patience_ends_with_a_host_that_hangs_or_wants_a_long_pause(ready_at: float | None) -> None:
    frontier = busy(patience=2.0)
    if ready_at is not None:
        frontier.release("a", ready_at)
    entry = frontier.pop(2.5)
    assert entry is not None
    assert entry.url == "http://b/3"


def test_with_patience_the_factor_of_a_host_counts() -> None:
    frontier = busy(patience=2.0)
    frontier.set_factor("a", 0.5)
    assert frontier.pop(0.1) is not None


def test_a_url_can_wait_for_a_later_try() -> None:
    frontier = Frontier()
    frontier.push(found("again", 0.9, 1), not_before=10.0)
    frontier.push(found("now", 0.1, 2))
    assert "http://a/again" in frontier
    assert drain(frontier, 9.0) == ["now"]
    assert frontier.next_due() == 10.0
    assert drain(frontier, 10.0) == ["again"]


def test_a_full_frontier_keeps_the_best() -> None:
    frontier = Frontier(capacity=3)
    lost = [frontier.push(found(str(n), n / 10, n)) for n in (5, 1, 4, 2, 9)]
    assert [entry and entry.url for entry in lost] == [None, None, None, "http://a/1", "http://a/2"]
    assert drain(frontier) == ["9", "5", "4"]


def test_a_url_that_waited_for_a_later_try_can_be_given_up_afterwards() -> None:
    frontier = filled(found("middle", 0.5, 1), capacity=2)
    frontier.push(found("later", 0.1, 2, "b"), not_before=10.0)
    # What waits for its time is not given up.
    gone = frontier.push(found("good", 0.6, 3, "c"))
    assert gone is not None
    assert gone.url == "http://a/middle"
    assert frontier.pop(10.0) is not None
    frontier.push(found("fine", 0.65, 4, "c"))
    gone = frontier.push(found("better", 0.7, 5, "c"))
    assert gone is not None
    assert gone.url == "http://b/later"


def test_a_new_url_that_is_the_worst_is_the_one_given_up() -> None:
    frontier = Frontier(capacity=1)
    frontier.push(found("good", 0.9, 1))
    assert not frontier.admits(0.1)
    assert frontier.admits(0.95)
    worst = found("bad", 0.1, 2)
    assert frontier.push(worst) is worst


def test_a_batch_is_served_before_better_urls_found_since() -> None:
    frontier = filled(*(found(str(n), n / 10, n) for n in range(1, 5)))
    assert frontier.take(2) == 2
    frontier.push(found("new", 1.0, 9))
    assert drain(frontier)[:3] == ["4", "3", "new"]


def test_a_batch_keeps_to_politeness() -> None:
    frontier = filled(found("1", 0.9, 1), found("2", 0.8, 2), found("3", 0.7, 3, "b"))
    frontier.take(3)
    first, second, third = (frontier.pop(0.0) for _ in range(3))
    assert first is not None
    assert second is not None
    assert (first.url, second.url, third) == ("http://a/1", "http://b/3", None)
    assert not frontier.batch_is_served


def test_rotation_spreads_picks_over_hosts() -> None:
    hosts_of_six = ["a", "b", "a", "b", "c", "c"]
    entries = [found(str(n), 0.9 - n / 100, n, host) for n, host in enumerate(hosts_of_six)]
    frontier = filled(*entries, rotation=2)
    hosts = []
    while (entry := frontier.pop(0.0)) is not None:
        hosts.append(entry.host)
        frontier.release(entry.host, 0.0)
    assert hosts == ["a", "b", "c", "a", "b", "c"]


def test_rotation_does_not_starve_a_lone_host() -> None:
    frontier = filled(*(found(str(n), 0.5, n) for n in range(4)), rotation=50)
    assert drain(frontier) == ["0", "1", "2", "3"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=30), st.integers(1, 8), st.integers(0, 30))
def test_pant_menczer_section_4_1_a_resumed_rotation_goes_on(
    found_urls: list[tuple[int, int]], rotation: int, stop: int
) -> None:
    """Pant, Menczer 2003, section 4.1: the D last picks are known from the graph alone."""

    def pops(frontier: Frontier, most: int) -> list[FoundUrl]:
        popped: list[FoundUrl] = []
        while len(popped) < most and (entry := frontier.pop(0.0)) is not None:
            popped.append(entry)
            frontier.release(entry.host, 0.0)
        return popped

    entries = [found(str(n), p / 9, n, f"h{h}") for n, (h, p) in enumerate(found_urls)]
    undisturbed = pops(filled(*entries, rotation=rotation), 99)
    first = pops(filled(*entries, rotation=rotation), stop)
    resumed = Frontier(rotation=rotation)
    resumed.restore({}, {entry.host: entry.pick for entry in first})
    for entry in entries:
        if entry not in first:
            resumed.push(entry)
    assert [entry.url for entry in first + pops(resumed, 99)] == [e.url for e in undisturbed]


def test_a_host_can_be_given_up() -> None:
    frontier = filled(found("1", 0.9, 1), found("2", 0.8, 2), found("3", 0.1, 3, "b"))
    assert {entry.url for entry in frontier.remove_hosts("a".__eq__)} == {"http://a/1", "http://a/2"}
    assert drain(frontier) == ["3"]


class Model:
    """The frontier as a plain list: slow and obvious."""

    def __init__(self) -> None:
        self.waiting: dict[str, FoundUrl] = {}
        self.busy: set[str] = set()

    def pop(self) -> str | None:
        free = [e for e in self.waiting.values() if e.host not in self.busy]
        if not free:
            return None
        best = min(free, key=lambda e: (-e.priority, e.order))
        del self.waiting[best.url]
        self.busy.add(best.host)
        return best.url


step = st.one_of(
    st.tuples(st.just("push"), st.integers(0, 5), st.integers(0, 9)),
    st.tuples(st.just("raise"), st.integers(0, 40), st.integers(0, 9)),
    st.tuples(st.just("pop"), st.just(0), st.just(0)),
    st.tuples(st.just("release"), st.integers(0, 5), st.just(0)),
)


@settings(max_examples=200)
@given(st.lists(step, max_size=60))
def test_it_agrees_with_a_plain_list_at_every_step(steps: list[tuple[str, int, int]]) -> None:
    frontier, model = Frontier(), Model()
    for order, (action, a, b) in enumerate(steps):
        if action == "push":
            entry = found(str(order), b / 10, order, host=f"h{a}")
            frontier.push(entry)
            model.waiting[entry.url] = entry
        elif action == "raise" and model.waiting:
            url = sorted(model.waiting)[a % len(model.waiting)]
            frontier.prioritise(url, b / 10)
        elif action == "pop":
            popped = frontier.pop(0.0)
            assert (popped and popped.url) == model.pop()
        elif action == "release" and f"h{a}" in model.busy:
            frontier.release(f"h{a}", 0.0)
            model.busy.discard(f"h{a}")
        assert len(frontier) == len(model.waiting)


@settings(max_examples=100)
@given(st.lists(st.integers(0, 20), max_size=80), st.integers(1, 10))
def test_the_best_are_kept_whatever_the_order(priorities: list[int], capacity: int) -> None:
    frontier = Frontier(capacity=capacity)
    for order, priority in enumerate(priorities):
        frontier.push(found(str(order), priority / 20, order))
    best = sorted(range(len(priorities)), key=lambda n: (-priorities[n], n))[:capacity]
    assert drain(frontier) == [str(n) for n in best]


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4)), max_size=80), st.integers(1, 40))
def test_filling_is_pushing_one_after_another(said: list[tuple[int, int]], capacity: int) -> None:
    entries = [found(str(order), priority / 20, order, f"h{host}") for order, (priority, host) in enumerate(said)]
    one, many = Frontier(capacity), Frontier(capacity)
    losers = [loser for entry in entries if (loser := one.push(entry)) is not None]
    gone = many.fill(entries)
    assert sorted(entry.order for entry in gone) == sorted(entry.order for entry in losers)
    assert drain(many) == drain(one)


def test_capacity_is_never_exceeded() -> None:
    frontier = Frontier(capacity=10)
    for n in range(100):
        frontier.push(found(str(n), n % 7, n, host=f"h{n % 5}"))
        assert len(frontier) <= 10


def test_prioritising_what_does_not_wait_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        Frontier().prioritise("http://a/", 1.0)


def test_a_host_that_rests_while_a_batch_is_served_comes_back() -> None:
    frontier = filled(found("0", 0.9, 0), found("1", 0.8, 1), rotation=5)
    first = frontier.pop(0.0)
    assert first is not None
    frontier.release("a", 0.0)
    frontier.take(1)
    frontier.push(found("2", 0.7, 2))
    assert drain(frontier) == ["1", "2"]


def test_a_priority_changed_and_changed_back_is_taken_once() -> None:
    frontier = filled(found("x", 0.5, 1), found("y", 0.4, 2))
    frontier.prioritise("http://a/x", 0.7)
    frontier.prioritise("http://a/x", 0.5)
    assert frontier.take(5) == 2
    assert drain(frontier) == ["x", "y"]
