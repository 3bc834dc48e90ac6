from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from semcrawl.cli.crawl_run import CrawlLines, CrawlScreen, JsonLines, as_row
from semcrawl.crawl import (
    AlarmEnded,
    AlarmRaised,
    CrawlStopped,
    CrawlWarned,
    Distilled,
    PageRevisited,
    PageVisited,
    PolicyRan,
    StopReason,
)
from semcrawl.crawl.progress import Progress
from semcrawl.steering.alarms import Alarm, AlarmKind

if TYPE_CHECKING:
    from semcrawl.crawl import Event

PROGRESS = Progress(pages=250, relevant=4)
BEGUN = Alarm(AlarmKind.STAGNATION, 1, 240, 0.04, 0.05, "only 4 of the last 100 are relevant")
OVER = Alarm(AlarmKind.STAGNATION, 1, 240, 0.1, 0.1, "10 are relevant again", ended=300)
FAILED = PolicyRan("mine\x1b", 0, 0, 0, 1.0, "no variable ?url\nin it", progress=PROGRESS)
RAN = PolicyRan("hub-neighbours", 12, 1, 0, 0.25, "", progress=PROGRESS)


def shown(*titles: str, goal: int = 0, width: int = 100) -> str:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=width, color_system=None)
    with CrawlScreen(goal, console) as view:
        for step, title in enumerate(titles, 1):
            progress = Progress(pages=step, relevant=1, waiting=7, hosts=1)
            url = f"http://a.test/{step}"
            view(PageVisited(step, url, title, 0.5, step % 2 == 1, 1.0, 0, progress=progress))
    return screen.getvalue()


def test_the_live_view_shows_figures_and_latest_pages() -> None:
    picture = shown("Asthma", "Cars", goal=10)
    assert "waiting for the first page" in picture
    assert "2 pages, 1 relevant (50%)" in picture
    assert "20% of 10" in picture
    assert "● 0.50  Asthma  http://a.test/1" in picture
    assert "○ 0.50  Cars  http://a.test/2" in picture


def test_only_the_five_latest_pages_are_shown() -> None:
    last = shown(*(f"Page {n}." for n in range(1, 8))).rpartition("7 pages")[2]
    assert "Page 2." not in last
    assert [n for n in range(1, 8) if f"Page {n}." in last] == [3, 4, 5, 6, 7]


def test_a_page_without_a_title_is_shown_by_its_url() -> None:
    assert "0.50  http://a.test/1  http://a.test/1" in shown("")


def test_a_title_can_neither_steer_the_terminal_nor_the_markup() -> None:
    picture = shown("[red]\x1b[2Jgone[/red]\nsecond")
    assert "[red]\ufffd[2Jgone[/red] second" in picture


def test_a_narrow_window_cuts_lines_and_does_not_fold_them() -> None:
    picture = shown("A very long title " * 4, width=40).splitlines()
    assert max(len(line.split("\r")[-1]) for line in picture if "0.50" in line) <= 60
    assert any(line.rstrip().endswith("…") for line in picture if "0.50" in line)


# Alarms, policies, the distiller and revisits


