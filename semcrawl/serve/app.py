"""The application: the routes of all parts, behind the guard."""

from __future__ import annotations

import asyncio
import sys
import traceback
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from semcrawl.errors import SemcrawlError
from semcrawl.serve.patience import GONE
from semcrawl.serve.replies import error_reply, problem_reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from semcrawl.serve.context import Context

__all__ = ["PARTS", "make_app"]

PARTS = (
    "monitor",
    "control",
    "tables",
    "page_view",
    "pictures",
    "topic_view",
    "taxonomy_view",
    "ask",
    "endpoint",
    "metrics",
    "openapi",
    "static",
)
"""The modules of routes/, each with a function ``routes(context)``; the first match answers."""


def make_app(context: Context) -> ASGIApp:
    """The server's application; its workers start and end with it."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        # The page can be served before they are ready.
        starting = asyncio.gather(
            context.inner.start(), context.outer.start(), context.tables.start()
        )
        try:
            yield
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await context.monitor.close()
            await context.inner.close()
            await context.outer.close()
            await context.judging.close()
            await context.tables.close()
            await context.frontier.close()
            context.keeper.close()

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


def _all_routes(context: Context) -> list[BaseRoute]:
    modules = (import_module(f"semcrawl.serve.routes.{part}") for part in PARTS)
    return [route for module in modules for route in module.routes(context)]


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
