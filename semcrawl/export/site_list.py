"""The list of found sites as a table of text, CSV, JSON, Turtle, or GraphML of the site graph."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

from semcrawl.export.xml_text import xml_text
from semcrawl.site_crawl.listing import list_sites

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from semcrawl.site_crawl.listing import ListedSite, SiteList

__all__ = ["SITE_FORMATS", "site_graph_text", "site_list_text"]

SITE_FORMATS = ("table", "csv", "json", "turtle", "graphml")
"""What a list of sites can be written as."""

_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f]+")


def site_list_text(graph: CrawlGraph, form: str = "table", min_confidence: float = 0.5) -> str:
    """The found sites of a crawl, in one of `SITE_FORMATS`.

    Raises:
        ConfigError: the graph is that of a crawl for pages.
    """
    found = list_sites(graph, min_confidence)
    if form == "turtle":
        answer = graph.query("sites/site-collection", min_confidence=min_confidence)
        return answer.serialize("turtle")
    writers = {"csv": _csv, "json": _json, "graphml": site_graph_text, "table": _table}
    return writers[form](found)


def site_graph_text(found: SiteList) -> str:
    """Sites as nodes, edges with their weights, as GraphML."""
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
    for edge in found.edges:
        graph.add_edge(edge.source, edge.target, weight=edge.weight, pages=edge.pages)
    return "\n".join(networkx.generate_graphml(graph)) + "\n"


def _json(found: SiteList) -> str:
    return json.dumps([one.to_dict() for one in found.sites], ensure_ascii=False, indent=1) + "\n"


def _csv(found: SiteList) -> str:
    text = io.StringIO()
    names = ["site", "confidence", "class", "pages", "stopped", "homepage", "title"]
    writer = csv.DictWriter(text, [*names, "evidence", "links"], lineterminator="\n")
    writer.writeheader()
    for one in found.sites:
        pages = " ".join(page.url for page in one.evidence)
        row = {**one.to_dict(), "evidence": pages, "links": " ".join(one.links)}
        writer.writerow({name: _plain(value) for name, value in row.items()})
    return text.getvalue()


def _plain(value: object) -> object:
    """A value without control characters: titles are what anybody wrote, and lines are rows."""
    return _CONTROLS.sub(" ", value).strip() if isinstance(value, str) else value


def _table(found: SiteList) -> str:
    return "".join(f"{_entry(one)}\n" for one in found.sites)


def _entry(one: ListedSite) -> str:
    state = "" if one.site_class else "  (being read)"
    pages = f"{one.pages:,} page{'' if one.pages == 1 else 's'}"
    lines = [f"{one.confidence:.3f}  {one.site}  {pages}{state}"]
    lines += [f"       {page.confidence:.3f}  {page.url}" for page in one.evidence]
    if one.links:
        lines.append(f"       links to {', '.join(one.links)}")
    return "\n".join(lines)
