"""Pictures: ``/api/neighbourhood`` of a page, and ``/api/site-graph``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from semcrawl.serve.patience import while_connected
from semcrawl.serve.replies import json_reply
from semcrawl.serve.views.parameters import needed_url, whole_number
from semcrawl.serve.views.pictures import Neighbourhood, SiteGraph

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context

__all__ = ["routes"]

_MOST = 500
_USUAL = 120


def routes(context: Context) -> list[Route]:
    """Nodes and edges for the picture."""

    async def neighbourhood(request: Request) -> Response:
        job = Neighbourhood(needed_url(request), _limit(request))
        return json_reply(await while_connected(request, context.inner.ask(job)))

    async def site_graph(request: Request) -> Response:
        is_final = not (await context.keeper.current()).is_live
        answer = context.tables.ask(SiteGraph(_limit(request), is_final))
        return json_reply(await while_connected(request, answer))

    return [
        Route("/api/neighbourhood", neighbourhood),
        Route("/api/site-graph", site_graph),
    ]


def _limit(request: Request) -> int:
    return whole_number(request, "limit", _USUAL, least=1, most=_MOST)
