"""A recorded answer, and the HTTP message it is recorded as."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from semcrawl.errors import FetchError
from semcrawl.web.codings import decode
from semcrawl.web.reasons import DropReason
from semcrawl.web.response import Response

__all__ = ["MAX_BODY", "Recording", "parse_http"]

MAX_BODY = 16 * 1024 * 1024
"""No recorded body is read or inflated beyond this many bytes."""

_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})(?:\s|$)")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


class Recording(Protocol):
    """Where one recorded answer lies."""

    def read(self, url: str) -> Response:
        """Return the answer as recorded, or raise ``FetchError`` if it cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class _Head:
    status: int
    headers: dict[str, str]


def parse_http(url: str, message: bytes, fetched_at: float) -> Response:
    """Return the response that a recorded HTTP message holds, chunks and codings undone.

    Crawlers often store the body already decoded under headers that say it
    is not: such a body is taken as it is.
    """
    end = _HEAD_END.search(message)
    head = _parse_head(url, message[: end.start()] if end else message)
    body = message[end.end() :] if end else b""
    plain, complete = _plain_body(url, head.headers, body)
    return Response(url, head.status, head.headers, plain, fetched_at, 0.0, truncated=not complete)


def _parse_head(url: str, head: bytes) -> _Head:
    line, _, rest = head.partition(b"\n")
    status = _STATUS_LINE.match(line)
    if status is None:
        raise FetchError(
            f"the record of {url} holds no HTTP response", reason=DropReason.BAD_RESPONSE
        )
    headers: dict[str, str] = {}
    # Folded lines continue the field before them.
    for field in re.sub(rb"\r?\n[ \t]+", b" ", rest).splitlines():
        name, colon, value = field.decode("latin-1").partition(":")
        if colon:
            _add(headers, name.strip().lower(), value.strip())
    return _Head(int(status.group(1)), headers)


def _add(headers: dict[str, str], name: str, value: str) -> None:
    headers[name] = f"{headers[name]}, {value}" if name in headers else value


def _plain_body(url: str, headers: dict[str, str], body: bytes) -> tuple[bytes, bool]:
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _join_chunks(body)
    coding = headers.get("content-encoding", "").lower()
    packed = body.startswith(b"\x1f\x8b")
    marked_up = body.lstrip()[:1] == b"<"
    if (coding in {"gzip", "x-gzip"} and not packed) or (coding == "br" and marked_up):
        coding = ""
    return decode(body, coding, MAX_BODY, url)


def _join_chunks(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while size := _CHUNK_SIZE.match(body, at):
        length = int(size.group(1), 16)
        if length == 0:
            return b"".join(parts)
        parts.append(body[size.end() : size.end() + length])
        at = size.end() + length
        at += 2 if body.startswith(b"\r\n", at) else 1
    # No chunk at the very start: the recorder had joined them already.
    return b"".join(parts) if at else body
