"""``semcrawl mark`` and ``semcrawl review``, as a person uses them."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from semcrawl import Crawl
from semcrawl.cli.mark import _tell
from semcrawl.crawl.marks import MarkResult
from semcrawl.crawl.shards.beginning import begin_shards
from tests.cli.conftest import SEED
from tests.crawl.shards.hosts import in_threads
from tests.crawl.shards.webs import TOPIC, url, write_web
from tests.started import COMMAND, Started

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
    assert re.fullmatch(r"2 pages marked yes; judged anew: \d more relevant, 0 no longer\n(  .*\n)*", done.out)
    assert f"  relevant now: {CARS}\n" in done.out
    assert "." not in run("query", folder, "marks").out.splitlines()[1].split()[3]  # no parts of a second
    done = run("mark", folder, "--list")
    assert sorted(line.split()[:2] for line in done.out.splitlines()) == [["yes", CARS], ["yes", VANS]]
    assert "marked by hand" in run("explain", folder, CARS, "--trust").out
    assert run("mark", folder, "--remove", CARS, VANS).code == 0
    done = run("mark", folder, "--list")
    assert (done.out, done.err) == ("", "no page is marked\n")
    run("mark", folder, "--remove", CARS).fails(2, f"{CARS} is not marked", "--list")


def test_of_many_pages_that_a_mark_changes_five_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    _tell("1 page marked no", MarkResult(1, 6, changed=tuple(f"http://a.test/{n}" for n in range(7))))
    first, gained, *lost, more = capsys.readouterr().out.splitlines()
    assert first == "1 page marked no; judged anew: 1 more relevant, 6 no longer"
    assert gained == "  relevant now: http://a.test/0"
    assert lost == [f"  no longer: http://a.test/{n}" for n in range(1, 5)]
    assert more == "  … and 2 more"


@pytest.mark.parametrize("words", [(), (SEED,), ("yes",), (SEED, "perhaps"), ("--remove",)])
def test_what_is_meant_must_be_said(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    run("mark", folder, *words).fails(2, "then yes or no")


def test_a_page_that_was_not_visited_cannot_be_marked(run: Run, folder: Path) -> None:
    run("mark", folder, "http://a.test/nowhere", "no").fails(2, "has not visited")


def test_review_needs_a_terminal(run: Run, folder: Path) -> None:
    run("review", folder).fails(2, "this is none", "semcrawl mark FOLDER URL yes")
    run("review", "nosuch").fails(2, "there is no folder nosuch")


class Terminal:
    """A command at a terminal of its own; ``typed`` ahead of its first question."""

    def __init__(self, *words: str, typed: str = "") -> None:
        self._here, there = pty.openpty()
        os.write(self._here, typed.encode())
        self._process = Started(COMMAND, *words, stdin=there, stdout=there, has_session=True)
        os.close(there)
        self.said = ""

    def until(self, text: str) -> None:
        """Read on until it has said so."""
        while text not in self.said:
            self.said += os.read(self._here, 1000).decode()

    def type(self, keys: str) -> None:
        os.write(self._here, keys.encode())

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> int:
        with suppress(OSError):  # nobody is at the other end any more
            while said := os.read(self._here, 1000).decode():
                self.said += said
        os.close(self._here)
        return self._process.wait(60)


def marks(run: Run, folder: Path) -> list[str]:
    return sorted(line.split()[0] for line in run("mark", folder, "--list").out.splitlines())


def test_review_asks_with_a_key_each_and_tells_what_changed(run: Run, folder: Path) -> None:
    terminal = Terminal("review", str(folder), "--trust", typed="?yn")  # typed ahead
    terminal.until("3 of 10")
    terminal.type("sq")
    assert terminal.end() == 0
    assert terminal.said.count("right? y / n") == 4
    assert "2 pages marked; judged anew" in terminal.said
    assert marks(run, folder) == ["no", "yes"]
    assert list((folder / "marks").iterdir()) == []


def test_review_asks_about_pages_of_all_shards_in_turns(run: Run, tmp_path: Path) -> None:
    web = write_web(tmp_path / "web")
    begun = begin_shards(TOPIC, [url(0)], tmp_path / "crawl", 3, replay=[str(web)], pages=0)
    assert list(in_threads(begun).visits())
    terminal = Terminal("review", str(tmp_path / "crawl"), "--questions", "4", typed="ynyy")
    assert terminal.end() == 0
    assert terminal.said.count("right? y / n") == 4
    assert terminal.said.count("marked; judged anew") == 3
    assert marks(run, tmp_path / "crawl") == ["no", "yes", "yes", "yes"]


def test_an_interrupted_review_keeps_what_was_answered(run: Run, folder: Path) -> None:
    terminal = Terminal("review", str(folder), "--trust", typed="y")
    terminal.until("2 of 10")
    terminal.send(signal.SIGINT)
    assert terminal.end() == 0
    assert marks(run, folder) == ["yes"]


def test_answers_of_a_killed_review_count_with_the_next_mark(run: Run, folder: Path) -> None:
    terminal = Terminal("review", str(folder), "--trust", typed="y")
    terminal.until("2 of 10")
    terminal.send(signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    assert marks(run, folder) == []
    other = CARS if VANS in terminal.said else VANS
    run("mark", folder, other, "no")
    assert marks(run, folder) == ["no", "yes"]
