"""The order of the soft-focused crawler: tries, priority, load of the server, chance."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl.frontier import FoundOrder, Frontier, LeastLoaded
from semcrawl.graph import FoundUrl


def found(name: str, priority: float, host: str = "a", tries: int = 0) -> FoundUrl:
    return FoundUrl(f"http://{host}/{name}", host, priority, 1, 0, tries=tries)


def loaded(**pages: int) -> LeastLoaded:
    ordering = LeastLoaded()
    for host, count in pages.items():
        ordering.picked(host, count)
    return ordering


def drained(ordering: FoundOrder, *entries: FoundUrl) -> list[str]:
    frontier = Frontier(ordering=ordering)
    for entry in entries:
        frontier.push(entry)
    names = []
    while (picked := frontier.pop(0.0)) is not None:
        names.append(picked.url.removeprefix("http://"))
        frontier.release(picked.host, 0.0)
    return names


def test_fewer_tries_come_before_a_better_priority() -> None:
    entries = found("tried", 0.9, tries=1), found("new", 0.1)
    assert drained(LeastLoaded(), *entries) == ["a/new", "a/tried"]


def test_a_better_priority_comes_before_a_server_that_was_asked_less() -> None:
    entries = found("best", 0.9, "busy"), found("good", 0.8, "idle")
    assert drained(loaded(busy=9), *entries) == ["busy/best", "idle/good"]


def test_among_equals_the_server_that_gave_fewest_pages_is_asked() -> None:
    entries = [found(str(n), 0.5, host) for host in ("busy", "idle") for n in range(2)]
    hosts = [name.split("/")[0] for name in drained(loaded(busy=2, idle=1), *entries)]
    # idle 1, then both at 2: chance decides, and they take turns from there.
    assert hosts[0] == "idle"
    assert Counter(hosts) == {"busy": 2, "idle": 2}


def test_a_batch_counts_what_it_takes_itself() -> None:
    entries = [found(str(n), 0.5, host) for host in ("a", "b", "c") for n in range(3)]
    frontier = Frontier(ordering=LeastLoaded())
    for entry in entries:
        frontier.push(entry)
    frontier.take(3)
    first = {picked.host for _ in range(3) if (picked := frontier.pop(0.0))}
    assert first == {"a", "b", "c"}


def test_chance_can_be_repeated() -> None:
    entries = [found(str(n), 0.5) for n in range(20)]
    names = drained(LeastLoaded(), *entries)
    assert names == drained(LeastLoaded(), *reversed(entries))
    assert names != sorted(names, key=lambda name: int(name.split("/")[1]))


def test_a_factor_lifts_all_urls_of_a_host_and_those_found_later() -> None:
    frontier = Frontier()
    frontier.push(found("1", 0.5, "a"))
    frontier.push(found("1", 0.4, "b"))
    frontier.set_factor("b", 2.0)
    frontier.push(found("2", 0.3, "b"))
    frontier.set_factor("b", 2.0)
    urls = []
    while (entry := frontier.pop(0.0)) is not None:
        urls.append(entry.url)
        frontier.release(entry.host, 0.0)
    assert urls == ["http://b/1", "http://b/2", "http://a/1"]


def test_a_factor_that_is_taken_back_leaves_no_trace() -> None:
    for ordering in (FoundOrder(), LeastLoaded()):
        frontier = Frontier(ordering=ordering)
        frontier.push(found("1", 0.5, "a"))
        frontier.push(found("1", 0.4, "b"))
        frontier.set_factor("a", 0.1)
        frontier.set_factor("a", 1.0)
        first = frontier.pop(0.0)
        assert first is not None
        assert first.host == "a"


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.floats(0, 2).map(lambda x: round(x, 6)), st.sampled_from("abcd")), max_size=30
    ),
    st.dictionaries(st.sampled_from("abcd"), st.floats(0.1, 4).map(lambda x: round(x, 3))),
)
def test_urls_come_by_tries_and_then_by_priority_times_factor(
    urls: list[tuple[int, float, str]], factors: dict[str, float]
) -> None:
    frontier = Frontier(ordering=LeastLoaded())
    for number, (tries, priority, host) in enumerate(urls):
        frontier.push(found(str(number), priority, host, tries))
    for host, factor in factors.items():
        frontier.set_factor(host, factor)
    keys = []
    while (entry := frontier.pop(0.0)) is not None:
        keys.append((entry.tries, -round(entry.priority * factors.get(entry.host, 1.0), 6)))
        frontier.release(entry.host, 0.0)
    assert keys == sorted(keys)
    assert len(keys) == len(urls)


def test_a_url_that_waits_for_a_better_one_is_no_page_of_its_server() -> None:
    frontier = Frontier(ordering=LeastLoaded(), patience=9.0)
    for entry in (found("1", 0.9), found("2", 0.8), found("low", 0.1, "idle"), found("other", 0.1, "once")):
        frontier.push(entry)
    assert frontier.pop(0.0) is not None
    assert [frontier.pop(0.0) for _ in range(5)] == [None] * 5
    ordering = frontier._ordering
    assert isinstance(ordering, LeastLoaded)
    assert ordering._load == {"a": 1}
