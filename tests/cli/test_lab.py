from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec
import pytest
from click.testing import CliRunner

from semcrawl.cli.lab import lab, summary_lines
from semcrawl.lab import Lab
from tests.cli.conftest import SEED
from tests.lab.made_up import made_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

EXPERIMENT = """
title = "Asthma or cars"
pages = 5
at = [3, 5]

[web]
replay = ["{web}"]

[truth]
targets = "targets.tsv"

[[topic]]
name = "asthma"
topic = "keywords:asthma"
seeds = ["{seed}"]

[[strategy]]
strategy = "breadth-first"

[[strategy]]
name = "anchor"
strategy = "best-first-anchor"

[[finding]]
says = "Anchors help."
at = 3
left = ["anchor"]
right = ["breadth-first"]
"""

TARGETS = "topic\turl\n" + "".join(
    f"asthma\thttp://{place}\n" for place in ("a.test/asthma", "a.test/asthma2", "b.test/")
)

STRATEGY = '''
class Last:
    """The last link first."""

    batch = 1

    def rank(self, judged):
        count = len(judged.page.links)
        return [(place + 1) / count for place in range(count)]


class Broken(Last):
    def rank(self, judged):
        raise ValueError("no idea")
'''


@pytest.fixture
def experiment(tmp_path: Path, web: Path) -> Path:
    """An experiment with two crawlers on a web of six pages."""
    path = tmp_path / "asthma.toml"
    path.write_text(EXPERIMENT.format(web=web, seed=SEED), encoding="utf-8")
    (tmp_path / "targets.tsv").write_text(TARGETS, encoding="utf-8")
    (tmp_path / "mine.py").write_text(STRATEGY, encoding="utf-8")
    return path


def race(run: Run, experiment: Path, *more: object) -> Ran:
    return run("lab", "run", experiment, "--jobs", 0, *more)


def test_a_race_ends_with_a_table_the_findings_and_a_report(run: Run, experiment: Path, tmp_path: Path) -> None:
    done = race(run, experiment)
    assert done.code == 0
    rows = {line.split("  ")[0]: line.split() for line in done.out.splitlines()}
    assert float(rows["anchor"][1]) > float(rows["breadth-first"][1])
    assert "SAME DIRECTION: Anchors help." in done.out
    folder = tmp_path / "lab" / "experiments" / "asthma"
    assert {"report.html", "report.md", "results.csv", "results.ttl", "results.json"} <= {
        path.name for path in folder.iterdir()
    }
    assert str(folder / "report.html").endswith(done.out.split("The report: ")[1].strip())


def test_a_second_race_makes_no_run_again(run: Run, experiment: Path, tmp_path: Path) -> None:
    race(run, experiment, "--no-report")
    runs = tmp_path / "lab" / "runs"
    before = {path: path.stat().st_mtime_ns for path in runs.iterdir()}
    assert len(before) == 4  # the oracles too
    assert race(run, experiment, "--no-report").code == 0
    assert {path: path.stat().st_mtime_ns for path in runs.iterdir()} == before
    race(run, experiment, "--no-report", "--fresh")
    assert {path: path.stat().st_mtime_ns for path in runs.iterdir()} != before


def test_no_report_writes_results_only(run: Run, experiment: Path, tmp_path: Path) -> None:
    assert "The report" not in race(run, experiment, "--no-report").out
    folder = tmp_path / "lab" / "experiments" / "asthma"
    assert {path.name for path in folder.iterdir()} == {"experiment.toml", "results.json"}


def test_processes_race_as_well(run: Run, experiment: Path, tmp_path: Path) -> None:
    assert run("lab", "run", experiment, "--jobs", 1, "--only", "anchor").code == 0
    assert Lab(tmp_path / "lab").results("asthma-part").failures == ()


def test_a_strategy_of_ones_own_races_along(run: Run, experiment: Path, tmp_path: Path) -> None:
    race(run, experiment)
    done = race(run, experiment, "--with", "mine.py:Last")
    assert done.code == 0
    assert "mine.py:Last" in done.out
    lab = Lab(tmp_path / "lab")
    assert "mine.py:Last" in lab.results("asthma-part").contenders
    assert "mine.py:Last" not in lab.results("asthma").contenders


