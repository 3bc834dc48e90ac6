"""``/sparql`` by the SPARQL 1.1 Protocol, its service description, and ``/.well-known/void``.

It reads only. Known prefixes need not be declared, as in ``semcrawl query``;
any query that is complete means what it says.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from semcrawl.errors import RequestError, SemcrawlError
from semcrawl.graph.sparql_text import kind_of
from semcrawl.serve.discretion import without_folders
from semcrawl.serve.negotiation import choose
from semcrawl.serve.patience import while_connected
from semcrawl.serve.replies import problem_reply
from semcrawl.serve.results_formats import GRAPH_FORMATS, ROW_FORMATS, Format, write_triples
from semcrawl.serve.service_description import dataset_description, limit_of, service_description
from semcrawl.serve.sparql_jobs import SparqlJob, StatisticsJob, is_fickle
from semcrawl.serve.sparql_request import (
    FORM,
    QUERY,
    SparqlRequest,
    read_sparql_request,
    refuse_update,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import pyoxigraph as ox
    from starlette.requests import Request

    from semcrawl.serve.context import Context

__all__ = ["routes"]

_HTML = "text/html"
_METHODS = ("GET", "HEAD", "POST", "OPTIONS")
_HEADERS = {
    "Vary": "Accept",
    # A browser that shows an answer, in XML say, must not take it for a page of this server.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}
_LASTING = 60.0
"""Seconds for which the counts of a running crawl are good enough."""


def routes(context: Context) -> list[Route]:
    """The endpoint, and the description of the dataset."""
    statistics = _Statistics(context)

    async def sparql(request: Request) -> Response:
        if request.method == "OPTIONS":
            allowed = {"Allow": ", ".join(_METHODS), "Accept-Post": f"{QUERY}, {FORM}"}
            return Response(status_code=204, headers=allowed)
        asked = await read_sparql_request(request)
        if request.method != "POST" and _wants_page(request, asked):
            text = "" if asked.text is None else f"?text={quote(asked.text, safe='')}"
            return RedirectResponse(f"/#/ask{text}", 303)
        if asked.text is None:
            described = service_description(_base(request), context.settings)
            return _graph_reply(request, described, asked.format)
        return await _answer(context, request, asked, asked.text)

    async def void(request: Request) -> Response:
        counted = await while_connected(request, statistics.current())
        described = dataset_description(_base(request), context.settings, counted)
        return _graph_reply(request, described, request.query_params.get("format", "").lower())

    return [
        Route("/sparql", _in_words(sparql), methods=list(_METHODS)),
        Route("/.well-known/void", _in_words(void)),
    ]


class _Choice(NamedTuple):
    """A format, and the media type that the client knows it by."""

    format: Format
    media_type: str


class _Statistics:
    """The counts of a dataset, which take seconds for a large one."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._counted: dict[str, Any] = {}
        self._until = 0.0

    async def current(self) -> dict[str, Any]:
        """The counts, of late; exact for a crawl that has ended."""
        if time.monotonic() >= self._until:
            snapshot = await self._context.keeper.current()
            self._counted = await self._context.outer.ask(StatisticsJob())
            self._until = time.monotonic() + (_LASTING if snapshot.is_live else 0)
        return self._counted


async def _answer(context: Context, request: Request, asked: SparqlRequest, text: str) -> Response:
    kind = kind_of(text)
    if kind == "update":
        raise refuse_update()
    rows = _choice(request, asked.format, ROW_FORMATS)
    graph = _choice(request, asked.format, GRAPH_FORMATS)
    if kind in ("select", "ask") and rows is None:
        raise _unacceptable(ROW_FORMATS, kind)
    if kind in ("construct", "describe") and graph is None:
        raise _unacceptable(GRAPH_FORMATS, kind)
    job = SparqlJob(
        text,
        rows.format.name if rows else "",
        graph.format.name if graph else "",
        context.settings.max_rows,
        limit_of(_base(request)),
        asked.default_graphs,
        asked.named_graphs,
    )
    answer = await while_connected(request, context.outer.ask(job, fresh=is_fickle(text)))
    chosen = graph if answer["kind"] == "construct" else rows
    assert chosen is not None
    headers = {}
    if answer["is_cut"]:
        headers["X-SPARQL-MaxRows"] = str(context.settings.max_rows)
        headers["Link"] = f'<{limit_of(_base(request))}>; rel="describedby"'
    return _reply(answer["body"], chosen, headers)


def _reply(body: bytes, chosen: _Choice, headers: dict[str, str] | None = None) -> Response:
    said = _HEADERS | (headers or {})
    said["Content-Type"] = chosen.format.header(chosen.media_type)
    said["Content-Disposition"] = f'inline; filename="answer.{chosen.format.ending}"'
    return Response(body, headers=said)


def _graph_reply(request: Request, triples: list[ox.Triple], word: str) -> Response:
    chosen = _choice(request, word, GRAPH_FORMATS)
    if chosen is None:
        raise _unacceptable(GRAPH_FORMATS, "description")
    return _reply(write_triples(triples, chosen.format.name), chosen)


def _choice(request: Request, word: str, formats: tuple[Format, ...]) -> _Choice | None:
    """The format that a client wants: by ``format=``, or else by its Accept header."""
    if word:
        called = (form for form in formats if form.is_called(word))
        return next((_Choice(form, form.media_types[0]) for form in called), None)
    offers = {name: form for form in formats for name in form.media_types}
    # The formats' own names first, so that "*/*" and "text/*" mean them.
    ordered = sorted(offers, key=lambda name: name != offers[name].media_types[0])
    name = choose(_accept(request), ordered)
    return None if name is None else _Choice(offers[name], name)


def _unacceptable(formats: tuple[Format, ...], kind: str) -> RequestError:
    known = ", ".join(f"{form.name} ({form.media_types[0]})" for form in formats)
    return RequestError(
        f"the answer ({kind}) cannot be had in the wanted format: "
        f"set Accept or format= to one of {known}",
        406,
    )


def _wants_page(request: Request, asked: SparqlRequest) -> bool:
    """Whether a person in a browser asks, who is better served by the page."""
    offers = [name for form in (*ROW_FORMATS, *GRAPH_FORMATS) for name in form.media_types]
    return not asked.format and choose(_accept(request), [*offers, _HTML]) == _HTML


def _accept(request: Request) -> str:
    return ",".join(request.headers.getlist("accept"))


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _in_words(
    handler: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Errors as plain text, for who asks by hand; as JSON for who wants that."""

    async def handled(request: Request) -> Response:
        try:
            return await handler(request)
        except SemcrawlError as error:
            reply = problem_reply(error)
            if choose(_accept(request), ["text/plain", "application/json"]) != "application/json":
                headers = {
                    name: reply.headers[name]
                    for name in ("retry-after", "www-authenticate")
                    if name in reply.headers
                }
                return Response(
                    f"{without_folders(str(error))}\n", reply.status_code, headers, "text/plain"
                )
            return reply

    return handled
