"""Jobs for a page of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.serve.jobs import Job
from semcrawl.serve.views.rows import by_url, label_of, local_name, rows_of
from semcrawl.serve.views.site_rows import rows_of_site
from semcrawl.serve.views.site_table import SITE_COLUMNS, sites_of, sort_sites
from semcrawl.serve.views.table_index import index_of
from semcrawl.serve.views.table_kinds import TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.views.table_kinds import TableKind

__all__ = ["FirstLook", "TablePage", "WarmUp"]

_RESERVE = 50
_ANY = " "
"""A search that makes the texts to search in."""


class TablePage(Job, frozen=True):
    """A page of a table, by its index; JSON. ``site``: only URLs of the site of this name."""

    table: str
    sort: str
    descending: bool
    words: str
    offset: int
    limit: int
    is_final: bool
    site: str = ""

    def do(self, graph: CrawlGraph) -> bytes:
        """Look the order up, then the rows."""
        if self.table == "sites":
            return self._sites(graph)
        kind = TABLES[self.table]
        index = index_of(graph, self.table, is_final=self.is_final)
        order = index.page(graph, self.sort, self.descending, self.words)
        if self.site:
            order = rows_of_site(graph, index, order, self.site)
        # A few more, for those that are no longer what they were when the index was made.
        reserve = _RESERVE if index.snapshot != str(graph.store.path) else 0
        part = order[self.offset : self.offset + self.limit + reserve]
        rows = _filled(graph, kind, [index.urls[row] for row in part.tolist()])
        return _reply(self, kind.columns, rows[: self.limit], len(order))

    def _sites(self, graph: CrawlGraph) -> bytes:
        sites = sites_of(graph, is_final=self.is_final)
        found = sort_sites(sites, self.sort, self.descending, self.words)
        rows = found[self.offset : self.offset + self.limit]
        return _reply(self, SITE_COLUMNS, rows, len(found))


class FirstLook(Job, frozen=True):
    """The first rows of a table sorted by the numbers that its rows have, without an index; JSON.

    The store finds and sorts the few rows of the first page fast enough, while
    the index is being made elsewhere.
    """

    table: str
    sort: str
    descending: bool
    limit: int

    def do(self, graph: CrawlGraph) -> bytes:
        """Let the store count, then sort what can be on the page."""
        kind = TABLES[self.table]
        key = kind.key(self.sort)
        assert key is not None
        counts = {
            row["hundredth"]: row["urls"]
            for row in rows_of(graph, "serve/number-counts", property=key.source)
            if row["hundredth"] is not None
        }
        found = rows_of(
            graph,
            "serve/highest" if self.descending else "serve/lowest",
            property=key.source,
            limit=self.limit,
            **self._bound(counts),
        )
        rows = _filled(graph, kind, [row["url"] for row in found])
        return _reply(self, kind.columns, rows, sum(counts.values()))

    def _bound(self, counts: dict[float, int]) -> dict[str, float]:
        """The number that the last row on the page cannot be beyond, as a parameter."""
        hundredth, rows = 0.0, 0
        for hundredth in sorted(counts, reverse=self.descending):
            rows += counts[hundredth]
            if rows >= self.limit:
                break
        return {"least": hundredth / 100} if self.descending else {"most": (hundredth + 1) / 100}


class WarmUp(Job, frozen=True):
    """Make the index of a table, with one of its columns; nothing to answer."""

    table: str
    column: str
    is_final: bool

    def do(self, graph: CrawlGraph) -> None:
        """Read the column."""
        if self.table == "sites":
            sites_of(graph, is_final=self.is_final)
        else:
            index = index_of(graph, self.table, is_final=self.is_final)
            index.page(graph, self.column, descending=False, words=_ANY)


def _filled(graph: CrawlGraph, kind: TableKind, urls: list[str]) -> list[dict[str, Any]]:
    """The rows of these URLs, in their order; those that the snapshot does not have left out."""
    found = by_url(graph, kind.rows, urls)
    rows = [found[url] for url in urls if url in found]
    for row in rows:
        if row.get("concept"):
            row["label"] = label_of(row["label"], row["concept"])
        if row.get("reason"):
            row["reason"] = local_name(row["reason"])
    return rows


def _reply(
    asked: TablePage | FirstLook,
    columns: Sequence[str],
    rows: list[dict[str, Any]],
    total: int,
) -> bytes:
    return msgspec.json.encode(
        {
            "columns": list(columns),
            "rows": rows,
            "total": total,
            "offset": asked.offset if isinstance(asked, TablePage) else 0,
            "limit": asked.limit,
            "sort": asked.sort,
            "descending": asked.descending,
        }
    )
