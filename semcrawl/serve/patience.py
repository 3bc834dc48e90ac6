"""Work for a client, as long as the client is there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from semcrawl.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from starlette.requests import Request

__all__ = ["GONE", "while_connected"]

GONE = 499
"""What some servers log for a client that has closed the connection; nobody reads it."""


async def while_connected(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """What the work gives; it is cancelled when the client of the request goes away.

    The body of the request must have been read before.

    Raises:
        RequestError: the client has gone.
    """
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise RequestError("the client has gone", GONE)
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
