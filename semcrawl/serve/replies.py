"""What the server says: JSON, and errors as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from semcrawl.errors import QueryError, RequestError, SemcrawlError
from semcrawl.serve.redaction import without_folders

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACE = re.compile(r"error at (\d+):(\d+)")
_JSON = "application/json"


def json_reply(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Data as JSON; bytes are taken for JSON already."""
    body = data if isinstance(data, bytes) else msgspec.json.encode(data)
    return Response(body, status, headers=headers, media_type=_JSON)


def error_reply(
    message: str, status: int, *, retry_after: int | None = None, headers: Any = None
) -> Response:
    """An error: its sentence, with line and column where the sentence names a place in a query."""
    body: dict[str, Any] = {"error": message}
    if place := _PLACE.search(message):
        body |= {"line": int(place[1]), "column": int(place[2])}
    said = dict(headers or {})
    if retry_after is not None:
        said["Retry-After"] = str(retry_after)
    return json_reply(body, status, said)


def problem_reply(error: SemcrawlError) -> Response:
    """The reply to a request that ended in one of our errors; files are told by name only."""
    said = without_folders(str(error))
    if isinstance(error, RequestError):
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else None
        return error_reply(said, error.status, retry_after=error.retry_after, headers=headers)
    return error_reply(said, 400 if isinstance(error, QueryError) else 503)
