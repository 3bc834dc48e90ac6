"""The application: the routes of all parts, behind the guard."""

from __future__ import annotations

import asyncio
import sys
import traceback
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from semcrawl.errors import RequestError, SemcrawlError
from semcrawl.serve.connection_limits import GONE
from semcrawl.serve.replies import error_reply, problem_reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from semcrawl.serve.context import ServerContext

ROUTES: tuple[tuple[str, str], ...] = (
    ("monitor_routes", "routes"),
    ("monitor_routes", "control_routes"),
    ("tables", "routes"),
    ("page_view", "routes"),
    ("pictures", "routes"),
    ("topic_view", "routes"),
    ("taxonomy_view", "routes"),
    ("ask", "routes"),
    ("sparql_protocol", "routes"),
    ("monitor_routes", "metrics_routes"),
    ("openapi", "routes"),
    ("app", "routes"),
)
"""Modules of this package with the functions that give their routes; the first match answers."""


def make_app(context: ServerContext) -> ASGIApp:
    """The server's application; its workers start and end with it."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        # The page can be served before they are ready.
        starting = asyncio.gather(*(pool.start() for pool in context.pools.values()))
        try:
            yield
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await context.close()

    app = Starlette(
        routes=_all_routes(context),
        lifespan=lifespan,
        exception_handlers={
            ClientDisconnect: _on_gone,
            SemcrawlError: _on_problem,
            HTTPException: _on_http,
            Exception: _on_bug,
        },
    )
    return context.guard.around(app)


def _all_routes(context: ServerContext) -> list[BaseRoute]:
    return [
        route
        for module, function in ROUTES
        for route in getattr(import_module(f"semcrawl.serve.{module}"), function)(context)
    ]


async def _on_problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, SemcrawlError)
    return problem_reply(error)


async def _on_gone(_request: Request, _error: Exception) -> Response:
    """The client went while it sent its body: nobody reads this."""
    return Response(status_code=GONE)


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = {
        404: f"there is nothing at {request.url.path}",
        405: f"{request.url.path} does not take {request.method}",
    }
    message = said.get(error.status_code, error.detail)
    return error_reply(message, error.status_code, headers=error.headers)


async def _on_bug(_request: Request, error: Exception) -> Response:
    traceback.print_exception(error, file=sys.stderr)
    return error_reply("the server failed; its terminal tells more", 500)


# The page and its files.


STATIC = Path(__file__).resolve().parent / "static"

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


def routes(_context: ServerContext) -> list[Route]:
    """The page at ``/``, its files below ``/static/``."""

    async def page(request: Request) -> Response:
        return _file(request, "index.html")

    async def file(request: Request) -> Response:
        return _file(request, request.path_params["path"])

    async def icon(request: Request) -> Response:
        return _file(request, "favicon.svg")

    return [
        Route("/", page),
        Route("/favicon.ico", icon),
        Route("/static/{path:path}", file),
    ]


def _files() -> dict[str, Path]:
    """The files there are, by name: what is asked for is looked up, never made into a path."""
    return {
        path.relative_to(STATIC).as_posix(): path
        for path in STATIC.rglob("*")
        if path.suffix in _TYPES
    }


def _file(request: Request, name: str) -> Response:
    path = _files().get(name)
    if path is None:
        raise RequestError(f"there is no file {name[:80]!r}", 404)
    stat = path.stat()
    tag = f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'
    # The browser asks each time and is told that nothing has changed: no stale half of a page.
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(path.read_bytes(), headers=headers, media_type=_TYPES[path.suffix])
