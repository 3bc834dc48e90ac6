"""The lab as a person meets it: from a file to results that are kept."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import LabError
from semcrawl.lab import Lab, load_experiment
from semcrawl.lab.experiment import LabTopic, WebSource
from semcrawl.lab.loading import vary
from semcrawl.lab.racing import PagesRead, RunEvent
from tests.lab.small_web import ON_TOPIC, at, small_experiment, write_small_web

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.racing import LabEvent

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


def test_results_that_are_not_there_are_told_with_those_that_are(written: Path, tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab")
    lab.run(written, jobs=0)
    with pytest.raises(LabError, match="Results of this lab: small"):
        lab.results("large")
    with pytest.raises(LabError, match="without folders"):
        lab.results("../small")
    (lab.place("small") / "results.json").write_text("{}")
    with pytest.raises(LabError, match="run the experiment again"):
        lab.results("small")


def test_the_file_of_a_loaded_experiment_is_kept_with_what_was_changed(written: Path, tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab")
    part = vary(load_experiment(written), pages=3)
    results = lab.run(part, name="part", file=written, varied="--pages 3", jobs=0)
    assert (lab.place("part") / "experiment.toml").read_text() == (f"# Run with --pages 3\n{EXPERIMENT}")
    assert results.name == "part"
    assert ("changed by", "--pages 3") in results.facts


def test_a_seed_that_a_cut_recording_has_lost_is_told_with_the_cut(tmp_path: Path) -> None:
    records = []
    for name in ("lungs", "home"):
        body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{name} {'x' * 99}".encode()
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {at('/' + name)}\r\n"
        head += f"Content-Type: application/http\r\nContent-Length: {len(body)}\r\n\r\n"
        records.append(gzip.compress(head.encode() + body + b"\r\n\r\n"))
    warc = tmp_path / "cut.warc.gz"
    warc.write_bytes(b"".join(records)[:-20])
    topic = LabTopic(name="lungs", topic="keywords:lungs", seeds=(at("/home"),))
    web = WebSource(replay=(str(warc),))
    experiment = small_experiment(tmp_path, "breadth-first", topic=(topic,), web=web)
    with pytest.raises(LabError, match=r"not in the recorded web: .*/home; .*may be lost: .*cut"):
        Lab(tmp_path / "lab").preview(experiment)
