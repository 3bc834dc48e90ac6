"""The HTTP API as an OpenAPI 3.1 document, written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from starlette.routing import Route

from semcrawl.serve.replies import json_reply
from semcrawl.version import VERSION

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import ServerContext

# The shapes of what the API takes and gives, as JSON Schema.


_TEXT: dict[str, Any] = {"type": "string"}
_URL: dict[str, Any] = {"type": "string", "format": "uri"}
_NUMBER: dict[str, Any] = {"type": "number"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_YES: dict[str, Any] = {"type": "boolean"}
_THING: dict[str, Any] = {"type": "object"}


def _maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema}


def _object(needed: dict[str, Any], **optional: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(needed), "properties": {**needed, **optional}}


_LINK = _object({"url": _URL}, title=_TEXT, relevance=_NUMBER, priority=_NUMBER, dropped=_TEXT)
_STEP = _object(
    {
        "url": _URL,
        "title": _maybe(_TEXT),
        "relevance": _maybe(_NUMBER),
        "priority": _maybe(_NUMBER),
    }
)
_MATCHES = {
    "score": _NUMBER,
    "similarity": _TEXT,
    "matches": _list(
        _object(
            {
                "words": _list(_TEXT),
                "concept": _maybe(_TEXT),
                "label": _TEXT,
                "topic": _TEXT,
                "weight": _NUMBER,
                "count": _COUNT,
                "contribution": _NUMBER,
                "path": _list(_TEXT),
            }
        )
    ),
    "matches_total": _COUNT,
    "divided_by": _list(_object({"name": _TEXT, "value": _NUMBER})),
    "squashed": _YES,
}
_OWN_THING = _object(
    {"id": _maybe(_TEXT), "types": _list(_TEXT), "says": _list(_THING)}, number=_COUNT
)
_OWN = _object(
    {
        "count": _COUNT,
        "shown": _COUNT,
        "problems": _list(_TEXT),
        "things": _list(_OWN_THING),
        "more": _COUNT,
    }
)
_STATE = {"type": "string", "enum": ["running", "paused", "stopped"]}
_PROGRESS = _object(
    {
        "pages": _COUNT,
        "relevant": _COUNT,
        "harvest_rate": _NUMBER,
        "waiting": _COUNT,
        "dropped": _COUNT,
        "hosts": _COUNT,
        "pages_per_second": _NUMBER,
    }
)

SHAPES: dict[str, Any] = {
    "Error": _object({"error": _TEXT}, line=_COUNT, column=_COUNT),
    "Wish": _object({"action": {"type": "string", "enum": ["pause", "resume", "stop"]}}),
    "State": _object({"state": _STATE, "reason": _TEXT}),
    "Crawl": _object(
        {
            "name": _TEXT,
            "topic": _TEXT,
            "folder": _TEXT,
            "state": _STATE,
            "reason": _TEXT,
            "started": _TEXT,
            "ended": _maybe(_TEXT),
            "threshold": _NUMBER,
            "window": _COUNT,
            "settings": _THING,
            "kind": {"type": "string", "enum": ["pages", "sites"]},
            "progress": _PROGRESS,
            "can": _object(
                {
                    "control": _YES,
                    "explain": {"type": "string", "enum": ["replay", "network"]},
                    "taxonomy": _YES,
                    "mark": _YES,
                }
            ),
            "snapshot": _object({"number": _COUNT, "taken_at": _NUMBER, "is_live": _YES}),
        }
    ),
    "Monitor": _object(
        {
            "first": _COUNT,
            "relevances": _list(_maybe(_NUMBER)),
            "threshold": _NUMBER,
            "window": _COUNT,
            "alarms": _list(
                _object({"kind": _TEXT, "raised": _COUNT, "ended": _maybe(_COUNT), "note": _TEXT})
            ),
            "errors": _list(_object({"reason": _TEXT, "urls": _COUNT})),
            "census": _list(_object({"concept": _TEXT, "label": _TEXT, "pages": _COUNT})),
            "times": _list(_list(_NUMBER)),
        }
    ),
    "Table": _object(
        {
            "columns": _list(_TEXT),
            "rows": _list(_THING),
            "total": _COUNT,
            "offset": _COUNT,
            "limit": _COUNT,
            "sort": _TEXT,
            "descending": _YES,
        }
    ),
    "Page": _object(
        {
            "url": _URL,
            "title": _maybe(_TEXT),
            "description": _maybe(_TEXT),
            "language": _maybe(_TEXT),
            "relevance": _NUMBER,
            "is_relevant": _YES,
            "step": _COUNT,
            "status": _maybe(_COUNT),
            "size": _maybe(_COUNT),
            "fetched_at": _maybe(_TEXT),
            "depth": _maybe(_COUNT),
            "site": _maybe(_TEXT),
            "host": _maybe(_TEXT),
            "concept": _maybe(_TEXT),
            "label": _maybe(_TEXT),
            "fetch_priority": _maybe(_NUMBER),
            "hub_score": _maybe(_NUMBER),
            "authority_score": _maybe(_NUMBER),
            "path": _list(_STEP),
            "links_out": _list(_LINK),
            "links_in": _list(_LINK),
            "statements": _COUNT,
            "own": _OWN,
            "counts": _object({"links_out": _COUNT, "links_in": _COUNT}),
        }
    ),
    "Url": _object({"url": _URL}),
    "Explanation": _object(
        {
            "url": _URL,
            "title": _maybe(_TEXT),
            "relevance": _NUMBER,
            "judge": _TEXT,
            **_MATCHES,
            "snippet": _list(_object({"text": _TEXT, "match": _YES})),
            "changed": _YES,
        }
    ),
    "SiteExplanation": _object(
        {
            "url": _URL,
            "title": _maybe(_TEXT),
            "relevance": _NUMBER,
            "judge": _TEXT,
            "classes": _list(_object({"name": _TEXT, "confidence": _NUMBER})),
            "site": _object(
                {
                    "name": _TEXT,
                    "confidence": _NUMBER,
                    "verdict": _TEXT,
                    "pages": _COUNT,
                    "prior": _NUMBER,
                    "number": _COUNT,
                    "before": _NUMBER,
                    "after": _NUMBER,
                }
            ),
            "has_words": _YES,
            "lens": _maybe(
                _object(
                    {
                        "threshold": _NUMBER,
                        "words": _COUNT,
                        "explanation": _maybe(_object(_MATCHES)),
                        "changed": _YES,
                    }
                )
            ),
        }
    ),
    "Picture": _object(
        {
            "nodes": _list(
                _object(
                    {
                        "id": _TEXT,
                        "label": _TEXT,
                        "kind": {
                            "type": "string",
                            "enum": ["page", "waiting", "dropped", "unknown", "site"],
                        },
                        "relevance": _maybe(_NUMBER),
                        "hub": _maybe(_NUMBER),
                        "size": _maybe(_COUNT),
                    }
                )
            ),
            "edges": _list(_object({"source": _TEXT, "target": _TEXT, "weight": _NUMBER})),
            "left_out": _COUNT,
        }
    ),
    "Topic": _object(
        {
            "name": _TEXT,
            "keywords": _list(_object({"text": _TEXT, "weight": _NUMBER})),
            "concepts": _list(
                _object(
                    {
                        "id": _TEXT,
                        "label": _TEXT,
                        "parent": _maybe(_TEXT),
                        "weight": _maybe(_NUMBER),
                        "pages": _COUNT,
                        "relevant": _COUNT,
                        "good": _YES,
                        "best": _maybe(_object({"url": _URL, "relevance": _NUMBER})),
                    }
                )
            ),
            "coverage": _object({"concepts": _COUNT, "covered": _COUNT, "share": _maybe(_NUMBER)}),
        }
    ),
    "Taxonomy": _object(
        {
            "model": _TEXT,
            "categories": _list(
                _object(
                    {
                        "id": _TEXT,
                        "name": _TEXT,
                        "label": _TEXT,
                        "path": _TEXT,
                        "parent": _maybe(_TEXT),
                        "good": _YES,
                        "examples": _COUNT,
                        "pages": _COUNT,
                        "relevant": _COUNT,
                    }
                )
            ),
        }
    ),
    "Document": _object({}, url=_URL, text=_TEXT),
    "Classified": _object(
        {
            "categories": _list(
                _object({"category": _TEXT, "path": _TEXT, "probability": _NUMBER, "good": _YES})
            ),
            "relevance": _maybe(_NUMBER),
        }
    ),
    "Mark": _object({"category": _TEXT, "good": _YES}),
    "Marked": _object({"category": _TEXT, "good": _YES, "marked": _list(_TEXT), "note": _TEXT}),
    "Queries": _list(
        _object(
            {
                "name": _TEXT,
                "title": _TEXT,
                "help": _TEXT,
                "text": _TEXT,
                "parameters": _list(
                    _object({"name": _TEXT, "type": _TEXT, "default": _maybe(_TEXT), "help": _TEXT})
                ),
            }
        )
    ),
    "Question": _object({}, name=_TEXT, parameters=_THING, text=_TEXT),
    "Answer": _object(
        {"kind": _TEXT, "truncated": _YES, "limit": _COUNT, "seconds": _NUMBER, "text": _TEXT},
        prefixes=_THING,
        variables=_list(_TEXT),
        rows=_list(_list(_maybe(_THING))),
        numeric=_list(_TEXT),
        total=_COUNT,
        boolean=_YES,
        turtle=_TEXT,
    ),
}


_TABLES = {
    "pages": "Visited pages",
    "hubs": "Hubs, as the distiller last found them",
    "authorities": "Authorities, as the distiller last found them",
    "sites": "Sites that pages were visited of",
    "waiting": "URLs that wait to be visited",
    "dropped": "URLs that were found and given up, with the reason",
}
_JSON = "application/json"
_OBJECT = {"type": "object"}
_NEEDS_TOKEN: list[dict[str, list[str]]] = [{"token": []}, {"tokenHeader": []}]


def api_description() -> dict[str, Any]:
    """The document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "semcrawl",
            "version": VERSION,
            "summary": "A crawl, while it runs and after it: figures, pages, queries.",
            "description": (
                "The API behind the page of 'semcrawl serve'. It reads one snapshot of the crawl "
                "graph, which is renewed about every second while the crawl runs. Whatever changes "
                "something needs the token that the server prints when it starts; bound to another "
                "address than loopback, everything does."
            ),
        },
        "paths": {**_crawl_paths(), **_view_paths(), **_query_paths(), **_other_paths()},
        "components": {
            "schemas": SHAPES,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "tokenHeader": {"type": "apiKey", "in": "header", "name": "X-Semcrawl-Token"},
            },
        },
    }


