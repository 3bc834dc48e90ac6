"""The HTTP API as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0)."""

import re
from collections.abc import Awaitable, Callable, Sequence
from types import UnionType
from typing import Any, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from semcrawl.resources import facts_beside
from semcrawl.serve.api_types import ErrorReply
from semcrawl.version import VERSION

_NEED_TOKEN = tuple(
    f"/api/{name}" for name in ("control", "explain", "mark", "taxonomy/mark", "try-weights", "start", "open")
)

Handler = Callable[[Any, Request], Awaitable[Response]]


class ApiRoute(msgspec.Struct, frozen=True):
    """A route of the server, and what the document says of it.

    The first line of the handler's docstring is the summary. ``reply`` and ``body`` are types
    of JSON, or media types of texts; without ``reply`` the route is not described.
    """

    path: str
    handler: Handler
    reply: Any
    query: type[msgspec.Struct] | None = None
    body: Any = None

    @property
    def method(self) -> str:
        """GET, or POST for a route with a body."""
        return "GET" if self.body is None else "POST"

    @property
    def needs_token(self) -> bool:
        """Whether only a client that knows the server's token may ask."""
        return self.path in _NEED_TOKEN and self.method == "POST"

    def describe(self, schemas: dict[Any, dict[str, Any]]) -> dict[str, Any]:
        """Describe the route, with schemas by type."""
        summary = (self.handler.__doc__ or "").partition("\n")[0]
        answer = {"description": summary, "content": _content(self.reply, schemas)}
        problem = {"description": "What went wrong.", "content": _content(ErrorReply, schemas)}
        described: dict[str, Any] = {
            "operationId": self.method.lower() + "".join(map(str.capitalize, re.findall(r"\w+", self.path))),
            "summary": summary.rstrip("."),
            "responses": {"200": answer, "default": problem},
        }
        if self.query is not None:
            described["parameters"] = _parameters(self.query)
        if self.body is not None:
            described["requestBody"] = {"required": True, "content": _content(self.body, schemas)}
        if self.needs_token:
            described["security"] = [{"token": []}, {"tokenHeader": []}]
        return described


def api_description(routes: Sequence[ApiRoute]) -> dict[str, Any]:
    """Return the document for these routes."""
    described = [route for route in routes if route.reply is not None]
    kinds = [kind for route in described for kind in (route.reply, route.body)]
    wanted = [one for kind in (ErrorReply, *kinds) for one in _types(kind)]
    schemas, components = msgspec.json.schema_components(wanted, ref_template="#/components/schemas/{name}")
    by_type = dict(zip(wanted, schemas, strict=True))
    paths: dict[str, Any] = {}
    for route in described:
        paths.setdefault(route.path, {})[route.method.lower()] = route.describe(by_type)
    document = facts_beside(__file__, "openapi.toml")
    document["info"]["version"] = VERSION
    document["components"]["schemas"] = dict(sorted(components.items()))
    return document | {"paths": paths}


def _types(kind: Any) -> tuple[Any, ...]:
    """The types to make schemas for: the members of a union, none for texts."""
    if kind is None or isinstance(kind, tuple):
        return ()
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def _content(kind: Any, schemas: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    if isinstance(kind, tuple):
        return {media_type: {"schema": {"type": "string"}} for media_type in kind}
    found = [schemas[one] for one in _types(kind)]
    return {"application/json": {"schema": found[0] if len(found) == 1 else {"anyOf": found}}}


def _parameters(query: type[msgspec.Struct]) -> list[dict[str, Any]]:
    schema = msgspec.json.schema(query)["$defs"][query.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema["required"],
            "description": about.pop("description"),
            "schema": {word: value for word, value in about.items() if value != ""},
        }
        for name, about in schema["properties"].items()
    ]
