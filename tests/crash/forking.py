"""One process that runs ``semcrawl`` again and again, each time ending it at another moment.

Run as ``python forking.py`` with JSON lines on stdin: ``{"words", "folder", "kill" or "limit"}``.
Each is run in a fork, so that nothing is imported twice. ``kill`` ends the fork, as SIGKILL does,
at its so manieth change of a file below ``folder``; ``limit`` is the most bytes that a file may
have. Answered with a JSON line: the exit code (-9 for killed) and what was written.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import traceback
from importlib import import_module
from typing import Any

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


def run(job: dict[str, Any], out: int) -> None:
    """Be ``semcrawl``, in a fork."""
    os.dup2(out, 1)
    os.dup2(out, 2)
    folder = os.path.realpath(job["folder"])
    os.chdir(folder)
    if "limit" in job:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["limit"], job["limit"]))
    else:
        killed_at(job["kill"], folder)
    sys.argv = ["semcrawl", *job["words"]]
    from semcrawl.cli.main import main

    main()


def serve() -> None:
    """Answer jobs until stdin ends."""
    # Once, for all forks.
    for name in ("cli.main", "graph", "steering", "models.taxonomy", "page.background", "topics"):
        import_module(f"semcrawl.{name}")
    for line in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                run(json.loads(line), writing)
            except SystemExit as ended:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(ended.code if isinstance(ended.code, int) else 1)
            except BaseException:  # noqa: BLE001 - a fork must not go on as its parent
                traceback.print_exc()
            os._exit(99)
        os.close(writing)
        with os.fdopen(reading, "rb") as written:
            said = written.read().decode("utf-8", "replace")
        _, status = os.waitpid(child, 0)
        print(json.dumps([os.waitstatus_to_exitcode(status), said]), flush=True)


if __name__ == "__main__":
    serve()