def test_a_part_has_fewer_pages_and_crawlers_and_keeps_the_findings_that_it_can(
    run: Run, experiment: Path, tmp_path: Path
) -> None:
    assert "Anchors help" in race(run, experiment, "--pages", 2).out
    results = Lab(tmp_path / "lab").results("asthma-part")
    assert {value.at for value in results.values} == {1, 2}
    kept = tmp_path / "lab" / "experiments" / "asthma-part" / "experiment.toml"
    assert kept.read_text(encoding="utf-8").startswith("# Run with --pages 2\n")
    assert "Anchors help" not in race(run, experiment, "--only", "anchor").out
    race(run, experiment, "--only", "anchors").fails(2, "no strategy 'anchors'", "did you mean")


def test_a_strategy_that_fails_is_told_and_the_rest_goes_on(run: Run, experiment: Path, tmp_path: Path) -> None:
    done = race(run, experiment, "--with", "mine.py:Broken")
    assert done.code == 1
    assert "failed: mine.py:Broken for asthma: ValueError: no idea" in done.out
    assert "failed: mine.py:Broken for asthma: ValueError: no idea" in done.err
    assert "anchor" in done.out
    [trace] = (tmp_path / "lab" / "runs").glob("*.traceback.txt")
    assert "in rank" in trace.read_text(encoding="utf-8")


def test_checking_runs_nothing(run: Run, experiment: Path, tmp_path: Path) -> None:
    done = run("lab", "check", experiment)
    assert "Asthma or cars: 2 crawlers" in done.out
    assert "4 runs of at most 5 pages; 0 known already" in done.out
    assert not (tmp_path / "lab" / "runs").exists()
    race(run, experiment, "--no-report")
    assert "4 known already" in run("lab", "check", experiment).out
    part = run("lab", "check", experiment, "--pages", 3, "--only", "anchor", "--with", "ssrm").out
    assert "2 crawlers" in part
    assert "4 runs of at most 3 pages; 0 known already" in part


def test_what_was_run_is_listed(run: Run, experiment: Path) -> None:
    assert "no experiment was run in lab" in run("lab", "list").err
    race(run, experiment, "--no-report")
    head, row = run("lab", "list").out.splitlines()
    assert head.split()[:2] == ["name", "title"]
    assert row.split("  ")[:2] == ["asthma", "Asthma or cars"]


def test_results_that_cannot_be_read_do_not_hide_the_others(run: Run, experiment: Path, tmp_path: Path) -> None:
    race(run, experiment, "--no-report")
    damaged = tmp_path / "lab" / "experiments" / "damaged"
    damaged.mkdir()
    (damaged / "results.json").write_text("{")
    listed = run("lab", "list")
    assert listed.code == 0
    assert "asthma" in listed.out
    assert "damaged" in listed.err


@pytest.mark.parametrize(
    ("form", "start"), [("html", "<!doctype html>"), ("md", "# Asthma or cars"), ("ttl", "@prefix")]
)
def test_a_part_of_the_report_goes_to_the_screen(run: Run, experiment: Path, form: str, start: str) -> None:
    race(run, experiment, "--no-report")
    assert run("lab", "report", "asthma", "--format", form).out.lower().startswith(start.lower())


def test_the_values_as_a_table(run: Run, experiment: Path) -> None:
    race(run, experiment, "--no-report")
    rows = list(csv.DictReader(io.StringIO(run("lab", "report", "asthma", "--format", "csv").out)))
    found = {(row["contender"], row["measure"], row["pages"]): row["value"] for row in rows}
    assert float(found["anchor", "on-topic", "3"]) == 2.0


def test_a_report_is_written_where_it_is_wanted(run: Run, experiment: Path, tmp_path: Path) -> None:
    race(run, experiment, "--no-report")
    assert run("lab", "report", "asthma", "-o", "paper").code == 0
    assert (tmp_path / "paper" / "report.html").is_file()
    assert run("lab", "report", "asthma", "--format", "md", "-o", "a.md").out == "a.md\n"
    run("lab", "report", "asthma", "--format", "md", "-o", "no/a.md").fails(1, "cannot write")
    results = tmp_path / "lab" / "experiments" / "asthma" / "results.json"
    assert run("lab", "report", results).code == 0
    assert (results.parent / "report.html").is_file()
    run("lab", "report", "asthmas").fails(2, "no results", "asthma")


