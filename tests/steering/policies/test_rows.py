from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.steering import PolicyRow, RowForm
from semcrawl.steering.policies import read_rows


def test_a_row_is_a_url_and_a_number_and_the_rest_explains() -> None:
    rows = [{"url": "http://a/", "priority": 0.5, "why": "it is good"}]
    assert read_rows(rows, RowForm.PRIORITY, 10) == ([PolicyRow("http://a/", 0.5)], 0)


def test_what_cannot_be_read_is_left_out_and_counted() -> None:
    rows: list[dict[str, object]] = [
        {"url": None, "priority": 1},
        {"url": "http://a/", "priority": None},
        {"url": "http://a/", "priority": "much"},
        {"url": "http://a/", "priority": math.nan},
        {"url": "http://a/", "priority": -1},
        {"url": "http://b/", "priority": "0.25"},
    ]
    assert read_rows(rows, RowForm.PRIORITY, 10) == ([PolicyRow("http://b/", 0.25)], 5)


def test_rows_beyond_the_limit_are_left_out() -> None:
    rows = [{"url": f"http://{n}/"} for n in range(5)]
    read, left_out = read_rows(rows, RowForm.DROP, 2)
    assert [row.subject for row in read] == ["http://0/", "http://1/"]
    assert left_out == 3


@given(st.floats() | st.integers() | st.text() | st.booleans())
def test_whatever_the_value_is_a_priority_is_finite_and_has_six_places(value: object) -> None:
    read, left_out = read_rows([{"url": "http://a/", "factor": value}], RowForm.FACTOR, 1)
    assert len(read) + left_out == 1
    for row in read:
        assert row.value is not None
        assert 0 <= row.value <= 1e5
        assert round(row.value, 6) == row.value
