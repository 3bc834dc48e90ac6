"""The race: every run once, whatever happens to some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from semcrawl.lab.experiment import Contender
from semcrawl.lab.ground_truth import read_truth
from semcrawl.lab.plan import plan_runs
from semcrawl.lab.racing import Workplace, race
from semcrawl.lab.web import open_web
from tests.lab.small_web import small_experiment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from semcrawl.lab.experiment import Experiment
    from semcrawl.lab.racing import RunEvent
    from semcrawl.lab.records import RunRecord

KILLED = """
import os, signal
class Killed:
    batch = 1
    def rank(self, judged):
        os.kill(os.getpid(), signal.SIGKILL)
"""
ENDLESS = """
import time
class Endless:
    batch = 1
    def rank(self, judged):
        time.sleep(600)
"""
PRINTING = """
class Printing:
    batch = 1
    def rank(self, judged):
        print("a word too many")
        return [0.0 for link in judged.page.links]
"""


class Raced:
    """The outcome of a race of an experiment: records by contender, and what was told."""

    def __init__(self, experiment: Experiment, folder: Path, **values: Any) -> None:
        self.events: list[RunEvent] = []
        with open_web(experiment.web, folder / "pages") as web:
            truth = read_truth(experiment, web)
            self.plans = plan_runs(experiment, web, truth)
            place = Workplace(experiment.web, truth, folder)
            records = race(self.plans, place, web=web, listener=self.events.append, **values)
        self.by_key = records
        self.records = {plan.contender.name: records[plan.key] for plan in self.plans}

    def told(self) -> Sequence[tuple[str, str]]:
        return [(event.kind, event.plan.contender.name) for event in self.events]


def timeless(record: RunRecord) -> RunRecord:
    return msgspec.structs.replace(record, cpu=0.0, seconds=0.0)


def test_processes_give_the_same_records_as_this_one(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path, "breadth-first", "best-first-page", "dom")
    here = Raced(experiment, tmp_path / "here", jobs=0)
    beside = Raced(experiment, tmp_path / "beside", jobs=2)
    assert {name: timeless(one) for name, one in here.records.items()} == {
        name: timeless(one) for name, one in beside.records.items()
    }
    assert len(beside.records["dom"].visits) == 6


def test_every_run_is_told_when_it_starts_and_ends(tmp_path: Path) -> None:
    raced = Raced(small_experiment(tmp_path, "breadth-first", oracles=False), tmp_path, jobs=0)
    assert raced.told() == [("started", "breadth-first"), ("finished", "breadth-first")]
    assert [(event.done, event.total) for event in raced.events] == [(0, 1), (1, 1)]


def test_what_is_known_is_not_run_again_unless_asked(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path, "breadth-first", oracles=False)
    first = Raced(experiment, tmp_path, jobs=0)
    again = Raced(experiment, tmp_path, jobs=0)
    assert again.told() == [("reused", "breadth-first")]
    assert again.records == first.records
    fresh = Raced(experiment, tmp_path, jobs=0, fresh=True)
    assert fresh.told() == [("started", "breadth-first"), ("finished", "breadth-first")]


def test_a_known_run_takes_the_name_that_it_has_now(tmp_path: Path) -> None:
    Raced(small_experiment(tmp_path, "breadth-first", oracles=False), tmp_path, jobs=0)
    renamed = Contender(name="unfocused", strategy="breadth-first")
    raced = Raced(small_experiment(tmp_path, renamed, oracles=False), tmp_path, jobs=0)
    assert raced.told() == [("reused", "unfocused")]
    assert raced.records["unfocused"].contender == "unfocused"


def test_runs_that_are_the_same_are_made_once(tmp_path: Path) -> None:
    twin = Contender(name="unfocused", strategy="breadth-first")
    experiment = small_experiment(tmp_path, "breadth-first", twin, oracles=False)
    raced = Raced(experiment, tmp_path, jobs=0)
    assert raced.told() == [("started", "breadth-first"), ("finished", "breadth-first")]
    assert len(raced.by_key) == 1
    assert raced.records["unfocused"].visits == raced.records["breadth-first"].visits


def test_a_process_that_dies_fails_its_run_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(KILLED)
    killed = Contender(name="killed", strategy=f"{tmp_path}/mine.py:Killed")
    experiment = small_experiment(tmp_path, killed, "breadth-first", oracles=False)
    raced = Raced(experiment, tmp_path, jobs=1)
    assert "signal 9" in raced.records["killed"].error
    assert raced.records["breadth-first"].error == ""
    assert ("failed", "killed") in raced.told()


def test_what_failed_is_run_again_the_next_time(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    batch = 1\n    def rank(self, judged): 1/0")
    mine = Contender(name="mine", strategy=f"{tmp_path}/mine.py:Mine")
    experiment = small_experiment(tmp_path, mine, oracles=False)
    for _ in range(2):
        raced = Raced(experiment, tmp_path, jobs=0)
        assert raced.told() == [("started", "mine"), ("failed", "mine")]
        assert "ZeroDivisionError" in raced.records["mine"].error


def test_a_run_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ENDLESS)
    endless = Contender(name="endless", strategy=f"{tmp_path}/mine.py:Endless")
    raced = Raced(small_experiment(tmp_path, endless, oracles=False), tmp_path, jobs=1, seconds=0.5)
    assert "more than 0.5 s" in raced.records["endless"].error


def test_what_a_strategy_prints_disturbs_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PRINTING)
    printing = Contender(name="printing", strategy=f"{tmp_path}/mine.py:Printing")
    raced = Raced(small_experiment(tmp_path, printing, oracles=False), tmp_path, jobs=1)
    assert raced.records["printing"].error == ""
    assert len(raced.records["printing"].visits) == 6


def test_an_interrupt_leaves_what_is_finished(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path, "breadth-first", "dom", oracles=False)

    def interrupt(event: RunEvent) -> None:
        if event.kind == "finished":
            raise KeyboardInterrupt

    with open_web(experiment.web, tmp_path / "pages") as web:
        truth = read_truth(experiment, web)
        place = Workplace(experiment.web, truth, tmp_path)
        plans = plan_runs(experiment, web, truth)
        with pytest.raises(KeyboardInterrupt):
            race(plans, place, web=web, jobs=1, listener=interrupt)
    assert Raced(experiment, tmp_path, jobs=0).told() == [
        ("reused", "breadth-first"),
        ("started", "dom"),
        ("finished", "dom"),
    ]
