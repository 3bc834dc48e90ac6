"""A command that ends at some moment, as `test_writers` runs it in a process of its own.

A job is ``{"words", "folder", "kill" or "limit"}``. ``kill`` ends the process, as SIGKILL does,
at its so manieth change of a file below ``folder``; ``limit`` is the most bytes that a file may
have.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from typing import Any

from semcrawl.cli.main import main

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link"}


def is_in(folder: str, place: str | bytes | int) -> bool:
    """Whether a file, which may be named by its open number, lies below the folder."""
    return isinstance(place, int) or os.path.realpath(os.fsdecode(place)).startswith(folder)


def killed_at(number: int, folder: str) -> None:
    """Kill this process at its so manieth change of a file below the folder."""
    left = number

    def heard(event: str, given: tuple[Any, ...]) -> None:
        nonlocal left
        if event == "open":
            # Path, mode and flags.
            changes = isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR)
        else:
            changes = event in CHANGES
        if not changes or not is_in(folder, given[0]):
            return
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(heard)


def run(job: dict[str, Any]) -> None:
    """Be ``semcrawl``, as a job says."""
    folder = os.path.realpath(job["folder"])
    os.chdir(folder)
    if "limit" in job:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["limit"], job["limit"]))
    else:
        killed_at(job["kill"], folder)
    sys.argv = ["semcrawl", *job["words"]]
    main()
