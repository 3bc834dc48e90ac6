from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from semcrawl.steering.policies import named_policies
from tests.cli.conftest import SEED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

DROP = "# Cars: no.\nSELECT ?url WHERE { ?url sc:priority ?p FILTER(CONTAINS(STR(?url), 'cars')) }"


@pytest.fixture
def started(run: Run, web: Path, tmp_path: Path) -> Path:
    """A crawl of one page, with three URLs waiting."""
    folder = tmp_path / "crawl"
    assert run("crawl", "keywords:asthma", "--replay", web, "--seed", SEED, "--pages", "1",
               "--folder", folder, "--quiet").code == 0  # fmt: skip
    return folder


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    path = tmp_path / "drop.rq"
    path.write_text(DROP, encoding="utf-8")
    return path


def test_all_policies_are_listed_with_their_rhythm_and_parameters(run: Run) -> None:
    listed = run("policy", "list").out
    assert all(name in listed for name in named_policies())
    assert "every 200 pages" in listed
    assert "cold (0.2): the factor of such a site" in listed


def test_a_policy_is_shown_in_full(run: Run) -> None:
    assert run("policy", "show", "tunnel").out == named_policies()["tunnel"].text


def test_trying_a_policy_shows_what_it_would_do_and_does_nothing(run: Run, started: Path, drop: Path) -> None:
    before = run("query", started, "waiting").out
    lines = run("policy", "try", drop, started).out.splitlines()
    assert lines[0] == "drop.rq would drop 1 waiting URL. Nothing was changed."
    assert lines[-1].split()[1:] == ["dropped", "http://a.test/cars"]
    assert run("query", started, "waiting").out == before


def test_rows_on_one_site_count_once(run: Run, started: Path, tmp_path: Path) -> None:
    policy = tmp_path / "halve.rq"
    policy.write_text("SELECT ?site ?factor { ?url sc:site ?site BIND(0.5 AS ?factor) }", encoding="utf-8")
    lines = run("policy", "try", policy, started).out.splitlines()
    assert lines[0] == "halve.rq would give 1 site another factor. Nothing was changed."
    assert len(lines) == 3


def test_a_policy_without_rows_says_what_the_crawl_has_nothing_of(run: Run, started: Path, tmp_path: Path) -> None:
    policy = tmp_path / "none.rq"
    policy.write_text("SELECT ?url { ?url sc:priorty ?priority }", encoding="utf-8")
    done = run("policy", "try", policy, started)
    assert done.out == "none.rq would change nothing.\n"
    assert done.err == "nothing in this crawl has sc:priorty (did you mean sc:priority?)\n"


def test_rows_on_what_does_not_wait_are_counted(run: Run, started: Path, tmp_path: Path) -> None:
    policy = tmp_path / "late.rq"
    policy.write_text("SELECT ?url ?priority { ?url a sc:Seed ; sc:step ?s BIND(0.9 AS ?priority) }", encoding="utf-8")
    done = run("policy", "try", policy, started)
    assert done.out == "late.rq would change nothing; 1 row on what is visited, unknown or so already.\n"


def test_a_trial_as_data(run: Run, started: Path, drop: Path) -> None:
    rows = json.loads(run("policy", "try", drop, started, "--format", "json").out)
    (row,) = rows
    assert (row["subject"], row["after"]) == ("http://a.test/cars", None)
    assert row["before"] > 0
    text = run("policy", "try", drop, started, "--format", "csv").out
    table = list(csv.reader(io.StringIO(text)))
    assert table[0] == ["subject", "before", "after"]
    assert table[1][0] == "http://a.test/cars"


def test_a_policy_steers_a_crawl(run: Run, web: Path, tmp_path: Path, drop: Path) -> None:
    done = run("crawl", "keywords:asthma", "--replay", web, "--seed", SEED, "--policy",
               f"{drop}:every=1", "--folder", tmp_path / "steered", "--json")  # fmt: skip
    events = [json.loads(line) for line in done.out.splitlines()]
    ran = [event for event in events if event["event"] == "policy"]
    assert ran[0]["name"] == "drop.rq"
    assert ran[0]["dropped"] == 1
    assert "http://a.test/cars" not in [event.get("url") for event in events]
    assert "drop.rq" in run("query", tmp_path / "steered", "policy-runs").out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELECT ?x WHERE { ?x ?y ?z }", ["must name", "?url ?priority"]),
        ("DELETE WHERE { ?x ?y ?z }", ["an update", "only reads"]),
        ("SELECT ?url WHERE { SERVICE <http://b.test/> { ?url ?y ?z } }", ["SERVICE"]),
        ("SELECT ?url WHERE { ?url", ["syntax error"]),
    ],
)
def test_a_bad_policy_is_one_line_and_misuse(run: Run, web: Path, tmp_path: Path, text: str, words: list[str]) -> None:
    bad = tmp_path / "bad.rq"
    bad.write_text(text, encoding="utf-8")
    run("crawl", "keywords:asthma", "--replay", web, "--seed", SEED, "--policy", bad,
        "--folder", tmp_path / "crawl").fails(2, *words)  # fmt: skip
    assert not (tmp_path / "crawl").exists()


def test_a_policy_that_is_not_there_says_what_there_is(run: Run, started: Path) -> None:
    run("policy", "try", "hubs", started).fails(2, "no policy 'hubs'", "hub-neighbours")
    run("policy", "try", "mine.rq", started).fails(2, "cannot read the policy mine.rq")


def test_a_runaway_policy_ends(run: Run, started: Path, tmp_path: Path) -> None:
    runaway = tmp_path / "runaway.rq"
    triples = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(9))
    runaway.write_text(f"SELECT (COUNT(*) AS ?url) WHERE {{ {triples} }}", encoding="utf-8")
    run("policy", "try", runaway, started, "--seconds", "0.5").fails(2, "took more than 0.5 s")


def test_revisiting_finds_a_recorded_web_unchanged(run: Run, started: Path) -> None:
    done = run("revisit", started, "--limit", "2", "--hours", "0", "--threshold", "0")
    assert "1 page visited again: 0 changed, 0 gone, 0 failed" in done.out
    assert SEED in run("query", started, "changing-pages").out
    assert json.loads(run("status", started, "--json").out)["waiting"] == 3


def test_a_lens_can_be_called_in_a_query(run: Run, crawled: Path) -> None:
    text = "SELECT ?url WHERE { ?url dcterms:title ?t FILTER(sc:similarity(?t) >= 0.5) }"
    assert "http://b.test/" in run("query", crawled, text).out
