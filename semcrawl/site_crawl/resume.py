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
            # One that is being read holds a place of its domain, a closed one if it gave a page.
            was_read = bool(said.get("pagesRead")) or "siteStoppedBecause" not in said
            frontier.settle(name, site.homepage, was_read=was_read)
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
    for row in graph.query("sites/checked-urls"):
        machine.guard.check(row["url"])
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
        entry = FoundUrl(
            row["url"],
            name,
            row["priority"],
            row["order"],
            row["depth"],
            found_on=row["found_on"],
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
    # By target, what its rank is made of: the weights of pages, in the order they were read.
    weights: dict[str, dict[str, float]] = defaultdict(dict)
    for row in graph.query("sites/site-pages", site=iri):
        url, note = row["url"], PageNote.from_json(row["memo"])
        site.settle(url)
        sorted_links = sorter.sort(known.name, links[url], note.ignored)
        weight = site.read(note, sorted_links.others, url, row["depth"])
        for target in sorted_links.inside:
            weights[target][url] = weight
    if "pagesRead" in said:
        site.judged = said["siteConfidence"], said["pagesRead"]
    for entry in sorted(waiting, key=lambda entry: entry.order):
        site.offer(entry, *_counted(entry, weights[entry.url]))


def _counted(entry: FoundUrl, weights: dict[str, float]) -> list[float]:
    """The weights that count for a URL: those since it was found.

    A page may have linked to it before, when there was no room for it. One that
    was found by no link of its own site has a priority that stays.
    """
    pages = list(weights)
    if entry.found_on not in weights:
        return []
    return [weights[page] for page in pages[pages.index(entry.found_on) :]]


def _settle(graph: CrawlGraph, director: SiteDirector, progress: SiteProgress) -> None:
    """Nothing that was asked for is asked for again; what failed or redirected is counted."""
    tries = {_name(row["site"]): row["tries"] for row in graph.query("sites/site-tries")}
    for name, site in director.open.items():
        site.requests = site.pages + tries.get(name, 0)
    for row in graph.query("frontier/known"):
        asked = director.open.get(director.site_of(row["url"]))
        if asked is not None:
            asked.settle(row["url"])
            asked.requests += row["kind"] == "redirected"
        if row["kind"] == "dropped":
            reason = row["reason"].removeprefix(SC)
            progress.dropped[reason] += 1
            if asked is not None and reason not in ("OutOfScope", "TrapSuspected"):
                asked.failed(reason)
                asked.requests += 1


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
