"""Marks by hand, and the questions whose answers would teach most."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError, CrawlLockedError, RequestError
from semcrawl.serve import api_types as api
from semcrawl.serve.page_view import page_url
from semcrawl.serve.replies import json_body, json_reply, reply_with
from semcrawl.serve.worker import Job

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.context import ServerContext

_QUESTIONS = 10


class _MarkedPage(Job, frozen=True):
    """Writes into the crawl, or leaves a note for it; killed, it has done so or not."""

    url: str
    mark: bool | None

    def do(self, graph: CrawlGraph) -> api.PageMarkedReply:
        # Here, for the server itself imports this module and judges nothing.
        from semcrawl.crawl.marks import mark_pages
        from semcrawl.crawl.trust import VIEW, require_trust

        url = page_url(graph, self.url)
        require_trust(graph, VIEW)
        assert graph.folder is not None
        try:
            found = mark_pages(graph.folder, {url: self.mark}, trust=graph.is_trusted)
        except (ConfigError, CrawlLockedError) as error:
            raise RequestError(str(error), 409) from error
        return api.PageMarkedReply(url, self.mark, str(found))


class _Questions(Job, frozen=True):
    count: int

    def do(self, graph: CrawlGraph) -> list[dict[str, object]]:
        from semcrawl.crawl.marks import Review

        try:
            found = Review(graph).questions(self.count)
        except ConfigError as error:
            raise RequestError(str(error), 409) from error
        return list(map(asdict, found))


async def review(context: ServerContext, request: Request) -> Response:
    """The ten pages whose marks would teach the judge most."""
    return await reply_with(request, context.page_pool.ask(_Questions(_QUESTIONS)))


async def mark(context: ServerContext, request: Request) -> Response:
    """Mark a page as right or wrong, or take its mark away."""
    context.request_check.require_token(request)
    asked = await json_body(request, api.PageMarkRequest, '{"url": URL, "mark": true}')
    async with context.marking:
        # Not given up when the client goes: it writes.
        answer = context.page_pool.ask(_MarkedPage(asked.url, asked.mark), fresh=True)
        reply = json_reply(await answer)
    context.snapshots.hurry()
    return reply
