from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.plots.terminal import terminal_plot

CURVES = {"focused": [1.0, 2.0, 3.0, 4.0], "in order": [0.0, 0.0, 1.0, 1.0]}


def rows(plot: str) -> list[str]:
    return [line for line in plot.splitlines() if "│" in line or "┤" in line]


def test_a_plot_has_title_labels_axes_and_a_legend_with_final_values() -> None:
    plot = terminal_plot(CURVES, title="Crawls", x_label="pages", y_label="relevant")
    lines = plot.splitlines()
    assert lines[:2] == ["Crawls", "relevant"]
    assert any(line.strip() == "pages" for line in lines)
    assert lines[-2].endswith("focused: 4")
    assert lines[-1].endswith("in order: 1")
    assert "4 ┤" in plot
    assert "0 ┤" in plot


def test_a_curve_that_grows_goes_from_bottom_left_to_top_right() -> None:
    drawn = rows(terminal_plot({"c": [1.0, 2.0, 3.0, 4.0]}, width=40, height=10))
    dots = [[at for at, c in enumerate(line) if c > "\u2800"] for line in drawn]
    assert len(drawn) == 10
    assert all(min(lower) <= min(upper) for upper, lower in pairwise(dots))
    assert max(dots[0]) == 39


def test_curves_differ_by_their_strokes() -> None:
    flat = [4.0] * 30
    first, second = (
        rows(terminal_plot(dict.fromkeys(names, flat), width=50, height=6)) for names in (("a",), ("a", "b"))
    )
    assert first == second  # the dashed curve hides behind the solid one
    steps = {"zero": [0.0] * 30, "dashed": flat}
    assert " " in rows(terminal_plot(steps, width=50, height=6))[0].split("┤")[1].strip()


def test_a_shorter_curve_ends_earlier() -> None:
    plot = rows(terminal_plot({"long": [0.0] * 10, "short": [5.0] * 5}, width=60, height=6))
    assert 25 < len(plot[0]) < 40


def test_control_characters_of_labels_do_not_reach_the_terminal() -> None:
    plot = terminal_plot({"\x1b[31mred\r\n": [1.0]}, title="a\x07b", x_label="\x9b", y_label="\0")
    assert all(c == "\n" or c.isprintable() for c in plot)


@pytest.mark.parametrize(
    ("curves", "width", "height"),
    [
        ({}, 76, 16),
        ({"a": []}, 76, 16),
        ({"a": [float("nan")]}, 76, 16),
        ({"a": [float("inf")]}, 76, 16),
        ({"a": [-1.0]}, 76, 16),
        ({"a": [1.0]}, 10, 16),
        ({"a": [1.0]}, 76, 1),
    ],
)
def test_what_cannot_be_plotted_is_refused(curves: dict[str, list[float]], width: int, height: int) -> None:
    with pytest.raises(ConfigError):
        terminal_plot(curves, width=width, height=height)


@given(
    st.dictionaries(
        st.text(max_size=90), st.lists(st.floats(0, 1e12, allow_nan=False), max_size=40), min_size=1, max_size=6
    ).filter(lambda curves: any(curves.values())),
    st.integers(30, 120),
    st.integers(4, 30),
)
def test_any_curves_fit_into_the_width(curves: dict[str, list[float]], width: int, height: int) -> None:
    plot = terminal_plot(curves, width=width, height=height)
    assert max(map(len, plot.split("\n"))) <= width
    assert len(rows(plot)) >= height
