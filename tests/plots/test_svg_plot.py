from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from semcrawl.errors import ConfigError
from semcrawl.plots.curves import svg_plot

CURVES = {"focused": [1.0, 2.0, 3.0, 4.0], "in order": [0.0, 0.0, 1.0, 1.0]}
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter(f"{SVG}text")]


def parsed(svg: str) -> etree._Element:
    return etree.fromstring(svg.encode())


def test_a_plot_has_title_axes_labels_and_the_curves_names_with_their_final_values() -> None:
    shown = texts(svg_plot(CURVES, title="Crawls", x_label="pages", y_label="relevant"))
    assert {"Crawls", "pages", "relevant", "4 focused", "1 in order", "0", "4", "1"} <= set(shown)


def test_every_curve_is_a_line_from_the_origin_with_a_colour_of_its_own() -> None:
    svg = parsed(svg_plot(CURVES))
    coloured = [group for group in svg.iter(f"{SVG}g") if group.findall(f"{SVG}g/{SVG}polyline")]
    lines = list(svg.iter(f"{SVG}polyline"))
    assert len({group.get("color") for group in coloured}) == len(coloured) == len(lines) == 2
    starts = {str(line.get("points")).split()[0] for line in lines}
    assert len(starts) == 1
    rising = [float(point.split(",")[1]) for point in str(lines[0].get("points")).split()]
    assert all(upper < lower for lower, upper in pairwise(rising))


def test_a_curve_that_does_not_count_begins_at_its_first_value() -> None:
    [line] = parsed(svg_plot({"mean": [1.0, 0.5, 0.25]}, origin=False)).iter(f"{SVG}polyline")
    points = [tuple(map(float, point.split(","))) for point in str(line.get("points")).split()]
    assert len(points) == 3
    assert all(left[1] < right[1] for left, right in pairwise(points))


def test_hostile_labels_stay_text() -> None:
    hostile = "</text><script>alert(1)</script>\"'&\x00"
    svg = svg_plot({hostile: [1.0]}, title=hostile, x_label=hostile, y_label=hostile)
    assert not list(parsed(svg).iter(f"{SVG}script"))
    assert sum("</text><script>" in text for text in texts(svg)) == 4


def test_the_picture_needs_nothing_from_elsewhere() -> None:
    svg = svg_plot(CURVES, title="x").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|url\(|href|@import|<image|<style", svg)


def test_values_at_the_ends_of_equal_curves_do_not_cover_each_other() -> None:
    svg = svg_plot({f"c{number}": [5.0] for number in range(5)})
    labels = [e for e in parsed(svg).iter(f"{SVG}text") if str(e.text).startswith("5 c")]
    heights = sorted(float(str(element.get("y"))) for element in labels)
    assert len(heights) == 5
    assert all(below - above >= 15 for above, below in pairwise(heights))


def test_a_very_long_curve_is_thinned_but_keeps_its_end() -> None:
    svg = parsed(svg_plot({"a": [float(n) for n in range(50_007)]}))
    (line,), (dot,) = svg.iter(f"{SVG}polyline"), svg.iter(f"{SVG}circle")
    points = str(line.get("points")).split()
    assert len(points) < 1_100
    assert points[-1] == f"{dot.get('cx')},{dot.get('cy')}"


@pytest.mark.parametrize("curves", [{}, {"a": []}, {"a": [float("nan")]}, {"a": [float("inf")]}, {"a": [-1.0]}])
def test_what_cannot_be_plotted_is_refused(curves: dict[str, list[float]]) -> None:
    with pytest.raises(ConfigError):
        svg_plot(curves)


@given(
    st.dictionaries(
        st.text(max_size=80), st.lists(st.floats(0, 1e12, allow_nan=False), max_size=30), min_size=1, max_size=8
    ).filter(lambda curves: any(curves.values())),
    st.text(max_size=200),
)
def test_any_labels_and_values_give_well_formed_xml(curves: dict[str, list[float]], label: str) -> None:
    svg = svg_plot(curves, title=label, x_label=label, y_label=label)
    assert parsed(svg).tag == f"{SVG}svg"
