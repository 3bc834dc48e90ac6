"""From the crawl graph to scores: reading and computing; nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.distill.distillation import ACROSS, METHODS, Distillation
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from semcrawl.distill.link_matrix import JudgedPages
    from semcrawl.graph import CrawlGraph

__all__ = ["distil"]


def distil(
    graph: CrawlGraph,
    method: str = "hits",
    share: float = 0.15,
    rounds: int = 50,
    across: str = "hosts",
) -> Distillation:
    """Find the best hubs and authorities among the visited pages; nothing is written.

    A graph without pages, without relevant pages or without links between them
    gives an empty distillation.

    Args:
        graph: the crawl graph, or a snapshot of it.
        method: ``hits``, weighted by relevance (Chakrabarti et al. 1999, section
            3.2); or ``pagerank`` or ``in-degree`` to compare it with, which look
            at all links between visited pages, whatever ``share`` and ``across``
            say.
        share: the share of the pages, most relevant first, that can be authorities.
        rounds: how many rounds are computed at most.
        across: which links count: those between ``hosts``, or all between
            ``pages``, each of which is then a site of its own. A web of one
            host has no links of the first kind.

    Raises:
        ConfigError: an unknown method or kind of link, a share that is not
            above 0 and at most 1, less than one round.
    """
    _check(method, share, rounds, across)
    if method == "in-degree":
        return _in_degree(graph)
    # The libraries for numbers are slow to import, and most commands never come here.
    from semcrawl.distill.link_matrix import read_pages

    pages = read_pages(graph)
    if not len(pages):
        return Distillation(method)
    if method == "pagerank":
        return _page_rank(graph, pages, rounds)
    return _hits(graph, pages, share, rounds, across)


def _check(method: str, share: float, rounds: int, across: str) -> None:
    for name, value, known in (("method", method, METHODS), ("across", across, ACROSS)):
        if value not in known:
            raise ConfigError(f"{name} {value!r} is unknown: choose one of {', '.join(known)}")
    if not 0 < share <= 1:
        raise ConfigError(f"share {share} is out of range: give a number above 0 and at most 1")
    if rounds < 1:
        raise ConfigError(f"rounds {rounds} is out of range: give at least 1")


def _hits(
    graph: CrawlGraph, pages: JudgedPages, share: float, rounds: int, across: str
) -> Distillation:
    import numpy as np

    from semcrawl.distill.hits import edge_weights, find_rho, iterate
    from semcrawl.distill.link_matrix import read_links

    rho = find_rho(pages.relevance, share)
    sources, targets = read_links(graph, pages, "distill/edges", rho=rho)
    sites = pages.sites if across == "hosts" else np.arange(len(pages))
    crossing = sites[sources] != sites[targets]
    edges = sources[crossing], targets[crossing]
    found = iterate(edges, edge_weights(edges, pages.relevance, sites), len(pages), rounds)
    return Distillation(
        "hits",
        pages.ranked(found.hubs),
        pages.ranked(found.authorities),
        rho=rho,
        pages=len(pages),
        edges=len(edges[0]),
        rounds=found.rounds,
        converged=found.converged,
        step=_last_step(graph),
    )


def _page_rank(graph: CrawlGraph, pages: JudgedPages, rounds: int) -> Distillation:
    from semcrawl.distill.link_matrix import read_links
    from semcrawl.distill.page_rank import page_rank

    links = read_links(graph, pages, "distill/page-links")
    scores, computed, converged = page_rank(links, len(pages), rounds)
    return Distillation(
        "pagerank",
        authorities=pages.ranked(scores),
        pages=len(pages),
        edges=len(links[0]),
        rounds=computed,
        converged=converged,
        step=_last_step(graph),
    )


def _in_degree(graph: CrawlGraph) -> Distillation:
    """The store counts by itself, so that no link has to leave it."""
    counted = {row["url"]: row["links"] for row in graph.query("distill/in-degree")}
    best_first = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    pages = graph.query("SELECT (COUNT(*) AS ?pages) WHERE { ?page sc:relevance ?r }").value()
    return Distillation(
        "in-degree",
        authorities={url: float(links) for url, links in best_first},
        pages=pages,
        edges=sum(counted.values()),
        step=_last_step(graph),
    )


def _last_step(graph: CrawlGraph) -> int:
    return graph.query("distill/last-step").value() or 0
