"""``/sparql`` by the SPARQL 1.1 Protocol, read only, and ``/.well-known/void``."""

from __future__ import annotations

import re
import time
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, quote

import pyoxigraph as ox

from semcrawl.errors import QueryError, RequestError, SemcrawlError, refused_with
from semcrawl.graph.result_formats import write_answer, write_triples
from semcrawl.graph.sparql_text import kind_of
from semcrawl.graph.vocabulary import PREFIXES
from semcrawl.redaction import without_folders
from semcrawl.serve import sparql_service as service
from semcrawl.serve.replies import problem_reply, reply, while_connected
from semcrawl.serve.worker import Job

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.openapi import Handler
    from semcrawl.serve.pool import QueryPool
    from semcrawl.serve.server import ServerContext
    from semcrawl.serve.snapshots import Snapshots

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"

_UPDATE = "application/sparql-update"
_FORMAT_WORDS = ("format", "output", "results")  # as clients of different servers say
_MOST_FIELDS = 200
_FICKLE = re.compile(r"\b(?:RAND|NOW|UUID|STRUUID|BNODE)\s*\(", re.IGNORECASE)


class _SparqlRequest(NamedTuple):
    """A request; ``text`` is None without a query. Without graphs, the whole dataset is asked."""

    text: str | None
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    format: str


async def _read_request(request: Request) -> _SparqlRequest:
    fields = _fields(request.scope["query_string"])
    if request.method == "POST":
        kind = _content_type(request)
        if kind == _UPDATE:
            raise refuse_update()
        body = await request.body()
        if kind == FORM:
            fields += _fields(body)
        else:
            fields.append(("query", _decoded(body)))
    if any(name == "update" for name, _ in fields):
        raise refuse_update()
    texts = [value for name, value in fields if name == "query"]
    if len(texts) > 1 or (request.method == "POST" and not texts):
        raise RequestError(f"a request has one query, and this has {len(texts)}: send query=…")
    words = {name: value for name, value in reversed(fields) if name in _FORMAT_WORDS}
    return _SparqlRequest(
        texts[0] if texts else None,
        _graphs(fields, "default-graph-uri"),
        _graphs(fields, "named-graph-uri"),
        next((words[name] for name in _FORMAT_WORDS if words.get(name)), "").strip().lower(),
    )


def refuse_update() -> RequestError:
    """The error for a client that wants to change the graph."""
    return RequestError("a crawl graph can be asked, not changed: send SELECT, ASK, CONSTRUCT or DESCRIBE", 403)


def _graphs(fields: list[tuple[str, str]], wanted: str) -> tuple[str, ...]:
    names = [value for name, value in fields if name == wanted]
    for name in names:
        try:
            ox.NamedNode(name)
        except ValueError:
            raise RequestError(f"{wanted}={name[:100]} is no IRI: give an absolute one") from None
    return tuple(names)


def _content_type(request: Request) -> str:
    kind, *parameters = request.headers.get("content-type", "").lower().split(";")
    kind = kind.strip()
    if kind not in (FORM, QUERY, _UPDATE):
        raise RequestError(
            f"a query cannot be sent as {kind[:80] or 'something without a Content-Type'}: send {QUERY} or {FORM}", 415
        )
    for parameter in parameters:
        name, _, value = parameter.strip().partition("=")
        if name == "charset" and value.strip('" ') not in ("utf-8", "utf8", "us-ascii"):
            raise RequestError(f"a query is sent in UTF-8, not in {value[:40]}", 415)
    return kind


