"""One page: what is recorded of it, how it was found, its links, and what it says itself."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.errors import RequestError, UrlError
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.serve import api_types as api
from semcrawl.serve.own_statements import own_statements
from semcrawl.serve.replies import parameters, reply_with
from semcrawl.serve.rows import (
    by_url,
    is_writable,
    label_of,
    local_name,
    rows_of,
    url_at_step,
    values_of,
)
from semcrawl.serve.worker import Job
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.context import ServerContext


class _PageView(Job, frozen=True):
    url: str = ""
    step: int = 0

    def do(self, graph: CrawlGraph) -> api.PageReply:
        url = page_url(graph, self.url, self.step)
        row = rows_of(graph, "serve/page-facts", url=url)[0]
        on_topic = row.pop("on_topic")
        if on_topic is None:
            on_topic = row["relevance"] >= graph.describe().threshold
        counts = rows_of(graph, "serve/statement-count", url=url)[0]
        to, by = links_of(graph, url)
        if row["concept"]:
            row["label"] = label_of(row["label"], row["concept"])
        path = rows_of(graph, "analyse/path-from-seed", url=url)
        return api.PageReply(
            url=url,
            **row,
            host=host_of_site(row["site"]) if row["site"] else None,
            is_relevant=on_topic,
            path=[
                api.PathStep(step["page"], step["title"], step["relevance"], step["priority"])
                for step in reversed(path)
            ],
            links_out=_best(graph, to),
            links_in=_best(graph, by),
            statements=counts["statements"],
            own=own_statements(graph, url),
            counts=api.LinkCounts(len(to), counts["links_in"]),
        )


def page_url(graph: CrawlGraph, url: str, step: int = 0) -> str:
    """The URL of a visited page as the graph writes it; RequestError where there is none."""
    if not url:
        found = url_at_step(graph, step)
        if found is None:
            raise RequestError(f"no page was visited as step {step}", 404)
        return found
    for form in _forms(url):
        if rows_of(graph, "analyse/page", url=form):
            return form
    raise RequestError(f"the crawl has not visited {url[:300]}{_instead(graph, url)}", 404)


def links_of(graph: CrawlGraph, url: str) -> tuple[list[str], list[str]]:
    """The URLs that a page links to, and those that link to it, each once."""
    to = values_of(graph, "serve/targets", [url], "target").get(url, [])
    by = [row["source"] for row in rows_of(graph, "serve/sources", url=url, limit=1_000)]
    return list(dict.fromkeys(to)), list(dict.fromkeys(by))


def link_notes(graph: CrawlGraph, urls: Sequence[str]) -> list[dict[str, Any]]:
    """What is known of each URL; relevant pages first, then URLs that wait, then the others."""
    found = by_url(graph, "serve/url-notes", urls)
    rows = [found.get(url, {"url": url}) for url in urls]
    notes = [{name: value for name, value in row.items() if value is not None} for row in rows]
    for note in notes:
        if "dropped" in note:
            note["dropped"] = local_name(note["dropped"])
    notes.sort(key=lambda one: (-one.get("relevance", -1.0), -one.get("priority", -1.0)))
    return notes


def _best(graph: CrawlGraph, urls: Sequence[str]) -> list[api.LinkNote]:
    return msgspec.convert(link_notes(graph, urls)[:100], list[api.LinkNote])


def _forms(url: str) -> list[str]:
    """A URL as it was given, and as the crawl would write it, where queries can name these."""
    forms = [url]
    with suppress(UrlError):
        forms.append(canonical(url))
    return [form for form in dict.fromkeys(forms) if is_writable(form)]


def _instead(graph: CrawlGraph, url: str) -> str:
    for form in _forms(url):
        for row in link_notes(graph, [form]):
            if "dropped" in row:
                return f": it was dropped because of {row['dropped']}"
            if "priority" in row:
                return f": it waits with priority {row['priority']:.4f}"
    return ": look at the URL, or let the crawl go on"


async def page(context: ServerContext, request: Request) -> Response:
    """What is known of one page."""
    asked = parameters(request, api.PageQuery)
    if not asked.url and not asked.step:
        raise RequestError("say which page: give url=URL or step=NUMBER")
    job = _PageView(asked.url, 0 if asked.url else asked.step)
    return await reply_with(request, context.page_pool.ask(job))
