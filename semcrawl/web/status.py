"""What an HTTP status means to a crawl, over the network and in a replay alike."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from semcrawl.errors import FetchError
from semcrawl.web.reasons import DropReason
from semcrawl.web.urls import join

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["raise_for_status", "redirect_target", "seconds_to_wait"]

_REDIRECTS = frozenset({300, 301, 302, 303, 307, 308})
_TEMPORARY = frozenset({408, 425, 429})
_LONGEST_WAIT = 365 * 24 * 3600.0
_DIGITS = re.compile(r"[0-9]{1,10}(?:\.[0-9]*)?", re.ASCII)


def raise_for_status(url: str, status: int, headers: Mapping[str, str]) -> None:
    """Raise ``FetchError`` (HttpError) for a status of 400 or more, or below 200.

    408, 425, 429 and the 5xx are temporary: another try may succeed.
    """
    if status < 200:
        raise FetchError(
            f"status {status} from {url} is not the end of an answer",
            reason=DropReason.BAD_RESPONSE,
            status=status,
        )
    if status >= 400:
        raise FetchError(
            f"status {status} from {url}",
            reason=DropReason.HTTP_ERROR,
            temporary=status in _TEMPORARY or status >= 500,
            status=status,
            retry_after=seconds_to_wait(headers.get("retry-after")),
        )


def redirect_target(url: str, status: int, headers: Mapping[str, str]) -> str | None:
    """Return the canonical URL that a redirect leads to, None for what is no redirect.

    A redirect without a target that can be fetched raises ``FetchError`` (BadResponse).

    >>> redirect_target("http://example.org/a/", 301, {"location": "../b"})
    'http://example.org/b'
    """
    if status not in _REDIRECTS:
        return None
    location = headers.get("location")
    target = join(url, _as_utf8(location)) if location else None
    if target is None and status != 300:
        raise FetchError(
            f"redirect {status} from {url} leads to no URL that can be fetched: {location!r:.200}",
            reason=DropReason.BAD_RESPONSE,
            status=status,
        )
    return target


def _as_utf8(value: str) -> str:
    # Header bytes arrive as Latin-1; servers that send raw letters mean UTF-8.
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def seconds_to_wait(value: str | None, now: float | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for, None where it says nothing usable.

    >>> seconds_to_wait("120")
    120.0
    >>> seconds_to_wait("Thu, 01 Jan 1970 00:01:00 GMT", now=30.0)
    30.0
    """
    if not value:
        return None
    text = value.strip()
    if _DIGITS.fullmatch(text):
        return min(float(text), _LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return min(max(0.0, moment - (time.time() if now is None else now)), _LONGEST_WAIT)
