from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.web import DropReason, Politeness
from semcrawl.web.politeness import MAX_RETRY_AFTER


class Clock:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_unknown_host_is_ready(clock: Clock) -> None:
    assert Politeness(clock=clock).ready_at("e.org") <= clock.now


def test_a_host_is_asked_one_thing_at_a_time_and_then_left_in_peace(clock: Clock) -> None:
    politeness = Politeness(delay=2.0, clock=clock)
    politeness.started("e.org")
    assert politeness.ready_at("e.org") == math.inf
    assert politeness.ready_at("other.org") <= clock.now
    assert politeness.finished("e.org", 0.1, status=200) == 102.0
    assert politeness.ready_at("e.org") == 102.0


def test_slow_hosts_get_longer_pauses_up_to_a_limit(clock: Clock) -> None:
    politeness = Politeness(delay=1.0, max_delay=8.0, clock=clock)
    pauses = [politeness.finished("e.org", 10.0, status=200) - clock.now for _ in range(5)]
    assert pauses == sorted(pauses)
    assert pauses[0] > 1.0
    assert pauses[-1] == 8.0


@pytest.mark.parametrize(
    "trouble", [{"status": 429}, {"status": 503}, {"error": DropReason.TIMED_OUT}, {"error": "ConnectFailed"}]
)
def test_trouble_doubles_the_pause_and_success_takes_it_back(clock: Clock, trouble: dict[str, str | int]) -> None:
    politeness = Politeness(delay=1.0, max_delay=10.0, clock=clock)

    def pause(**outcome: str | int) -> float:
        return politeness.finished("e.org", 0.0, **outcome) - clock.now  # type: ignore[arg-type]

    assert [pause(**trouble) for _ in range(4)] == [2.0, 4.0, 8.0, 10.0]
    assert [pause(status=200) for _ in range(5)] == [5.0, 2.5, 1.25, 1.0, 1.0]


@pytest.mark.parametrize("outcome", [{"status": 404}, {"error": "NotHtml"}, {"status": 500}])
def test_other_failures_do_not(clock: Clock, outcome: dict[str, str | int]) -> None:
    politeness = Politeness(delay=1.0, clock=clock)
    assert politeness.finished("e.org", 0.0, **outcome) == 101.0  # type: ignore[arg-type]


def test_retry_after_is_obeyed_up_to_a_limit(clock: Clock) -> None:
    politeness = Politeness(max_retry_after=1000.0, clock=clock)
    assert politeness.finished("a.org", status=429, retry_after=120.0) == 220.0
    assert politeness.finished("b.org", status=429, retry_after=1e9) == 1100.0


def test_what_robots_txt_asks_for_is_kept(clock: Clock) -> None:
    politeness = Politeness(delay=1.0, clock=clock)
    assert politeness.finished("e.org", status=200, robots_delay=20.0) == 120.0


def test_without_a_delay_a_healthy_host_costs_nothing(clock: Clock) -> None:
    politeness = Politeness(delay=0.0, clock=clock)
    politeness.started("e.org")
    assert politeness.finished("e.org", 5.0, status=200) == clock.now
    assert len(politeness) == 0


def test_without_a_delay_a_host_in_trouble_is_spared_all_the_same(clock: Clock) -> None:
    politeness = Politeness(delay=0.0, clock=clock)
    assert politeness.finished("e.org", status=503) == 101.0


def test_hosts_left_behind_are_forgotten(clock: Clock) -> None:
    politeness = Politeness(delay=1.0, clock=clock)
    politeness.started("busy.org")
    for number in range(50_000):
        clock.now += 0.01
        politeness.started(f"h{number}.org")
        politeness.finished(f"h{number}.org", 0.1, status=200)
    assert len(politeness) <= 20_000
    assert politeness.ready_at("busy.org") == math.inf
    assert politeness.ready_at("h49999.org") > clock.now


@pytest.mark.parametrize(("delay", "max_delay"), [(-1.0, 60.0), (61.0, 60.0), (math.nan, 60.0)])
def test_delays_that_make_no_sense_are_refused(delay: float, max_delay: float) -> None:
    with pytest.raises(ConfigError, match="the delay must lie between"):
        Politeness(delay, max_delay)


OUTCOMES = st.tuples(st.floats(0, 1000), st.sampled_from([200, 404, 429, 503, None]), st.none() | st.floats(0, 1e9))


@given(st.floats(0, 60), st.lists(OUTCOMES, max_size=20))
def test_the_pause_is_never_shorter_than_asked_nor_endless(
    delay: float, outcomes: list[tuple[float, int | None, float | None]]
) -> None:
    politeness = Politeness(delay, clock=Clock())
    for elapsed, status, retry_after in outcomes:
        ready = politeness.finished("e.org", elapsed, status=status, retry_after=retry_after)
        assert delay - 1e-9 <= ready - 100.0 <= MAX_RETRY_AFTER
