"""The HTTP API as an OpenAPI 3.1 document, written by hand."""

from __future__ import annotations

from typing import Any

from semcrawl.serve.api_shapes import SHAPES
from semcrawl.version import VERSION

__all__ = ["api_description"]

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
