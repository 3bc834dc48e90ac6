from __future__ import annotations

import ssl
from http.client import BadStatusLine, IncompleteRead, LineTooLong, RemoteDisconnected

import pytest

from semcrawl.web import DropReason
from semcrawl.web.http import HUNG_UP, as_fetch_error, root_of


def wrapped(problem: Exception) -> OSError:
    return OSError("Connection aborted.", ValueError("broken", problem))


@pytest.mark.parametrize(
    ("problem", "reason", "temporary"),
    [
        (wrapped(RemoteDisconnected("closed")), DropReason.BAD_RESPONSE, True),
        (wrapped(ConnectionResetError(104, "reset")), DropReason.BAD_RESPONSE, True),
        (wrapped(BadStatusLine("SSH-2.0")), DropReason.BAD_RESPONSE, False),
        (IncompleteRead(b""), DropReason.BAD_RESPONSE, True),
        (wrapped(IncompleteRead(b"")), DropReason.BAD_RESPONSE, True),
        (LineTooLong("header line"), DropReason.BAD_RESPONSE, False),
        (ValueError("odd"), DropReason.BAD_RESPONSE, False),
        (TimeoutError("timed out"), DropReason.TIMED_OUT, True),
        (wrapped(TimeoutError("timed out")), DropReason.TIMED_OUT, True),
        (ssl.SSLError(1, "bad record"), DropReason.TLS_FAILED, False),
        (wrapped(ssl.SSLCertVerificationError(1, "bad")), DropReason.TLS_FAILED, False),
        (wrapped(BadStatusLine("Tunnel connection failed: 502")), DropReason.BAD_RESPONSE, False),
    ],
)  # fmt: skip
def test_a_failure_is_known_by_what_is_inside(problem: Exception, reason: DropReason, temporary: bool) -> None:
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
    assert isinstance(root_of(wrapped(problem)), HUNG_UP) is expected
