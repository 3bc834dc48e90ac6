"""Rebuilding a crawl's memory from its graph alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.crawl.pages.intake import SECOND_CHANCE, KnownUrls
from semcrawl.graph import SC, Changes, FoundUrl
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.web.response import DropReason
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from semcrawl.crawl.frontier import Frontier
    from semcrawl.crawl.progress import Progress
    from semcrawl.graph import CrawlGraph
    from semcrawl.web import TrapGuard


def rebuild(
    graph: CrawlGraph,
    frontier: Frontier,
    progress: Progress,
    guard: TrapGuard,
    threshold: float,
) -> KnownUrls:
    """Fill frontier, progress and guard from the graph; what is known of all other URLs.

    Visits that were under way when the crawl ended are still in the graph's
    frontier, and so in this one.
    """
    known = KnownUrls()
    found = _found(graph)
    _settle(graph, known, progress, found)
    frontier.restore_load(known.pages_by_host)
    losers: list[FoundUrl] = []
    # In the order in which they were found, as the guard met them before.
    for url, properties in sorted(found.items(), key=lambda item: item[1].get("order", 0)):
        if properties.get("depth"):
            guard.check(url)
        known.next_order = max(known.next_order, int(properties.get("order", 0)) + 1)
        if "priority" in properties and (loser := frontier.push(_entry(url, properties))):
            losers.append(loser)
    _give_up(graph, known, losers)
    row = next(iter(graph.query("monitor/progress", threshold=threshold)))
    progress.pages = progress.pages_before = row["pages"]
    progress.relevant = row["relevant"]
    progress.hosts = len(known.pages_by_host)
    progress.waiting = len(frontier)
    return known


def _found(graph: CrawlGraph) -> dict[str, dict[str, float]]:
    """Properties by URL, from rows of one property each (see queries/frontier/resume.rq)."""
    found: dict[str, dict[str, float]] = {}
    for row in graph.query("frontier/resume"):
        name = row["property"].removeprefix(SC)
        if name == "factor" and host_of_site(row["url"]) is not None:
            continue
        found.setdefault(row["url"], {})[name] = row["value"]
    return found


def _settle(
    graph: CrawlGraph,
    known: KnownUrls,
    progress: Progress,
    found: dict[str, dict[str, float]],
) -> None:
    for row in graph.query("frontier/known"):
        url, kind = row["url"], row["kind"]
        if kind == "visited":
            known.pages_by_host[host_of(url)] += 1
        elif kind == "dropped":
            reason = row["reason"].removeprefix(SC)
            progress.dropped[reason] += 1
            if reason in SECOND_CHANCE:
                entry = _entry(url, found[url]) if "order" in found.get(url, {}) else None
                known.refused[url] = (reason, entry)
                continue
        known.settled.add(url)


def _give_up(graph: CrawlGraph, known: KnownUrls, losers: list[FoundUrl]) -> None:
    """Note the URLs for which a frontier made smaller since has no room."""
    changes = Changes()
    for entry in losers:
        changes.left_frontier(entry)
        changes.dropped(entry.url, DropReason.FRONTIER_FULL)
        known.refused[entry.url] = (DropReason.FRONTIER_FULL, entry)
    graph.apply(changes)


def _entry(url: str, properties: dict[str, float]) -> FoundUrl:
    tries, redirects, depth, order = (
        int(properties.get(name, 0)) for name in ("tries", "redirects", "depth", "order")
    )
    # Where it was found is in the graph already and not needed in memory.
    return FoundUrl(
        url,
        host_of(url),
        properties.get("priority", 0.0),
        order,
        depth,
        found_on=url,
        tries=tries,
        redirects=redirects,
        factor=properties.get("factor", 1.0),
    )