def picture_of(*events: Event) -> str:
    """The last picture that a terminal shows after these events."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120, color_system=None)
    with CrawlScreen(0, console) as view:
        for event in events:
            view(event)
    return screen.getvalue().rpartition("250 pages")[2]


def test_an_alarm_stays_in_the_picture_until_it_is_over() -> None:
    begun, over = AlarmRaised(BEGUN, progress=PROGRESS), AlarmEnded(OVER, progress=PROGRESS)
    words = "! alarm: stagnation at page 240: only 4 of the last 100 are relevant"
    assert words in picture_of(begun, RAN)
    after = picture_of(begun, over)
    assert words not in after
    assert "alarm over: stagnation at page 300: 10 are relevant again" in after


def test_a_policy_that_failed_stays_in_the_picture_until_it_works_again() -> None:
    words = "! the policy mine\ufffd failed and was skipped: no variable ?url in it"
    assert words in picture_of(FAILED, RAN)
    works = PolicyRan(FAILED.name, 1, 0, 0, 0.1, "", progress=PROGRESS)
    assert words not in picture_of(FAILED, works)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (RAN, "policy hub-neighbours: 12 URLs changed, 1 dropped (0.2 s)"),
        (
            PolicyRan("revisit", 0, 0, 9, 0.04, "", progress=PROGRESS),
            "policy revisit: 0 URLs changed, 0 dropped, 9 to revisit (0.0 s)",
        ),
        (Distilled(1, 30, 1.26, progress=PROGRESS), "distilled: 1 hub, 30 authorities (1.3 s)"),
        (
            PageRevisited("http://a.test/", True, 0.5, progress=PROGRESS),
            "revisited: http://a.test/: changed, relevance now 0.50",
        ),
        (PageRevisited("http://a.test/", False, 0.5, progress=PROGRESS), "revisited: http://a.test/: unchanged"),
    ],
)
def test_what_goes_on_beside_the_visits_is_one_line_below(event: Event, words: str) -> None:
    assert words in picture_of(event)


def test_plain_lines_tell_of_alarms_and_failures_at_once_and_of_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    view = CrawlLines(every=1e9)
    view(RAN)  # the first event prints the figures
    capsys.readouterr()
    for event in (AlarmRaised(BEGUN, progress=PROGRESS), RAN, FAILED, AlarmEnded(OVER, progress=PROGRESS)):
        view(event)
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.splitlines() == [
        "alarm: stagnation at page 240: only 4 of the last 100 are relevant",
        "the policy mine\ufffd failed and was skipped: no variable ?url in it",
        "alarm over: stagnation at page 300: 10 are relevant again",
    ]


@pytest.mark.parametrize(
    ("event", "row"),
    [
        (
            AlarmRaised(BEGUN, progress=PROGRESS),
            {
                "event": "alarm",
                "kind": "Stagnation",
                "number": 1,
                "step": 240,
                "value": 0.04,
                "limit": 0.05,
                "note": "only 4 of the last 100 are relevant",
            },
        ),
        (
            AlarmEnded(OVER, progress=PROGRESS),
            {
                "event": "alarm_over",
                "kind": "Stagnation",
                "number": 1,
                "step": 240,
                "value": 0.1,
                "limit": 0.1,
                "note": "10 are relevant again",
                "ended": 300,
            },
        ),
        (
            RAN,
            {
                "event": "policy",
                "name": "hub-neighbours",
                "changed": 12,
                "dropped": 1,
                "revisits": 0,
                "seconds": 0.25,
                "error": "",
            },
        ),
        (
            Distilled(1, 30, 1.25, progress=PROGRESS),
            {"event": "distilled", "hubs": 1, "authorities": 30, "seconds": 1.25},
        ),
        (
            PageRevisited("http://a.test/", True, 0.5, progress=PROGRESS),
            {"event": "revisited", "url": "http://a.test/", "changed": True, "relevance": 0.5},
        ),
        (CrawlStopped(StopReason.TIME_OVER, progress=PROGRESS), {"event": "stopped", "reason": "TimeOver"}),
    ],
)
def test_every_event_is_a_line_of_json(
    capsys: pytest.CaptureFixture[str], event: Event, row: dict[str, object]
) -> None:
    JsonLines()(event)
    written = json.loads(capsys.readouterr().out)
    assert written.pop("progress")["pages"] == 250
    assert written == row


def test_a_warning_is_a_line_above_the_picture_a_line_elsewhere_and_a_row_of_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    event = CrawlWarned("the seed page http://a.test/\x1b scores 0", progress=PROGRESS)
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, color_system=None)
    with CrawlScreen(0, console) as view:
        view(event)
    assert "warning: the seed page http://a.test/\ufffd scores 0" in screen.getvalue()
    with CrawlLines() as lines:
        lines(event)
    assert capsys.readouterr().err == "warning: the seed page http://a.test/\ufffd scores 0\n"
    assert as_row(event) == {"event": "warning", "note": event.note}
