"""The application: the table of routes, errors, and the files of the page."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from semcrawl.errors import SemcrawlError
from semcrawl.serve import api_types as api
from semcrawl.serve import ask, explanations, monitor_routes, page_view, pictures, sparql_protocol, topic_view
from semcrawl.serve.openapi import ApiRoute, api_description
from semcrawl.serve.replies import GONE, error_reply, json_body, json_reply, parameters, problem_reply, reply_with
from semcrawl.serve.sparql_service import GRAPH_FORMATS, ROW_FORMATS
from semcrawl.serve.table_index import TITLES
from semcrawl.serve.tables import FirstRelevances, table, table_query
from semcrawl.serve.worker import Job

if TYPE_CHECKING:
    from semcrawl.serve.server import ServerContext

_SPARQL_ANSWERS = tuple(form.media_types[0] for form in (*ROW_FORMATS, *GRAPH_FORMATS[:3]))
_SPARQL_BODIES = (sparql_protocol.FORM, sparql_protocol.QUERY)
_WEIGHTS = '{"weights": {IRI: NUMBER}}'
_EXPLAINED = api.ExplanationReply | api.SiteExplanationReply
STATIC = Path(__file__).resolve().parent / "static"
_FILES = StaticFiles(directory=STATIC)


async def page_file(context: ServerContext, request: Request) -> Response:
    """A file of the page."""
    if request.url.path == "/":
        shell = (STATIC / "index.html").read_text(encoding="utf-8").replace("{page}", context.front_page)
        tag = f'"{sha256(shell.encode()).hexdigest()[:32]}"'
        same = request.headers.get("if-none-match") == tag
        answer: Response = Response(status_code=304) if same else HTMLResponse(shell)
        answer.headers["ETag"] = tag
    else:
        answer = await _FILES.get_response(request.path_params.get("path", "favicon.svg"), request.scope)
    # The browser asks each time, so that no file of the page is older than the others.
    answer.headers["Cache-Control"] = "no-cache"
    return answer


async def description(context: ServerContext, _request: Request) -> Response:
    """This document."""
    return json_reply(api_description(context.routes))


def job_route(
    path: str, job: type[Job], reply: Any, pool: str = "page", *, body: str = "", fresh: bool = False, own: bool = True
) -> ApiRoute:
    """A route that asks a pool for a job, which clients write into the query, or send as ``body`` shows.

    It may take the time of what the page needs of its ``own``, else that of a user's query.
    """

    async def handler(context: Any, request: Request) -> Response:
        asked = await json_body(request, job, body) if body else parameters(request, job)
        limit = None if own else context.user_limit
        return await reply_with(request, context.pools[pool].ask(asked, fresh=fresh, limit=limit))

    handler.__doc__ = job.__doc__
    query = job if job.__struct_fields__ and not body else None
    return ApiRoute(path, handler, reply, query, job if body else None)


def mark_route(path: str, job: type[Job], reply: Any, body: str) -> ApiRoute:
    """A route for a job that writes a mark: one after the other, and not given up when the client goes."""

    async def handler(context: ServerContext, request: Request) -> Response:
        asked = await json_body(request, job, body)
        async with context.marking:
            marked = json_reply(await context.page_pool.ask(asked, fresh=True))
        await context.snapshots.catch_up()
        return marked

    handler.__doc__ = job.__doc__
    return ApiRoute(path, handler, reply, body=job)


PAGE_FILES = (
    ApiRoute("/api/openapi.json", description, dict[str, Any]),
    ApiRoute("/", page_file, None),
    ApiRoute("/favicon.ico", page_file, None),
    ApiRoute("/static/{path:path}", page_file, None),
)
ROUTES = (
    ApiRoute("/api/crawl", monitor_routes.crawl, api.CrawlReply),
    ApiRoute("/api/monitor", monitor_routes.history, api.MonitorReply, api.AfterQuery),
    ApiRoute("/api/events", monitor_routes.events, ("text/event-stream",), api.AfterQuery),
    ApiRoute("/api/shards", monitor_routes.shards, list[api.ShardNote]),
    ApiRoute("/api/control", monitor_routes.control, api.StateReply, body=api.ControlRequest),
    ApiRoute("/metrics", monitor_routes.metrics, ("text/plain",)),
    *(ApiRoute(f"/api/{name}", table(name, what), api.TableReply, table_query(name)) for name, what in TITLES.items()),
    job_route("/api/page", page_view.PageView, api.PageReply),
    job_route("/api/explain", explanations.ExplainedPage, _EXPLAINED, own=False),
    job_route("/api/explain", explanations.FetchedPage, _EXPLAINED, body='{"url": URL}', fresh=True, own=False),
    job_route("/api/neighbourhood", pictures.Neighbourhood, api.PictureReply),
    job_route("/api/site-graph", pictures.SiteGraph, api.PictureReply, "tables"),
    job_route("/api/page-graph", pictures.PageGraph, api.PictureReply, "tables"),
    job_route("/api/first-relevances", FirstRelevances, list[float | None], "tables"),
    job_route("/api/topic", topic_view.TopicView, api.TopicReply, "tables"),
    job_route("/api/try-weights", topic_view.TriedWeights, api.TriedReply, body=_WEIGHTS, fresh=True, own=False),
    # Fresh: the model file may change while the snapshot stays the same.
    job_route("/api/taxonomy", topic_view.TaxonomyView, api.TaxonomyReply, "tables", fresh=True),
    ApiRoute("/api/taxonomy/classify", topic_view.classify, api.ClassifiedReply, body=topic_view.Document),
    mark_route("/api/taxonomy/mark", topic_view.CategoryMark, api.MarkedReply, '{"category": IRI, "good": true}'),
    job_route("/api/learnt-words", explanations.TellingWords, dict[str, float]),
    job_route("/api/review", explanations.Questions, list[api.QuestionNote]),
    mark_route("/api/mark", explanations.PageMark, api.PageMarkedReply, '{"url": URL, "mark": true}'),
    job_route("/api/queries", ask.NamedQueries, list[api.QueryNote]),
    ApiRoute("/api/prefixes", ask.prefixes, dict[str, str]),
    ApiRoute("/api/query", ask.query, api.AnswerReply, body=api.QuestionRequest),
    ApiRoute("/sparql", sparql_protocol.sparql, _SPARQL_ANSWERS, api.SparqlQuery),
    ApiRoute("/sparql", sparql_protocol.sparql, _SPARQL_ANSWERS, api.GraphsQuery, body=_SPARQL_BODIES),
    ApiRoute("/.well-known/void", sparql_protocol.void, ("text/turtle",)),
    *PAGE_FILES,
)
"""All routes of the server; the docstring of a handler stands in the API's description."""


