"""Crawls in processes of their own, killed at some page.

Each is a fork of one process, which has imported what a crawl needs and read WordNet: else
every crawl would spend more on its start than on its pages.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from multiprocessing import get_context
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import subprocess
    from multiprocessing.connection import Connection

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.crawl.forked"])

COMMAND = "from semcrawl.cli.main import main; main()"
"""The program that is the command ``semcrawl``."""


class Started:
    """A Python program that runs, and what it writes."""

    def __init__(self, program: str, *arguments: object) -> None:
        here, there = _FORKS.Pipe(duplex=False)
        words = [*map(str, arguments)]
        self._process = _FORKS.Process(target=_run, args=(program, words, there))
        self._process.start()
        there.close()
        self.stdout: TextIO = os.fdopen(os.dup(here.fileno()), encoding="utf-8")
        here.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def wait(self, timeout: float) -> None:
        """Wait for its end."""
        self._process.join(timeout)
        assert self._process.exitcode is not None
        self._process.close()


def _run(program: str, arguments: list[str], out: Connection) -> None:
    os.dup2(out.fileno(), 1)
    out.close()
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = ["-c", *arguments]
    exec(program, {"__name__": "__main__"})


def recorded_until_killed(process: Started | subprocess.Popen[str], after_pages: int) -> list[str]:
    """The URLs that the crawl said were recorded, up to the kill."""
    told: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "page":
            told.append(event["url"])
        if len(told) == after_pages:
            os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=120)
    process.stdout.close()
    return told
