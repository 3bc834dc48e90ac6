"""The description of the API: every route is in it, and every path in it exists."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from starlette.routing import Route

from semcrawl.serve.app import _all_routes
from semcrawl.serve.context import make_context
from semcrawl.serve.openapi import api_description
from semcrawl.serve.settings import ServeSettings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.conftest import Served

OF_THE_PAGE = {"/", "/favicon.ico", "/static/{path:path}"}


def operations(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (path, method.upper()) for path, methods in document["paths"].items() for method in methods
    }


def test_every_route_is_described_and_every_description_has_a_route(tmp_path: Path) -> None:
    context = make_context(tmp_path, ServeSettings())
    routes = {
        (route.path, method)
        for route in _all_routes(context)
        if isinstance(route, Route) and route.path not in OF_THE_PAGE
        for method in (route.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert operations(api_description()) == routes


def test_every_shape_that_is_named_is_there_and_used() -> None:
    document = api_description()
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert named == set(document["components"]["schemas"])


def test_tables_of_urls_can_be_had_by_site() -> None:
    paths = api_description()["paths"]
    by_site = {
        path
        for path, methods in paths.items()
        if any(one["name"] == "site" for one in methods.get("get", {}).get("parameters", ()))
    }
    tables = ("pages", "hubs", "authorities", "waiting", "dropped")
    assert by_site == {f"/api/{table}" for table in tables}


def test_the_server_gives_its_description(served: Served) -> None:
    answer = served.client.get("/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(json.dumps(api_description()))


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/api/crawl", "Crawl"),
        ("/api/monitor", "Monitor"),
        ("/api/pages", "Table"),
        ("/api/page?step=1", "Page"),
        ("/api/topic", "Topic"),
        ("/api/site-graph", "Picture"),
        ("/api/queries", "Queries"),
        ("/api/page?step=0", "Error"),
    ],
)
def test_answers_have_the_shape_that_is_described(served: Served, path: str, shape: str) -> None:
    check(served.client.get(path).json(), api_description()["components"]["schemas"][shape], path)


def check(value: Any, schema: dict[str, Any], where: str) -> None:
    """Whether a value fits a schema, of the few words of JSON Schema that are used here."""
    if "anyOf" in schema:
        if value is not None:
            check(value, schema["anyOf"][0], where)
        return
    kinds: dict[str, Any] = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": int | float,
        "boolean": bool,
    }
    assert isinstance(value, kinds[schema["type"]]), (where, value)
    if "enum" in schema:
        assert value in schema["enum"], where
    for name in schema.get("required", ()):
        assert name in value, f"{where}: no {name}"
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            check(value[name], inner, f"{where}.{name}")
    for number, item in enumerate(value if schema["type"] == "array" else ()):
        check(item, schema["items"], f"{where}[{number}]")
