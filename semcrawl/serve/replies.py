"""Reading requests and writing replies, as long as the client is there; errors as JSON."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from semcrawl.checked_values import checked_values
from semcrawl.errors import QueryError, RequestError, SemcrawlError
from semcrawl.redaction import without_folders
from semcrawl.serve.api_types import ErrorReply

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

GONE = 499  # the status for a client that has closed the connection

_Kind = TypeVar("_Kind", bound=msgspec.Struct)


def reply(
    body: bytes | str = b"", status: int = 200, headers: Mapping[str, str] | None = None, media_type: str | None = None
) -> Response:
    """Return a response with this body."""
    # Imported here: workers import the modules of jobs, and must start fast.
    from starlette.responses import Response

    return Response(body, status, headers, media_type)


def json_reply(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return data as JSON; bytes are JSON already."""
    body = data if isinstance(data, bytes) else msgspec.json.encode(data)
    return reply(body, status, headers, "application/json")


def error_reply(message: str, status: int, *, retry_after: int | None = None, headers: Any = None) -> Response:
    """Return an error, with line and column where the message names a place in a query."""
    place = re.search(r"error at (\d+):(\d+)", message)
    where = {"line": int(place[1]), "column": int(place[2])} if place else {}
    body = ErrorReply(error=message, **where)
    said = dict(headers or {})
    if retry_after is not None:
        said["Retry-After"] = str(retry_after)
    return json_reply(body, status, said)


def problem_reply(error: SemcrawlError) -> Response:
    """Return the reply for an error; files are told by name only."""
    said = without_folders(str(error))
    if isinstance(error, RequestError):
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else None
        return error_reply(said, error.status, retry_after=error.retry_after, headers=headers)
    return error_reply(said, 400 if isinstance(error, QueryError) else 503)


def parameters(request: Request, kind: type[_Kind]) -> _Kind:
    """Read the query string as a type says; RequestError for what does not fit it."""
    schema = _schema(kind)
    found: dict[str, Any] = {}
    for name, about in schema["properties"].items():
        text: str = request.query_params.get(name, "").strip()
        if text and about["type"] == "integer":
            found[name] = _number(name, text, about.get("minimum", 0), about.get("maximum", 2**31))
        elif len(text) > (most := about.get("maxLength", len(text))):
            raise RequestError(f"{name} has {len(text):,} characters: give at most {most:,}")
        elif text:
            found[name] = text
    if not found.keys() >= set(schema["required"]):
        raise RequestError("say which page: give url=URL")
    return kind(**found)


@cache
def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    schema: dict[str, Any] = msgspec.json.schema(kind)["$defs"][kind.__name__]
    return schema


def _number(name: str, text: str, least: int, most: int) -> int:
    digits = text.lstrip("0")[:12] or "0"
    if not (text.isascii() and text.isdigit()) or not least <= int(digits) <= most:
        raise RequestError(f"{name}={text[:40]} is no number from {least} to {most:,}")
    return int(digits)


async def json_body(request: Request, wanted: type[_Kind], example: str) -> _Kind:
    """Read the JSON body of a request; a RequestError shows the ``example``."""
    try:
        return checked_values(msgspec.json.decode(await request.body()), wanted)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RequestError(f"the request is not what is expected ({error}): send {example}") from error


async def reply_with(request: Request, work: Coroutine[Any, Any, Any]) -> Response:
    """Return the result of the work as JSON; see :func:`while_connected`."""
    return json_reply(await while_connected(request, work))


async def while_connected(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of the work, cancelled when the client goes; the body was read before."""
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