def _crawl_paths() -> dict[str, Any]:
    after = _parameter("after", "integer", "Only what came after this step.", minimum=0, default=0)
    stream = _content("text/event-stream", {"type": "string"})
    return {
        "/api/crawl": {"get": _get("The crawl, its state and figures", "Crawl")},
        "/api/monitor": {
            "get": _get("Relevance by step, alarms, errors, census", "Monitor", after)
        },
        "/api/events": {
            "get": {
                "summary": "What changes, as server-sent events: pages, progress, alarms, end",
                "parameters": [after],
                "responses": {"200": {"description": "A stream.", "content": stream}, **_errors()},
            }
        },
        "/api/control": {
            "post": _post("Pause, resume or stop the crawl", "Wish", "State", needs_token=True)
        },
        **{
            f"/api/{name}": {"get": _get(f"{what}, a page at a time", "Table", *_paging(name))}
            for name, what in _TABLES.items()
        },
    }


def _view_paths() -> dict[str, Any]:
    url = _parameter("url", "string", "The page.", required=True, format="uri")
    limit = _parameter("limit", "integer", "How many nodes.", minimum=1, maximum=500, default=120)
    by_url = _parameter("url", "string", "The page, by its URL.", format="uri")
    by_step = _parameter("step", "integer", "The page, by its number in the order of visits.")
    told = _content(_JSON, {"anyOf": [_named("Explanation"), _named("SiteExplanation")]})
    explained = _said("Why a page has its relevance; not fetched for it", told)
    fetched = {
        "requestBody": {"required": True, "content": _shape("Url")},
        **_said("Fetch a page again and explain it", told),
        "security": _NEEDS_TOKEN,
    }
    return {
        "/api/page": {"get": _get("What is known of one page", "Page", by_url, by_step)},
        "/api/explain": {
            "get": {"parameters": [url], **explained},
            "post": fetched,
        },
        "/api/neighbourhood": {
            "get": _get("A page and what is linked with it", "Picture", url, limit)
        },
        "/api/site-graph": {"get": _get("The best sites and their links", "Picture", limit)},
        "/api/topic": {"get": _get("The topic and its concepts", "Topic")},
        "/api/taxonomy": {"get": _get("The categories that the judge was taught", "Taxonomy")},
        "/api/taxonomy/classify": {
            "post": _post("Which categories a page or text fits", "Document", "Classified")
        },
        "/api/taxonomy/mark": {
            "post": _post(
                "Mark a category for the next crawl, or unmark it",
                "Mark",
                "Marked",
                needs_token=True,
            )
        },
    }


