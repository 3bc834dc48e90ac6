from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import FetchError
from semcrawl.graph.vocabulary import date_time
from semcrawl.web.response import raise_for_status, redirect_target, seconds_to_wait, unix_time


@pytest.mark.parametrize(
    ("status", "temporary"),
    [(400, False), (404, False), (410, False), (408, True), (425, True), (429, True), (500, True)],
)
def test_which_errors_are_worth_another_try(status: int, temporary: bool) -> None:
    with pytest.raises(FetchError, match=f"status {status}") as caught:
        raise_for_status("http://e.org/", status, {})
    assert (caught.value.temporary, caught.value.status) == (temporary, status)


@pytest.mark.parametrize("status", [200, 204, 299, 301, 304, 399])
def test_other_statuses_pass(status: int) -> None:
    raise_for_status("http://e.org/", status, {})


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("120", 120.0),
        (" 1.5 ", 1.5),
        ("99999999999999999999", None),
        ("9999999999", 365 * 24 * 3600.0),
        ("Thu, 01 Jan 1970 00:16:50 GMT", 10.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Thu, 99 Jan 1970 00:00:00 GMT", None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(value, now=1000.0) == seconds


@given(st.text(max_size=40))
def test_retry_after_survives_any_text(value: str) -> None:
    seconds = seconds_to_wait(value)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize("status", [200, 204, 304, 305])
def test_what_is_no_redirect(status: int) -> None:
    assert redirect_target("http://e.org/", status, {"location": "/a"}) is None


def test_multiple_choices_need_no_target() -> None:
    assert redirect_target("http://e.org/", 300, {}) is None


@pytest.mark.parametrize(
    "text",
    [
        "9999-12-31T23:59:59-23:59",
        "9999-12-31T23:59:59.999999Z",
        "9999-12-31T23:59:59.999999",
        "0001-01-01T00:00+01:00",
    ],
)
def test_a_date_that_no_year_has_in_utc_is_none(text: str) -> None:
    assert unix_time(text) is None


@pytest.mark.parametrize("text", ["9999-12-31T23:59:58Z", "9999-12-31", "0001-01-01"])
def test_the_first_and_the_last_dates_can_be_written(text: str) -> None:
    when = unix_time(text)
    assert when is not None
    assert text[:10] in date_time(when)
