"""The parts of a server, and running it: by itself, or in a process beside a crawl."""

import asyncio
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

from semcrawl.companions.process import ParentPipe
from semcrawl.serve import connection_limits as limits
from semcrawl.serve.app import ROUTES, make_app
from semcrawl.serve.control import Control, Start
from semcrawl.serve.monitor import Monitor
from semcrawl.serve.pool import QueryPool, TimeLimit
from semcrawl.serve.security import RequestCheck
from semcrawl.serve.settings import ServeSettings
from semcrawl.serve.snapshots import Snapshots
from semcrawl.serve.sparql_protocol import DatasetStatistics
from semcrawl.serve.tables import IndexMaker


class ServerContext:
    """The parts of a server for the crawl in a folder, which all routes can reach."""

    front_page = "main"
    routes = ROUTES

    def __init__(self, folder: Path, settings: ServeSettings, control: Control | None = None) -> None:
        self.folder = folder
        self.settings = settings
        self.snapshots = snapshots = Snapshots(folder, trust=settings.trust, endpoint=settings.endpoint)
        self.user_limit = TimeLimit(settings.timeout, "--timeout")
        # What the page itself needs may take longer than a query.
        own_limit = TimeLimit(max(60.0, settings.timeout), tries=2)
        # For the monitor, single pages, explaining, classifying and marking.
        self.page_pool = QueryPool(snapshots, own_limit, size=3, waiting=256)
        self.query_pool = QueryPool(snapshots, self.user_limit, size=2, waiting=32)
        # There are ten times more waiting URLs than others, so they have a lane of their own.
        self.table_pool = QueryPool(snapshots, own_limit, lanes=("", "waiting"), waiting=256, remembers=True)
        self.request_check = RequestCheck(settings.host, settings.token)
        self.control = control or Control()
        self.monitor = Monitor(snapshots, self.page_pool, self.control)
        self.index_maker = IndexMaker(self.table_pool)
        self.statistics = DatasetStatistics(snapshots, self.query_pool)
        self.marking = asyncio.Lock()  # two at once would each write the model without the other

    @property
    def pools(self) -> dict[str, QueryPool]:
        """The pools by name."""
        return {"page": self.page_pool, "queries": self.query_pool, "tables": self.table_pool}

    async def end_streams(self) -> None:
        """End what clients follow, and waiting for a crawl that does not answer."""
        self.snapshots.end_waiting()
        await self.monitor.close()

    async def close(self) -> None:
        """End the monitor and all workers, and remove the snapshots."""
        await self.monitor.close()
        for pool in self.pools.values():
            await pool.close()
        self.snapshots.close()


class CrawlServer:
    """Serves the crawl in a folder at a socket of `listen`, until it is told to end."""

    context_kind: type[Any] = ServerContext

    def __init__(self, folder: Path, settings: ServeSettings, listener: socket.socket) -> None:
        self._folder = folder
        self._settings = settings
        self._listener = listener
        self._server: _QuietServer | None = None
        self._context: Any = None

    async def run(self, control: Control | None = None) -> None:
        """Serve until :meth:`end` is called."""
        self._context = context = self.context_kind(self._folder, self._settings, control)
        most = limits.most_connections(limits.raise_file_limit())
        limits.quiet_accepting()
        app = limits.bounded_app(make_app(context), lambda: len(server.server_state.connections), most)
        config = uvicorn.Config(
            app,
            http=limits.PromptProtocol,
            ws="none",
            log_level="critical",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        server = self._server = _QuietServer(config)
        await server.serve(sockets=[self._listener])

    async def end(self) -> None:
        """End: streams first, then requests under way, then the workers."""
        if self._context is not None:
            await self._context.end_streams()
        if self._server is not None:
            self._server.should_exit = True

    def run_until_signal(self) -> None:
        """Serve until Ctrl-C or SIGTERM."""

        async def main() -> None:
            loop = asyncio.get_running_loop()
            ends: list[asyncio.Task[None]] = []
            for number in (signal.SIGINT, signal.SIGTERM):
                with suppress(NotImplementedError):  # not on every system
                    loop.add_signal_handler(number, lambda: ends.append(loop.create_task(self.end())))
            await self.run()

        with suppress(KeyboardInterrupt):
            asyncio.run(main())


def serve_crawl() -> None:
    """The process beside a crawl: serve it, tell it what to do, and end when it closes the pipe."""
    # Nicer than the crawl by 10, and its workers once more.
    asyncio.run(_serve_crawl(ParentPipe(10)))


async def _serve_crawl(parent: ParentPipe) -> None:
    messages, loop = iter(parent), asyncio.get_running_loop()
    start = msgspec.json.decode(next(messages, b""), type=Start)
    server = CrawlServer(Path(start.folder), start.settings, socket.socket(fileno=start.listener))

    async def send(message: dict[str, Any]) -> None:
        await asyncio.to_thread(parent.send, msgspec.json.encode(message))

    control = Control(send)

    def hear() -> None:
        with suppress(RuntimeError):  # the loop has ended
            for message in messages:
                loop.call_soon_threadsafe(control.hear, msgspec.json.decode(message))
            asyncio.run_coroutine_threadsafe(server.end(), loop)

    threading.Thread(target=hear, name="crawl", daemon=True).start()
    await server.run(control)


class _QuietServer(uvicorn.Server):
    """A server that leaves signals to its caller."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
