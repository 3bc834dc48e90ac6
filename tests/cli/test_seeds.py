from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Ran, write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]

A, B, HUB = "http://a.test/", "http://b.test/", "http://hub.test/"
TEXT = f"<p>Asthma links <a href='{A}'>one</a> <a href='{B}'>two</a>"


@pytest.fixture
def hubs(tmp_path: Path) -> Path:
    """A recorded web with a hub, its copy, and another hub."""
    pages = {HUB: TEXT, f"{HUB}copy": TEXT, f"{HUB}other": f"<p>Hospitals{TEXT[15:]} doctors"}
    return write_web(tmp_path / "hubs", pages)


def test_hubs_of_a_recorded_web_with_their_counts(run: Run, hubs: Path) -> None:
    done = run("seeds", A, B, "--from", hubs)
    assert done == Ran(0, f"{HUB}\t2\n{HUB}other\t2\n", "")


def test_hubs_as_json(run: Run, hubs: Path) -> None:
    done = run("seeds", A, B, "--from", hubs, "--best", 1, "--json")
    assert json.loads(done.out) == [{"url": HUB, "seeds": 2}]


def test_a_file_of_links_has_no_texts_unless_they_are_given(run: Run, hubs: Path, tmp_path: Path) -> None:
    pages = (HUB, f"{HUB}copy")
    (tmp_path / "links.tsv").write_text("".join(f"{p}\t{s}\n" for p in pages for s in (A, B)))
    done = run("seeds", A, B, "--from", "links.tsv")
    assert done.out == f"{HUB}\t2\n{HUB}copy\t2\n"
    assert "mirrors were not told apart" in done.err
    told = run("seeds", A, B, "--from", "links.tsv", "--pages", hubs)
    assert told == Ran(0, f"{HUB}\t2\n", "")


def test_texts_not_to_find_again(run: Run, hubs: Path, tmp_path: Path) -> None:
    (tmp_path / "list.html").write_text("<title>x</title><p>Asthma links one two")
    done = run("seeds", A, B, "--from", hubs, "--unlike", "list.html")
    assert done.out == f"{HUB}other\t2\n"


def test_nothing_found_is_said(run: Run, hubs: Path) -> None:
    done = run("seeds", "http://x.test/", "http://y.test/", "--from", hubs)
    assert done == Ran(0, "", "(no page links to 2 seeds or more)\n")


def test_bad_input_is_one_line(run: Run, hubs: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text(" ")
    run("seeds", A, B, "--from", "gone").fails(2, "cannot read gone")
    run("seeds", A, "--from", hubs).fails(2, "1 seed was given", "give more seeds")
    run("seeds", A, "nonsense", "--from", hubs).fails(2, "not a URL")
    run("seeds", A, B).fails(2, "Missing option '--from'")
    run("seeds", A, B, "--from", hubs, "--unlike", "gone").fails(2, "cannot read gone")
    run("seeds", A, B, "--from", hubs, "--unlike", "empty.html").fails(2, "is empty")
