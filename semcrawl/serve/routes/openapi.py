"""``/api/openapi.json``: the API described, by OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.routing import Route

from semcrawl.serve.api_description import api_description
from semcrawl.serve.replies import json_reply

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context

__all__ = ["routes"]


def routes(_context: Context) -> list[Route]:
    """The description."""
    body = msgspec.json.encode(api_description())

    async def description(_request: Request) -> Response:
        return json_reply(body)

    return [Route("/api/openapi.json", description)]
