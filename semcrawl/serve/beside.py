"""The server beside a crawl, as the crawl sees it: a process, and a pipe each way.

The crawl keeps its own interpreter. It tells the server how it is doing, twice a
second, and hears what the page's reader wants: pause, resume, stop.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from semcrawl.beside.companion import same_packages
from semcrawl.beside.frames import read_frame, write_frame
from semcrawl.serve.context import ServeSettings  # noqa: TC001 - decoded by its type

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from pathlib import Path

    from semcrawl.crawl.progress import Progress

__all__ = ["Controllable", "ServerBeside", "Start"]

_INTERVAL = 0.5
_GRACE = 5.0


class Start(msgspec.Struct, frozen=True):
    """The first message to the server: what to serve, and at which socket."""

    folder: str
    listener: int
    settings: ServeSettings


class Controllable(Protocol):
    """A crawl that can be paused and stopped from another thread."""

    @property
    def progress(self) -> Progress:
        """How far it has come."""
        ...

    @property
    def is_paused(self) -> bool:
        """Whether it was asked to pause."""
        ...

    def pause(self) -> None:
        """Start no visits for a while."""
        ...

    def unpause(self) -> None:
        """Go on."""
        ...

    def stop(self) -> None:
        """Stop after the visits under way."""
        ...


class ServerBeside:
    """A server in a process of its own, for a crawl of this process.

    Args:
        folder: the crawl's folder.
        settings: how it is served.
        listener: the socket to serve at, which this takes over.
        crawl: what is told to pause, go on and stop.
        heard: called with every action that the page asks for, in another thread.
        died: called when the server has ended by itself, in another thread.
    """

    def __init__(
        self,
        folder: Path,
        settings: ServeSettings,
        listener: socket.socket,
        crawl: Controllable,
        heard: Callable[[str], None] = lambda _: None,
        died: Callable[[], None] = lambda: None,
    ) -> None:
        self.was_told_to_stop = False
        self._crawl = crawl
        self._heard = heard
        self._died = died
        self._is_closing = False
        self._obeyed = 0
        self._writing = threading.Lock()
        self._is_over = threading.Event()
        self._process = _begin(listener)
        self._send(msgspec.structs.asdict(Start(str(folder), listener.fileno(), settings)))
        # From now on the socket is the other process's.
        listener.close()
        for work in (self._listen, self._report):
            threading.Thread(target=work, name="server-beside", daemon=True).start()

    @property
    def is_alive(self) -> bool:
        """Whether the server runs."""
        return self._process.poll() is None

    @property
    def process_id(self) -> int:
        """The id of the server's process."""
        return self._process.pid

    def crawl_ended(self) -> None:
        """Tell the server that the crawl has ended and let go of its graph."""
        self._is_over.set()
        self._send({"state": "stopped", "obeyed": self._obeyed, "progress": self._figures()})

    def close(self) -> None:
        """End the server; closing twice is fine."""
        self._is_closing = True
        self._is_over.set()
        with suppress(OSError), self._writing:
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            with suppress(OSError, ValueError):
                self._process.stdout.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):
            while (message := read_frame(self._process.stdout)) is not None:
                self._obey(msgspec.json.decode(message)["action"])
        if not self._is_closing:
            self._died()

    def _obey(self, action: str) -> None:
        crawl = self._crawl
        self.was_told_to_stop |= action == "stop"
        {"pause": crawl.pause, "resume": crawl.unpause, "stop": crawl.stop}[action]()
        self._obeyed += 1
        self._tell()
        self._heard(action)

    def _report(self) -> None:
        while not self._is_over.wait(_INTERVAL):
            self._tell()

    def _tell(self) -> None:
        state = "paused" if self._crawl.is_paused else "running"
        if self.was_told_to_stop:
            state = "stopping"
        if not self._is_over.is_set():
            self._send({"state": state, "obeyed": self._obeyed, "progress": self._figures()})

    def _figures(self) -> dict[str, Any]:
        progress = self._crawl.progress
        try:
            dropped = sum(progress.dropped.values())
        except RuntimeError:  # a reason came up for the first time just now
            dropped = 0
        return {"waiting": progress.waiting, "hosts": progress.hosts, "dropped": dropped}

    def _send(self, message: dict[str, Any]) -> None:
        # A server that has gone is no reason to end a crawl.
        with suppress(OSError, ValueError), self._writing:
            assert self._process.stdin is not None
            write_frame(self._process.stdin, msgspec.json.encode(message))


def _begin(listener: socket.socket) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", "from semcrawl.serve.server import beside; beside()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=same_packages(),
        pass_fds=[listener.fileno()],
        process_group=0,
    )
