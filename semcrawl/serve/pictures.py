"""Pictures: ``/api/neighbourhood`` of a page, ``/api/page-graph`` and ``/api/site-graph``."""

from collections import Counter
from typing import Any, Literal

from semcrawl.graph import CrawlGraph
from semcrawl.graph.columns import PAGE, URL
from semcrawl.graph.vocabulary import PREFIXES, host_of_site
from semcrawl.serve import api_types as api
from semcrawl.serve.page_view import link_notes, links_of, page_url
from semcrawl.serve.rows import label_of, rows_of, targets_of
from semcrawl.serve.table_index import index_of, site_names, site_of_url, sites_of
from semcrawl.serve.worker import Job, ServedGraph

_MOST_EDGES = 4_000


class Neighbourhood(Job, frozen=True):
    """A page and what is linked with it.

    In both directions, with the links among all.
    """

    url: api.PageUrl
    limit: api.Nodes = 120

    def do(self, graph: CrawlGraph) -> api.PictureReply:
        """Look the links up."""
        centre = page_url(graph, self.url)
        to, by = links_of(graph, centre)
        notes = link_notes(graph, [url for url in dict.fromkeys((*by, *to)) if url != centre])
        shown = [*link_notes(graph, [centre]), *notes[: self.limit - 1]]
        ids = {one["url"] for one in shown}
        visited = [one["url"] for one in shown if "relevance" in one]
        edges = [
            api.PictureEdge(source, target, 1)
            for source, found in targets_of(graph, visited).items()
            for target in dict.fromkeys(found)
            if target in ids and target != source
        ]
        # Those of the page itself first.
        edges.sort(key=lambda edge: centre not in (edge.source, edge.target))
        nodes = [_page_node(graph, one) for one in shown]
        return api.PictureReply(nodes, edges[:_MOST_EDGES], len(notes) + 1 - len(shown))


class PageGraph(Job, frozen=True):
    """The best pages and their links.

    Those links come first that say most: to pages that few others link to.
    """

    limit: api.Nodes = 400

    def do(self, graph: ServedGraph) -> api.PictureReply:
        """Choose the pages, and find their links."""
        index = index_of(graph, "pages")
        order = index.page(graph, "relevance", descending=True, words="")[: self.limit]
        urls = [index.urls[row] for row in order.tolist()]
        ids, found = set(urls), targets_of(graph, urls)
        pairs = {(url, target) for url in found for target in found[url] if target in ids and target != url}
        linked = Counter(target for _, target in pairs)
        edges = [api.PictureEdge(*pair, 1) for pair in sorted(pairs, key=lambda p: (linked[p[1]], p))]
        nodes = [_page_node(graph, one) for one in link_notes(graph, urls)]
        return api.PictureReply(nodes, edges[: 2 * _MOST_EDGES], len(index) - len(urls))


class SiteGraph(Job, frozen=True):
    """The best sites and their links.

    Those with most relevant pages; the links between them are counted or recorded.
    """

    limit: api.Nodes = 120

    def do(self, graph: ServedGraph) -> api.PictureReply:
        """Choose the sites, and find their links."""
        sites = sites_of(graph)
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
        edges = _recorded_edges(graph, set(names)) or _counted_edges(graph, names)
        nodes = [
            api.PictureNode(
                id=site["site"],
                label=site["host"],
                kind="site",
                relevance=site.get("confidence", site["best_relevance"]),
                hub=None,
                size=site["pages"],
            )
            for site in best
        ]
        return api.PictureReply(nodes, edges[:_MOST_EDGES], len(sites) - len(best))


_KINDS: dict[str, Literal["page", "waiting", "dropped"]] = {
    "relevance": "page",
    "priority": "waiting",
    "dropped": "dropped",
}


def _page_node(graph: CrawlGraph, one: dict[str, Any]) -> api.PictureNode:
    """A node that also says where the page is, what it is about, and how it was found."""
    value = graph.store.value
    node = api.PictureNode(
        id=one["url"],
        label=one.get("title") or "",
        kind=next((kind for name, kind in _KINDS.items() if name in one), "unknown"),
        relevance=one.get("relevance"),
        hub=one.get("hub"),
        size=None,
    )
    node.site = host_of_site(site_of_url(node.id)) or ""
    if concept := value(node.id, PAGE["concept"].iri):
        node.concept = label_of(value(concept, PREFIXES["skos"] + "prefLabel"), concept)
    if parent := value(node.id, URL["found_on"].iri):
        node.parent = parent
    return node


def _recorded_edges(graph: CrawlGraph, names: set[str]) -> list[api.PictureEdge]:
    return [
        api.PictureEdge(row["source"], row["target"], row["pages"])
        for row in rows_of(graph, "sites/site-edges", limit=20 * _MOST_EDGES)
        if row["source"] in names and row["target"] in names
    ]


def _counted_edges(graph: ServedGraph, names: list[str]) -> list[api.PictureEdge]:
    index = index_of(graph, "pages")
    site_of = dict(zip(index.urls, site_names(graph, index), strict=True))
    wanted = set(names)
    # The best pages of each site, as many of each as the limit for all allows.
    most = max(1_000 // max(len(names), 1), 1)
    taken: Counter[str] = Counter()
    best: list[str] = []
    for row in index.page(graph, "relevance", descending=True, words="").tolist():
        url = index.urls[row]
        site = site_of[url]
        if site in wanted and taken[site] < most:
            taken[site] += 1
            best.append(url)
    counts: Counter[tuple[str, str]] = Counter()
    for url, targets in targets_of(graph, best).items():
        here = site_of[url]
        there = {site_of.get(target) for target in targets}
        counts.update((here, site) for site in there if site in wanted and site != here and site)
    return [api.PictureEdge(source, target, pages) for (source, target), pages in counts.most_common()]
