from __future__ import annotations

import pytest

from semcrawl.web import Response
from semcrawl.web.response import looks_like_markup


def with_type(content_type: str | None, body: bytes = b"") -> Response:
    headers = {} if content_type is None else {"content-type": content_type}
    return Response("http://example.org/", 200, headers, body, 0.0, 0.0)


def test_markup_is_told_in_time_whatever_stands_before_it() -> None:
    for before in (b"<!---->", b"<?xml ?>", b" <!-- -->\n"):
        assert not looks_like_markup(before * 100 + b"x")
        assert looks_like_markup(before * 100 + b"<title>")


@pytest.mark.parametrize(
    ("header", "kind", "charset"),
    [
        (None, "", None),
        ("text/html", "text/html", None),
        ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
        ('text/html;charset="iso-8859-1"', "text/html", "iso-8859-1"),
        ("text/html; charset = 'x' ; a=b", "text/html", "x"),
        ("text/html; charset=", "text/html", None),
        (";charset=utf-8", "", "utf-8"),
    ],
)
def test_type_and_charset(header: str | None, kind: str, charset: str | None) -> None:
    response = with_type(header)
    assert (response.content_type, response.charset) == (kind, charset)


@pytest.mark.parametrize(
    ("header", "body", "expected"),
    [
        ("text/html", b"anything", True),
        ("application/xhtml+xml; charset=utf-8", b"", True),
        ("text/plain", b"<html>", False),
        ("application/pdf", b"%PDF", False),
        (None, b"", False),
        (None, b"<!DOCTYPE html><p>", True),
        (None, b"\xef\xbb\xbf\r\n <!-- x --> <HTML>", True),
        (None, b"<?xml version='1.0'?><html xmlns='x'>", True),
        (None, b"<?xml version='1.0'?><rss>", False),
        (None, b"<pre", False),
        (None, b"%PDF-1.4 <html>", False),
        (None, b"<!--" + b"-" * 5000, False),
    ],
)
def test_what_is_a_page(header: str | None, body: bytes, expected: bool) -> None:
    assert with_type(header, body).is_html is expected