def _query_paths() -> dict[str, Any]:
    graphs = [
        _parameter(name, "string", "A graph of the dataset to ask.", format="uri")
        for name in ("default-graph-uri", "named-graph-uri")
    ]
    text = _parameter("query", "string", "The query; without it, the service is described.")
    answer = {
        form: {"schema": {"type": "string"}}
        for form in (
            "application/sparql-results+json",
            "application/sparql-results+xml",
            "text/csv",
            "text/tab-separated-values",
            "text/turtle",
            "application/n-triples",
            "application/ld+json",
        )
    }
    answers = {"200": {"description": "The answer.", "content": answer}, **_errors()}
    bodies = {
        form: {"schema": {"type": "string"}}
        for form in ("application/x-www-form-urlencoded", "application/sparql-query")
    }
    return {
        "/api/queries": {"get": _get("The named queries and their parameters", "Queries")},
        "/api/prefixes": {
            "get": _said("The prefixes that need no declaration", _content(_JSON, _OBJECT))
        },
        "/api/query": {"post": _post("Answer a named query or a text", "Question", "Answer")},
        "/sparql": {
            "get": {
                "summary": "SPARQL 1.1 Protocol, read only",
                "parameters": [text, *graphs],
                "responses": answers,
            },
            "post": {
                "summary": "SPARQL 1.1 Protocol, read only",
                "parameters": graphs,
                "requestBody": {"required": True, "content": bodies},
                "responses": answers,
            },
        },
    }


