"""One page: ``/api/page``, and why it has its relevance, ``/api/explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.routing import Route

from semcrawl.errors import RequestError
from semcrawl.serve.patience import while_connected
from semcrawl.serve.replies import json_reply
from semcrawl.serve.views.explained import ExplainedPage
from semcrawl.serve.views.page_facts import PageView
from semcrawl.serve.views.parameters import json_body, needed_url, text_of, whole_number

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context

__all__ = ["routes"]

_LONGEST = 4_000


class _Wish(msgspec.Struct):
    url: str


def routes(context: Context) -> list[Route]:
    """What is known of one page."""

    async def page(request: Request) -> Response:
        url = text_of(request, "url", _LONGEST).strip()
        step = whole_number(request, "step", 0)
        if not url and not step:
            raise RequestError("say which page: give url=URL or step=NUMBER")
        answer = context.inner.ask(PageView(url, 0 if url else step))
        return json_reply(await while_connected(request, answer))

    async def explain(request: Request) -> Response:
        # Only what is recorded is read again: a GET asks nobody outside.
        job = ExplainedPage(needed_url(request))
        return json_reply(await while_connected(request, context.judging.ask(job)))

    async def fetch_and_explain(request: Request) -> Response:
        context.guard.require_token(request)
        wish = await json_body(request, _Wish, '{"url": URL}')
        job = ExplainedPage(wish.url[:_LONGEST], may_fetch=True)
        answer = context.judging.ask(job, fresh=True)
        return json_reply(await while_connected(request, answer))

    return [
        Route("/api/page", page),
        Route("/api/explain", explain, methods=["GET"]),
        Route("/api/explain", fetch_and_explain, methods=["POST"]),
    ]
