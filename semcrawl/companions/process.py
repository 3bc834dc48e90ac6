"""A companion: a process that works beside a crawl, a lab or a server, and ends with it.

Who starts one gives it `same_packages` as environment and ``process_group=0``:
Ctrl-C is for the one who started it. A session of its own would do that too,
but Linux shares the processors out between sessions first, and low priority
counts only within one: a polite process in a session of its own takes as much
as the crawl that it stands back for.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import time
from typing import IO


def same_packages() -> dict[str, str]:
    """The environment for a companion: it finds the packages of this process.

    The matrix library shall start no threads there; each would want memory.
    """
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    return environment


def private_output() -> IO[bytes]:
    """Standard output, for messages only: whatever else prints goes to standard error."""
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


# Messages over a pipe: a length of eight bytes, then the message.


LENGTH = struct.Struct(">Q")
"""How the length of a message is written."""


def frame(body: bytes) -> bytes:
    """A message as it goes over the pipe."""
    return LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message of a stream, None at its end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one message, and let it go."""
    stream.write(frame(body))
    stream.flush()
