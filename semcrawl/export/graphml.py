"""The collection as GraphML, for graph drawing and network analysis programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx

from semcrawl.export.xml_text import xml_text

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.graph import Answer

__all__ = ["link_graph", "write_graphml"]


def link_graph(pages: Answer, links: Answer) -> networkx.DiGraph[str]:
    """The pages as nodes with title, relevance and so on, their links as edges."""
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for row in pages:
        url = row.pop("url")
        known = {name: value for name, value in row.items() if value is not None}
        graph.add_node(url, **{n: v if isinstance(v, int | float) else xml_text(str(v))
                               for n, v in known.items()})  # fmt: skip
    graph.add_edges_from((row["source"], row["target"]) for row in links)
    return graph


def write_graphml(pages: Answer, links: Answer, path: Path) -> None:
    """Write pages and links as GraphML."""
    networkx.write_graphml(link_graph(pages, links), path)
