"""What a URL answered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HTML_TYPES", "Response", "looks_like_markup"]

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
"""Media types that are read as pages."""

_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)

# What browsers take for HTML when no type is declared, and what old pages
# start with; a byte order mark, blanks and comments may come first.
_MARKUP = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->|<\?xml[^>]*\?>)*"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|base"
    rb"|div|p|a|table|h[1-6]|br|ul|ol|font|center|frameset|iframe)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)
_SNIFFED_BYTES = 2048


def looks_like_markup(body: bytes) -> bool:
    """Whether the first bytes of a body of undeclared type read as HTML.

    >>> looks_like_markup(b"<!-- 1996 --> <TITLE>Hello</TITLE>")
    True
    >>> looks_like_markup(b"%PDF-1.7")
    False
    """
    return _MARKUP.match(body[:_SNIFFED_BYTES]) is not None


@dataclass(frozen=True, slots=True)
class Response:
    """One answer to one request; redirects are reported, never followed.

    Attributes:
        url: the URL asked for, canonical.
        status: the HTTP status.
        headers: header fields, names in lower case.
        body: the content, with any content coding undone.
        fetched_at: Unix time of the answer (of the recording, in a replay).
        elapsed: seconds from the request to the end of the body.
        redirect: canonical target of a redirect, else None.
        truncated: whether the body was cut at a limit or arrived incomplete.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    fetched_at: float
    elapsed: float
    redirect: str | None = None
    truncated: bool = False

    @property
    def digest(self) -> str:
        """BLAKE2b of the body, 16 bytes in hexadecimal: equal digests mean equal bodies."""
        return blake2b(self.body, digest_size=16).hexdigest()

    @property
    def content_type(self) -> str:
        """The declared media type in lower case without parameters, "" where there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The character encoding that the header declares, in lower case, or None."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found.group(1).lower() if found else None

    @property
    def is_html(self) -> bool:
        """Whether this is a page: declared HTML or XHTML, or undeclared and begins as markup."""
        kind = self.content_type
        return kind in HTML_TYPES or (not kind and looks_like_markup(self.body))
