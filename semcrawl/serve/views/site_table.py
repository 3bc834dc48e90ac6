"""The table of sites: counted from the index of pages, with what a website crawl knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl.graph.vocabulary import SC, host_of_site, site_iri
from semcrawl.serve.views.rows import is_of_sites, local_name, rows_of
from semcrawl.serve.views.table_index import index_of

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.views.table_index import TableIndex

__all__ = [
    "SITE_COLUMNS",
    "SITE_TEXTS",
    "site_names",
    "site_of_url",
    "sites_of",
    "sort_sites",
]

SITE_COLUMNS = (
    "site",
    "host",
    "pages",
    "relevant",
    "mean_relevance",
    "best_relevance",
    "confidence",
    "verdict",
)
SITE_TEXTS = ("site", "host", "verdict")
_PLACES = 6
_counted: dict[str, Any] = {"of": None, "rows": []}


def sites_of(graph: CrawlGraph, *, is_final: bool) -> list[dict[str, Any]]:
    """A row for each site that a page was visited of, or that a website crawl has read."""
    index = index_of(graph, "pages", is_final=is_final)
    of = id(index), len(index), str(graph.store.path)
    if _counted["of"] != of:
        _counted.update(of=of, rows=_count(graph, index))
    rows: list[dict[str, Any]] = _counted["rows"]
    return rows


def site_names(graph: CrawlGraph, index: TableIndex) -> list[str]:
    """The site of each page: what its URL says, or in a website crawl what the graph does."""
    if is_of_sites(graph):
        known = (graph.store.value(url, SC + "site") for url in index.urls)
        return [site or site_of_url(url) for url, site in zip(index.urls, known, strict=True)]
    return [site_of_url(url) for url in index.urls]


def sort_sites(
    sites: list[dict[str, Any]], sort: str, descending: bool, words: str
) -> list[dict[str, Any]]:
    """The sites that have the words in their names, sorted; those without a value last."""
    wanted = words.casefold()
    found = [site for site in sites if wanted in site["host"].casefold()]
    found.sort(key=lambda site: site["host"])
    is_text = sort in SITE_TEXTS
    there = [site for site in found if site.get(sort) is not None]
    there.sort(
        key=lambda site: site[sort].casefold() if is_text else site[sort], reverse=descending
    )
    return there + [site for site in found if site.get(sort) is None]


def _count(graph: CrawlGraph, index: TableIndex) -> list[dict[str, Any]]:
    threshold = graph.describe().threshold
    relevances: dict[str, list[float]] = {}
    for site, relevance in zip(
        site_names(graph, index), index.column(graph, "relevance"), strict=True
    ):
        relevances.setdefault(site, []).append(relevance)
    facts = {row["site"]: row for row in rows_of(graph, "serve/site-facts")}
    return [
        _row(site, relevances.get(site, []), threshold, facts.get(site))
        for site in dict.fromkeys((*relevances, *facts))
    ]


def _row(
    site: str, relevances: list[float], threshold: float, facts: dict[str, Any] | None
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "site": site,
        "host": host_of_site(site) or site,
        "pages": len(relevances),
        "relevant": sum(relevance >= threshold for relevance in relevances),
        "mean_relevance": None,
        "best_relevance": max(relevances, default=None),
    }
    if relevances:
        row["mean_relevance"] = round(sum(relevances) / len(relevances), _PLACES)
    if facts is not None:
        stopped = facts["stopped"]
        row |= {
            "confidence": facts["confidence"],
            "verdict": facts["verdict"] or "",
            "stopped": local_name(stopped) if stopped else "",
            "homepage": facts["homepage"],
        }
    return row


def site_of_url(url: str) -> str:
    """The site behind a URL's host; a URL without a host stands for itself.

    >>> site_of_url("http://www.a.test/b"), site_of_url("urn:x")
    ('urn:semcrawl:site:www.a.test', 'urn:x')
    """
    # URLs in the graph are canonical: the host stands between the second and third slash.
    return site_iri(url.split("/", 3)[2]) if "://" in url else url
