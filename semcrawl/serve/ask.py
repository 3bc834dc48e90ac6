"""Ask: the named queries, and the answers to queries, for the page."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import pyoxigraph as ox

from semcrawl.errors import RequestError
from semcrawl.graph.queries import NamedQuery, Parameter, find_query, named_queries, why_empty
from semcrawl.graph.result_formats import json_term
from semcrawl.graph.sparql_text import kind_of, undeclared_prefixes
from semcrawl.graph.vocabulary import PREFIXES, XSD
from semcrawl.serve.api_types import AnswerReply, ParameterNote, QueryNote, QuestionRequest
from semcrawl.serve.replies import json_body, json_reply, reply_with
from semcrawl.serve.sparql_protocol import is_fickle, refuse_update
from semcrawl.serve.worker import Job

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import Answer, CrawlGraph
    from semcrawl.serve.server import ServerContext

# The folders whose queries are offered, in this order.
_FOR_PEOPLE = ("analyse", "monitor", "distill", "sites", "frontier", "export", "policies")
_NUMBERS = {XSD + name for name in ("integer", "decimal", "double", "float", "int", "long")}


class _AskJob(Job, frozen=True):
    text: str
    most: int
    name: str | None = None
    parameters: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)

    def do(self, graph: CrawlGraph) -> AnswerReply:
        text = graph.named_query(self.name).bind(self.parameters) if self.name else self.text
        began = time.perf_counter()
        answer = graph.store.query(text, most=self.most)
        seconds = time.perf_counter() - began
        return AnswerReply(
            kind=answer.kind,
            **_content(answer),
            truncated=answer.is_cut,
            limit=self.most,
            seconds=round(seconds, 4),
            text=text,
            notes=list(why_empty(graph.store, text)) if answer.found_nothing else [],
            prefixes={name: PREFIXES[name] for name in undeclared_prefixes(text) if name in PREFIXES},
        )


def _content(answer: Answer) -> dict[str, Any]:
    if answer.kind == "ask":
        return {"boolean": answer.boolean}
    if answer.kind == "construct":
        return {"turtle": answer.serialize("turtle"), "total": len(answer.triples)}
    rows = [[None if term is None else json_term(term) for term in row] for row in answer.rows]
    columns = zip(answer.variables, zip(*answer.rows, strict=True), strict=False)
    return {
        "variables": answer.variables,
        "rows": rows,
        "total": len(rows),
        "numeric": [name for name, column in columns if _is_numeric(column)],
    }


def _is_numeric(column: Sequence[Any]) -> bool:
    """Whether there are numbers and nothing else, so that bars can be drawn."""
    terms = [term for term in column if term is not None]
    return bool(terms) and all(isinstance(term, ox.Literal) and term.datatype.value in _NUMBERS for term in terms)


class NamedQueries(Job, frozen=True):
    """The named queries and their parameters.

    Those that people are offered, with the crawl's own threshold; JSON.
    """

    def do(self, graph: CrawlGraph) -> bytes:
        """List them."""
        return _listing(graph.threshold)


async def prefixes(_context: ServerContext, _request: Request) -> Response:
    """The prefixes that need no declaration."""
    return json_reply(PREFIXES)


async def query(context: ServerContext, request: Request) -> Response:
    """Answer a named query or a text."""
    example = '{"text": "SELECT …"} or {"name": "best-pages", "parameters": {"limit": 5}}'
    asked = await json_body(request, QuestionRequest, example)
    if (asked.name is None) == (asked.text is None):
        raise RequestError("send the name of a query or a text, one of the two")
    if asked.text is not None and asked.parameters:
        raise RequestError("parameters are for named queries, not for a text")
    given = {name: value for name, value in asked.parameters.items() if value is not None}
    # Bound here too, so that mistakes are told at once.
    text = (asked.text or "") if asked.name is None else find_query(asked.name).bind(given)
    if kind_of(text) == "update":
        raise refuse_update()
    job = _AskJob(text, context.settings.max_rows, asked.name, given)
    return await reply_with(request, context.query_pool.ask(job, fresh=is_fickle(text)))


@lru_cache(maxsize=1)
def _listing(threshold: float | None) -> bytes:
    by_name = sorted(named_queries().values(), key=lambda query: query.name)
    queries = [query for group in _FOR_PEOPLE for query in by_name if query.name.partition("/")[0] == group]
    if threshold is not None:
        queries = [query.at_threshold(threshold) for query in queries]
    return msgspec.json.encode([_described(query) for query in queries])


def _described(query: NamedQuery) -> QueryNote:
    group, _, short = query.name.rpartition("/")
    return QueryNote(
        name=query.name,
        short=short,
        group=group,
        title=query.title,
        help=query.help,
        kind=kind_of(query.text),
        text=query.text,
        parameters=[ParameterNote(one.name, one.type, _default(one), one.help) for one in query.parameters],
    )


def _default(parameter: Parameter) -> str | None:
    """The default as a person writes it, without SPARQL's signs."""
    term = parameter.default
    if term is None or parameter.type not in ("iri", "string"):
        return term
    if term[:1] == "<":
        return term[1:-1]
    if term[:1] in "\"'" and term[-1:] == term[:1]:
        return re.sub(r"\\(.)", r"\1", term[1:-1])
    prefix, colon, local = term.partition(":")
    return PREFIXES[prefix] + local if colon and prefix in PREFIXES else term
