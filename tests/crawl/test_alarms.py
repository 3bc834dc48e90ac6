from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.graph import Changes, CrawlGraph
from semcrawl.steering.alarms import Alarm, AlarmKind, AlarmWatch, in_millionths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STAGNATION, DIFFUSION = AlarmKind.STAGNATION, AlarmKind.DIFFUSION
THRESHOLD = 0.3


def told(watch: AlarmWatch, relevances: Iterable[float], first: int = 1) -> list[Alarm]:
    """All alarms that begin or end while these pages are visited; relevant from 0.3 on."""
    return [
        alarm
        for step, relevance in enumerate(relevances, first)
        for alarm in watch.saw(step, relevance, is_relevant=relevance >= THRESHOLD)
    ]


def brief(alarms: Iterable[Alarm]) -> list[tuple[AlarmKind, int, int | None]]:
    return [(alarm.kind, alarm.step, alarm.ended) for alarm in alarms]


def test_a_crawl_that_finds_no_more_relevant_pages_stagnates() -> None:
    [alarm] = told(AlarmWatch(10, 0.2, 0), [0.4] * 10 + [0.2] * 20)
    # Of pages 10 to 19 one is relevant, of 9 to 18 two were.
    assert (alarm.kind, alarm.step, alarm.value, alarm.limit) == (STAGNATION, 19, 0.1, 0.2)
    assert alarm.note == "only 1 of the last 10 pages is relevant, less than 20%"


def test_stagnation_is_over_when_twice_as_many_pages_are_relevant() -> None:
    bad, good = [0.2] * 10, [0.4] * 4
    begin, end = told(AlarmWatch(10, 0.2, 0), bad + good)
    assert (begin.step, begin.ended) == (10, None)
    assert (end.step, end.ended, end.number) == (10, 14, begin.number)
    assert end.note == "4 of the last 10 pages are relevant again"


def test_1999_section_2_4_a_falling_rate_of_acquisition_is_stagnation_too() -> None:
    """Chakrabarti et al. 1999, section 2.4: "if the page acquisition rate suddenly lowers"."""
    watch = AlarmWatch(10, 0.2, 0, slowdown=0.1)
    clock, alarms = 0.0, list[Alarm]()
    for step, wait in enumerate([1.0] * 20 + [30.0] * 10 + [1.0] * 20, 1):
        clock += wait
        alarms += watch.saw(step, 0.9, is_relevant=True, seconds=clock)
    begin, end = alarms
    # At most a page a second: with four waits of half a minute ten take 126 seconds.
    assert (begin.kind, begin.step) == (STAGNATION, 24)
    assert begin.limit == pytest.approx(0.1)
    assert begin.value == pytest.approx(10 / 126)
    assert begin.note == ("the last 10 pages came at 0.0794 a second, less than 10% of the 1 before")
    # Over at twice the limit: eight fast pages and two slow ones take 68, nine and one 39.
    assert (end.step, end.ended) == (24, 39)


def test_without_a_clock_no_rate_is_known() -> None:
    assert told(AlarmWatch(10, 0.2, 0, slowdown=1.0), [0.9] * 50) == []


def test_a_high_limit_can_be_recovered_from() -> None:
    alarms = told(AlarmWatch(4, 0.9, 0), [0.2] * 4 + [0.4] * 4)
    assert brief(alarms) == [(STAGNATION, 4, None), (STAGNATION, 4, 8)]


def test_a_crawl_whose_relevance_falls_to_half_of_its_best_diffuses() -> None:
    [alarm] = told(AlarmWatch(10, 0, 0.5), [0.8, 0.6] * 5 + [0.1] * 10)
    # The best mean is 0.7; pages 7 to 16 have 0.8 + 0.6 + 0.8 + 0.6 + 6 × 0.1 = 3.4, or 0.34.
    assert (alarm.kind, alarm.step) == (DIFFUSION, 16)
    assert alarm.value == pytest.approx(0.34)
    assert alarm.limit == pytest.approx(0.35)
    assert alarm.note == ("the mean relevance of the last 10 pages is 0.340, less than 50% of the 0.700 at page 10")


def test_diffusion_is_over_half_way_from_the_limit_to_the_best() -> None:
    fall, rise = [0.1] * 10, [0.8] * 10
    alarms = told(AlarmWatch(10, 0, 0.5), [0.8] * 10 + fall + rise)
    # Back when the mean is 0.6 at least: eight pages of 0.8 and two of 0.1 have 0.66.
    assert brief(alarms) == [(DIFFUSION, 16, None), (DIFFUSION, 16, 28)]


def test_a_short_dip_raises_nothing() -> None:
    steady = [0.6, 0.5, 0.4] * 40
    steady[50:55] = [0.0] * 5
    assert told(AlarmWatch(20, 0.1, 0.5), steady) == []


def test_the_loss_of_one_very_good_page_is_noise() -> None:
    """The mean falls from 0.061 to 0.01, but within its own standard error."""
    assert told(AlarmWatch(20, 0, 0.5), [1.0] + [0.012, 0.008] * 50) == []


def test_an_alarm_does_not_flicker_about_its_limit() -> None:
    # One or two of ten are relevant, in turn: below the limit of two, and on it.
    about = ([0.4] + [0.2] * 9 + [0.4, 0.4] + [0.2] * 8) * 5
    assert len(told(AlarmWatch(10, 0.2, 0), about)) == 1


