"""Writing pages and redirects to a WARC file."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Self

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Recording"]


class Recording:
    """A WARC file that is being written; a context that closes it."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._out = path.open("wb")
        self._writer = WARCWriter(self._out, gzip=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._out.close()

    def page(self, url: str, body: bytes, content_type: str = "text/html") -> None:
        """Record a page."""
        self._answer(url, "200 OK", [("Content-Type", content_type)], body)

    def redirect(self, url: str, target: str) -> None:
        """Record that *url* has moved to *target*."""
        self._answer(url, "301 Moved Permanently", [("Location", target)], b"")

    def _answer(self, url: str, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        head = StatusAndHeaders(status, headers, protocol="HTTP/1.0")
        record = self._writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=head)
        self._writer.write_record(record)
