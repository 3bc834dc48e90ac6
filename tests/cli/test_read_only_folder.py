"""A crawl in a folder that cannot be written, as in a mounted archive, can be read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from semcrawl.graph.snapshots import link_snapshot, open_snapshot, remove_snapshot
from tests.cli.conftest import SEED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What lets root write everywhere.
_RIGHTS = "--bounding-set=-dac_override,-dac_read_search"


# Each in a fork, so that modules are imported once.
ONE_AFTER_ANOTHER = """
import json, os, sys
from semcrawl.cli.main import main
import semcrawl.crawl.pages.crawl
codes = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["semcrawl", *words]
    if not os.fork():
        main()
    codes.append(os.waitstatus_to_exitcode(os.wait()[1]))
print(codes)
"""


@pytest.fixture
def archived(crawled: Path, tmp_path: Path) -> Iterator[Path]:
    """The crawl without its lock, in folders that cannot be written."""
    folder = tmp_path / "archived"
    shutil.copytree(crawled, folder)
    (folder / "lock").unlink()
    shutil.rmtree(folder / "snapshots", ignore_errors=True)
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)


def state(folder: Path) -> list[tuple[str, int]]:
    return sorted((str(path), path.stat().st_mtime_ns) for path in (folder, *folder.rglob("*")))


def unprivileged(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may write to read-only folders, and there is no setpriv")
        command = ["setpriv", _RIGHTS, *command]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_it_is_read_by_every_command_that_reads_and_nothing_is_written(archived: Path, tmp_path: Path) -> None:
    before = state(archived)
    place, out = str(archived), str(tmp_path / "out.ttl")
    commands = [
        ["status", place],
        ["query", place, "best-pages"],
        ["export", place, "-o", out],
        ["explain", place, SEED, "--trust"],
        ["watch", place, "--once"],
    ]
    done = unprivileged("-c", ONE_AFTER_ANOTHER, json.dumps(commands))
    assert done.stdout.splitlines()[-1] == str([0] * len(commands)), done.stderr
    assert state(archived) == before


def test_a_server_reads_it_beside_the_folder(archived: Path) -> None:
    before = state(archived)
    code = (
        "import sys; from pathlib import Path; from semcrawl.graph.snapshots import *\n"
        "place = link_snapshot(Path(sys.argv[1])); store = open_snapshot(place)\n"
        "assert Path(sys.argv[1]) not in place.parents\n"
        "assert store.query('ASK { ?p a sc:Page }'); remove_snapshot(place)\n"
        "assert not place.exists()\n"
    )
    done = unprivileged("-c", code, str(archived))
    assert done.returncode == 0, done.stderr
    assert state(archived) == before


def test_a_crawl_in_it_does_not_go_on(archived: Path) -> None:
    done = unprivileged("-m", "semcrawl", "resume", str(archived), "--trust")
    assert done.returncode == 1
    assert "cannot lock" in done.stderr


def test_a_folder_that_can_be_written_is_snapshot_inside(crawled: Path, tmp_path: Path) -> None:
    shutil.copytree(crawled, tmp_path / "copy")
    place = link_snapshot(tmp_path / "copy")
    assert place.parent == tmp_path / "copy" / "snapshots"
    assert open_snapshot(place).query("ASK { ?p a sc:Page }")
    remove_snapshot(place)