def starlette_routes(context: ServerContext) -> list[Route]:
    """Return the routes for the web framework; those of one path are one route."""
    by_path: dict[str, dict[str, ApiRoute]] = {}
    for route in context.routes:
        by_path.setdefault(route.path, {})[route.method] = route
    if "/sparql" in by_path:
        by_path["/sparql"]["OPTIONS"] = by_path["/sparql"]["GET"]
    return [Route(path, partial(_answer, context, some), methods=list(some)) for path, some in by_path.items()]


async def _answer(context: ServerContext, routes: dict[str, ApiRoute], request: Request) -> Response:
    route = routes["GET" if request.method == "HEAD" else request.method]
    if route.needs_token:
        context.request_check.require_token(request)
    return await route.handler(context, request)


def make_app(context: ServerContext) -> ASGIApp:
    """The server's application; its workers start and end with it."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        # Not awaited: the page can be served before they are ready.
        starting = asyncio.gather(*(pool.start() for pool in context.pools.values()))
        try:
            yield
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await context.close()

    app = Starlette(
        routes=starlette_routes(context),
        lifespan=lifespan,
        exception_handlers=dict.fromkeys((ClientDisconnect, SemcrawlError, HTTPException, Exception), _on_error),
    )
    return context.request_check.around(GZipMiddleware(app, compresslevel=4))


async def _on_error(request: Request, error: Exception) -> Response:
    if isinstance(error, SemcrawlError):
        return problem_reply(error)
    if isinstance(error, ClientDisconnect):  # while it sent its body
        return Response(status_code=GONE)
    if isinstance(error, HTTPException):
        said = {
            404: f"there is nothing at {request.url.path}",
            405: f"{request.url.path} does not take {request.method}",
        }
        return error_reply(said.get(error.status_code, error.detail), error.status_code, headers=error.headers)
    traceback.print_exception(error, file=sys.stderr)
    return error_reply("the server failed; its terminal tells more", 500)
