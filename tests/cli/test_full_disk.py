"""A disk that is full: said in one line, nothing recorded is lost, and the crawl goes on after."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Ran, write_web
from tests.started import Started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]

# A file may not grow beyond so many bytes: what a full disk does to a store, without a disk.
LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
from semcrawl.cli.main import main
main()
"""


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A recorded web of a hundred pages in a row, each with many links."""
    many = "".join(f'<a href="http://x.test/{n}">other {n}</a>' for n in range(40))
    return write_web(
        tmp_path / "web", {f"http://a.test/{n}": f'<p>asthma <a href="/{n + 1}">asthma</a> {many}' for n in range(100)}
    )


def limited(limit: int, *words: object) -> Ran:
    started = Started(LIMITED, limit, *words, stderr=subprocess.PIPE)
    out, err = started.communicate()
    return Ran(started.wait(), out, err)


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are a thing of POSIX")
def test_a_crawl_for_websites_that_cannot_grow_loses_nothing(run: Run, chain: Path) -> None:
    # So sure of a site's class is nobody: all its pages are visited.
    words = ("sites", "wordnet:asthma", "--seed", "http://a.test/0", "--replay", chain, "--p-threshold", 1 - 1e-12)
    whole = run(*words, "--folder", "whole", "--quiet")
    assert whole.code == 0
    stopped = limited(100_000, *words, "--folder", "cut", "--quiet")
    assert stopped.code == 1
    assert stopped.err.startswith("semcrawl: error: a limit on the size of files is reached")
    assert stopped.err.count("\n") == 1
    # What a resume meets again stops it again, in one line, as often as it is tried.
    again = limited(100_000, "sites", "--resume", "cut", "--quiet")
    assert again.code == 1
    assert again.err.count("\n") == 1
    assert run("sites", "--resume", "cut", "--quiet").code == 0
    asked = "SELECT ?u { ?u sc:step ?n } ORDER BY ?n"
    assert run("query", "cut", asked).out == run("query", "whole", asked).out


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are a thing of POSIX")
def test_a_store_that_cannot_grow_stops_the_crawl_and_loses_nothing(run: Run, chain: Path) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", "http://a.test/0", "--replay", chain)
    stopped = limited(100_000, *words, "--json")
    assert stopped.code == 1
    assert stopped.err.startswith("semcrawl: error: a limit on the size of files is reached")
    assert stopped.err.count("\n") == 1
    told = [json.loads(line).get("step") for line in stopped.out.splitlines()]
    recorded = json.loads(run("status", "asthma", "--json").out)
    assert recorded["pages"] == max(step for step in told if step) > 0
    assert recorded["state"].startswith("not finished")

    assert run("resume", "asthma", "--quiet") == Ran(0, "", "")
    rows = run("query", "asthma", "harvest", "--format", "csv").out.splitlines()[1:]
    assert [row.split(",")[1] for row in rows] == [f"http://a.test/{n}" for n in range(100)]


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are a thing of POSIX")
@pytest.mark.parametrize("limit", [0, 3_000])
def test_a_crawl_that_cannot_even_begin_leaves_no_folder(chain: Path, tmp_path: Path, limit: int) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", "http://a.test/0", "--replay", chain)
    limited(limit, *words, "--folder", tmp_path / "asthma").fails(1, "a limit on the size of files is reached")
    assert not (tmp_path / "asthma").exists()