def _other_paths() -> dict[str, Any]:
    turtle = _content("text/turtle", {"type": "string"})
    metrics = _content("text/plain", {"type": "string"})
    described = _content(_JSON, _OBJECT)
    return {
        "/metrics": {"get": _said("Figures for Prometheus", metrics)},
        "/.well-known/void": {"get": _said("The dataset described with VoID", turtle)},
        "/api/openapi.json": {"get": _said("This document", described)},
    }


def _paging(table: str) -> list[dict[str, Any]]:
    site = _parameter("site", "string", "Only URLs of the site of exactly this host.")
    return [
        *([] if table == "sites" else [site]),
        _parameter("sort", "string", "The column to sort by."),
        _parameter("descending", "string", "1 for the highest first.", enum=["0", "1"]),
        _parameter("q", "string", "Only rows with this in the title or URL, in any case."),
        _parameter("offset", "integer", "How many rows to pass over.", minimum=0, default=0),
        _parameter("limit", "integer", "How many rows.", minimum=1, maximum=500, default=50),
    ]


def _parameter(
    name: str, kind: str, help_text: str, *, required: bool = False, **rest: Any
) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": required,
        "description": help_text,
        "schema": {"type": kind, **rest},
    }


def _get(summary: str, shape: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"parameters": list(parameters), **_said(summary, _shape(shape))}


def _post(summary: str, asked: str, shape: str, *, needs_token: bool = False) -> dict[str, Any]:
    return {
        "requestBody": {"required": True, "content": _shape(asked)},
        **_said(summary, _shape(shape)),
        **({"security": _NEEDS_TOKEN} if needs_token else {}),
    }


def _said(summary: str, content: dict[str, Any]) -> dict[str, Any]:
    answer = {"description": summary + ".", "content": content}
    return {"summary": summary, "responses": {"200": answer, **_errors()}}


def _errors() -> dict[str, Any]:
    return {"default": {"description": "What went wrong.", "content": _shape("Error")}}


def _shape(name: str) -> dict[str, Any]:
    return _content(_JSON, _named(name))


def _named(shape: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{shape}"}


def _content(form: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {form: {"schema": schema}}


# ``/api/openapi.json``: the API described, by OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0).


def routes(_context: ServerContext) -> list[Route]:
    """The description."""
    body = msgspec.json.encode(api_description())

    async def description(_request: Request) -> Response:
        return json_reply(body)

    return [Route("/api/openapi.json", description)]
