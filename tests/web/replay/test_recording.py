from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import FetchError
from semcrawl.web.warc import parse_http

URL = "http://a.test/"


@pytest.mark.parametrize(
    ("message", "status", "headers", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", 200, {"a": "b"}, b"body"),
        (b"HTTP/1.0 404\n\nbody", 404, {}, b"body"),
        (b"HTTP/2 200\r\nA:b\r\na: c\r\n\r\n", 200, {"a": "b, c"}, b""),
        (b"HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\nno colon\r\n\r\nx", 200, {"a": "b c"}, b"x"),
        (b"HTTP/1.1 200 OK\r\nA: b", 200, {"a": "b"}, b""),
    ],
)
def test_messages_old_and_new(message: bytes, status: int, headers: dict[str, str], body: bytes) -> None:
    response = parse_http(URL, message, 1.0)
    assert (response.status, response.headers, response.body) == (status, headers, body)


@pytest.mark.parametrize("message", [b"", b"<html>", b"HTTP/1.1 OK\r\n\r\n", b"HTTP/1.1 2000\r\n\r\n"])
def test_what_is_no_http_is_a_fetch_error(message: bytes) -> None:
    with pytest.raises(FetchError, match="holds no HTTP response"):
        parse_http(URL, message, 0.0)


@given(st.binary(max_size=200))
def test_any_bytes_after_a_chunked_head_are_survived(rest: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert len(parse_http(URL, head + rest, 0.0).body) <= len(rest)
