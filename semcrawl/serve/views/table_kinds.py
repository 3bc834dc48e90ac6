"""The tables that the page shows: their columns, and where these come from."""

from __future__ import annotations

from dataclasses import dataclass

from semcrawl.graph.vocabulary import DCTERMS, SC

__all__ = ["TABLES", "KeyColumn", "TableKind"]


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """A column that a table can be sorted by.

    Attributes:
        name: its name.
        source: the property that it shows; "" for the URL itself.
        is_scanned: whether it is read for all URLs of the graph in one go, which is the
            fastest where few others have the property; else URL by URL.
        is_number: whether its values are numbers.
        is_dear: whether it takes long to read, and is read only when it is asked for.
    """

    name: str
    source: str = ""
    is_scanned: bool = True
    is_number: bool = False
    is_dear: bool = False


@dataclass(frozen=True, slots=True)
class TableKind:
    """A table of URLs.

    Attributes:
        name: its name in the API.
        base: the column whose property exactly the rows have.
        keys: the columns to sort by, the base among them.
        columns: what a row shows.
        searched: the columns that are searched, beside the URL.
        rows: the query that fills in the rows.
        grows_by_steps: whether rows are added at the end of the crawl's steps.
    """

    name: str
    base: KeyColumn
    keys: tuple[KeyColumn, ...]
    columns: tuple[str, ...]
    searched: tuple[str, ...]
    rows: str
    grows_by_steps: bool = False

    def key(self, name: str) -> KeyColumn | None:
        """The column of that name that can be sorted by."""
        return next((key for key in self.keys if key.name == name), None)


_URL = KeyColumn("url")


def _number(name: str, source: str, *, is_scanned: bool = True, is_dear: bool = False) -> KeyColumn:
    return KeyColumn(name, SC + source, is_scanned, is_number=True, is_dear=is_dear)


_RELEVANCE = _number("relevance", "relevance")
_TITLE = KeyColumn("title", DCTERMS + "title")

_PAGES = TableKind(
    name="pages",
    base=_RELEVANCE,
    keys=(
        _RELEVANCE,
        _TITLE,
        _URL,
        _number("step", "step"),
        KeyColumn("concept", SC + "bestConcept"),
        KeyColumn("label", SC + "bestConcept"),
        # All URLs that were found have a depth, and most of them are no pages.
        _number("depth", "depth", is_scanned=False, is_dear=True),
    ),
    columns=("url", "title", "relevance", "step", "depth", "site", "concept", "label"),
    searched=("title",),
    rows="serve/page-rows",
    grows_by_steps=True,
)


def _scored(name: str, source: str, rows: str) -> TableKind:
    score = _number("score", source)
    return TableKind(
        name=name,
        base=score,
        keys=(
            score,
            KeyColumn("title", DCTERMS + "title", is_scanned=False),
            _number("relevance", "relevance", is_scanned=False),
            _URL,
        ),
        columns=("url", "title", "score", "relevance", "site"),
        searched=("title",),
        rows=rows,
    )


_PRIORITY = _number("priority", "priority")
_WAITING = TableKind(
    name="waiting",
    base=_PRIORITY,
    keys=(_PRIORITY, _URL, _number("depth", "depth", is_dear=True)),
    columns=("url", "priority", "depth", "found_on"),
    searched=(),
    rows="serve/waiting-rows",
)

_REASON = KeyColumn("reason", SC + "droppedBecause")
_DROPPED = TableKind(
    name="dropped",
    base=_REASON,
    keys=(_URL, _REASON),
    columns=("url", "reason", "note"),
    searched=("reason",),
    rows="serve/dropped-rows",
)

TABLES = {
    kind.name: kind
    for kind in (
        _PAGES,
        _scored("hubs", "hubScore", "serve/hub-rows"),
        _scored("authorities", "authorityScore", "serve/authority-rows"),
        _WAITING,
        _DROPPED,
    )
}
"""The tables of URLs, by name; the table of sites is made from the pages (site_table.py)."""
