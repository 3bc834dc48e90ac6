"""The topic: ``/api/topic``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from semcrawl.serve.patience import while_connected
from semcrawl.serve.replies import json_reply
from semcrawl.serve.views.topic_tree import TopicView

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context

__all__ = ["routes"]


def routes(context: Context) -> list[Route]:
    """The tree of concepts with their pages."""

    async def topic(request: Request) -> Response:
        is_final = not (await context.keeper.current()).is_live
        answer = context.tables.ask(TopicView(is_final))
        return json_reply(await while_connected(request, answer))

    return [Route("/api/topic", topic)]
