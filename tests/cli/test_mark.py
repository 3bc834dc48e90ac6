"""``semcrawl mark`` and ``semcrawl review``, as a person uses them."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import click
import pytest

from semcrawl import Crawl
from tests.cli.conftest import SEED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

CARS, VANS = "http://a.test/cars", "http://a.test/vans"


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, web: Path) -> Path:
    """A finished crawl, judged by the default judge, which learns."""
    folder = tmp_path_factory.mktemp("judged") / "asthma"
    with Crawl("wordnet:asthma", [SEED], folder, replay=(str(web),)) as crawl:
        crawl.run()
    return folder


@pytest.fixture
def folder(judged: Path, tmp_path: Path) -> Path:
    return shutil.copytree(judged, tmp_path / "asthma")


def test_pages_are_marked_listed_explained_and_unmarked(run: Run, folder: Path) -> None:
    done = run("mark", folder, CARS, VANS, "yes")
    assert done.code == 0
    assert re.fullmatch(
        r"2 pages marked yes: judged anew: \d more relevant, 0 no longer\n", done.out
    )
    done = run("mark", folder, "--list")
    assert sorted(line.split()[:2] for line in done.out.splitlines()) == [
        ["yes", CARS],
        ["yes", VANS],
    ]
    assert "marked by hand" in run("explain", folder, CARS, "--trust").out
    assert run("mark", folder, "--remove", CARS, VANS).code == 0
    done = run("mark", folder, "--list")
    assert (done.out, done.err) == ("", "no page is marked\n")


@pytest.mark.parametrize("words", [(), (SEED,), ("yes",), (SEED, "perhaps"), ("--remove",)])
def test_what_is_meant_must_be_said(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    run("mark", folder, *words).fails(2, "then yes or no")


def test_a_page_that_was_not_visited_cannot_be_marked(run: Run, folder: Path) -> None:
    run("mark", folder, "http://a.test/nowhere", "no").fails(2, "has not visited")


def test_review_needs_a_terminal(run: Run, folder: Path) -> None:
    run("review", folder).fails(2, "this is none", "semcrawl mark FOLDER URL yes")


def test_review_asks_with_a_key_each_and_tells_what_changed(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = iter("?ynsq")
    monkeypatch.setattr(click, "getchar", lambda: next(keys))
    monkeypatch.setattr("semcrawl.cli.mark._is_terminal", lambda: True)
    done = run("review", folder)
    assert done.code == 0, done
    assert "1 of 10" in done.out
    assert "4 of 10" in done.out
    assert done.out.count("right? y / n") == 4
    assert "2 pages marked: judged anew" in done.out
    marks = run("mark", folder, "--list").out.splitlines()
    assert sorted(line.split()[0] for line in marks) == ["no", "yes"]
