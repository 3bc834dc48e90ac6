"""Commands and other programs in processes of their own, which are told, read and killed.

Each is a fork of one process, which has imported what a crawl needs and read WordNet: else
every one would spend more on its start than on its work. How the command itself starts is
tested in tests/cli/test_start_up.py and tests/cli/test_installation.py.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.forked"])

COMMAND = "from semcrawl.cli.main import main; main()"
"""The program that is the command ``semcrawl``."""

File = TextIO | int | None


class Started:
    """A Python program that runs; used as ``subprocess.Popen`` is, with texts.

    Args:
        program: its text.
        arguments: what it finds in ``sys.argv``.
        stdin: as for ``subprocess.Popen``; None is an empty one.
        stdout: the same; None is that of the tests.
        stderr: the same.
        has_session: whether it is alone at its terminal, away from Ctrl-C at that of the tests.
    """

    def __init__(
        self,
        program: str,
        *arguments: object,
        stdin: File = None,
        stdout: File = subprocess.PIPE,
        stderr: File = None,
        has_session: bool = False,
    ) -> None:
        self.stdout, there = _piped(stdout)
        self.stderr, errors = _piped(stderr)
        files = {0: _shared(stdin), 1: there, 2: errors}
        given = ([*map(str, arguments)], dict(os.environ), files, has_session)
        self._process = _FORKS.Process(target=_run, args=(program, *given))
        self._process.start()
        for file in filter(None, files.values()):
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:  # nobody tells it to end any more
            self.kill()
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        self.wait()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, negative the signal that ended it; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end."""
        self._process.join(timeout)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Read all that it writes, and wait for its end."""
        errors: list[str] = []
        with self:
            reader = threading.Thread(target=lambda: errors.append(_rest(self.stderr)))
            reader.start()
            out = _rest(self.stdout)
            reader.join()
            self.wait(timeout)
        return out, errors[0]


def _piped(file: File) -> tuple[TextIO | None, Connection | None]:
    """The end of a pipe that is read here, where one is wanted, and what the process gets."""
    if file != subprocess.PIPE:
        return None, _shared(file)
    here, there = os.pipe()
    return os.fdopen(here, encoding="utf-8"), Connection(there)


def _shared(file: File) -> Connection | None:
    """A file that another process gets, as only connections are given to one."""
    if file is None:
        return None
    return Connection(os.dup(file if isinstance(file, int) else file.fileno()))


def _rest(stream: TextIO | None) -> str:
    return "" if stream is None else stream.read()


def _run(
    program: str,
    arguments: list[str],
    environment: dict[str, str],
    files: dict[int, Connection | None],
    has_session: bool,
) -> None:
    if has_session:
        os.setsid()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if file := files[number]:
            os.dup2(file.fileno(), number)
            file.close()
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["semcrawl", *arguments]
    try:
        exec(program, {"__name__": "__main__"})
    finally:
        atexit._run_exitfuncs()
