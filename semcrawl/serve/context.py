"""The parts of a running server, which all routes can reach."""

from __future__ import annotations

import asyncio
from pathlib import Path

from semcrawl.serve.control import Control
from semcrawl.serve.monitor import Monitor
from semcrawl.serve.monitor_routes import EncodedReplies
from semcrawl.serve.pool import QueryPool, TimeLimit
from semcrawl.serve.security import RequestCheck
from semcrawl.serve.settings import ServeSettings
from semcrawl.serve.snapshots import Snapshots
from semcrawl.serve.sparql_protocol import DatasetStatistics
from semcrawl.serve.tables import IndexMaker


class ServerContext:
    """The parts of a server for the crawl in a folder."""

    def __init__(
        self, folder: Path, settings: ServeSettings, control: Control | None = None
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.snapshots = snapshots = Snapshots(folder, trust=settings.trust)
        self.user_limit = TimeLimit(settings.timeout, "--timeout")
        # What the page itself needs may take longer than a query.
        own_limit = TimeLimit(max(60.0, settings.timeout), tries=2)
        # For the monitor, single pages, explaining, classifying and marking.
        self.page_pool = QueryPool(snapshots, own_limit, size=3, waiting=256)
        self.query_pool = QueryPool(snapshots, self.user_limit, size=2, waiting=32)
        # There are ten times more waiting URLs than others, so they have a lane of their own.
        lanes = ("", "waiting")
        self.table_pool = QueryPool(snapshots, own_limit, lanes=lanes, waiting=256, remembers=True)
        self.request_check = RequestCheck(settings.host, settings.token)
        self.control = control or Control()
        self.monitor = Monitor(snapshots, self.page_pool, self.control)
        self.index_maker = IndexMaker(self.table_pool)
        self.statistics = DatasetStatistics(snapshots, self.query_pool)
        self.encoded = EncodedReplies()
        self.marking = asyncio.Lock()  # two at once would each write the model without the other

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
