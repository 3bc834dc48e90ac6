from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.plots.axes import axes_of, ticks


@given(st.floats(1e-9, 1e15), st.integers(1, 12))
def test_ticks_are_few_grow_and_reach_the_largest_value(largest: float, most: int) -> None:
    found = ticks(largest, most)
    assert found[0] == 0
    assert found == sorted(set(found))
    assert len(found) <= most + 2
    assert found[-1] >= largest * (1 - 1e-6)


@pytest.mark.parametrize("value", [0.0, 5e-324, 1e-300, 1e-12])
def test_values_next_to_nothing_get_an_axis_up_to_one(value: float) -> None:
    assert axes_of({"a": [value]}).y_end == 1.0


def test_the_longest_curve_gives_the_length_of_the_x_axis() -> None:
    assert axes_of({"a": [1.0], "b": [0.0] * 7, "c": []}).x_end == 7


def test_no_value_at_all_is_refused() -> None:
    with pytest.raises(ConfigError, match="nothing to plot"):
        axes_of({"a": []})
