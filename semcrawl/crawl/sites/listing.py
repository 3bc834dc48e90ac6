"""The sites that a crawl has found, as a ranked list with what speaks for each."""

import re
from collections import defaultdict
from typing import Any

import msgspec

from semcrawl.crawl.sites.frontier import site_name
from semcrawl.crawl.sites.settings import stored_settings
from semcrawl.graph import SC, CrawlGraph, require_graph
from semcrawl.graph.result_formats import csv_text, xml_text

_ALL = 10**9


class Evidence(msgspec.Struct, frozen=True):
    """A page that speaks for its site."""

    url: str
    confidence: float
    title: str


class ListedSite(msgspec.Struct, frozen=True, rename={"site_class": "class"}):
    """A found site and the others listed that it links to."""

    site: str
    confidence: float
    site_class: str  # "" while the site is being read
    pages: int
    stopped: str  # "" while the site is being read
    homepage: str
    title: str
    evidence: tuple[Evidence, ...] = ()
    links: tuple[str, ...] = ()


class SiteList(msgspec.Struct, frozen=True):
    """The sites found, best first, and the edges among them."""

    sites: tuple[ListedSite, ...] = ()
    edges: tuple[tuple[str, str, dict[str, float]], ...] = ()  # source, target, and their weight and pages


def list_sites(graph: CrawlGraph, min_confidence: float = 0.5, evidence: int = 3) -> SiteList:
    """The sites of at least this confidence with their best pages; ConfigError for a page crawl."""
    require_graph(graph)
    stored_settings(graph)
    rows = graph.query("sites/relevant-links", min_confidence=min_confidence, limit=_ALL)
    edges = tuple((site_name(row.pop("source")), site_name(row.pop("target")), row) for row in rows)
    targets: dict[str, list[str]] = defaultdict(list)
    for source, target, _ in edges:
        targets[source].append(target)
    found = graph.query("sites/found-sites", min_confidence=min_confidence, limit=_ALL)
    return SiteList(tuple(_listed(graph, row, evidence, targets) for row in found), edges)


def _listed(graph: CrawlGraph, row: dict[str, Any], evidence: int, targets: dict[str, list[str]]) -> ListedSite:
    pages = graph.query("sites/site-evidence", site=row["site"], limit=evidence)
    name = site_name(row["site"])
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


_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f]+")


def site_list_text(graph: CrawlGraph, form: str = "table", min_confidence: float = 0.5) -> str:
    """The found sites of a crawl: table, csv, json, turtle or graphml; ConfigError for a crawl for pages."""
    found = list_sites(graph, min_confidence)
    if form == "turtle":
        return graph.query("sites/site-collection", min_confidence=min_confidence).serialize("turtle")
    if form == "json":
        return msgspec.json.format(msgspec.json.encode(found.sites), indent=1).decode() + "\n"
    if form == "table":
        return "".join(f"{_entry(one)}\n" for one in found.sites)
    return _csv(found) if form == "csv" else _graphml(found)


def _graphml(found: SiteList) -> str:
    import networkx

    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for one in found.sites:
        graph.add_node(
            one.site,
            confidence=one.confidence,
            pages=one.pages,
            homepage=xml_text(one.homepage),
            title=xml_text(one.title),
            **{"class": xml_text(one.site_class)},
        )
    graph.add_edges_from(found.edges)
    return "\n".join(networkx.generate_graphml(graph)) + "\n"


def _csv(found: SiteList) -> str:
    rows: list[list[object]] = [[*ListedSite.__struct_encode_fields__]]
    for one in found.sites:
        pages = " ".join(page.url for page in one.evidence)
        *told, _, _ = msgspec.structs.astuple(one)
        values = (*told, pages, " ".join(one.links))
        # Titles may have control characters.
        rows.append([_CONTROLS.sub(" ", value).strip() if isinstance(value, str) else value for value in values])
    return csv_text(rows)


def _entry(one: ListedSite) -> str:
    state = "" if one.site_class else "  (being read)"
    pages = f"{one.pages:,} page{'' if one.pages == 1 else 's'}"
    lines = [f"{one.confidence:.3f}  {one.site}  {pages}{state}"]
    lines += [f"       {page.confidence:.3f}  {page.url}" for page in one.evidence]
    if one.links:
        lines.append(f"       links to {', '.join(one.links)}")
    return "\n".join(lines)
