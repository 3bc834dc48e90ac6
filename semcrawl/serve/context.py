"""What every route of the server can reach."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.serve.control_channel import Control
    from semcrawl.serve.guard import Guard
    from semcrawl.serve.keeper import SnapshotKeeper
    from semcrawl.serve.monitor import Monitor
    from semcrawl.serve.pool import QueryPool

__all__ = ["Context", "ServeSettings"]


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """How a crawl is served.

    Attributes:
        host: the address to listen at.
        port: the port; 0: any that is free.
        token: what a request that changes something must know.
        timeout: seconds that a query of the endpoint may take.
        max_rows: rows or triples that the endpoint gives at most.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    timeout: float = 30.0
    max_rows: int = 10_000


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of a running server.

    Attributes:
        folder: the crawl's folder.
        settings: how it is served.
        keeper: the current snapshot.
        inner: workers for tables, views and the monitor; a few seconds for each job.
        outer: workers for queries from people, with the time that the settings give.
        judging: workers for explaining, classifying and marking, which may fetch a page.
        tables: the one worker that keeps the keys of pages and other tables in memory.
        frontier: the one that keeps those of waiting URLs, of which there are ten times more.
        guard: ``guard.require_token(request)`` for whatever changes something.
        control: the crawl that this server was started with, where it was.
        monitor: the figures of the crawl, and its history.
    """

    folder: Path
    settings: ServeSettings
    keeper: SnapshotKeeper
    inner: QueryPool
    outer: QueryPool
    judging: QueryPool
    tables: QueryPool
    frontier: QueryPool
    guard: Guard
    control: Control
    monitor: Monitor
