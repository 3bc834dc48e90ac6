from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

from rich.console import Console

from semcrawl.cli.lab import LabLines, LabScreen, Tally
from semcrawl.lab.experiment import Contender, LabTopic
from semcrawl.lab.plan import RunPlan
from semcrawl.lab.racing import PagesRead, RunEvent
from semcrawl.lab.records import RunRecord

if TYPE_CHECKING:
    import pytest

Kind = Literal["started", "finished", "failed", "reused"]


def told(kind: Kind, number: int, error: str = "", total: int = 10) -> RunEvent:
    plan = RunPlan(
        key=str(number),
        contender=Contender(name=f"crawler [{number}]"),
        topic=LabTopic(name="lungs", topic="keywords:lung"),
        spec="keywords:lung",
        repetition=0,
        seeds=(),
        left_out=(),
        pages=5,
        settings={},
        models=(),
    )
    record = RunRecord(key=plan.key, contender="x", topic="lungs", error=error)
    return RunEvent(kind, plan, None if kind == "started" else record, number, total)


def test_the_time_left_is_that_of_the_runs_made_so_far() -> None:
    tally = Tally()
    tally.take(told("reused", 1), 0.0)
    assert tally.seconds_left(0.0) is None
    for number in (2, 3, 4):
        tally.take(told("started", number), 10.0 * number)
        tally.take(told("finished", number), 10.0 * number + 10.0)
    # Three runs in 30 seconds; six of ten are left, for one was known.
    assert tally.seconds_left(50.0) == 60.0
    assert tally.words(50.0) == "4 of 10 runs, 3 made, 1 known; about 60 s left"


def test_runs_under_way_are_those_that_started_and_did_not_end() -> None:
    tally = Tally()
    for number in (1, 2):
        tally.take(told("started", number), 0.0)
    tally.take(told("failed", 1, "no idea"), 1.0)
    assert list(tally.running) == ["2"]
    assert "1 failed" in tally.words(1.0)


def test_without_a_terminal_failures_are_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with LabLines(every=1e6) as view:
        view(PagesRead(1, 2))
        view(told("failed", 1, "no\nidea\x1b[31m"))
    assert capsys.readouterr().err == "failed: crawler [1] for lungs: no idea�[31m\n"


def test_a_log_has_the_figures_when_it_is_time(capsys: pytest.CaptureFixture[str]) -> None:
    with LabLines(every=0.0) as view:
        view(PagesRead(1, 2))
        view(told("finished", 1))
    assert capsys.readouterr().err == "1 of 2 pages read\n1 of 10 runs, 1 made, 0 known\n"


def test_a_terminal_shows_a_line_for_each_run_under_way() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80)
    with LabScreen(console) as view:
        view(PagesRead(1, 436))
        view(told("started", 1))
        view(told("started", 2))
        view(told("failed", 1, "no idea"))
        view.live.refresh()
    assert "opening the recorded web" in screen.getvalue()
    assert "crawler [2] for lungs" in screen.getvalue()
    assert "crawler [1] for lungs: no idea" in screen.getvalue()
