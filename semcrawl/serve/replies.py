"""What the server says: JSON, and errors as JSON."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from semcrawl.errors import QueryError, RequestError, SemcrawlError
from semcrawl.serve.redaction import without_folders

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from semcrawl.serve.beside_crawl import Control
    from semcrawl.serve.monitor import Monitor
    from semcrawl.serve.pool import QueryPool
    from semcrawl.serve.security import Guard
    from semcrawl.serve.snapshots import SnapshotKeeper

_PLACE = re.compile(r"error at (\d+):(\d+)")
_JSON = "application/json"


def json_reply(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Data as JSON; bytes are taken for JSON already."""
    body = data if isinstance(data, bytes) else msgspec.json.encode(data)
    return Response(body, status, headers=headers, media_type=_JSON)


def error_reply(
    message: str, status: int, *, retry_after: int | None = None, headers: Any = None
) -> Response:
    """An error: its sentence, with line and column where the sentence names a place in a query."""
    body: dict[str, Any] = {"error": message}
    if place := _PLACE.search(message):
        body |= {"line": int(place[1]), "column": int(place[2])}
    said = dict(headers or {})
    if retry_after is not None:
        said["Retry-After"] = str(retry_after)
    return json_reply(body, status, said)


def problem_reply(error: SemcrawlError) -> Response:
    """The reply to a request that ended in one of our errors; files are told by name only."""
    said = without_folders(str(error))
    if isinstance(error, RequestError):
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else None
        return error_reply(said, error.status, retry_after=error.retry_after, headers=headers)
    return error_reply(said, 400 if isinstance(error, QueryError) else 503)


# What every route of the server can reach.


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
