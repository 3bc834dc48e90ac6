"""The description of the API: every route is in it, and every path in it exists."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from starlette.routing import Route

from semcrawl.serve import api_types as api
from semcrawl.serve.app import ROUTES, starlette_routes
from semcrawl.serve.openapi import api_description
from semcrawl.serve.server import ServerContext
from semcrawl.serve.settings import ServeSettings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.conftest import Served

OF_THE_PAGE = {"/", "/favicon.ico", "/static/{path:path}"}


def operations(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}


def test_every_route_is_described_and_every_description_has_a_route(tmp_path: Path) -> None:
    context = ServerContext(tmp_path, ServeSettings())
    routes = {
        (route.path, method)
        for route in starlette_routes(context)
        if isinstance(route, Route) and route.path not in OF_THE_PAGE
        for method in (route.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert operations(api_description(ROUTES)) == routes


def test_every_shape_that_is_named_is_there_and_used() -> None:
    document = api_description(ROUTES)
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert named == set(document["components"]["schemas"])


def test_tables_of_urls_can_be_had_by_site() -> None:
    paths = api_description(ROUTES)["paths"]
    by_site = {
        path
        for path, methods in paths.items()
        if any(one["name"] == "site" for one in methods.get("get", {}).get("parameters", ()))
    }
    tables = ("pages", "hubs", "authorities", "waiting", "dropped")
    assert by_site == {f"/api/{table}" for table in tables}


def test_every_operation_has_a_name_of_its_own() -> None:
    methods = [one for path in api_description(ROUTES)["paths"].values() for one in path.values()]
    names = [one["operationId"] for one in methods]
    assert len(set(names)) == len(names)
    assert {"getApiPages", "postApiTaxonomyMark", "getWellKnownVoid"} <= set(names)


def test_the_server_gives_its_description(served: Served) -> None:
    answer = served.client.get("/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(json.dumps(api_description(ROUTES)))


@pytest.mark.parametrize(
    "path",
    [
        "/api/crawl",
        "/api/monitor",
        "/api/pages",
        "/api/sites",
        "/api/waiting",
        "/api/dropped",
        "/api/page?step=1",
        "/api/topic",
        "/api/site-graph",
        "/api/page-graph",
        "/api/first-relevances",
        "/api/learnt-words",
        "/api/queries",
        "/api/prefixes",
    ],
)
def test_answers_have_the_shape_that_is_described(served: Served, path: str) -> None:
    [route] = [one for one in ROUTES if one.path == path.partition("?")[0]]
    check(served.client.get(path).json(), route.reply)


@pytest.mark.parametrize(("path", "kind"), [("explain", api.ExplanationReply), ("neighbourhood", api.PictureReply)])
def test_answers_about_a_page_have_the_shape_that_is_described(served: Served, path: str, kind: Any) -> None:
    url = served.client.get("/api/page?step=1").json()["url"]
    check(served.client.get(f"/api/{path}", params={"url": url}).json(), kind)


def test_errors_have_the_shape_that_is_described(served: Served) -> None:
    check(served.client.get("/api/page?step=0").json(), api.ErrorReply)


def check(value: Any, kind: Any) -> None:
    """Whether a value is all that a type says, and nothing else."""
    assert msgspec.to_builtins(msgspec.convert(value, kind)) == value
