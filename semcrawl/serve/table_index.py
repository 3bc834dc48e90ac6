"""The keys of a table in memory, so that a page of it in any order takes milliseconds.

Sorting 50,000 pages by title in the store takes a dozen seconds. Here one scan of a property makes
a column, and orders are kept. While a crawl runs, new pages are added by their steps, and all is
read anew when that costs at most a twentieth of the time.
"""

import time
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from semcrawl.errors import QueryError, RequestError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.answers import python_value
from semcrawl.graph.columns import CRAWL, DROPPED, PAGE, URL, WAITING, shown_in
from semcrawl.graph.vocabulary import PREFIXES, SC, host_of_site, iri, site_iri
from semcrawl.resources import facts_beside
from semcrawl.serve.rows import label_of, later_pages, local_name, rows_of
from semcrawl.serve.worker import ServedGraph


class KeyColumn(Struct, frozen=True):
    """A column that a table can be sorted by."""

    name: str
    source: str = ""  # its property; "" for the URL itself
    is_scanned: bool = True  # for all URLs at once: faster where few others have the property
    is_number: bool = False
    is_dear: bool = False  # takes long to read, so it is read only on request


class TableKind(Struct, frozen=True):
    """A table of URLs."""

    base: KeyColumn  # the column whose property exactly the rows have
    keys: tuple[KeyColumn, ...]  # to sort by
    columns: tuple[str, ...]  # what a row shows
    searched: tuple[str, ...]  # beside the URL
    rows: str  # the query that fills in the rows
    grows_by_steps: bool = False  # rows are added with the crawl's steps

    def key(self, name: str) -> KeyColumn:
        """The column of that name that can be sorted by."""
        return next(key for key in self.keys if key.name == name)


def _key(column: str, name: str = "", *, scanned: bool = True, dear: bool = False) -> KeyColumn:
    if column == "url":
        return KeyColumn("url")
    found = next(columns[column] for columns in (PAGE, URL, WAITING, DROPPED) if column in columns)
    return KeyColumn(name or column, found.iri, scanned, found.is_number, dear)


def _kind(table: str, facts: dict[str, Any]) -> TableKind:
    used = {*facts["columns"], *(row["column"] for row in facts["keys"])}
    others = [column for column in shown_in(table) if column.name not in used]
    numbers = [column.name for column in others if column.is_number]
    keys = [_key(**row) for row in facts["keys"]]
    return TableKind(
        base=keys[0],
        keys=(*keys, *(_key(name, scanned=False, dear=True) for name in numbers)),
        columns=(*facts["columns"], *(column.name for column in others)),
        searched=tuple(facts.get("searched", ())),
        rows=facts["rows"],
        grows_by_steps=facts.get("steps", False),
    )


_DECLARED = facts_beside(__file__, "tables.toml")
TITLES: dict[str, str] = {name: facts["title"] for name, facts in _DECLARED.items()}
SITE_COLUMNS: tuple[str, ...] = tuple(_DECLARED.pop("sites")["columns"])
TABLES = {name: _kind(name, facts) for name, facts in _DECLARED.items()}
"""The tables of URLs, by name; the table of sites is made from the pages."""

_SHARE = 20
_LABEL = PREFIXES["skos"] + "prefLabel"
_indexes: "dict[str, TableIndex]" = {}


