"""Reading a request by the SPARQL 1.1 Protocol: what is asked, of which graphs, in what format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import pyoxigraph as ox

from semcrawl.errors import RequestError

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["FORM", "QUERY", "SparqlRequest", "read_sparql_request", "refuse_update"]

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"

_UPDATE = "application/sparql-update"
_FORMAT_WORDS = ("format", "output", "results")
"""Servers have called it by each of these names, and clients send all of them."""

_MOST_FIELDS = 200


@dataclass(frozen=True, slots=True)
class SparqlRequest:
    """What a client asks; ``text`` is None where it gives no query.

    ``default_graphs`` and ``named_graphs`` are the dataset to ask, empty for
    the whole of it. ``format`` is the word that the client gave for a format.
    """

    text: str | None
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    format: str = ""


async def read_sparql_request(request: Request) -> SparqlRequest:
    """The query of a GET, or of a POST of either kind.

    Raises:
        RequestError: a request that the protocol does not know (400), an update (403), or a
            body of another type (415).
    """
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
    return _request(fields, needs_query=request.method == "POST")


def refuse_update() -> RequestError:
    """What is told to a client that wants to change the graph."""
    return RequestError(
        "a crawl graph can be asked, not changed: send SELECT, ASK, CONSTRUCT or DESCRIBE", 403
    )


def _request(fields: list[tuple[str, str]], *, needs_query: bool) -> SparqlRequest:
    if any(name == "update" for name, _ in fields):
        raise refuse_update()
    texts = [value for name, value in fields if name == "query"]
    if len(texts) > 1 or (needs_query and not texts):
        raise RequestError(f"a request has one query, and this has {len(texts)}: send query=…")
    words = {name: value for name, value in reversed(fields) if name in _FORMAT_WORDS}
    return SparqlRequest(
        texts[0] if texts else None,
        _graphs(fields, "default-graph-uri"),
        _graphs(fields, "named-graph-uri"),
        next((words[name] for name in _FORMAT_WORDS if words.get(name)), "").strip().lower(),
    )


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
            f"a query cannot be sent as {kind[:80] or 'something without a Content-Type'}: "
            f"send {QUERY} or {FORM}",
            415,
        )
    for parameter in parameters:
        name, _, value = parameter.strip().partition("=")
        if name == "charset" and value.strip('" ') not in ("utf-8", "utf8", "us-ascii"):
            raise RequestError(f"a query is sent in UTF-8, not in {value[:40]}", 415)
    return kind


def _fields(encoded: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            _decoded(encoded),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except UnicodeDecodeError as error:
        raise RequestError(f"the request is no UTF-8 text: {error.reason}") from None
    except ValueError:
        raise RequestError(f"a request may have {_MOST_FIELDS} fields", 413) from None


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RequestError(
            f"the request is no UTF-8 text: {error.reason} at byte {error.start}"
        ) from None
