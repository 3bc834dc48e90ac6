"""Parameters of requests, read and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from semcrawl.errors import RequestError

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["json_body", "needed_url", "text_of", "whole_number"]

_LONGEST_URL = 4_000

_Wish = TypeVar("_Wish")


def text_of(request: Request, name: str, most: int) -> str:
    """A text of the query string, "" where it is not given."""
    text: str = request.query_params.get(name, "")
    if len(text) > most:
        raise RequestError(f"{name} has {len(text):,} characters: give at most {most:,}")
    return text


def whole_number(
    request: Request, name: str, usual: int, *, least: int = 0, most: int = 2**31
) -> int:
    """A whole number of the query string."""
    text = request.query_params.get(name)
    if text is None or not text:
        return usual
    if not (text.isascii() and text.isdigit()) or not least <= int(text[:12]) <= most:
        raise RequestError(f"{name}={text[:40]} is no number from {least} to {most:,}")
    return int(text[:12])


def needed_url(request: Request) -> str:
    """The URL that is asked about."""
    url = text_of(request, "url", _LONGEST_URL).strip()
    if not url:
        raise RequestError("say which page: give url=URL")
    return url


async def json_body(request: Request, wanted: type[_Wish], example: str) -> _Wish:
    """The body of a request, which is JSON; ``example`` is for the message."""
    try:
        return msgspec.json.decode(await request.body(), type=wanted)
    except msgspec.MsgspecError as error:
        raise RequestError(
            f"the request is not what is expected ({error}): send {example}"
        ) from error
