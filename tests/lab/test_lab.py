"""The lab as a person meets it: from a file to results that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import LabError
from semcrawl.lab import Lab, PagesRead, ResultsMeasured, RunEvent
from tests.lab.small_web import ON_TOPIC, at, small_experiment, write_small_web

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab import LabEvent

EXPERIMENT = """
title = "Small"
pages = 6
[web]
replay = ["web"]
exclude = ["*/index/*"]
[truth]
targets = "targets.tsv"
[[topic]]
name = "lungs"
topic = "keywords:lungs disease"
seeds = ["http://small.test/"]
[[strategy]]
strategy = "breadth-first"
[[strategy]]
strategy = "best-first-page-anchor"
"""


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The file of an experiment, with the files that it names beside it."""
    write_small_web(tmp_path / "web")
    rows = "".join(f"lungs\t{at(path)}\n" for path in ON_TOPIC)
    (tmp_path / "targets.tsv").write_text(f"topic\turl\n{rows}", encoding="utf-8")
    path = tmp_path / "small.toml"
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


def test_an_experiment_is_run_measured_and_kept(written: Path, tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab")
    results = lab.run(written, jobs=0)
    assert results.contenders[:2] == ("breadth-first", "best-first-page-anchor")
    assert results.topics == (("lungs", 3),)
    assert results.failures == ()
    assert lab.experiments() == ["small"]
    assert lab.results("small") == results
    assert (lab.place("small") / "experiment.toml").read_text() == EXPERIMENT


def test_a_listener_hears_how_it_goes_on(written: Path, tmp_path: Path) -> None:
    told: list[LabEvent] = []
    Lab(tmp_path / "lab").run(written, jobs=0, listener=told.append)
    assert told[0] == PagesRead(1, 9)
    runs = [event for event in told if isinstance(event, RunEvent)]
    assert [event.kind for event in runs] == ["started", "finished"] * 4
    assert told[-1] == ResultsMeasured(4)


def test_results_are_the_same_when_all_runs_are_known(written: Path, tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab")
    assert lab.run(written, jobs=0) == lab.run(written, jobs=0)


def test_an_experiment_made_in_python_is_kept_by_its_title_or_name(tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab")
    experiment = small_experiment(tmp_path, "breadth-first", title="My small: race!")
    lab.run(experiment, jobs=0)
    lab.run(experiment, jobs=0, name="other")
    assert lab.experiments() == ["my-small-race", "other"]


def test_a_preview_runs_nothing(written: Path, tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab")
    preview = lab.preview(written)
    (topic,) = preview.topics
    assert (topic.name, topic.pages, topic.training, topic.seeds) == ("lungs", 3, 0, 1)
    assert (preview.runs, preview.known) == (4, 0)
    assert lab.experiments() == []
    lab.run(written, jobs=0)
    assert lab.preview(written).known == 4


def test_a_failing_strategy_is_told_and_the_rest_goes_on(written: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    batch = 1\n    def rank(self, judged): 1/0")
    text = EXPERIMENT + f'[[strategy]]\nname = "mine"\nstrategy = "{tmp_path}/mine.py:Mine"\n'
    written.write_text(text, encoding="utf-8")
    results = Lab(tmp_path / "lab").run(written, jobs=0)
    (failure,) = results.failures
    assert (failure.contender, failure.topic) == ("mine", "lungs")
    assert any(one.contender == "breadth-first" for one in results.over_topics)


def test_results_that_are_not_there_are_told_with_those_that_are(
    written: Path, tmp_path: Path
) -> None:
    lab = Lab(tmp_path / "lab")
    lab.run(written, jobs=0)
    with pytest.raises(LabError, match="Results of this lab: small"):
        lab.results("large")
    with pytest.raises(LabError, match="without folders"):
        lab.results("../small")
    (lab.place("small") / "results.json").write_text("{}")
    with pytest.raises(LabError, match="run the experiment again"):
        lab.results("small")
