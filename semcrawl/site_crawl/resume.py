"""Rebuilding a crawl for websites from its graph alone.

The graph holds every page with the confidences that the classifier gave it,
every known site with what was decided of it, and every edge with its weight.
Sites that were being read are read again from these pages, without a request.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from semcrawl.graph import SC, FoundUrl
from semcrawl.graph.vocabulary import host_of_site, site_iri
from semcrawl.site_crawl.evidence import PageNote
from semcrawl.site_crawl.external import KnownSite

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from semcrawl.site_crawl.assembly import SiteMachine
    from semcrawl.site_crawl.directing import SiteDirector
    from semcrawl.site_crawl.external import ExternalFrontier
    from semcrawl.site_crawl.internal import InternalCrawl
    from semcrawl.site_crawl.page_links import LinkSorter
    from semcrawl.site_crawl.progress import SiteProgress

__all__ = ["rebuild_sites"]

_ALL = 10**9


def rebuild_sites(graph: CrawlGraph, machine: SiteMachine) -> None:
    """Fill the machine's parts from the graph."""
    frontier, director, sorter = machine.frontier, machine.director, machine.sorter
    known = _known(graph)
    waiting = _waiting(graph)
    sites = {name: _site(name, said) for name, said in known.items()}
    for row in graph.query("sites/site-edges", limit=_ALL):
        sites[_name(row["target"])].rank.add(row["weight"])
    closed = []
    for name, said in sorted(known.items(), key=lambda item: item[1]["siteNumber"]):
        site = sites[name]
        frontier.add(site)
        if "openedAtStep" in said or "siteStoppedBecause" in said:
            frontier.settle(name, site.homepage, was_read="openedAtStep" in said)
        if "siteStoppedBecause" in said:
            closed.append(said)
        elif "openedAtStep" in said:
            _reopen(graph, director, sorter, site, said, waiting[name])
        else:
            site.starts = sorted(waiting[name], key=lambda entry: entry.order)
    for said in sorted(closed, key=lambda one: (one["closedAtStep"], one["siteNumber"])):
        if said.get("pagesRead"):
            is_relevant = said["siteConfidence"] > director.threshold
            director.count_closed(said["pagesRead"], is_relevant=is_relevant)
    for entries in waiting.values():
        for entry in entries:
            machine.guard.check(entry.url)
    _settle(graph, director, machine.progress)
    _count(graph, director, frontier, machine.progress)


def _name(site: str) -> str:
    return host_of_site(site) or site


def _known(graph: CrawlGraph) -> dict[str, dict[str, Any]]:
    """Properties by the name of the site, from rows of one property each."""
    known: dict[str, dict[str, Any]] = defaultdict(dict)
    for row in graph.query("sites/known-sites"):
        known[_name(row["site"])][row["property"].removeprefix(SC)] = row["value"]
    return known


def _site(name: str, said: dict[str, Any]) -> KnownSite:
    return KnownSite(
        name,
        said["siteNumber"],
        said["homepage"],
        said["entryPage"],
        said["depth"],
        said.get("foundOn"),
    )


def _waiting(graph: CrawlGraph) -> dict[str, list[FoundUrl]]:
    """The URLs that wait, by site."""
    found: dict[str, list[FoundUrl]] = defaultdict(list)
    for row in graph.query("sites/waiting-urls"):
        name = _name(row["site"])
        # Where it was found is in the graph already and not needed in memory.
        entry = FoundUrl(
            row["url"],
            name,
            row["priority"],
            row["order"],
            row["depth"],
            found_on=row["url"],
            tries=row["tries"] or 0,
            redirects=row["redirects"] or 0,
        )
        found[name].append(entry)
    return found


def _reopen(
    graph: CrawlGraph,
    director: SiteDirector,
    sorter: LinkSorter,
    known: KnownSite,
    said: dict[str, Any],
    waiting: list[FoundUrl],
) -> None:
    site = director.reopen(known, said["sitePrior"])
    iri = site_iri(known.name)
    links: dict[str, list[str]] = defaultdict(list)
    for row in graph.query("sites/site-page-links", site=iri):
        links[row["url"]].append(row["link"])
    weights: dict[str, list[float]] = defaultdict(list)
    for row in graph.query("sites/site-pages", site=iri):
        url, note = row["url"], PageNote.from_json(row["memo"])
        site.settle(url)
        sorted_links = sorter.sort(known.name, links[url], note.ignored)
        weight = site.read(note, sorted_links.others, url, row["depth"])
        for target in sorted_links.inside:
            weights[target].append(weight)
    if "pagesRead" in said:
        site.judged = said["siteConfidence"], said["pagesRead"]
    _offer_again(site, waiting, weights)


def _offer_again(
    site: InternalCrawl, waiting: list[FoundUrl], weights: dict[str, list[float]]
) -> None:
    for entry in sorted(waiting, key=lambda entry: entry.order):
        links = weights.get(entry.url, [])
        site.offer(entry, links[0] if links else None)
        for weight in links[1:]:
            site.raise_or_lower(entry.url, weight)


def _settle(graph: CrawlGraph, director: SiteDirector, progress: SiteProgress) -> None:
    """Nothing that was asked for is asked for again; what failed is counted."""
    for row in graph.query("frontier/known"):
        site = director.open.get(director.site_of(row["url"]))
        if site is not None:
            site.settle(row["url"])
        if row["kind"] == "dropped":
            reason = row["reason"].removeprefix(SC)
            progress.dropped[reason] += 1
            if site is not None and reason not in ("OutOfScope", "TrapSuspected"):
                site.failed(reason)


def _count(
    graph: CrawlGraph, director: SiteDirector, frontier: ExternalFrontier, progress: SiteProgress
) -> None:
    row = next(iter(graph.query("monitor/progress", threshold=director.threshold)))
    progress.pages = progress.pages_before = row["pages"]
    progress.relevant = row["relevant"]
    progress.hosts = row["hosts"]
    progress.waiting = len(frontier)
    progress.open_sites = len(director.open)
    director.order = next(iter(graph.query("sites/last-order")))["order"] or 0
