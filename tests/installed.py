"""The package as it is installed from a wheel, and commands of it in folders elsewhere."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.between_workers import shared_folder

ROOT = Path(__file__).resolve().parent.parent

Step = tuple[str, str, str]
"""What a page says to do: the kind of a block, the file to save it as, its text or command."""


class Installed:
    """An unpacked wheel, and a process for all workers that runs its commands outside of the checkout."""

    def __init__(self, place: Path, outcomes: Path) -> None:
        self._place, self._outcomes = place, outcomes
        # One that was there may have ended with the last worker that used it.
        if not self._is_reached():
            self._start()
            assert self._is_reached()

    def _start(self) -> None:
        state = {"XDG_STATE_HOME": str(self._place / "state"), "XDG_CACHE_HOME": str(self._place / "cache")}
        started = subprocess.run(
            [sys.executable, "-P", str(ROOT / "tests" / "follower.py")],
            cwd=self._place,
            env={**os.environ, **state, "PYTHONPATH": str(self._place / "site"), "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        (self._place / "port").write_text(started.stdout)

    def _is_reached(self) -> bool:
        try:
            port = int((self._place / "port").read_text())
            self._connection = socket.create_connection(("127.0.0.1", port))
        except OSError:
            return False
        self._tasks = self._connection.makefile("rw", encoding="utf-8")
        where = self._answer()
        assert not where or Path(where).is_relative_to(self._place / "site")
        if not where:
            self.close()
        return bool(where)

    def follow(self, folder: Path, steps: Sequence[Step]) -> str:
        """What is printed when these steps are done in a folder; each must succeed."""
        out = self._outcomes / f"{len(list(self._outcomes.iterdir()))}.txt"
        self._tasks.write(json.dumps([str(folder), steps, str(out)]) + "\n")
        self._tasks.flush()
        code = self._answer()
        printed = out.read_text(encoding="utf-8")
        assert code == "0", printed[-3000:]
        return printed

    def run(self, folder: Path, command: str) -> str:
        """What one command prints."""
        return self.follow(folder, [("console", "", command)]).partition("\n")[2]

    def _answer(self) -> str:
        try:
            return self._tasks.readline().strip()
        except OSError:
            return ""

    def close(self) -> None:
        self._tasks.close()
        self._connection.close()


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel")
    with shared_folder(tmp_path_factory, "installed") as place:
        if not (place / "site").exists():
            build_wheel(place)
        there = Installed(place, tmp_path_factory.mktemp("outcomes"))
    yield there
    there.close()


def build_wheel(place: Path) -> None:
    """Build the wheel, and unpack it as ``site``."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = place.glob("*.whl")
    assert wheel.stat().st_size < 6_000_000
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "unpacked")
    (place / "unpacked").rename(place / "site")
