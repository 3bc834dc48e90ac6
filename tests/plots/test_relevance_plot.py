from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.plots.terminal import moving_average, relevance_plot


def drawn(pages: list[float], *, width: int = 30, height: int = 6, window: int = 3) -> list[str]:
    averages = moving_average(pages, window)
    lines = relevance_plot(pages, averages, threshold=0.5, width=width, height=height)
    return [line.plain for line in lines]


def test_pages_stand_side_by_side_at_the_height_of_their_relevance() -> None:
    assert drawn([1.0, 0.1, 1.0, 0.1, 0.6, 0.3], window=6) == [
        "  1 ┤•⡇•",
        "    │ ⡇⣀⡀",
        "0.5 ┤ ⠧⠇⠧•⡄",
        "    │",
        "    │     ·",
        "  0 ┤ · ·",
        "    └─────────────────────────",
    ]


def test_many_pages_share_the_width_and_a_curve_has_no_gap() -> None:
    assert drawn([0.1] * 1000 + [0.9] * 1000) == [
        "  1 ┤            •••••••••••••",
        "    │            ⢸",
        "0.5 ┤            ⢸",
        "    │            ⢸",
        "    │            ⢸",
        "  0 ┤⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠚",
        "    └─────────────────────────",
    ]


def test_of_pages_that_fall_together_a_relevant_one_is_seen_and_stands_before_the_line() -> None:
    assert "•" in drawn([0.51, 0.49] * 100, width=30)[2]


@pytest.mark.parametrize("pages", [[0.0], [0.0] * 50, [1.0], [0.004] * 3])
def test_flat_and_tiny_values_can_be_drawn(pages: list[float]) -> None:
    assert len(drawn(pages)) == 7


@given(st.lists(st.floats(0, 1), min_size=1, max_size=80), st.integers(10, 90), st.integers(4, 12), st.integers(1, 90))
def test_every_picture_fits(pages: list[float], width: int, height: int, window: int) -> None:
    lines = drawn(pages, width=width, height=height, window=window)
    assert len(lines) == height + 1
    assert max(map(len, lines)) <= width


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(1, 50))
def test_the_moving_average_is_the_mean_of_the_latest(values: list[float], window: int) -> None:
    for end, average in enumerate(moving_average(values, window), 1):
        latest = values[max(0, end - window) : end]
        assert average == pytest.approx(sum(latest) / len(latest), abs=1e-9)