@pytest.mark.parametrize(
    ("window", "stagnation", "diffusion"), [(0, 1.0, 1.0), (10, 0.0, 0.0)], ids=["window", "shares"]
)
def test_nothing_is_raised_where_alarms_are_off(window: int, stagnation: float, diffusion: float) -> None:
    assert told(AlarmWatch(window, stagnation, diffusion), [0.9] * 20 + [0.0] * 50) == []


RELEVANCES = st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0]), max_size=60)
SHARES = st.sampled_from([0.0, 0.05, 0.3, 0.5, 0.9, 1.0])
WINDOWS = st.integers(1, 12)


@given(RELEVANCES, WINDOWS, SHARES, SHARES)
def test_every_alarm_ends_before_it_is_raised_again_and_none_is_early(
    relevances: Sequence[float], window: int, stagnation: float, diffusion: float
) -> None:
    alarms = told(AlarmWatch(window, stagnation, diffusion), relevances)
    open_alarms: dict[AlarmKind, Alarm] = {}
    for alarm in alarms:
        assert alarm.step >= window
        if alarm.ended is None:
            assert alarm.kind not in open_alarms
            assert alarm.value < alarm.limit
            open_alarms[alarm.kind] = alarm
        else:
            begun = open_alarms.pop(alarm.kind)
            assert (alarm.number, alarm.step) == (begun.number, begun.step)
            assert alarm.ended > alarm.step
    raised = [alarm.number for alarm in alarms if alarm.ended is None]
    assert raised == list(range(1, len(raised) + 1))


@given(RELEVANCES, WINDOWS, SHARES)
def test_stagnation_begins_exactly_where_counting_says(relevances: Sequence[float], window: int, share: float) -> None:
    first = next(
        (
            end
            for end in range(window, len(relevances) + 1)
            if sum(r >= THRESHOLD for r in relevances[end - window : end]) / window < share
        ),
        None,
    )
    alarms = told(AlarmWatch(window, share, 0), relevances)
    assert (alarms[0].step if alarms else None) == first


@given(RELEVANCES, st.integers(0, 60), WINDOWS, SHARES, SHARES)
def test_a_resumed_crawl_has_the_alarms_of_an_undisturbed_one(
    relevances: Sequence[float], cut: int, window: int, stagnation: float, diffusion: float
) -> None:
    before, after = relevances[:cut], relevances[cut:]
    undisturbed = AlarmWatch(window, stagnation, diffusion)
    recorded = told(undisturbed, before)
    resumed = AlarmWatch(window, stagnation, diffusion).replay(
        [(step, r, r >= THRESHOLD) for step, r in enumerate(before, 1)], rows_of(recorded)
    )
    assert told(resumed, after, cut + 1) == told(undisturbed, after, cut + 1)


def rows_of(alarms: Iterable[Alarm]) -> list[dict[str, object]]:
    """What the query monitor/alarms answers after these."""
    return [
        {
            "alarm": f"urn:c#alarm-{number}",
            "kind": f"https://w3id.org/semcrawl/ns#{alarm.kind}",
            "raised": alarm.step,
            "ended": alarm.ended,
        }
        for number, alarm in {alarm.number: alarm for alarm in alarms}.items()
    ]


def test_a_watch_goes_on_from_the_graph_alone() -> None:
    pages = [0.8] * 10 + [0.1] * 8
    with CrawlGraph.create() as graph:
        watch = AlarmWatch(10, 0.5, 0.5)
        for step, relevance in enumerate(pages, 1):
            changes = Changes()
            changes.visited(f"http://a.test/{step}", step=step, relevance=relevance)
            for alarm in watch.saw(step, relevance, is_relevant=relevance >= THRESHOLD):
                alarm.record(changes, "urn:c", 0.0)
            graph.apply(changes)
        resumed = AlarmWatch(10, 0.5, 0.5).resume(graph, THRESHOLD)
    rest = [0.1] * 5 + [0.8] * 10
    found = told(resumed, rest, 19)
    assert [alarm.number for alarm in found] == [1, 2]
    assert found == told(watch, rest, 19)


@given(
    window=st.integers(1, 5),
    pages=st.lists(st.floats(0, 1), max_size=20),
    anew=st.lists(st.floats(0, 1), min_size=20, max_size=20),
    later=st.lists(st.floats(0, 1), max_size=10),
)
def test_pages_judged_anew_count_as_if_they_had_been_judged_so_at_first(
    window: int, pages: list[float], anew: list[float], later: list[float]
) -> None:
    shares = 0.3, 0.8
    anew = anew[: len(pages)]
    watch = AlarmWatch(window, *shares).replay(
        (step, relevance, relevance >= THRESHOLD) for step, relevance in enumerate(pages, 1)
    )
    watch.judged_anew([in_millionths(relevance) for relevance in anew], THRESHOLD)
    fresh = AlarmWatch(window, *shares).replay(
        (step, relevance, round(relevance, 6) >= THRESHOLD) for step, relevance in enumerate(anew, 1)
    )
    first = len(pages) + 1
    assert told(watch, later, first) == told(fresh, later, first)