def _fields(encoded: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(_decoded(encoded), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except UnicodeDecodeError as error:
        raise RequestError(f"the request is no UTF-8 text: {error.reason}") from None
    except ValueError:
        raise RequestError(f"a request may have {_MOST_FIELDS} fields", 413) from None


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RequestError(f"the request is no UTF-8 text: {error.reason} at byte {error.start}") from None


def is_fickle(text: str) -> bool:
    """Whether a query may answer otherwise each time; in doubt, yes.

    >>> is_fickle("SELECT (RAND() AS ?chance) {}"), is_fickle("SELECT ?random {}")
    (True, False)
    """
    return _FICKLE.search(text) is not None


class _SparqlJob(Job, frozen=True):
    """A query, in the formats that the client accepts for either kind of answer, "" for none."""

    text: str
    row_format: str
    graph_format: str
    most: int
    more: str
    base: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        answer = graph.store.query(
            self.text,
            most=self.most,
            default_graphs=self.default_graphs,
            named_graphs=self.named_graphs,
            base=self.base,
        )
        form = self.graph_format if answer.kind == "construct" else self.row_format
        if not form:
            raise RequestError(f"this answer ({answer.kind}) cannot be had in that format", 406)
        with refused_with(406, QueryError):
            body = write_answer(answer, form, self.more)
        return {"kind": answer.kind, "body": body, "is_cut": answer.is_cut}


class StatisticsJob(Job, frozen=True):
    """The counts for the description of the dataset."""

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Count the triples by property, the entities by class, and what pages say themselves."""
        about = graph.describe()
        (of_pages,) = graph.query("statements-of-pages")
        return {
            "crawl": about.id,
            "name": about.name,
            "classes": [tuple(row.values()) for row in graph.query("class-counts")],
            "properties": [tuple(row.values()) for row in graph.query("property-counts")],
            "of_pages": of_pages,
        }


def _errors_as_text(handler: Handler) -> Handler:
    """Give errors as plain text, or as JSON to clients that prefer it."""

    @wraps(handler)
    async def handle(context: ServerContext, request: Request) -> Response:
        try:
            return await handler(context, request)
        except SemcrawlError as error:
            said = problem_reply(error)
            if service.choose(_accept(request), ["text/plain", "application/json"]) == "application/json":
                return said
            kept = ("retry-after", "www-authenticate")
            headers = {name: said.headers[name] for name in kept if name in said.headers}
            return reply(f"{without_folders(str(error))}\n", said.status_code, headers, "text/plain")

    return handle


@_errors_as_text
async def sparql(context: ServerContext, request: Request) -> Response:
    """SPARQL 1.1 Protocol, read only."""
    if request.method == "OPTIONS":
        allowed = {"Allow": "GET, HEAD, POST, OPTIONS", "Accept-Post": f"{QUERY}, {FORM}"}
        return reply(status=204, headers=allowed)
    asked = await _read_request(request)
    if request.method != "POST" and _wants_page(request, asked):
        text = "" if asked.text is None else f"?text={quote(asked.text, safe='')}"
        return reply(status=303, headers={"Location": f"/#/ask{text}"})
    if asked.text is None:
        described = service.service_description(_base(request), context.settings)
        return _graph_reply(request, described, asked.format)
    return await _answer(context, request, asked, asked.text)


@_errors_as_text
async def void(context: ServerContext, request: Request) -> Response:
    """The dataset described with VoID."""
    counted = await while_connected(request, context.statistics.current())
    described = service.dataset_description(_base(request), context.settings, counted)
    return _graph_reply(request, described, request.query_params.get("format", "").lower())


class DatasetStatistics:
    """The counts of the dataset, which take seconds for a large one."""

    def __init__(self, snapshots: Snapshots, pool: QueryPool) -> None:
        self._snapshots, self._pool = snapshots, pool
        self._counted: dict[str, Any] = {}
        self._until = 0.0

    async def current(self) -> dict[str, Any]:
        """Return recent counts; exact ones of a crawl that has ended."""
        if time.monotonic() >= self._until:
            snapshot = await self._snapshots.current()
            self._counted = await self._pool.ask(StatisticsJob())
            # The counts of a running crawl are good enough for a minute.
            self._until = time.monotonic() + (60.0 if snapshot.is_live else 0)
        return self._counted


async def _answer(context: ServerContext, request: Request, asked: _SparqlRequest, text: str) -> Response:
    kind = kind_of(text)
    if kind == "update":
        raise refuse_update()
    rows = _choice(request, asked.format, service.ROW_FORMATS)
    graph = _choice(request, asked.format, service.GRAPH_FORMATS)
    if kind in ("select", "ask") and rows is None:
        raise _unacceptable(service.ROW_FORMATS, kind)
    if kind in ("construct", "describe") and graph is None:
        raise _unacceptable(service.GRAPH_FORMATS, kind)
    most, limit = context.settings.max_rows, service.limit_of(_base(request))
    job = _SparqlJob(
        text,
        rows[0].name if rows else "",
        graph[0].name if graph else "",
        most,
        limit,
        # SPARQL 1.1 Protocol, 2.1: without BASE, the address of the endpoint.
        f"{_base(request)}/sparql",
        asked.default_graphs,
        asked.named_graphs,
    )
    answer = await while_connected(request, context.query_pool.ask(job, fresh=is_fickle(text)))
    chosen = graph if answer["kind"] == "construct" else rows
    assert chosen is not None
    headers = {}
    if answer["is_cut"]:
        headers = {"X-SPARQL-MaxRows": str(most), "Link": f'<{limit}>; rel="describedby"'}
    return _reply(answer["body"], *chosen, headers)


def _reply(body: bytes, form: service.Format, media_type: str, more: dict[str, str]) -> Response:
    headers = {
        "Vary": "Accept",
        # A browser that shows an answer, in XML say, must not take it for a page of this server.
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "Content-Type": form.header(media_type),
        "Content-Disposition": f'inline; filename="answer.{form.ending}"',
    }
    return reply(body, headers=headers | more)


def _graph_reply(request: Request, triples: list[ox.Triple], word: str) -> Response:
    chosen = _choice(request, word, service.GRAPH_FORMATS)
    if chosen is None:
        raise _unacceptable(service.GRAPH_FORMATS, "description")
    return _reply(write_triples(triples, chosen[0].name, PREFIXES | {"sd": service.SD}), *chosen, {})


def _choice(request: Request, word: str, formats: tuple[service.Format, ...]) -> tuple[service.Format, str] | None:
    """The format and media type for a client, by ``format=`` or else by its Accept header."""
    if word:
        called = (form for form in formats if form.is_called(word))
        return next(((form, form.media_types[0]) for form in called), None)
    offers = {name: form for form in formats for name in form.media_types}
    # The formats' own media types first, so that "*/*" and "text/*" mean them.
    ordered = sorted(offers, key=lambda name: name != offers[name].media_types[0])
    name = service.choose(_accept(request), ordered)
    return None if name is None else (offers[name], name)


def _unacceptable(formats: tuple[service.Format, ...], kind: str) -> RequestError:
    known = ", ".join(f"{form.name} ({form.media_types[0]})" for form in formats)
    return RequestError(
        f"the answer ({kind}) cannot be had in the wanted format: set Accept or format= to one of {known}", 406
    )


def _wants_page(request: Request, asked: _SparqlRequest) -> bool:
    offers = [name for form in (*service.ROW_FORMATS, *service.GRAPH_FORMATS) for name in form.media_types]
    return not asked.format and service.choose(_accept(request), [*offers, "text/html"]) == "text/html"


def _accept(request: Request) -> str:
    return ",".join(request.headers.getlist("accept"))


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")
