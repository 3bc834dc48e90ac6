from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


def test_the_demo_crawls_plots_asks_and_exports(run: Run, tmp_path: Path) -> None:
    done = run("demo", "--pages", 20)
    assert done.code == 0
    crawlers = {"adaptive", "best-first-page-anchor", "breadth-first"}
    assert all(name in done.out for name in crawlers)
    made = {path.name for path in (tmp_path / "semcrawl-demo").iterdir()}
    assert crawlers | {"collection.ttl", "harvest.svg"} <= made
    assert all(name in (tmp_path / "semcrawl-demo/harvest.svg").read_text() for name in crawlers)
    assert run("status", "semcrawl-demo/breadth-first").code == 0
    # Its server is gone: what goes on reads the same web from files.
    assert "relevance" in run("explain", "semcrawl-demo/adaptive", "http://www.morning-portal.test/").out
    assert run("resume", "semcrawl-demo/adaptive", "--pages", 25).code == 0
    assert json.loads(run("status", "semcrawl-demo/adaptive", "--json").out)["pages"] == 25
    assert run("demo", "--pages", 10).code == 0  # an earlier demo is replaced


def test_the_demo_replaces_nothing_else(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    run("demo", "--folder", "mine").fails(2, "mine holds no earlier demo")
    run("demo", "--folder", "mine/file").fails(2, "mine/file holds no earlier demo")
    run("demo", "--pages", 3).fails(2, "3 is not in the range")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "mine"]


def test_the_demo_web_can_be_had_for_crawls_of_ones_own(run: Run, tmp_path: Path) -> None:
    done = run("demo", "--web", tmp_path / "web")
    command = shlex.split(done.out.splitlines()[-1])[1:]
    assert run(*command, "--pages", "5", "--folder", tmp_path / "crawl", "--quiet").code == 0
    assert run("demo", "--web", tmp_path / "web").out == done.out
    (tmp_path / "web" / "letter.txt").write_text("dear reader")
    run("demo", "--web", tmp_path / "web").fails(2, "is not empty")
