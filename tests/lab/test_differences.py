"""Where crawlers differ: which pages, and why one of them missed them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from semcrawl.lab.evaluation import differences
from semcrawl.lab.experiment import WebSource
from semcrawl.lab.metrics import ScoredRun
from semcrawl.lab.records import RunRecord, Visit
from semcrawl.lab.web import LabWeb, open_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = {
    "http://a.test/": '<a href="/hub">all of it</a> <a href="/other">other</a>',
    "http://a.test/hub": '<a href="/asthma">wheezing and so on</a>',
    "http://a.test/other": "nothing",
    "http://a.test/asthma": "asthma",
}
HOME, HUB, OTHER, ASTHMA = PAGES


@pytest.fixture
def web(tmp_path: Path) -> Iterator[LabWeb]:
    folder = tmp_path / "web"
    folder.mkdir()
    for number, (url, body) in enumerate(PAGES.items()):
        (folder / f"{number}.html").write_text(f"<title>x</title><p>{body}")
        with (folder / "urls.tsv").open("a") as table:
            table.write(f"{url}\t{number}.html\t200\ttext/html\n")
    with open_web(WebSource(replay=(str(folder),)), tmp_path / "cache") as web:
        yield web


def run(contender: str, *urls: str, topic: str = "lungs", strategy: str = "breadth-first") -> ScoredRun:
    visits = tuple(Visit(url, 0.5, 0.25, depth, 10) for depth, url in enumerate(urls))
    return ScoredRun(
        contender=contender,
        topic=topic,
        repetition=0,
        strategy=strategy,
        record=RunRecord(key=contender, contender="", topic=topic, seeds=(HOME,), visits=visits),
        visits=visits,
        hits=tuple(url == ASTHMA for url in urls),
        targets=1,
    )


def test_a_link_that_was_seen_and_not_chosen(web: LabWeb) -> None:
    found = differences([run("keen", HOME, HUB, ASTHMA), run("slow", HOME, HUB, OTHER)], web)
    ours, theirs = found
    assert (ours.left, ours.right, ours.pages) == ("keen", "slow", 1)
    assert (ours.examples[0].url, ours.examples[0].step) == (ASTHMA, 3)
    assert ours.examples[0].explanation == (
        "keen saw it on page 2, http://a.test/hub, by the link “wheezing and so on” and fetched "
        "it as page 3; slow saw it on page 2, http://a.test/hub, and did not choose it among its "
        "3 pages"
    )
    assert (theirs.left, theirs.pages, theirs.examples) == ("slow", 0, ())


def test_a_page_that_the_other_never_came_near(web: LabWeb) -> None:
    found = differences([run("keen", HOME, HUB, ASTHMA), run("lost", HOME, OTHER)], web)
    assert found[0].examples[0].explanation.endswith("; lost fetched no page that links to it")


def test_a_seed_needs_no_link(web: LabWeb) -> None:
    keen = run("keen", ASTHMA)
    seeded = RunRecord(key="k", contender="", topic="lungs", seeds=(ASTHMA,), visits=keen.visits)
    keen = replace(keen, record=seeded)
    found = differences([keen, run("slow", HOME)], web)
    assert found[0].examples[0].explanation.startswith("keen began there; ")


def test_only_runs_for_the_same_topic_are_compared(web: LabWeb) -> None:
    assert differences([run("keen", HOME, ASTHMA), run("slow", HOME, topic="music")], web) == []


def test_an_oracle_shows_what_was_there_and_is_not_blamed(web: LabWeb) -> None:
    oracle = run("oracle", HOME, HUB, ASTHMA, strategy="oracle")
    found = differences([run("slow", HOME, OTHER), oracle], web)
    assert [(one.left, one.right, one.pages) for one in found] == [("oracle", "slow", 1)]


def test_a_page_that_the_other_fetched_too_late_is_told(web: LabWeb) -> None:
    late = replace(run("late", HOME, OTHER, HUB, ASTHMA), limit=3)
    found = differences([run("keen", HOME, HUB, ASTHMA), late], web)
    assert found[0].pages == 1
    assert found[0].examples[0].explanation.endswith("; late fetched it as page 4, beyond those that are compared")
