"""Tables: pages, hubs, authorities, sites, waiting and dropped URLs; sorted, searched, paged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import asdict

from semcrawl.errors import RequestError, SemcrawlError
from semcrawl.serve import api_types as api
from semcrawl.serve import table_index
from semcrawl.serve.replies import json_reply, parameters, while_connected
from semcrawl.serve.rows import by_url, local_name, rows_of, steps_to_last
from semcrawl.serve.worker import Job, ServedGraph

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.openapi import Handler
    from semcrawl.serve.pool import QueryPool
    from semcrawl.serve.server import ServerContext


class TablePage(Job, frozen=True):
    """A page of a table, by its index."""

    table: str
    sort: str
    descending: bool
    words: str
    offset: int
    limit: int
    site: str = ""
    filters: dict[str, str] = msgspec.field(default_factory=dict)

    def do(self, graph: ServedGraph) -> api.TableReply:
        """Look the order up, then the rows."""
        if self.table == "sites":
            found = table_index.sort_sites(table_index.sites_of(graph), self.sort, self.descending, self.words)
            return _reply(self, table_index.SITE_COLUMNS, found[self.offset : self.offset + self.limit], len(found))
        kind = table_index.TABLES[self.table]
        index = table_index.index_of(graph, self.table)
        order = index.page(graph, self.sort, self.descending, self.words)
        order = index.kept(graph, order, self.filters)
        if self.site:
            order = table_index.rows_of_site(graph, index, order, self.site)
        # A few more, since an older index may name URLs that the snapshot no longer has there.
        reserve = 50 if index.snapshot != str(graph.store.path) else 0
        part = order[self.offset : self.offset + self.limit + reserve]
        rows = _filled(graph, kind, [index.urls[row] for row in part.tolist()])
        return _reply(self, kind.columns, rows[: self.limit], len(order))


class FirstRelevances(Job, frozen=True):
    """By step, the relevance when the page was fetched, which today's may differ from."""

    def do(self, graph: ServedGraph) -> bytes:
        """Read the columns; null for a step without a page."""
        index = table_index.index_of(graph, "pages")
        names = "step", "first_relevance", "relevance"
        rows = zip(*(index.column(graph, name) for name in names), strict=True)
        found = {step: now if first is None else first for step, first, now in rows if step}
        return msgspec.json.encode([found.get(step) for step in steps_to_last(found)])


class FirstRows(Job, frozen=True):
    """The first rows of a table sorted by its own number, while its index is made."""

    table: str
    sort: str
    descending: bool
    limit: int

    def do(self, graph: ServedGraph) -> api.TableReply:
        """Count by hundredths, then sort what can be on the page."""
        kind = table_index.TABLES[self.table]
        key = kind.key(self.sort)
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
        """The bound of the numbers on the page, as a parameter."""
        hundredth, rows = 0.0, 0
        for hundredth in sorted(counts, reverse=self.descending):
            rows += counts[hundredth]
            if rows >= self.limit:
                break
        return {"least": hundredth / 100} if self.descending else {"most": (hundredth + 1) / 100}


class _MakeIndex(Job, frozen=True):
    """Make the index of a table, with one of its columns; nothing to answer."""

    table: str
    column: str

    def do(self, graph: ServedGraph) -> None:
        if self.table == "sites":
            table_index.sites_of(graph)
        else:
            index = table_index.index_of(graph, self.table)
            # A search makes the texts to search in, too.
            index.page(graph, self.column, descending=False, words=" ")


def _filled(graph: CrawlGraph, kind: table_index.TableKind, urls: list[str]) -> list[dict[str, Any]]:
    """The rows of these URLs, in their order, without those that the snapshot does not have."""
    found = by_url(graph, kind.rows, urls)
    rows = [found[url] for url in urls if url in found]
    for row in rows:
        if row.get("reason"):
            row["reason"] = local_name(row["reason"])
    return rows


def _reply(
    asked: TablePage | FirstRows, columns: Sequence[str], rows: list[dict[str, Any]], total: int
) -> api.TableReply:
    offset = asked.offset if isinstance(asked, TablePage) else 0
    return api.TableReply(list(columns), rows, total, offset, asked.limit, asked.sort, asked.descending)


def table(name: str, what: str) -> Handler:
    """Return the handler of a table; ``what`` says what its rows are."""

    async def page(context: ServerContext, request: Request) -> Response:
        asked = _asked(request, name)
        await context.snapshots.current()  # one that is being renewed has a little longer
        if context.index_maker.is_needed(asked):
            asking = context.page_pool.ask(FirstRows(name, asked.sort, asked.descending, asked.limit))
        else:
            asking = context.table_pool.ask(asked, lane=_lane(name))
        body = await while_connected(request, asking)
        context.index_maker.begin(name)
        return json_reply(body)

    page.__doc__ = f"{what}, a page at a time."
    return page


def table_query(name: str) -> Any:
    """The type of the parameters of a table."""
    if name == "pages":
        return api.PageTableQuery
    return api.SiteTableQuery if name == "sites" else api.TableQuery


class IndexMaker:
    """Makes the index of a table when it is first asked for, and again after its worker died."""

    def __init__(self, pool: QueryPool) -> None:
        self._pool = pool
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._made_by: dict[str, list[int | None]] = {}
        # One at a time: making indexes yields to requests.
        self._turn = asyncio.Lock()

    def is_needed(self, asked: TablePage) -> bool:
        """Whether `FirstRows` can answer while there is no index yet."""
        kind = table_index.TABLES.get(asked.table)
        if kind is None or asked.words or asked.site or asked.offset or asked.filters:
            return False
        return asked.sort == kind.base.name and kind.base.is_number and not self._is_made(asked.table)

    def begin(self, table: str) -> None:
        """Make the index, where there is none, one column after the other."""
        if table not in self._under_way and not self._is_made(table):
            task = self._under_way[table] = asyncio.create_task(self._make(table))
            task.add_done_callback(lambda _: self._under_way.pop(table))

    def _is_made(self, table: str) -> bool:
        return self._made_by.get(table) == self._pool.process_ids(_lane(table))

    async def _make(self, table: str) -> None:
        kind, lane = table_index.TABLES.get(table), _lane(table)
        names = [key.name for key in kind.keys if not key.is_dear] if kind else [""]
        for name in names:
            async with self._turn:
                with suppress(SemcrawlError):  # the next request will be told
                    # Fresh: what an earlier worker has made is gone.
                    await self._pool.ask(_MakeIndex(table, name), fresh=True, lane=lane)
        self._made_by[table] = self._pool.process_ids(lane)


def _lane(table: str) -> str:
    return "waiting" if table == "waiting" else ""


def _asked(request: Request, table: str) -> TablePage:
    kind, usual_fields = table_index.TABLES.get(table), api.TableQuery.__struct_fields__
    given = parameters(request, table_query(table))
    sortable = [key.name for key in kind.keys] if kind else list(table_index.SITE_COLUMNS)
    usual = kind.base.name if kind else "relevant"
    sort = given.sort or ("url" if table == "dropped" else usual)
    if sort not in sortable:
        raise RequestError(f"sort={sort}: the table {table} can be sorted by {', '.join(sortable)}")
    is_number = table == "sites" or bool(kind and kind.key(sort).is_number)
    return TablePage(
        table=table,
        sort=sort,
        descending=given.descending in ("1", "true") if given.descending else is_number,
        words=given.q,
        offset=given.offset,
        limit=given.limit,
        site=getattr(given, "site", ""),
        filters={name: value for name, value in asdict(given).items() if value and name not in usual_fields},
    )
