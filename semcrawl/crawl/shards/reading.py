"""Reading a crawl wherever it is: in a folder, in shards, on a SPARQL server.

A query is asked of shards one by one where its header says how their answers become one:
``# @shards rows`` puts them together, ordered and limited again; ``# @shards sum pages
share*pages`` adds up ``pages`` of rows that are else the same, and makes ``share`` the mean
weighted by ``pages``. Any other needs them gathered.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pyoxigraph as ox

from semcrawl.crawl.shards.layout import ShardedFolder, is_sharded
from semcrawl.errors import ConfigError, NotACrawlError, QueryError
from semcrawl.graph import Answer, CrawlDescription, CrawlGraph, OxigraphStore
from semcrawl.graph.answers import python_value
from semcrawl.graph.endpoint import EndpointStore, is_address
from semcrawl.graph.queries import parse_query
from semcrawl.web.urls import canonical

_ORDER = re.compile(
    r"ORDER\s+BY\s+(?![\s\S]*ORDER\s+BY)([^{}]*?)(?:LIMIT|OFFSET|$|\})", re.IGNORECASE
)
_ORDERED_BY = re.compile(r"(?:(ASC|DESC)\s*\(\s*)?\?(\w+)", re.IGNORECASE)
_LIMIT = re.compile(r"(LIMIT\s+)(\d+)(?![\s\S]*LIMIT\s+\d)", re.IGNORECASE)

Row = tuple[Any, ...]


def read_crawl(place: str | Path, *, trust: bool = False) -> CrawlGraph:
    """The graph of a crawl, for reading: its folder, that of its shards, or a server's address.

    Raises:
        NotACrawlError: there is no crawl.
        ConfigError: the address is none.
    """
    if is_address(place):
        return CrawlGraph(EndpointStore(str(place)))
    if is_sharded(place):
        return ShardedGraph(ShardedFolder.open(place), trust=trust)
    return CrawlGraph.read(place, trust=trust)


def folder_with(folder: Path, url: str) -> Path:
    """Return the folder that a URL of a crawl is in: of a crawl in shards that of its shard."""
    if not is_sharded(folder):
        return folder
    shards = ShardedFolder.open(folder)
    return shards.shard(shards.owner(canonical(url)))


class ShardedGraph(CrawlGraph):
    """All shards of a crawl that have begun, for reading; of shards that run, snapshots.

    Raises:
        NotACrawlError: none has.
    """

    def __init__(self, shards: ShardedFolder, *, trust: bool = False) -> None:
        with ExitStack() as undo:
            self._parts = [
                undo.enter_context(CrawlGraph.read(folder, trust=trust)) for folder in shards.begun
            ]
            if not self._parts:
                raise NotACrawlError(f"no shard of {shards.folder} has begun: start the crawl anew")
            undo.pop_all()
        stores = [part.store for part in self._parts]
        super().__init__(ShardedStore(stores, shards.folder), shards.folder, trust=trust)

    @property
    def parts(self) -> Sequence[CrawlGraph]:
        """The graphs of the shards."""
        return self._parts

    @property
    def is_own(self) -> bool:
        """Whether this user made all shards here."""
        return all(part.is_own for part in self.parts)

    @property
    def is_snapshot(self) -> bool:
        """Whether a shard is run by another process."""
        return any(part.is_snapshot for part in self.parts)

    def describe(self) -> CrawlDescription:
        """What the first shard says; the crawl has stopped when all have."""
        found = [part.describe() for part in self.parts]
        is_over = all(about.stopped for about in found)
        return replace(
            found[0],
            started=min(about.started for about in found),
            stopped=found[0].stopped if is_over else None,
        )

    def close(self) -> None:
        """Let go of all shards; closing twice is fine."""
        for part in self.parts:
            part.close()


class ShardedStore(OxigraphStore):
    """The stores of all shards, asked together."""

    def __init__(self, stores: Sequence[OxigraphStore], folder: Path) -> None:
        self.path = None
        self.is_read_only = True
        self.log = None
        self._stores = stores
        self._folder = folder

    @property
    def functions(self) -> Any:
        """The functions that queries can call."""
        return self._stores[0].functions

    @functions.setter
    def functions(self, functions: Any) -> None:
        for store in self._stores:
            store.functions = functions

    @property
    def raw(self) -> NoReturn:
        """Of many stores there is not one."""
        raise ConfigError(self._advice("this works on one graph"))

    def _advice(self, why: str) -> str:
        return (
            f"{why}, and {self._folder} holds a crawl in shards: make one graph of them with "
            f"'semcrawl gather {self._folder}', and use {self._folder / 'gathered'}"
        )

    def query(self, text: str, *, most: int | None = None, **given: Any) -> Answer:
        """Answer a query by the answers of all shards, as its header says.

        Raises:
            QueryError: it does not say how, or is wrong in itself.
        """
        how, *columns = parse_query(text, "the query").tags.get("shards", "").split() or ["no"]
        if how not in ("rows", "sum"):
            hint = " (or begin it with '# @shards rows', if each shard can answer for itself)"
            raise QueryError(self._advice("this query needs all pages together") + hint)
        asked = text if how == "rows" else _LIMIT.sub(r"\g<1>1000000000", text)
        answers = [store.query(asked, most=most, **given) for store in self._stores]
        merged = answers[0]
        merged.boolean = merged.boolean is not None and any(answers)
        merged.triples = list(dict.fromkeys(one for answer in answers for one in answer.triples))
        rows: Iterable[Row] = (row for answer in answers for row in answer.rows)
        if how == "sum":
            rows = _added(rows, merged.variables, columns)
        merged.rows = _limited(_ordered(list(rows), merged.variables, text), text)
        merged.is_cut = any(answer.is_cut for answer in answers)
        if most is not None:
            merged.is_cut |= max(len(merged.rows), len(merged.triples)) > most
            merged.rows, merged.triples = merged.rows[:most], merged.triples[:most]
        return merged

    def value(self, subject: str | None, name: str) -> Any:
        """The value that a subject, or any, has for a property in some shard, or None."""
        return _first(store.value(subject, name) for store in self._stores)

    def has(self, name: str) -> bool:
        """Whether any statement names this IRI."""
        return any(store.has(name) for store in self._stores)

    def close(self) -> None:
        """Nothing: the shards close their stores."""


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value is not None), None)


def _added(rows: Iterable[Row], names: Sequence[str], columns: Sequence[str]) -> list[Row]:
    """Rows that differ only in some columns as one: ``pages`` added up, ``share*pages`` a mean."""
    weights = dict(column.partition("*")[::2] for column in columns)
    missing = {*weights, *filter(None, weights.values())} - {*names}
    if missing:
        raise QueryError(f"the header of the query adds up ?{min(missing)}, which it does not give")
    sums: dict[Row, dict[str, float]] = {}
    for row in rows:
        known = dict(zip(names, row, strict=True))
        key = tuple(None if name in weights else term for name, term in known.items())
        found = sums.setdefault(key, dict.fromkeys(weights, 0))
        for name, weight in weights.items():
            times = python_value(known[weight]) if weight else 1
            found[name] += (python_value(known[name]) or 0) * times
    return [
        tuple(_total(name, term, found, weights) for name, term in zip(names, key, strict=True))
        for key, found in sums.items()
    ]


def _total(name: str, term: Any, sums: dict[str, float], weights: dict[str, str]) -> Any:
    if name not in weights:
        return term
    by = sums.get(weights[name], 1)
    return ox.Literal(sums[name] if not weights[name] else sums[name] / by if by else 0.0)


def _ordered(rows: list[Row], names: Sequence[str], text: str) -> list[Row]:
    found = _ORDER.search(text)
    by = _ORDERED_BY.findall(found[1]) if found else []
    for direction, name in reversed(by):
        if name in names:
            key = _key(names.index(name))
            rows.sort(key=key, reverse=direction.upper() == "DESC")
    return rows


def _key(place: int) -> Callable[[Row], tuple[int, Any]]:
    """What rows are sorted by, as SPARQL does: nothing, then IRIs and texts, or numbers."""

    def key(row: Row) -> tuple[int, Any]:
        value = python_value(row[place])
        kinds = {int: 1, float: 1, bool: 1, str: 2}
        rank = 0 if value is None else kinds.get(type(value), 3)
        return rank, 0 if value is None else value

    return key


def _limited(rows: list[Row], text: str) -> list[Row]:
    found = _LIMIT.search(text)
    return rows[: int(found[2])] if found else rows