class TableIndex:
    """The URLs of a table, the columns that were asked for, and their orders."""

    def __init__(self, graph: CrawlGraph, kind: TableKind) -> None:
        began = time.perf_counter()
        self.kind = kind
        self.snapshot = str(graph.store.path)
        self.read_at = time.monotonic()
        self.last_step = 0
        if kind.grows_by_steps and (rows := rows_of(graph, "distill/last-step")):
            self.last_step = int(next(iter(rows[0].values())) or 0)
        # A URL that was dropped twice has two reasons, and one row.
        self.rejudgements = _rejudgements(graph)
        base = _scan(graph, kind.base.source)
        # By their texts, so that rows with equal values have an order, whatever the store is.
        self.urls = sorted(base)
        self.columns: dict[str, list[Any]] = {"url": self.urls}
        self._orders: dict[tuple[str, bool], NDArray[np.int64]] = {}
        self._texts: list[str] | None = None
        self.sites: list[dict[str, Any]] | None = None  # where they were counted
        self.columns[kind.base.name] = self._shown(graph, kind.base, [base[url] for url in self.urls])
        self.seconds = time.perf_counter() - began

    def __len__(self) -> int:
        return len(self.urls)

    def column(self, graph: CrawlGraph, name: str) -> list[Any]:
        """The values of a column by row, None for a row without."""
        if name not in self.columns:
            key = self.kind.key(name)
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
        """The numbers of the rows that have the words, sorted."""
        order = self._order(graph, sort, descending)
        if not words:
            return order
        wanted = words.casefold()
        texts = self._searched(graph)
        has = np.fromiter((wanted in text for text in texts), bool, len(texts))
        return np.asarray(order[has[order]])

    def kept(self, graph: CrawlGraph, order: NDArray[np.int64], filters: dict[str, str]) -> NDArray[np.int64]:
        """Those of the rows that have these values, as `value_text` writes them."""
        for name, wanted in filters.items():
            values = self.column(graph, "relevance" if name == "relevant" else name)
            if name == "relevant":
                threshold = graph.describe().threshold
                values = [int(value >= threshold) for value in values]
            has = np.array([value_text(value) == wanted for value in values], bool)
            order = order[has[order]]
        return order

    def catch_up(self, graph: CrawlGraph) -> None:
        """Add the pages of later steps to all columns."""
        self.snapshot, self.sites = str(graph.store.path), None
        known: set[str] | None = None
        for step, url in later_pages(graph, self.last_step):
            self.last_step = step
            known = set(self.urls) if known is None else known
            if url not in known:
                self._add(graph, url)

    def _add(self, graph: CrawlGraph, url: str) -> None:
        for key in self.kind.keys:
            if key.source and key.name in self.columns:
                self.columns[key.name] += self._shown(graph, key, [graph.store.value(url, key.source)])
        self.urls.append(url)
        self._orders.clear()
        self._texts = None

    def _shown(self, graph: CrawlGraph, key: KeyColumn, values: list[Any]) -> list[Any]:
        """The values as they are sorted: concepts and reasons by their names."""
        if key.name not in ("label", "reason"):
            return values
        different = {value for value in values if value is not None}
        names = {one: label_of(graph.store.value(one, _LABEL), one) for one in different}
        return [names.get(value) for value in values]

    def _order(self, graph: CrawlGraph, name: str, descending: bool) -> NDArray[np.int64]:
        if (name, descending) not in self._orders:
            values = self.column(graph, name)
            if self.kind.key(name).is_number:
                numbers = np.array([np.nan if value is None else value for value in values], np.float64)
                order = np.argsort(-numbers if descending else numbers, kind="stable")
            else:
                keys = [(str(value).casefold(), str(value)) for value in values]
                there = [row for row, value in enumerate(values) if value is not None]
                there.sort(key=keys.__getitem__, reverse=descending)
                without = [row for row, value in enumerate(values) if value is None]
                order = np.array([*there, *without], np.int64)
            self._orders[name, descending] = order
        return self._orders[name, descending]

    def _searched(self, graph: CrawlGraph) -> list[str]:
        if self._texts is None:
            others = [self.column(graph, name) for name in self.kind.searched]
            self._texts = [
                "\n".join(str(text) for text in texts if text).casefold()
                for texts in zip(self.urls, *others, strict=True)
            ]
        return self._texts


def value_text(value: Any) -> str:
    """A value as a filter names it: true, none, 200."""
    return "none" if value is None else str(value).lower() if value in (True, False) else str(value)


def index_of(graph: ServedGraph, table: str) -> TableIndex:
    """Return this worker's index of a table, made or renewed; exact for a final snapshot."""
    index = _indexes.get(table)
    if index is None or _is_too_old(index, graph):
        index = _indexes[table] = TableIndex(graph, TABLES[table])
    elif index.kind.grows_by_steps and index.snapshot != str(graph.store.path):
        index.catch_up(graph)
    return index


def _is_too_old(index: TableIndex, graph: ServedGraph) -> bool:
    if index.snapshot == str(graph.store.path) or not index.snapshot:
        return False
    age = time.monotonic() - index.read_at
    # What is known of earlier pages holds, unless the judge has judged them anew.
    holds = index.kind.grows_by_steps and index.rejudgements == _rejudgements(graph)
    return graph.is_final or age > _SHARE * index.seconds * (_SHARE if holds else 1)


