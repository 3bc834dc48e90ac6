"""Ask: the named queries as starting points, and what a query answers, for the page."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.routing import Route

from semcrawl.errors import RequestError
from semcrawl.graph.queries import find_query, named_queries
from semcrawl.graph.sparql_text import kind_of
from semcrawl.graph.vocabulary import PREFIXES
from semcrawl.serve.connection_limits import while_connected
from semcrawl.serve.replies import json_reply
from semcrawl.serve.sparql_protocol import AskJob, is_fickle, refuse_update
from semcrawl.serve.worker import Job

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.graph.queries import NamedQuery, Parameter
    from semcrawl.serve.context import ServerContext

_FOR_PEOPLE = ("analyse", "monitor", "distill", "sites", "frontier", "export", "policies")
"""The folders whose queries are offered, in this order."""

_ESCAPED = re.compile(r"\\(.)")


class _Question(msgspec.Struct, forbid_unknown_fields=True):
    """A named query with its parameters, or a text."""

    name: str | None = None
    parameters: dict[str, str | int | float | bool | None] = {}
    text: str | None = None

    def given(self) -> dict[str, str | int | float | bool]:
        """The parameters that have a value."""
        return {name: value for name, value in self.parameters.items() if value is not None}


class NamedQueries(Job, frozen=True):
    """The queries that people are offered, with the crawl's own threshold; JSON."""

    def do(self, graph: CrawlGraph) -> bytes:
        """List them."""
        return _listing(graph.threshold)


def routes(context: ServerContext) -> list[Route]:
    """What the page's editor starts from, and what answers it."""

    async def queries(request: Request) -> Response:
        return json_reply(await while_connected(request, context.page_pool.ask(NamedQueries())))

    async def prefixes(_request: Request) -> Response:
        return json_reply(PREFIXES)

    async def query(request: Request) -> Response:
        question = _question(await request.body())
        text = _text(question)
        if kind_of(text) == "update":
            raise refuse_update()
        job = AskJob(text, context.settings.max_rows, question.name, question.given())
        answer = context.query_pool.ask(job, fresh=is_fickle(text))
        return json_reply(await while_connected(request, answer))

    return [
        Route("/api/queries", queries),
        Route("/api/prefixes", prefixes),
        Route("/api/query", query, methods=["POST"]),
    ]


def _question(body: bytes) -> _Question:
    try:
        question = msgspec.json.decode(body, type=_Question)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RequestError(
            f"the request is not what is expected ({error}): "
            'send {"text": "SELECT …"} or {"name": "best-pages", "parameters": {"limit": 5}}'
        ) from error
    if (question.name is None) == (question.text is None):
        raise RequestError("send the name of a query or a text, one of the two")
    if question.text is not None and question.parameters:
        raise RequestError("parameters are for named queries, not for a text")
    return question


def _text(question: _Question) -> str:
    if question.name is None:
        return question.text or ""
    return find_query(question.name).bind(question.given())


@lru_cache(maxsize=1)
def _listing(threshold: float | None) -> bytes:
    found = [
        (_FOR_PEOPLE.index(group), query)
        for query in named_queries().values()
        if (group := query.name.partition("/")[0]) in _FOR_PEOPLE
    ]
    ordered = sorted(found, key=lambda one: (one[0], one[1].name))
    queries = [query for _, query in ordered]
    if threshold is not None:
        queries = [query.at_threshold(threshold) for query in queries]
    return msgspec.json.encode([_described(query) for query in queries])


def _described(query: NamedQuery) -> dict[str, Any]:
    group, _, short = query.name.rpartition("/")
    return {
        "name": query.name,
        "short": short,
        "group": group,
        "title": query.title,
        "help": query.help,
        "kind": kind_of(query.text),
        "text": query.text,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type,
                "default": _default(parameter),
                "help": parameter.help,
            }
            for parameter in query.parameters
        ],
    }


def _default(parameter: Parameter) -> str | None:
    """The default as a person writes it into a field, not as SPARQL has it."""
    term = parameter.default
    if term is None or parameter.type not in ("iri", "string"):
        return term
    if term[:1] == "<":
        return term[1:-1]
    if term[:1] in "\"'" and term[-1:] == term[:1]:
        return _ESCAPED.sub(r"\1", term[1:-1])
    prefix, colon, local = term.partition(":")
    return PREFIXES[prefix] + local if colon and prefix in PREFIXES else term
