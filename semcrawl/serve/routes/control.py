"""``/api/control``: pause, resume and stop the crawl that the server was started with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.routing import Route

from semcrawl.errors import RequestError
from semcrawl.serve.replies import json_reply

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context

__all__ = ["routes"]


class _Wish(msgspec.Struct):
    action: str


def routes(context: Context) -> list[Route]:
    """The one way to change a running crawl."""

    async def control(request: Request) -> Response:
        context.guard.require_token(request)
        try:
            wish = msgspec.json.decode(await request.body(), type=_Wish)
        except msgspec.MsgspecError as error:
            raise RequestError(
                f"the request is not what is expected ({error}): "
                'send {"action": "pause"}, "resume" or "stop"'
            ) from error
        await context.control.tell(wish.action)
        monitor = context.monitor
        await monitor.ready()
        await monitor.tell()
        return json_reply({"state": monitor.state, "reason": monitor.reason})

    return [Route("/api/control", control, methods=["POST"])]