def _rejudgements(graph: CrawlGraph) -> int:
    times: int | None = graph.store.value(None, CRAWL["rejudgements"].iri)
    return times or 0


def _scan(graph: CrawlGraph, source: str) -> dict[str, Any]:
    answer = graph.query("serve/column", property=source)
    return {python_value(url): python_value(value) for url, value in answer.rows}


def sites_of(graph: ServedGraph) -> list[dict[str, Any]]:
    """Return a row for each site that has a visited page, or that a website crawl has read."""
    index = index_of(graph, "pages")
    if index.sites is None:
        index.sites = _count(graph, index)
    return index.sites


def site_names(graph: CrawlGraph, index: TableIndex) -> list[str]:
    """The site of each page, by its URL; in a website crawl, by the graph."""
    if graph.kind == "sites":
        return [graph.store.value(url, SC + "site") or site_of_url(url) for url in index.urls]
    return [site_of_url(url) for url in index.urls]


def sort_sites(sites: list[dict[str, Any]], sort: str, descending: bool, words: str) -> list[dict[str, Any]]:
    """Return the sites that have the words in their names, sorted; those without a value last."""
    wanted = words.casefold()
    found = [site for site in sites if wanted in site["host"].casefold()]
    found.sort(key=lambda site: site["host"])
    there = [site for site in found if site.get(sort) is not None]
    is_text = sort in ("site", "host", "verdict")
    there.sort(key=lambda site: site[sort].casefold() if is_text else site[sort], reverse=descending)
    return there + [site for site in found if site.get(sort) is None]


def _count(graph: CrawlGraph, index: TableIndex) -> list[dict[str, Any]]:
    threshold = graph.describe().threshold
    by_site: dict[str, list[float]] = {}
    for site, relevance in zip(site_names(graph, index), index.column(graph, "relevance"), strict=True):
        by_site.setdefault(site, []).append(relevance)
    facts = {row["site"]: row for row in rows_of(graph, "serve/site-facts")}
    return [_row(site, by_site.get(site, []), threshold, facts.get(site)) for site in dict.fromkeys((*by_site, *facts))]


def _row(site: str, relevances: list[float], threshold: float, facts: dict[str, Any] | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "site": site,
        "host": host_of_site(site) or site,
        "pages": len(relevances),
        "relevant": sum(relevance >= threshold for relevance in relevances),
        "mean_relevance": round(sum(relevances) / len(relevances), 6) if relevances else None,
        "best_relevance": max(relevances, default=None),
    }
    if facts is not None:
        row |= {
            "confidence": facts["confidence"],
            "verdict": facts["verdict"] or "",
            "stopped": local_name(facts["stopped"] or ""),
            "homepage": facts["homepage"],
        }
    return row


def site_of_url(url: str) -> str:
    """The site of a URL's host; a URL without a host stands for itself.

    >>> site_of_url("http://www.a.test/b"), site_of_url("urn:x")
    ('urn:semcrawl:site:www.a.test', 'urn:x')
    """
    # URLs in the graph are canonical, so the host is between the second and third slash.
    return site_iri(url.split("/", 3)[2]) if "://" in url else url


def rows_of_site(graph: CrawlGraph, index: TableIndex, order: NDArray[np.int64], host: str) -> NDArray[np.int64]:
    """Return those of the rows whose URL is of the site of this name, in their order.

    The graph says what a site is, which may be a domain or a folder; for URLs without one there,
    as those dropped when found, the host counts. Its case does not matter, that of a folder does.
    """
    name, slash, folder = host.partition("/")
    site = site_iri(name.lower() + slash + folder)
    try:
        iri(site)
    except QueryError:
        raise RequestError(f"site={host[:100]} is no host: give one such as www.example.org") from None
    known = {row["url"] for row in rows_of(graph, "serve/urls-of-site", site=site)}

    def is_there(url: str) -> bool:
        return url in known or (site_of_url(url) == site and graph.store.value(url, SC + "site") is None)

    return np.array([row for row in order.tolist() if is_there(index.urls[row])], np.int64)
