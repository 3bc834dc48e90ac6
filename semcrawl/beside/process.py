"""The process beside the crawl, as the crawl sees it: one job at a time, within a time limit."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from semcrawl.beside.companion import same_packages
from semcrawl.beside.frames import read_frame, write_frame
from semcrawl.beside.jobs import Reply

if TYPE_CHECKING:
    from semcrawl.beside.jobs import Job

__all__ = ["SideProcess"]

_STARTUP = 60.0
"""Seconds that the process may take until it is ready, on a machine that is busy."""


class SideProcess:
    """Does jobs in a process of its own, which is started when it is first needed.

    The engine cannot be told to stop a query, but a process can be killed: a
    job that takes too long is given up with it, and the next starts another.

    Args:
        seconds: how long one job may take.
        option: what a person can give it longer with, for the message.
    """

    def __init__(self, seconds: float, option: str = "--policy-seconds") -> None:
        self.seconds = seconds
        self._option = option
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._deadline: float | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way."""
        return self._deadline is not None

    @property
    def process_id(self) -> int | None:
        """The id of the process, None where none runs."""
        return None if self._process is None else self._process.pid

    def start(self, job: Job) -> None:
        """Begin a job; there must be none under way."""
        assert not self.is_busy
        is_new = self._process is None
        if self._process is None:
            self._process = self._begin()
        assert self._process.stdin is not None
        self._deadline = time.monotonic() + (_STARTUP if is_new else self.seconds)
        try:
            write_frame(self._process.stdin, msgspec.msgpack.encode(job))
        except OSError:
            # It died since the last job; its end will be found in the replies.
            return

    def poll(self, wait: float = 0.0) -> Reply | None:
        """The reply to the job under way, None while it works; it is waited for at most so long."""
        until = time.monotonic() + wait
        message: bytes | None = b""
        while message == b"":
            if self._deadline is None:
                return None
            left = min(self._deadline, until) - time.monotonic()
            try:
                message = self._replies.get(block=left > 0, timeout=max(left, 0.0))
            except queue.Empty:
                return self._give_up() if time.monotonic() >= self._deadline else None
            if message == b"":
                # It has started: from now on its time counts.
                self._deadline = time.monotonic() + self.seconds
        self._deadline = None
        if message is None:
            self.close()
            return Reply(error="its process ended, perhaps for want of memory: make it narrower")
        return msgspec.msgpack.decode(message, type=Reply)

    def wait(self) -> Reply:
        """The reply to the job under way, when it is there or its time is over."""
        while (reply := self.poll(_STARTUP)) is None:
            assert self.is_busy
        return reply

    def close(self) -> None:
        """End the process; closing twice is fine, and a new job starts another."""
        process, self._process, self._deadline = self._process, None, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                # The listener may be at the other end of it just now.
                with suppress(OSError, ValueError):
                    if pipe is not None:
                        pipe.close()
        self._replies = queue.SimpleQueue()

    def _give_up(self) -> Reply:
        self.close()
        why = f"it took more than {self.seconds:g} s: make it narrower, or give it longer"
        return Reply(error=f"{why} with {self._option}", cpu=self.seconds)

    def _begin(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", "from semcrawl.beside.jobs import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=same_packages(),
            process_group=0,
        )
        assert process.stdout is not None
        replies, stream = self._replies, process.stdout

        def listen() -> None:
            while True:
                try:
                    message = read_frame(stream)
                except (OSError, ValueError):
                    message = None
                replies.put(message)
                if message is None:
                    return

        threading.Thread(target=listen, name="side-process", daemon=True).start()
        return process
