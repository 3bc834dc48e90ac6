"""The keys of a table in memory, so that a page of it in any order takes milliseconds.

Sorting 50,000 pages by title in the store takes a dozen seconds, because it
looks a text up at every comparison. Here one scan of a property makes a column;
orders are kept. Only keys are kept: what a row shows is read from the snapshot.

A running crawl has a new snapshot each second. New pages are added by their
steps; all is read anew when that costs at most a twentieth of the time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from semcrawl.graph.answer import python_value
from semcrawl.serve.jobs import known_query
from semcrawl.serve.views.rows import label_of, later_pages, rows_of
from semcrawl.serve.views.table_kinds import TABLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.views.table_kinds import KeyColumn, TableKind

__all__ = ["TableIndex", "index_of"]

_SHARE = 20
_NAMED = ("label", "reason")
"""Columns of concepts and reasons, which are sorted by their names."""


class TableIndex:
    """The rows of a table: their URLs, the columns that were asked for, and orders of them."""

    def __init__(self, graph: CrawlGraph, kind: TableKind) -> None:
        began = time.perf_counter()
        self.kind = kind
        self.snapshot = str(graph.store.path)
        self.read_at = time.monotonic()
        self.last_step = _last_step(graph) if kind.grows_by_steps else 0
        # A URL that was dropped twice has two reasons, and one row.
        base = _scan(graph, kind.base.source)
        self.urls = list(base)
        self.columns: dict[str, list[Any]] = {"url": self.urls}
        self._orders: dict[tuple[str, bool], NDArray[np.int64]] = {}
        self._texts: list[str] | None = None
        self.columns[kind.base.name] = self._shown(graph, kind.base, list(base.values()))
        self.seconds = time.perf_counter() - began

    def __len__(self) -> int:
        return len(self.urls)

    def column(self, graph: CrawlGraph, name: str) -> list[Any]:
        """The values of a column by row, None where a row has none."""
        if name not in self.columns:
            key = self.kind.key(name)
            assert key is not None
            began = time.perf_counter()
            if key.is_scanned:
                found = _scan(graph, key.source)
                values = [found.get(url) for url in self.urls]
            else:
                values = [graph.store.value(url, key.source) for url in self.urls]
            self.columns[name] = self._shown(graph, key, values)
            self.seconds += time.perf_counter() - began
        return self.columns[name]

    def page(self, graph: CrawlGraph, sort: str, descending: bool, words: str) -> NDArray[np.int64]:
        """The numbers of all rows that have the words, in this order."""
        order = self._order(graph, sort, descending)
        if not words:
            return order
        wanted = words.casefold()
        texts = self._searched(graph)
        has = np.fromiter((wanted in text for text in texts), bool, len(texts))
        found: NDArray[np.int64] = order[has[order]]
        return found

    def catch_up(self, graph: CrawlGraph) -> None:
        """Add the pages of later steps, with all columns that are here."""
        self.snapshot = str(graph.store.path)
        known: set[str] | None = None
        for step, url in later_pages(graph, self.last_step):
            self.last_step = step
            known = set(self.urls) if known is None else known
            if url not in known:
                self._add(graph, url)

    def _add(self, graph: CrawlGraph, url: str) -> None:
        for name, values in self.columns.items():
            key = self.kind.key(name)
            if name == "url" or key is None:
                continue
            values.extend(self._shown(graph, key, [graph.store.value(url, key.source)]))
        self.urls.append(url)
        self._orders.clear()
        self._texts = None

    def _shown(self, graph: CrawlGraph, key: KeyColumn, values: list[Any]) -> list[Any]:
        """The values as they are sorted."""
        if key.name not in _NAMED:
            return values
        different = {value for value in values if value is not None}
        names = {one: label_of(graph.store.value(one, _LABEL), one) for one in different}
        return [names.get(value) for value in values]

    def _order(self, graph: CrawlGraph, name: str, descending: bool) -> NDArray[np.int64]:
        if (name, descending) not in self._orders:
            values = self.column(graph, name)
            key = self.kind.key(name)
            is_number = key is not None and key.is_number
            self._orders[name, descending] = (
                _by_number(values, descending) if is_number else _by_text(values, descending)
            )
        return self._orders[name, descending]

    def _searched(self, graph: CrawlGraph) -> list[str]:
        if self._texts is None:
            others = [self.column(graph, name) for name in self.kind.searched]
            self._texts = [
                "\n".join(str(text) for text in texts if text).casefold()
                for texts in zip(self.urls, *others, strict=True)
            ]
        return self._texts


_LABEL = "http://www.w3.org/2004/02/skos/core#prefLabel"
_indexes: dict[str, TableIndex] = {}


def index_of(graph: CrawlGraph, table: str, *, is_final: bool) -> TableIndex:
    """The index of a table for a snapshot, as this worker has it; of a final one, exact."""
    index = _indexes.get(table)
    if index is None or _is_too_old(index, graph, is_final=is_final):
        index = _indexes[table] = TableIndex(graph, TABLES[table])
    elif index.kind.grows_by_steps and index.snapshot != str(graph.store.path):
        index.catch_up(graph)
    return index


def _is_too_old(index: TableIndex, graph: CrawlGraph, *, is_final: bool) -> bool:
    if index.snapshot == str(graph.store.path) or not index.snapshot:
        return False
    age = time.monotonic() - index.read_at
    return is_final or age > _SHARE * index.seconds * (_SHARE if index.kind.grows_by_steps else 1)


def _scan(graph: CrawlGraph, source: str) -> dict[str, Any]:
    answer = graph.store.query(known_query("serve/column").bind({"property": source}))
    return {python_value(url): python_value(value) for url, value in answer.rows}


def _last_step(graph: CrawlGraph) -> int:
    rows = rows_of(graph, "distill/last-step")
    return int(next(iter(rows[0].values())) or 0) if rows else 0


def _by_number(values: list[Any], descending: bool) -> NDArray[np.int64]:
    numbers = np.array([np.nan if value is None else value for value in values], np.float64)
    return np.argsort(-numbers if descending else numbers, kind="stable")


def _by_text(values: list[Any], descending: bool) -> NDArray[np.int64]:
    keys = [None if value is None else (str(value).casefold(), str(value)) for value in values]
    there = [row for row, key in enumerate(keys) if key is not None]
    there.sort(key=lambda row: keys[row], reverse=descending)  # type: ignore[arg-type, return-value]
    without = [row for row, key in enumerate(keys) if key is None]
    return np.array([*there, *without], np.int64)