def test_two_results_are_compared_by_crawler(run: Run, experiment: Path, tmp_path: Path) -> None:
    race(run, experiment, "--no-report")
    race(run, experiment, "--no-report", "--only", "anchor")
    done = run("lab", "compare", "asthma", "asthma-part", "--measure", "on-topic", "--at", 5)
    assert done.out.startswith("On-topic pages after 5 pages")
    assert "asthma:anchor" in done.out
    assert "only in asthma: breadth-first" in done.out
    results = tmp_path / "lab" / "experiments" / "asthma" / "results.json"
    one = run("lab", "compare", f"{results}:anchor", "asthma:breadth-first", "--at", 3)
    line = one.out.splitlines()[2]
    assert float(line.split()[2]) > float(line.split()[3])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["asthma", "other"], ["no results", "other"]),
        (["asthma:anchors", "asthma"], ["no crawler 'anchors'", "breadth-first"]),
        (["asthma:", "asthma"], ["names no crawler"]),
        (["asthma", "asthma", "--at", "4"], ["after 3, 5 pages, not after 4"]),
        (["asthma", "asthma", "--measure", "joy"], ["no measure 'joy'"]),
    ],
)
def test_what_cannot_be_compared_is_said(run: Run, experiment: Path, words: list[str], told: list[str]) -> None:
    race(run, experiment, "--no-report")
    run("lab", "compare", *words).fails(2, *told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", ["is no TOML"]),
        ('title = "x"', ["'web' is missing"]),
        ("pagse = 3\n" + EXPERIMENT, ["no key 'pagse'", "did you mean 'pages'"]),
        (EXPERIMENT.replace("best-first-anchor", "best-anchor"), ["best-anchor"]),
        (EXPERIMENT.replace('left = ["anchor"]', 'left = ["ancor"]'), ["did you mean 'anchor'"]),
        (EXPERIMENT.replace("{seed}", "http://nowhere.test/"), ["http://nowhere.test/"]),
    ],
)
def test_a_bad_experiment_is_one_line_and_misuse(
    run: Run, experiment: Path, web: Path, text: str, told: list[str]
) -> None:
    experiment.write_text(text.replace("{web}", str(web)).replace("{seed}", SEED), encoding="utf-8")
    race(run, experiment).fails(2, *told)


def test_an_experiment_that_is_not_there(run: Run) -> None:
    run("lab", "run", "none.toml").fails(2, "cannot read the experiment none.toml")


ENDLESS = """
import time

class Endless:
    batch = 1

    def rank(self, judged):
        time.sleep(600)
"""


def test_a_run_that_takes_too_long_is_ended(run: Run, experiment: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(ENDLESS, encoding="utf-8")
    words = ("--no-report", "--only", "anchor", "--with", "slow.py:Endless", "--seconds")
    done = run("lab", "run", experiment, "--jobs", 1, *words, 3)
    assert done.code == 1
    assert "failed: slow.py:Endless for asthma: it took more than 3 s" in done.out
    race(run, experiment, *words, 3).fails(2, "--seconds", "--jobs 1")


def test_an_interrupt_says_that_finished_runs_are_kept(
    experiment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("semcrawl.lab.lab.race", interrupted)
    words = ["run", str(experiment), "--jobs", "0", "--folder", str(tmp_path / "lab")]
    assert "runs that are finished are kept" in CliRunner().invoke(lab, words).output


def test_the_table_says_where_a_mean_is_over_fewer_topics() -> None:
    rich = made_up(("dom", "ssrm"), topics=("health", "music"))
    fewer = tuple(
        msgspec.structs.replace(over, topics=1) if over.contender == "dom" else over for over in rich.over_topics
    )
    lines = list(summary_lines(msgspec.structs.replace(rich, over_topics=fewer)))
    assert lines[0].endswith("mean of 2 topics, interval of 95 %")
    [dom] = [line for line in lines if line.startswith("dom ")]
    assert dom.endswith("1 of 2 topics")
    assert not any("of 2 topics" in line for line in summary_lines(rich) if "mean of" not in line)
