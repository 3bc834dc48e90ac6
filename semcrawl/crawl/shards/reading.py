"""Reading a crawl wherever it is: in a folder, in shards, or on a SPARQL server.

A query is asked of shards one by one where its header says how their answers become one:
``# @shards rows`` puts them together, ordered and limited again; ``# @shards sum pages
share*pages`` adds up ``pages`` of rows that are else the same, and makes ``share`` the mean
weighted by ``pages``. Any other needs them gathered.
"""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pyoxigraph as ox

from semcrawl.crawl.shards.layout import ShardedFolder, is_sharded
from semcrawl.errors import ConfigError, QueryError, StoreError
from semcrawl.graph import Answer, CrawlGraph
from semcrawl.graph.crawl_graph import CrawlDescription
from semcrawl.graph.queries import parse_query
from semcrawl.graph.snapshots import is_address, open_snapshot
from semcrawl.graph.sparql_text import is_plain_data
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES
from semcrawl.web.urls import canonical

_LIMIT = re.compile(r"LIMIT\s+(\d{1,18})(?!\d)", re.IGNORECASE)
_OFFSET = re.compile(r"OFFSET\s+(\d{1,18})(?!\d)", re.IGNORECASE)
_ORDER = re.compile(r"ORDER\s+BY\b((?!LIMIT|OFFSET).)*", re.IGNORECASE | re.DOTALL)
_PREFIX = re.compile(r"^[ \t]*PREFIX\s[^\n]*>", re.IGNORECASE | re.MULTILINE)

Row = tuple[Any, ...]


def read_crawl(place: str | Path, *, trust: bool = False) -> CrawlGraph:
    """The graph of a crawl, for reading: in its folder, in those of its shards, or on a server by its address.

    Raises NotACrawlError: there is no crawl.
    """
    if is_address(place):
        return CrawlGraph(open_snapshot(str(place)))
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

    Raises NotACrawlError: none has.
    """

    def __init__(self, shards: ShardedFolder, *, trust: bool = False) -> None:
        with ExitStack() as undo:
            places = shards.require_begun()
            self.missing = shards.count - len(places)  # shards whose folders are lost
            self._parts = [undo.enter_context(CrawlGraph.read(folder, trust=trust)) for folder in places]
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

    def require_sound(self) -> None:
        """Raise StoreError where a shard was not written by a crawl."""
        for part in self.parts:
            part.require_sound()

    def describe(self) -> CrawlDescription:
        """What the first shard says; the crawl has stopped when all have."""
        found = [part.describe() for part in self.parts]
        is_over = all(about.stopped for about in found)
        return replace(
            found[0], started=min(about.started for about in found), stopped=found[0].stopped if is_over else None
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

        Raises QueryError: it does not say how, or is wrong in itself.
        """
        how, *columns = parse_query(text, "the query").tags.get("shards", "").split() or ["no"]
        if how not in ("rows", "sum"):
            hint = " (or begin it with '# @shards rows', if each shard can answer for itself)"
            raise QueryError(self._advice("this query needs all pages together") + hint)
        limit, _ = _with_number(_LIMIT, text, 0)
        offset, asked = _with_number(_OFFSET, text, 0)
        offset = offset or 0
        if limit is not None:
            _, asked = _with_number(_LIMIT, asked, limit + offset if how == "rows" else 1_000_000_000)
        answers = [store.query(asked, **given) for store in self._stores]
        merged, rows = answers[0], [row for answer in answers for row in answer.rows]
        order = _ORDER.search(text, max(map(text.rfind, "{}")))
        if merged.kind == "select" and (how == "sum" or order or limit is not None or offset):
            ending = f"{order[0] if order else ''} LIMIT {10**9 if limit is None else limit}"
            query = _merging(merged.variables, columns, rows) + f"{ending} OFFSET {offset}"
            prefixes = "\n".join(_PREFIX.findall(text))
            return Answer(ox.Store().query(f"{prefixes}\n{query}", prefixes=PREFIXES), most)
        merged.boolean = merged.boolean is not None and any(answers)
        merged.triples = list(dict.fromkeys(one for answer in answers for one in answer.triples))
        merged.is_cut = most is not None and max(len(rows), len(merged.triples)) > most
        merged.rows, merged.triples = rows[:most], merged.triples[:most]
        return merged

    def value(self, subject: str | None, name: str) -> Any:
        """The value that a subject, or any, has for a property in some shard, or None."""
        found = (store.value(subject, name) for store in self._stores)
        return next((value for value in found if value is not None), None)

    def has(self, name: str, *, own: bool = False) -> bool:
        """Whether any statement, or one of the crawl's own, has this IRI."""
        return any(store.has(name, own=own) for store in self._stores)

    def close(self) -> None:
        """Nothing: the shards close their stores."""


def _with_number(of: re.Pattern[str], text: str, number: int) -> tuple[int | None, str]:
    """Return the last LIMIT or OFFSET, and the text with another number there."""
    last = deque(of.finditer(text), maxlen=1)
    return (int(last[0][1]), f"{text[: last[0].start(1)]}{number}{text[last[0].end(1) :]}") if last else (None, text)


def _merging(names: Sequence[str], columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return a query of these rows; columns such as ``pages`` are added up, ``share*pages`` a mean.

    Rows that are the same but for such columns become one.
    """
    weights = dict(column.partition("*")[::2] for column in columns)
    missing = {*weights, *filter(None, weights.values())} - {*names}
    if missing:
        raise QueryError(f"the header of the query adds up ?{min(missing)}, which it does not give")
    given = {name: f"?_{name}" if name in weights else f"?{name}" for name in names}
    chosen = dict(given)
    for name, by in weights.items():
        value = f"COALESCE({given[name]}, 0)"
        total = f"SUM({value} * {given[by]}) / SUM({given[by]})" if by else f"SUM({value})"
        chosen[name] = f"(COALESCE({total}, 0) AS ?{name})"
    keys = " ".join(one for name, one in given.items() if name not in weights)
    table = "\n".join(f"({' '.join(map(_term, row))})" for row in rows)
    grouped = f"GROUP BY {keys} " if weights and keys else ""
    found = f"VALUES ({' '.join(given.values())}) {{ {table} }}"
    return f"SELECT {' '.join(chosen.values())} WHERE {{ {found} }} {grouped}"


def _term(term: Any) -> str:
    if isinstance(term, ox.BlankNode):  # of one shard, and no name in a query
        return str(ox.Literal(str(term)))
    said = "UNDEF" if term is None else str(term)
    if term is not None and not is_plain_data(said):  # an IRI with ">" in it could ask another server
        raise StoreError(f"a shard was not written by a crawl: it has the value {said[:200]!r}")
    return said
