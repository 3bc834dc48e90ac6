"""The sites that a crawl has found, as a ranked list with what speaks for each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from semcrawl.graph import SC
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.site_crawl.site_crawl import stored_settings

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph

__all__ = ["Evidence", "ListedSite", "SiteEdge", "SiteList", "list_sites"]

_ALL = 10**9


@dataclass(frozen=True, slots=True)
class Evidence:
    """A page that speaks for its site."""

    url: str
    confidence: float
    title: str


@dataclass(frozen=True, slots=True)
class ListedSite:
    """A site with its confidence; ``links`` are the listed sites that it links to.

    ``site_class`` and ``stopped`` are empty while the site is being read.
    """

    site: str
    confidence: float
    site_class: str
    pages: int
    stopped: str
    homepage: str
    title: str
    evidence: tuple[Evidence, ...] = ()
    links: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As names and values, for JSON."""
        return {
            "site": self.site,
            "confidence": self.confidence,
            "class": self.site_class,
            "pages": self.pages,
            "stopped": self.stopped,
            "homepage": self.homepage,
            "title": self.title,
            "evidence": [
                {"url": page.url, "confidence": page.confidence, "title": page.title}
                for page in self.evidence
            ],
            "links": list(self.links),
        }


@dataclass(frozen=True, slots=True)
class SiteEdge:
    """All links from one listed site to another."""

    source: str
    target: str
    weight: float
    pages: int


@dataclass(frozen=True, slots=True)
class SiteList:
    """The sites found, best first, and the edges among them."""

    sites: tuple[ListedSite, ...] = ()
    edges: tuple[SiteEdge, ...] = field(default=())


def list_sites(graph: CrawlGraph, min_confidence: float = 0.5, evidence: int = 3) -> SiteList:
    """The sites of at least this confidence, most confident first, with their best pages.

    Raises:
        ConfigError: the graph is that of a crawl for pages.
    """
    stored_settings(graph)
    edges = _edges(graph, min_confidence)
    targets: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        targets[edge.source].append(edge.target)
    found = graph.query("sites/found-sites", min_confidence=min_confidence, limit=_ALL)
    sites = tuple(_listed(graph, row, evidence, targets) for row in found)
    return SiteList(sites, edges)


def _edges(graph: CrawlGraph, min_confidence: float) -> tuple[SiteEdge, ...]:
    rows = graph.query("sites/relevant-links", min_confidence=min_confidence, limit=_ALL)
    return tuple(
        SiteEdge(_name(row["source"]), _name(row["target"]), row["weight"], row["pages"])
        for row in rows
    )


def _listed(
    graph: CrawlGraph, row: dict[str, Any], evidence: int, targets: dict[str, list[str]]
) -> ListedSite:
    pages = graph.query("sites/site-evidence", site=row["site"], limit=evidence)
    name = _name(row["site"])
    return ListedSite(
        name,
        row["confidence"],
        row["class"] or "",
        row["pages"],
        (row["stopped"] or "").removeprefix(SC),
        row["homepage"],
        row["title"] or "",
        tuple(Evidence(page["url"], page["confidence"], page["title"] or "") for page in pages),
        tuple(targets[name]),
    )


def _name(site: str) -> str:
    return host_of_site(site) or site
