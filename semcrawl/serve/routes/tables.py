"""Tables: pages, hubs, authorities, sites, waiting and dropped URLs; sorted, searched, paged."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.routing import Route

from semcrawl.errors import RequestError, SemcrawlError
from semcrawl.serve.patience import while_connected
from semcrawl.serve.replies import json_reply
from semcrawl.serve.views.parameters import text_of, whole_number
from semcrawl.serve.views.site_table import SITE_COLUMNS
from semcrawl.serve.views.table_jobs import FirstLook, TablePage, WarmUp
from semcrawl.serve.views.table_kinds import TABLES

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context
    from semcrawl.serve.pool import QueryPool

__all__ = ["routes"]

_MOST = 500
_USUAL = 50
_LONGEST = 200
_USUAL_SORT = {
    "pages": "relevance",
    "hubs": "score",
    "authorities": "score",
    "sites": "relevant",
    "waiting": "priority",
    "dropped": "url",
}


def routes(context: Context) -> list[Route]:
    """One route for each table."""
    warmth = _Warmth(context)

    def table(name: str) -> Route:
        async def page(request: Request) -> Response:
            asked = _asked(request, name, is_final=not (await context.keeper.current()).is_live)
            if warmth.is_needed(asked):
                first = FirstLook(name, asked.sort, asked.descending, asked.limit)
                asking = context.inner.ask(first)
            else:
                asking = warmth.pool_of(name).ask(asked)
            body = await while_connected(request, asking)
            warmth.begin(name, is_final=asked.is_final)
            return json_reply(body)

        return Route(f"/api/{name}", page)

    return [table(name) for name in _USUAL_SORT]


class _Warmth:
    """Which tables have their index; makes it beside the first look at a table.

    An index goes with its worker, which is killed when a client does not wait for
    its answer, or when its time is over. Then it is made again.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._made_by: dict[str, list[int | None]] = {}
        # One at a time: who asks for something shall not wait for what nobody asked for.
        self._turn = asyncio.Lock()

    def pool_of(self, table: str) -> QueryPool:
        """The worker that keeps the keys of a table."""
        return self._context.frontier if table == "waiting" else self._context.tables

    def is_needed(self, asked: TablePage) -> bool:
        """Whether the store shall sort, because there is no index yet."""
        kind = TABLES.get(asked.table)
        if kind is None or asked.words or asked.site or asked.offset:
            return False
        is_by_number = asked.sort == kind.base.name and kind.base.is_number
        return is_by_number and not self._is_made(asked.table)

    def begin(self, table: str, *, is_final: bool) -> None:
        """Make the index, one column after the other, so that others get a turn."""
        if table not in self._under_way and not self._is_made(table):
            task = asyncio.create_task(self._warm(table, is_final=is_final))
            self._under_way[table] = task
            task.add_done_callback(lambda _: self._under_way.pop(table))

    def _is_made(self, table: str) -> bool:
        return self._made_by.get(table) == self.pool_of(table).process_ids

    async def _warm(self, table: str, *, is_final: bool) -> None:
        kind = TABLES.get(table)
        names = [key.name for key in kind.keys if not key.is_dear] if kind else [""]
        pool = self.pool_of(table)
        for name in names:
            async with self._turn:
                with suppress(SemcrawlError):  # whoever needs it will hear of it
                    # Fresh: what a worker before this one has made is gone.
                    await pool.ask(WarmUp(table, name, is_final), fresh=True)
        self._made_by[table] = pool.process_ids


def _asked(request: Request, table: str, *, is_final: bool) -> TablePage:
    kind = TABLES.get(table)
    sortable = [key.name for key in kind.keys] if kind else list(SITE_COLUMNS)
    sort = text_of(request, "sort", 40) or _USUAL_SORT[table]
    if sort not in sortable:
        raise RequestError(f"sort={sort}: the table {table} can be sorted by {', '.join(sortable)}")
    descending = request.query_params.get("descending")
    is_number = table == "sites" or bool(kind and (key := kind.key(sort)) and key.is_number)
    return TablePage(
        table=table,
        sort=sort,
        descending=is_number if descending is None else descending in ("1", "true"),
        words=text_of(request, "q", _LONGEST).strip(),
        offset=whole_number(request, "offset", 0, most=10**9),
        limit=whole_number(request, "limit", _USUAL, least=1, most=_MOST),
        is_final=is_final,
        site="" if table == "sites" else text_of(request, "site", _LONGEST).strip(),
    )
