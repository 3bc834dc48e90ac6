from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from semcrawl.cli import train as trainings
from semcrawl.models.hmm import load_hmm
from semcrawl.models.training_pages import topic_digest
from semcrawl.topics import Topic
from tests.cli.conftest import write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    from tests.cli.conftest import Ran

HOST = "http://a.test/"
PAGES = {
    "": "Welcome to the portal with news and weather",
    "news": "Weather news sport politics today",
    "sport": "Football match goal team league",
    "health": "Health hospital doctor nurse medicine",
    "lungs": "Lungs breathing doctor bronchial hospital",
    "asthma": "Asthma inhaler bronchial wheezing attack",
    "wheeze": "Wheezing asthma breath inhaler dose",
}
PATHS = ("/health/lungs/asthma", "/news/health/lungs/wheeze", "/news/sport/news/health/asthma")


@pytest.fixture(scope="module")
def browsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recorded web and the paths of three people through it."""
    folder = tmp_path_factory.mktemp("browsed")
    write_web(folder / "web", {f"{HOST}{name}": f"<p>{text}" for name, text in PAGES.items()})
    lines = ("\t".join(HOST + name for name in path.split("/")) for path in PATHS)
    (folder / "paths.tsv").write_text("\n".join(lines), encoding="utf-8")
    (folder / "targets.txt").write_text(f"{HOST}asthma\n{HOST}wheeze\n", encoding="utf-8")
    return folder


@pytest.fixture
def train(browsed: Path, tmp_path: Path) -> Callable[..., Result]:
    """Run ``semcrawl train hmm`` on the paths and the recorded web."""

    def command(*words: object, paths: Path = browsed / "paths.tsv") -> Result:
        given = [paths, "--replay", browsed / "web", "-o", tmp_path / "m.hmm", *words]
        return CliRunner().invoke(trainings.train, ["hmm", *map(str, given)])

    return command


def test_a_summary_says_what_was_learnt(train: Callable[..., Result], tmp_path: Path) -> None:
    done = train()
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[:5] == [
        "3 paths, 7 pages read",
        "         2  targets",
        "         2  1 link away",
        "         2  2 links away",
        "         1  3 links away, or more",
    ]
    assert "5 clusters by k-means: " in done.stdout
    assert "2 targets only" in done.stderr
    assert load_hmm(tmp_path / "m.hmm").facts.topic == ""


def test_the_targets_are_those_of_a_file_or_of_a_judge(
    train: Callable[..., Result], browsed: Path, tmp_path: Path
) -> None:
    by_file = json.loads(train("--targets", browsed / "targets.txt", "--json").stdout)
    judged = train("--targets", "judge", "--topic", "keywords:asthma", "--json")
    by_judge = json.loads(judged.stdout)
    assert by_file["state_sizes"] == by_judge["state_sizes"] == [2, 2, 2, 1]
    assert (by_file["topic"], by_judge["topic"]) == ("", "asthma")
    facts = load_hmm(tmp_path / "m.hmm").facts
    assert (facts.topic, facts.judge) == ("asthma", "labels")
    assert facts.topic_digest == topic_digest(Topic.parse("keywords:asthma"))


def test_the_same_words_write_the_same_bytes(train: Callable[..., Result], tmp_path: Path) -> None:
    train("--clusters", "x-means", "--seed", 4)
    first = (tmp_path / "m.hmm").read_bytes()
    train("--clusters", "x-means", "--seed", 4)
    assert (tmp_path / "m.hmm").read_bytes() == first


def test_pages_and_targets_that_are_not_there_are_counted_and_named(
    train: Callable[..., Result], browsed: Path, tmp_path: Path
) -> None:
    paths, targets = tmp_path / "more.tsv", tmp_path / "targets.txt"
    lines = (browsed / "paths.tsv").read_text(encoding="utf-8")
    paths.write_text(f"{lines}\n{HOST}gone\t{HOST}asthma\n", encoding="utf-8")
    targets.write_text(f"{HOST}asthma\n{HOST}never\n", encoding="utf-8")
    done = train("--targets", targets, paths=paths)
    assert done.exit_code == 0, done.output
    assert f"1 page not known (NotInReplay 1): {HOST}gone" in done.stderr
    assert f"1 target on no path, left out: {HOST}never" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--targets", "judge"], "needs a topic"),
        (["--targets", "judge", "--topic", "keywords:asthma", "--threshold", "nan"], "no relevance"),
        (["--gap", "5"], "are paths already: leave it out"),
        (["--gap", "nan"], "are paths already: leave it out"),
        (["--targets", "gone.txt"], "gone.txt: No such file"),
        (["--clusters", "9"], "too few pages: 5 different ones cannot make 8"),
        (["--targets", "judge", "--topic", "keywords:zebra"], "none of the 7 known pages"),
        (["--targets", "judge", "--topic", "keywords:zebra", "--threshold", "0"], "every one"),
        (["--targets", "judge", "--topic", "keywords:zebra", "--judge", "no"], "there is no judge"),
    ],
)
def test_what_cannot_be_learnt_from_is_an_error_and_writes_nothing(
    train: Callable[..., Result], tmp_path: Path, words: list[str], message: str
) -> None:
    done = train(*words)
    assert message in str(done.exception)
    assert not (tmp_path / "m.hmm").exists()


def test_pages_of_another_web_only_are_an_error(train: Callable[..., Result], tmp_path: Path) -> None:
    paths = tmp_path / "other.tsv"
    paths.write_text("http://b.test/\thttp://b.test/1\n", encoding="utf-8")
    assert "none of the 2 pages on the paths is known" in str(train(paths=paths).exception)


def test_targets_that_could_not_be_read_are_said(train: Callable[..., Result], tmp_path: Path) -> None:
    paths = tmp_path / "other.tsv"
    paths.write_text(f"{HOST}news\t{HOST}gone\n", encoding="utf-8")
    said = f"none of the targets on the paths could be read ({HOST}gone)"
    assert said in str(train(paths=paths).exception)


@pytest.mark.parametrize("clusters", ["1", "0", "-3", "y-means", ""])
def test_clusters_are_a_number_or_x_means(train: Callable[..., Result], clusters: str) -> None:
    done = train("--clusters", clusters)
    assert done.exit_code == 2
    assert "neither x-means nor a number of 2 or more" in done.stderr


def test_as_a_person_runs_it(run: Callable[..., Ran], browsed: Path) -> None:
    paths, web = browsed / "paths.tsv", browsed / "web"
    done = run("train", "hmm", paths, "--replay", web, "-o", "m.hmm", "--topic", "keywords:asthma")
    assert (done.code, done.out.splitlines()[-1]) == (0, "written to m.hmm")
    crawl = ("--replay", web, "--seed", HOST, "--strategy", "hybrid-hmm-anchor:model=m.hmm")
    assert run("crawl", "keywords:asthma", *crawl, "--quiet").code == 0
    run("crawl", "keywords:cars", *crawl, "--folder", "c").fails(2, "trained for the topic")
    run("train", "hmm", "gone.tsv", "-o", "x.hmm").fails(2, "gone.tsv: No such file")
    run("train", "hmm", "gone.tsv", "-o", "deep/x.hmm").fails(2, "there is no folder deep")
    run("train", "hmm", paths).fails(2, "Missing option '-o'")
