from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


def test_status_tells_how_far_a_crawl_has_come(run: Run, crawled: Path) -> None:
    lines = run("status", crawled).out.splitlines()
    assert lines[0] == "topic         asthma"
    assert lines[1] == "state         stopped because no URL is left to visit"
    assert "pages         6" in lines
    assert lines[-1].strip() == "1 sc:NotInReplay: The recorded web does not hold this URL."


def test_status_as_json(run: Run, crawled: Path) -> None:
    figures = json.loads(run("status", crawled, "--json").out)
    assert figures["pages"] == 6
    assert figures["relevant"] == 4
    assert figures["harvest_rate"] == 0.6667
    assert figures["waiting"] == 0
    assert figures["dropped_because"] == {"sc:NotInReplay": 1}


def test_crawls_beside_a_folder_that_is_not_there_are_named(run: Run, crawled: Path) -> None:
    run("status", crawled.with_name("gone")).fails(2, f"{crawled.with_name('gone')}; beside it are {crawled.name}")


@pytest.mark.parametrize("command", [["status"], ["query", "best-pages"], ["export", "-o", "x.ttl"]])
def test_reading_what_is_no_crawl_is_misuse(run: Run, web: Path, tmp_path: Path, command: list[str]) -> None:
    name, *rest = command
    run(name, "gone", *rest).fails(2, "there is no folder gone: give the folder of a crawl")
    run(name, web, *rest).fails(2, "holds no crawl: give a folder made by 'semcrawl crawl'")
    (tmp_path / "file").touch()
    run(name, "file", *rest).fails(2, "file holds no crawl")
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
