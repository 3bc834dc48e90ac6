"""The taxonomy: ``/api/taxonomy``, classifying, and marks for the next crawl."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from starlette.routing import Route

from semcrawl.errors import RequestError
from semcrawl.serve.patience import while_connected
from semcrawl.serve.replies import json_reply
from semcrawl.serve.views.parameters import json_body
from semcrawl.serve.views.taxonomy_model import ClassifiedDocument, MarkedCategory, TaxonomyView

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context

__all__ = ["routes"]

_LONGEST_TEXT = 500_000
_LONGEST_URL = 4_000


class _Document(msgspec.Struct):
    url: str = ""
    text: str = ""


class _Mark(msgspec.Struct):
    category: str
    good: bool


def routes(context: Context) -> list[Route]:
    """The model of a crawl that was taught by examples."""
    # Two marks at once would each write the model without the other.
    marking = asyncio.Lock()

    async def taxonomy(request: Request) -> Response:
        is_final = not (await context.keeper.current()).is_live
        # The model file may change while the snapshot stays the same.
        answer = context.tables.ask(TaxonomyView(is_final), fresh=True)
        return json_reply(await while_connected(request, answer))

    async def classify(request: Request) -> Response:
        asked = await json_body(request, _Document, '{"url": URL} or {"text": TEXT}')
        if bool(asked.url) == bool(asked.text):
            raise RequestError("give one of url and text")
        may_fetch = context.guard.knows_token(request.headers)
        job = ClassifiedDocument(asked.url[:_LONGEST_URL], asked.text[:_LONGEST_TEXT], may_fetch)
        answer = context.judging.ask(job, fresh=True)
        return json_reply(await while_connected(request, answer))

    async def mark(request: Request) -> Response:
        context.guard.require_token(request)
        asked = await json_body(request, _Mark, '{"category": IRI, "good": true}')
        async with marking:
            job = MarkedCategory(asked.category, asked.good)
            # Not given up when the client goes: it writes a file.
            return json_reply(await context.judging.ask(job, fresh=True))

    return [
        Route("/api/taxonomy", taxonomy),
        Route("/api/taxonomy/classify", classify, methods=["POST"]),
        Route("/api/taxonomy/mark", mark, methods=["POST"]),
    ]
