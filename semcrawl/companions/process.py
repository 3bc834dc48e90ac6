"""A companion: a process that works beside a crawl, a lab or a server, and ends with it.

`Companion` is the end of the process that starts one, `ParentPipe` the end inside of it.
They talk in frames over standard input and output. It has a process group of its own, so
that Ctrl-C does not reach it, but no session: on Linux low priority counts only within one.
"""

import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import IO

from semcrawl.closing import Closing

_LENGTH = struct.Struct(">Q")
_CODE = "import sys; from {} import {} as run; run(*sys.argv[1:])"


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one message: its length in eight bytes, then the message."""
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the next message of a stream, None at its end."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


class Companion(Closing):
    """A process that runs a function of this package; it is killed when this is closed.

    Args:
        function: what it runs, as ``module:function``.
        arguments: what the function is called with.
        heard: called in another thread with each message of the process, and with None when
            it has ended.
        errors: where its standard error goes; None for that of this process.
        files: file descriptors that it shares.
        environment: variables beside those of this process.

    Attributes:
        deadline: when the job must be done, by the monotonic clock; the caller watches it.
    """

    def __init__(
        self,
        function: str,
        *arguments: str,
        heard: Callable[[bytes | None], None],
        errors: IO[bytes] | int | None = subprocess.DEVNULL,
        files: Sequence[int] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.deadline: float | None = None
        self._heard = heard
        self._writing = threading.Lock()
        self._process = subprocess.Popen(  # noqa: S603 - our own function
            [sys.executable, "-P", "-c", _CODE.format(*function.split(":")), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=same_packages() | dict(environment or {}),
            pass_fds=files,
            process_group=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._listener = threading.Thread(target=self._listen, name="companion", daemon=True)
        self._listener.start()

    @property
    def process_id(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def is_late(self) -> bool:
        """Whether the time of the job under way is over."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def send(self, message: bytes) -> None:
        """Send a message. A process that has ended does not take it: its end is heard."""
        with suppress(OSError, ValueError), self._writing:
            write_frame(self._in, message)

    def allow(self, seconds: float) -> None:
        """Let the job under way, or that is sent next, take so many seconds from now, 0 for any time."""
        self.deadline = time.monotonic() + seconds if seconds else None

    def exit_code(self, seconds: float) -> int | None:
        """Wait for the process to end; its code, None where it goes on for longer."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close(self, grace: float = 0.0) -> None:
        """End the process; with ``grace`` it may end by itself within so many seconds."""
        if grace:
            with suppress(OSError), self._writing:
                self._in.close()
            self.exit_code(grace)
        self._process.kill()
        self._process.wait()
        if threading.current_thread() is not self._listener:
            self._listener.join()
        for pipe in (self._in, self._out):
            with suppress(OSError):
                pipe.close()

    def _listen(self) -> None:
        message: bytes | None = b""
        while message is not None:
            try:
                message = read_frame(self._out)
            except (OSError, ValueError):
                message = None
            self._heard(message)


class ParentPipe:
    """The pipe to the process that started this one: its messages, and a way to answer.

    Standard output is for messages only: whatever else prints goes to standard error. The priority of this process is
    lowered by ``politeness``, its address space is bounded to ``memory`` bytes.
    """

    def __init__(self, politeness: int = 0, memory: int | None = None) -> None:
        stand_back(politeness, memory)
        ignore_terminal()
        self._in, self._out = sys.stdin.buffer, private_output()

    def __iter__(self) -> Iterator[bytes]:
        while (message := read_frame(self._in)) is not None:
            yield message

    def send(self, message: bytes) -> None:
        """Send a message; OSError where the other process has ended."""
        write_frame(self._out, message)


def same_packages() -> dict[str, str]:
    """Return the environment for a companion: the same packages, no threads of OpenBLAS."""
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    return environment


def private_output() -> IO[bytes]:
    """Return standard output; from now on whatever else prints goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def ignore_terminal() -> None:
    """Let the terminal not stop this process when it writes there: it is no job of the shell."""
    for name in ("SIGTTOU", "SIGTTIN"):
        if number := getattr(signal, name, None):  # not on every system
            signal.signal(number, signal.SIG_IGN)


def stand_back(politeness: int, memory: int | None = None) -> None:
    """Lower this process's priority by so much, and bound its address space to so many bytes."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not on every system
        return
    os.nice(politeness)
    if memory is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def end_with_parent() -> None:
    """End when the process that started this one does, even if that was killed."""

    def watch(parent: int) -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, args=(os.getppid(),), daemon=True).start()
