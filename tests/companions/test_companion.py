"""Companions: they find our packages, keep their messages apart, and no terminal stops them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from semcrawl.companions.process import same_packages

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs Linux")

# A shell whose terminal stops jobs in the background that write to it.
SHELL = """
import fcntl, subprocess, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
state = termios.tcgetattr(0)
state[3] |= termios.TOSTOP
termios.tcsetattr(0, termios.TCSANOW, state)
ended = subprocess.run([sys.executable, "-c", sys.argv[1]], process_group=0, timeout=30)
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
    code = (
        "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', "
        "'from semcrawl.companions.process import end_with_parent; end_with_parent();"
        "import time; time.sleep(600)'], process_group=0); print(child.pid, flush=True);"
        "time.sleep(600)"
    )
    with start(code) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(1.0)  # so that it is not killed before it watches
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
