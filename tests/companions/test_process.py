"""Companions: they find our packages, keep their messages apart, and no terminal stops them."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl.companions.process import Companion, same_packages

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs Linux")

# A shell whose terminal stops jobs in the background that write to it.
SHELL = """
import fcntl, subprocess, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
state = termios.tcgetattr(0)
state[3] |= termios.TOSTOP
termios.tcsetattr(0, termios.TCSANOW, state)
ended = subprocess.run([sys.executable, "-c", sys.argv[1]], process_group=0, timeout=60)
sys.exit(ended.returncode)
"""
WRITE = "import sys; sys.stderr.write('I have something to say'); sys.stderr.flush()"


def start(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=same_packages(),
        process_group=0,
    )


def test_a_terminal_does_not_stop_a_companion_that_writes_to_it() -> None:
    mine, theirs = os.openpty()
    code = f"from semcrawl.companions.process import ignore_terminal; ignore_terminal(); {WRITE}"
    with subprocess.Popen(
        [sys.executable, "-c", SHELL, code],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=same_packages(),
        start_new_session=True,
    ) as shell:
        os.close(theirs)
        assert shell.wait(60) == 0
        assert b"I have something to say" in os.read(mine, 4096)
    os.close(mine)


def test_only_messages_go_to_standard_output() -> None:
    code = (
        "from semcrawl.companions.process import private_output; out = private_output();"
        "print('chatter', flush=True); out.write(b'message'); out.flush()"
    )
    with start(code) as companion:
        out, err = companion.communicate(timeout=60)
    assert (out, err.strip()) == (b"message", b"chatter")


def test_a_companion_ends_with_the_one_who_started_it() -> None:
    watching = (
        "from semcrawl.companions.process import end_with_parent; end_with_parent();"
        "import time; print(0, flush=True); time.sleep(600)"
    )
    code = (
        "import subprocess, sys, time;"
        f"child = subprocess.Popen([sys.executable, '-c', {watching!r}], process_group=0);"
        "print(child.pid, flush=True); time.sleep(600)"
    )
    with start(code) as parent:
        assert parent.stdout is not None
        # The child says 0 when it watches; not before shall the parent be killed.
        child = max(int(parent.stdout.readline()) for _ in range(2))
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 60
    while is_alive(child):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_alive(process: int) -> bool:
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    # One that has ended and that nobody has asked for yet is a zombie.
    return told.rpartition(")")[2].split()[0] != "Z"


# The end of the one who starts a companion.

ECHO = """
from semcrawl.companions.process import ParentPipe

def main(word):
    parent = ParentPipe()
    for message in parent:
        parent.send(word.encode() + message)
"""


@pytest.fixture
def heard() -> queue.SimpleQueue[bytes | None]:
    return queue.SimpleQueue()


@pytest.fixture
def echo(tmp_path: Path, heard: queue.SimpleQueue[bytes | None]) -> Iterator[Companion]:
    """A companion that says what it is told, after a word."""
    (tmp_path / "echo.py").write_text(ECHO, encoding="utf-8")
    paths = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    with Companion("echo:main", "heard ", heard=heard.put, environment=paths) as companion:
        yield companion


def test_messages_are_answered_in_their_order(echo: Companion, heard: queue.SimpleQueue[bytes | None]) -> None:
    for message in (b"one", b"", b"x" * 1_000_000):
        echo.send(message)
        assert heard.get(timeout=60) == b"heard " + message
    assert echo.is_alive
    assert os.getpgid(echo.process_id) == echo.process_id


def test_the_end_of_a_companion_is_heard_once_and_later_messages_are_no_error(
    echo: Companion, heard: queue.SimpleQueue[bytes | None]
) -> None:
    os.kill(echo.process_id, signal.SIGKILL)
    assert heard.get(timeout=60) is None
    assert echo.exit_code(60) == -signal.SIGKILL
    echo.send(b"is anybody there?")
    echo.close()
    echo.close()
    assert heard.empty()


def test_a_companion_may_end_by_itself_when_it_is_closed(
    echo: Companion, heard: queue.SimpleQueue[bytes | None]
) -> None:
    echo.send(b"")
    heard.get(timeout=60)
    echo.close(grace=60)
    assert echo.exit_code(0) == 0


def test_a_job_is_late_when_its_time_is_over(echo: Companion, heard: queue.SimpleQueue[bytes | None]) -> None:
    echo.send(b"a job without a limit")
    assert not echo.is_late
    echo.allow(600)
    echo.send(b"another")
    assert not echo.is_late
    echo.allow(1e-9)
    assert echo.is_late
