"""The package as it is installed from a wheel, and commands of it in folders elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

Step = tuple[str, str, str]
"""What a page says to do: the kind of a block, the file to save it as, its text or command."""


class Installed:
    """An unpacked wheel, and a process that runs its commands outside of the checkout."""

    def __init__(self, wheel: Path, place: Path) -> None:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(place / "site")
        self._outcomes = place / "outcomes"
        self._outcomes.mkdir()
        state = {"XDG_STATE_HOME": str(place / "state"), "XDG_CACHE_HOME": str(place / "cache")}
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(ROOT / "tests" / "follower.py")],
            cwd=place,
            env={**os.environ, **state, "PYTHONPATH": str(place / "site"), "COLUMNS": "100"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert Path(self._answer()).is_relative_to(place / "site")

    def follow(self, folder: Path, steps: Sequence[Step]) -> str:
        """What is printed when these steps are done in a folder; each must succeed."""
        out = self._outcomes / f"{len(list(self._outcomes.iterdir()))}.txt"
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([str(folder), steps, str(out)]) + "\n")
        self._process.stdin.flush()
        code = self._answer()
        printed = out.read_text(encoding="utf-8")
        assert code == "0", printed[-3000:]
        return printed

    def run(self, folder: Path, command: str) -> str:
        """What one command prints."""
        return self.follow(folder, [("console", "", command)]).partition("\n")[2]

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel")
    made = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = made.glob("*.whl")
    assert wheel.stat().st_size < 6_000_000
    there = Installed(wheel, made)
    yield there
    there.close()
