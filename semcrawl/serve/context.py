"""The parts of a running server, which all routes can reach."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.serve.control import Control
from semcrawl.serve.monitor import Monitor
from semcrawl.serve.monitor_routes import EncodedReplies
from semcrawl.serve.pool import QueryPool, TimeLimit
from semcrawl.serve.security import Guard
from semcrawl.serve.snapshots import Snapshots
from semcrawl.serve.sparql_protocol import DatasetStatistics
from semcrawl.serve.tables import IndexMaker

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.serve.settings import ServeSettings

_OWN_SECONDS = 60.0
"""Seconds for what the page itself needs: more than for a query, and it is tried twice."""

_PAGE_SIZE = 3
_QUERY_SIZE = 2
_QUERIES_WAITING = 32
_WAITING = 256


@dataclass(frozen=True, slots=True)
class ServerContext:
    """The parts of a running server.

    Attributes:
        folder: the crawl's folder.
        settings: how it is served.
        snapshots: the current snapshot.
        user_limit: how long what a person asks for may take, as the settings say.
        page_pool: workers for the monitor, for what is known of one page, and for explaining,
            classifying and marking.
        query_pool: workers for queries from people.
        table_pool: workers that keep the keys of tables in memory. The lane "waiting" is for
            waiting URLs, of which there are ten times more than of all others.
        guard: ``guard.require_token(request)`` for whatever changes something.
        control: the crawl that this server was started with, where it was.
        monitor: the figures of the crawl, and its history.
        index_maker: makes the indexes of tables.
        statistics: counts what the dataset holds, for its description.
        encoded: what is told of the monitor, as JSON.
        marking: held while a category is marked: two at once would each write the model
            without the other.
    """

    folder: Path
    settings: ServeSettings
    snapshots: Snapshots
    user_limit: TimeLimit
    page_pool: QueryPool
    query_pool: QueryPool
    table_pool: QueryPool
    guard: Guard
    control: Control
    monitor: Monitor
    index_maker: IndexMaker
    statistics: DatasetStatistics
    encoded: EncodedReplies = field(default_factory=EncodedReplies)
    marking: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def pools(self) -> dict[str, QueryPool]:
        """The pools by name."""
        return {"page": self.page_pool, "queries": self.query_pool, "tables": self.table_pool}

    async def is_final(self) -> bool:
        """Whether the crawl has ended, so that the current snapshot stays."""
        return not (await self.snapshots.current()).is_live

    async def close(self) -> None:
        """End the monitor and all workers, and remove the snapshots."""
        await self.monitor.close()
        for pool in self.pools.values():
            await pool.close()
        self.snapshots.close()


def make_context(
    folder: Path, settings: ServeSettings, control: Control | None = None
) -> ServerContext:
    """Make the parts of a server for the crawl in a folder."""
    snapshots, control = Snapshots(folder), control or Control()
    user_limit = TimeLimit(settings.timeout, "--timeout")
    own_limit = TimeLimit(max(_OWN_SECONDS, settings.timeout), tries=2)
    page_pool = QueryPool(snapshots, own_limit, size=_PAGE_SIZE, waiting=_WAITING)
    query_pool = QueryPool(snapshots, user_limit, size=_QUERY_SIZE, waiting=_QUERIES_WAITING)
    table_pool = QueryPool(
        snapshots, own_limit, lanes=("", "waiting"), waiting=_WAITING, remembers=True
    )
    return ServerContext(
        folder=folder,
        settings=settings,
        snapshots=snapshots,
        user_limit=user_limit,
        page_pool=page_pool,
        query_pool=query_pool,
        table_pool=table_pool,
        guard=Guard(settings.host, settings.token),
        control=control,
        monitor=Monitor(snapshots, page_pool, control),
        index_maker=IndexMaker(table_pool),
        statistics=DatasetStatistics(snapshots, query_pool),
    )
