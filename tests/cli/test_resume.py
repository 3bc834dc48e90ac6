from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

from tests.cli.conftest import SEED, Ran

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]


def test_a_resumed_crawl_goes_on_where_it_stopped(run: Run, web: Path) -> None:
    run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 2)
    done = run("resume", "asthma", "--pages", 4, "--json")
    assert done.code == 0
    steps = [json.loads(line).get("step") for line in done.out.splitlines()]
    assert [step for step in steps if step] == [3, 4]
    urls = run("query", "asthma", "harvest", "--format", "csv").out.splitlines()[1:]
    assert len({url.split(",")[1] for url in urls}) == 4


def test_a_reached_limit_stays_reached(run: Run, web: Path) -> None:
    run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 2)
    done = run("resume", "asthma")
    assert done.code == 0
    assert "the wanted number of pages is visited" in done.out
    assert "semcrawl resume asthma --pages 4" in done.out


def test_a_changed_threshold_counts_for_the_whole_crawl(run: Run, web: Path) -> None:
    run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 3)
    run("resume", "asthma", "--pages", 0, "--threshold", 0)
    figures = json.loads(run("status", "asthma", "--json").out)
    assert figures["threshold"] == 0
    assert figures["relevant"] == figures["pages"] == 6


def test_a_wrong_value_changes_nothing(run: Run, web: Path) -> None:
    run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 2)
    before = run("status", "asthma")
    run("resume", "asthma", "--pages", -2).fails(2, "pages is -2: it takes a whole number, 0 or more")
    run("resume", "asthma", "--strategy", "best").fails(2, "there is no strategy 'best'")
    assert run("status", "asthma") == before


def test_a_folder_that_holds_no_crawl_is_refused(run: Run, web: Path, tmp_path: Path) -> None:
    run("resume", "gone").fails(2, "there is no folder gone")
    run("resume", web).fails(2, "holds no crawl: give a folder made by 'semcrawl crawl'")
    (tmp_path / "hollow" / "graph").mkdir(parents=True)
    run("resume", "hollow").fails(2, "hollow holds no crawl")
    assert list((tmp_path / "hollow").rglob("*")) == [tmp_path / "hollow" / "graph"]


def test_a_thesaurus_that_was_written_since_is_told(run: Run, web: Path, tmp_path: Path) -> None:
    thesaurus = tmp_path / "mine.ttl"
    thesaurus.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<http://x.test/asthma> a skos:Concept ; skos:prefLabel "asthma"@en .\n'
    )
    os.utime(thesaurus, (0, 0))
    run("crawl", "mine.ttl#asthma", "--seed", SEED, "--replay", web, "--pages", 2, "--folder", "c")
    told = "note: mine.ttl was written after the crawl began"
    assert told not in run("resume", "c", "--pages", 3).err
    os.utime(thesaurus, (time.time() + 9, time.time() + 9))
    assert told in run("resume", "c", "--pages", 4).err
