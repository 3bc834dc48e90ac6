"""Running the server: its socket, its parts, and its end."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec
import uvicorn

from semcrawl.companions.process import ignore_terminal, private_output, stand_back, write_frame
from semcrawl.errors import ConfigError
from semcrawl.serve.app import make_app
from semcrawl.serve.beside_crawl import NoControl, PipeControl, Start
from semcrawl.serve.connection_limits import (
    PromptProtocol,
    bounded_app,
    most_connections,
    quiet_accepting,
    raise_file_limit,
)
from semcrawl.serve.monitor import Monitor
from semcrawl.serve.pool import QueryPool, next_frame
from semcrawl.serve.replies import Context
from semcrawl.serve.security import Guard
from semcrawl.serve.snapshots import SnapshotKeeper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.serve.beside_crawl import Control
    from semcrawl.serve.replies import ServeSettings

_POLITENESS = 10
"""How far the server stands back behind the crawl; its workers do so once more."""

_INNER_SECONDS = 5.0
_INNER_SIZE = 3
_OUTER_SIZE = 2
_JUDGING_SIZE = 2
_TABLES_SECONDS = 60.0
"""Making the index of a huge crawl may take a while; using it takes milliseconds."""

_OUTER_WAITING = 32
_GRACE = 2


def make_context(folder: Path, settings: ServeSettings, control: Control | None = None) -> Context:
    """The parts of a server for the crawl in a folder."""
    keeper = SnapshotKeeper(folder)
    inner = QueryPool(keeper, size=_INNER_SIZE, seconds=_INNER_SECONDS, waiting=256)
    control = control or NoControl()
    return Context(
        folder=folder,
        settings=settings,
        keeper=keeper,
        inner=inner,
        outer=_asked_pool(keeper, _OUTER_SIZE, settings),
        judging=_asked_pool(keeper, _JUDGING_SIZE, settings),
        tables=_table_pool(keeper),
        frontier=_table_pool(keeper),
        guard=Guard(settings.host, settings.token),
        control=control,
        monitor=Monitor(keeper, inner, control),
    )


def _asked_pool(keeper: SnapshotKeeper, size: int, settings: ServeSettings) -> QueryPool:
    seconds, most = settings.timeout, _OUTER_WAITING
    return QueryPool(keeper, size=size, seconds=seconds, option="--timeout", waiting=most)


def _table_pool(keeper: SnapshotKeeper) -> QueryPool:
    return QueryPool(keeper, size=1, seconds=_TABLES_SECONDS, waiting=256, remembers=True)


class CrawlServer:
    """Serves the crawl in a folder at a socket, until it is told to end.

    Args:
        folder: the crawl's folder.
        settings: how it is served.
        listener: the socket to serve at; see serve/listening.py.
    """

    def __init__(self, folder: Path, settings: ServeSettings, listener: socket.socket) -> None:
        self._folder = folder
        self._settings = settings
        self._listener = listener
        self._server: _QuietServer | None = None
        self._context: Context | None = None

    async def run(self, control: Control | None = None) -> None:
        """Serve until :meth:`end` is called."""
        self._context = make_context(self._folder, self._settings, control)
        most = most_connections(raise_file_limit())
        quiet_accepting()

        def connections() -> int:
            return len(server.server_state.connections)

        config = uvicorn.Config(
            bounded_app(make_app(self._context), connections, most),
            http=PromptProtocol,
            ws="none",
            log_level="critical",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
        )
        server = self._server = _QuietServer(config)
        await server.serve(sockets=[self._listener])

    async def end(self) -> None:
        """End: streams first, then requests under way, then the workers."""
        if self._context is not None:
            self._context.keeper.end_waiting()
            await self._context.monitor.close()
        if self._server is not None:
            self._server.should_exit = True

    def run_until_signal(self) -> None:
        """Serve until Ctrl-C or SIGTERM."""

        async def main() -> None:
            loop = asyncio.get_running_loop()
            ends: list[asyncio.Task[None]] = []
            for number in (signal.SIGINT, signal.SIGTERM):
                with suppress(NotImplementedError):  # not on every system
                    loop.add_signal_handler(
                        number, lambda: ends.append(loop.create_task(self.end()))
                    )
            await self.run()

        with suppress(KeyboardInterrupt):
            asyncio.run(main())


def beside() -> None:
    """The process beside a crawl: serve it, tell it what to do, and end when it closes the pipe."""
    stand_back(_POLITENESS)
    # What it has to say of mistakes goes where the crawl's words go.
    ignore_terminal()
    out = private_output()
    asyncio.run(_serve_beside(out))


async def _serve_beside(out: IO[bytes]) -> None:
    stream = await _standard_input()
    start = msgspec.json.decode(await next_frame(stream) or b"", type=Start)
    listener = socket.socket(fileno=start.listener)
    server = CrawlServer(Path(start.folder), start.settings, listener)

    async def send(message: dict[str, Any]) -> None:
        await asyncio.to_thread(write_frame, out, msgspec.json.encode(message))

    control = PipeControl(send)

    async def hear() -> None:
        while (message := await next_frame(stream)) is not None:
            control.hear(msgspec.json.decode(message))
        await server.end()

    hearing = asyncio.create_task(hear())
    try:
        await server.run(control)
    finally:
        hearing.cancel()


async def _standard_input() -> asyncio.StreamReader:
    stream = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(stream)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin.buffer)
    return stream


class _QuietServer(uvicorn.Server):
    """Leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


# Where a server listens: its socket, and the link to it.


def listen(settings: ServeSettings) -> socket.socket:
    """A socket at the address of the settings.

    Raises:
        ConfigError: the address cannot be used, or the port is taken.
    """
    host, port = settings.host, settings.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise ConfigError(f"{host!r} is no address to listen at: {error.strerror}") from error
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(
                f"port {port} of {host} is taken: choose another one, or 0 for any that is free"
            ) from error
        raise ConfigError(f"cannot listen at {host}:{port}: {error.strerror}") from error
    return listener


def link_to(listener: socket.socket, settings: ServeSettings) -> str:
    """The address of the page, with the token in the part that a browser keeps to itself.

    For a server that listens everywhere, the name of this machine.
    """
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = socket.gethostname()
    where = f"[{host}]" if ":" in host else host
    return f"http://{where}:{port}/#token={settings.token}"
