from __future__ import annotations

import ssl
from http.client import BadStatusLine, IncompleteRead, RemoteDisconnected

import pytest
import requests
from urllib3.exceptions import (
    InvalidHeader,
    LocationParseError,
    MaxRetryError,
    ProtocolError,
    ProxyError,
    ReadTimeoutError,
    SSLError,
)

from semcrawl.web import DropReason
from semcrawl.web.http import as_fetch_error, hung_up, root_of


def wrapped(problem: Exception) -> requests.ConnectionError:
    return requests.ConnectionError(ProtocolError("Connection aborted.", problem))


def tried(problem: Exception) -> MaxRetryError:
    return MaxRetryError(None, "/", problem)  # type: ignore[arg-type]


def no_tunnel(status: int) -> requests.exceptions.ProxyError:
    refused = OSError(f"Tunnel connection failed: {status} No")
    return requests.exceptions.ProxyError(tried(ProxyError("Unable to connect", refused)))


READ_TIMEOUT = ReadTimeoutError(None, "/", "Read timed out.")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("problem", "reason", "temporary"),
    [
        (wrapped(RemoteDisconnected("closed")), DropReason.BAD_RESPONSE, True),
        (wrapped(ConnectionResetError(104, "reset")), DropReason.BAD_RESPONSE, True),
        (wrapped(BadStatusLine("SSH-2.0")), DropReason.BAD_RESPONSE, False),
        (ProtocolError("broken", IncompleteRead(b"")), DropReason.BAD_RESPONSE, True),
        (requests.exceptions.InvalidHeader(InvalidHeader("3, 5")), DropReason.BAD_RESPONSE, False),
        (ValueError("odd"), DropReason.BAD_RESPONSE, False),
        (wrapped(TimeoutError("timed out")), DropReason.TIMED_OUT, True),
        (requests.ReadTimeout(READ_TIMEOUT), DropReason.TIMED_OUT, True),
        (READ_TIMEOUT, DropReason.TIMED_OUT, True),
        (requests.exceptions.SSLError(tried(SSLError(ssl.SSLError(1, "bad certificate")))),
         DropReason.TLS_FAILED, False),
        (SSLError("bad record"), DropReason.TLS_FAILED, False),
        (LocationParseError("http://"), DropReason.BAD_URL, False),
        (wrapped(BadStatusLine("Tunnel connection failed: 502")), DropReason.BAD_RESPONSE, False),
        (no_tunnel(403), DropReason.CONNECT_FAILED, False),
        (no_tunnel(502), DropReason.CONNECT_FAILED, True),
    ],
)  # fmt: skip
def test_a_failure_is_known_by_what_is_inside(
    problem: Exception, reason: DropReason, temporary: bool
) -> None:
    error = as_fetch_error("http://e.org/", problem)
    assert (error.reason, error.temporary) == (reason, temporary)
    assert "http://e.org/" in str(error)


def test_a_message_is_one_line_of_bounded_length() -> None:
    text = str(as_fetch_error("http://e.org/", wrapped(BadStatusLine("a\r\nb" * 1000))))
    assert "\n" not in text
    assert len(text) < 400


def test_an_error_without_words_is_named() -> None:
    assert str(as_fetch_error("http://e.org/", ValueError())).endswith("ValueError")


def test_the_cause_of_an_error_counts_as_inside() -> None:
    problem = OSError("outer")
    problem.__cause__ = TimeoutError("inner")
    assert root_of(problem) is problem.__cause__


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (RemoteDisconnected("closed"), True),
        (ConnectionResetError(), True),
        (BrokenPipeError(), True),
        (ssl.SSLEOFError(8, "EOF"), True),
        (TimeoutError(), False),
        (BadStatusLine("x"), False),
    ],
)
def test_only_a_closed_connection_is_a_hang_up(problem: Exception, expected: bool) -> None:
    assert hung_up(wrapped(problem)) is expected
