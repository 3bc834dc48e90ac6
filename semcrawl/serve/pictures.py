"""Pictures: ``/api/neighbourhood`` of a page, and ``/api/site-graph``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.routing import Route

from semcrawl.serve.connection_limits import while_connected
from semcrawl.serve.page_view import link_notes, links_of, page_url
from semcrawl.serve.replies import json_reply
from semcrawl.serve.rows import is_of_sites, needed_url, rows_of, values_of, whole_number
from semcrawl.serve.table_index import index_of, site_names, sites_of
from semcrawl.serve.worker import Job

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.context import ServerContext

# Pictures: the neighbourhood of a page, and the sites with the links between them.


_MOST_PAGES = 1_000
"""Pages whose links are read for the picture of sites: the best of each site."""

_MOST_EDGES = 4_000


class Neighbourhood(Job, frozen=True):
    """A page, what it links to and what links to it, with the links among all; JSON."""

    url: str
    limit: int

    def do(self, graph: CrawlGraph) -> bytes:
        """The best neighbours, visited pages before others."""
        centre = page_url(graph, self.url)
        to, by = links_of(graph, centre)
        around = [url for url in dict.fromkeys((*by, *to)) if url != centre]
        notes = link_notes(graph, around)
        notes.sort(key=lambda one: (-one.get("relevance", -1.0), -one.get("priority", -1.0)))
        shown = [*link_notes(graph, [centre]), *notes[: self.limit - 1]]
        ids = {one["url"] for one in shown}
        visited = [one["url"] for one in shown if "relevance" in one]
        targets = values_of(graph, "serve/targets", visited, "target")
        edges = [
            {"source": source, "target": target, "weight": 1}
            for source, found in targets.items()
            for target in dict.fromkeys(found)
            if target in ids and target != source
        ]
        # Those of the page itself are what the picture is about.
        edges.sort(key=lambda edge: centre not in (edge["source"], edge["target"]))
        return _picture([_node(one) for one in shown], edges, len(notes) + 1 - len(shown))


class SiteGraph(Job, frozen=True):
    """The sites with most relevant pages, and the links between them; JSON.

    In a crawl for pages the links of the best pages of each site are counted.
    A crawl for websites has recorded the edges itself.
    """

    limit: int
    is_final: bool

    def do(self, graph: CrawlGraph) -> bytes:
        """Choose the sites, then count the links."""
        sites = sites_of(graph, is_final=self.is_final)
        best = sorted(
            sites,
            key=lambda site: (
                -(site.get("confidence") or 0.0),
                -site["relevant"],
                -(site["best_relevance"] or 0.0),
                site["host"],
            ),
        )[: self.limit]
        names = [site["site"] for site in best]
        if is_of_sites(graph):
            edges = _recorded_edges(graph, set(names))
        else:
            edges = _counted_edges(graph, names, is_final=self.is_final)
        nodes = [
            {
                "id": site["site"],
                "label": site["host"],
                "kind": "site",
                "relevance": site.get("confidence", site["best_relevance"]),
                "hub": None,
                "size": site["pages"],
            }
            for site in best
        ]
        return _picture(nodes, edges, len(sites) - len(best))


def _node(one: dict[str, Any]) -> dict[str, Any]:
    kinds = {"relevance": "page", "priority": "waiting", "dropped": "dropped"}
    return {
        "id": one["url"],
        "label": one.get("title") or "",
        "kind": next((kind for name, kind in kinds.items() if name in one), "unknown"),
        "relevance": one.get("relevance"),
        "hub": one.get("hub"),
        "size": None,
    }


def _picture(nodes: list[dict[str, Any]], edges: list[dict[str, Any]], left_out: int) -> bytes:
    picture = {"nodes": nodes, "edges": edges[:_MOST_EDGES], "left_out": left_out}
    return msgspec.json.encode(picture)


def _recorded_edges(graph: CrawlGraph, names: set[str]) -> list[dict[str, Any]]:
    rows = rows_of(graph, "sites/site-edges", limit=20 * _MOST_EDGES)
    return [
        {"source": row["source"], "target": row["target"], "weight": row["pages"]}
        for row in rows
        if row["source"] in names and row["target"] in names
    ]


def _counted_edges(graph: CrawlGraph, names: list[str], *, is_final: bool) -> list[dict[str, Any]]:
    index = index_of(graph, "pages", is_final=is_final)
    site_of = dict(zip(index.urls, site_names(graph, index), strict=True))
    wanted = set(names)
    order = index.page(graph, "relevance", descending=True, words="").tolist()
    ranked = (index.urls[row] for row in order)
    best = _best_of_each(((url, site_of[url]) for url in ranked), wanted, len(names))
    counts: Counter[tuple[str, str]] = Counter()
    for url, targets in values_of(graph, "serve/targets", best, "target").items():
        here = site_of[url]
        there = {site_of.get(target) for target in targets}
        counts.update((here, site) for site in there if site in wanted and site != here and site)
    return [
        {"source": source, "target": target, "weight": pages}
        for (source, target), pages in counts.most_common()
    ]


def _best_of_each(ranked: Iterable[tuple[str, str]], wanted: set[str], sites: int) -> list[str]:
    """The first pages of each wanted site, as many of each as the limit for all allows."""
    most = max(_MOST_PAGES // max(sites, 1), 1)
    taken: Counter[str] = Counter()
    found: list[str] = []
    for url, site in ranked:
        if site in wanted and taken[site] < most:
            taken[site] += 1
            found.append(url)
    return found


_MOST = 500
_USUAL = 120


def routes(context: ServerContext) -> list[Route]:
    """Nodes and edges for the picture."""

    async def neighbourhood(request: Request) -> Response:
        job = Neighbourhood(needed_url(request), _limit(request))
        return json_reply(await while_connected(request, context.page_pool.ask(job)))

    async def site_graph(request: Request) -> Response:
        is_final = await context.is_final()
        answer = context.table_pool.ask(SiteGraph(_limit(request), is_final))
        return json_reply(await while_connected(request, answer))

    return [
        Route("/api/neighbourhood", neighbourhood),
        Route("/api/site-graph", site_graph),
    ]


def _limit(request: Request) -> int:
    return whole_number(request, "limit", _USUAL, least=1, most=_MOST)
