"""A worker of the lab: a process that makes one run after the other, and its other end.

A worker is started with a command of its own rather than by copying the
calling process: a script that uses the lab need not be safe to import twice.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.beside.companion import end_with_parent, private_output, same_packages
from semcrawl.beside.frames import read_frame, write_frame
from semcrawl.lab.lab_web import open_web
from semcrawl.lab.records import RecordStore
from semcrawl.lab.run import run_one

if TYPE_CHECKING:
    import queue
    from pathlib import Path

    from semcrawl.lab.experiment import WebSource
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.plan import RunPlan

__all__ = ["Worker", "Workplace", "main"]

_TOLD = 400
_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Workplace:
    """What all runs of an experiment share: its web, its truth, and the lab's folder."""

    source: WebSource
    truth: GroundTruth
    folder: Path

    @property
    def pages(self) -> Path:
        """The folder of the pages that were read once."""
        return self.folder / "pages"

    @property
    def runs(self) -> RecordStore:
        """The records of runs."""
        return RecordStore(self.folder / "runs")


class Worker:
    """The other end of a worker process, which does one run at a time.

    Args:
        workplace: what it works with.
        done: where it puts itself and True when a run is done, itself and False when its
            process has ended.

    Attributes:
        plan: the run that is under way, None for none.
        deadline: when it must be done, by the monotonic clock.
    """

    def __init__(self, workplace: Workplace, done: queue.SimpleQueue[tuple[Worker, bool]]) -> None:
        self.plan: RunPlan | None = None
        self.deadline: float | None = None
        self._done = done
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from semcrawl.lab.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_environment(),
            # Ctrl-C is for the lab, which then ends its workers itself.
            process_group=0,
        )
        self._send(workplace)
        threading.Thread(target=self._listen, name="lab-worker", daemon=True).start()

    @property
    def process_id(self) -> int:
        """The id of the process."""
        return self._process.pid

    def start(self, plan: RunPlan, seconds: float = 0.0) -> None:
        """Begin a run; there must be none under way. It may take so long, 0 for any time."""
        assert self.plan is None
        self.plan = plan
        self.deadline = time.monotonic() + seconds if seconds else None
        self._send(plan)

    def last_words(self) -> str:
        """How the process ended."""
        try:
            code = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            code = 0
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        hint = ", perhaps for want of memory" if code == -9 else ""
        return f"its process {how}{hint}" + (f": {said[-1][:_TOLD]}" if said else "")

    def close(self) -> None:
        """End the process, whatever it is doing; closing twice is fine."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            # The listener may be at the other end of it just now.
            with suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()
        self._errors.close()

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        # If it is gone, the listener finds out and tells.
        with suppress(OSError):
            write_frame(self._process.stdin, pickle.dumps(message))

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        is_there = True
        while is_there:
            try:
                is_there = read_frame(stream) is not None
            except (OSError, ValueError):
                is_there = False
            self._done.put((self, is_there))


def _environment() -> dict[str, str]:
    environment = same_packages()
    # A strategy of a user may go by the order of a set: let it be the same every time.
    environment["PYTHONHASHSEED"] = "0"
    return environment


def main() -> None:
    """Make runs until there are no more; a run's record is stored before it is told."""
    end_with_parent()
    out = private_output()
    stream = sys.stdin.buffer
    message = read_frame(stream)
    if message is None:
        return
    workplace: Workplace = pickle.loads(message)  # noqa: S301 - from our own parent
    with open_web(workplace.source, workplace.pages) as web:
        while (message := read_frame(stream)) is not None:
            plan: RunPlan = pickle.loads(message)  # noqa: S301
            record = run_one(plan, web, workplace.truth, workplace.folder)
            workplace.runs.put(record)
            try:
                write_frame(out, plan.key.encode())
            except OSError:  # the lab is gone; what is stored it will find
                return
