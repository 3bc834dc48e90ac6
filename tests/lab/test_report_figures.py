"""Figures: drawn for many crawlers, readable in grey, and safe as files."""

from __future__ import annotations

from itertools import pairwise
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec.structs import replace

from semcrawl.lab.report import bar_figure, crawler_figure, curve_figures, line_of, make_report, png_bytes, topic_figure
from semcrawl.lab.report_tables import Lookup
from semcrawl.lab.results import Curve
from semcrawl.plots.curves import Line, curve_plot, ends_of, spread
from semcrawl.plots.svg import DARK, LIGHT, PlotArea, pen_of, svg_file
from tests.lab.made_up import HOSTILE, made_up

SVG = "{http://www.w3.org/2000/svg}"
MANY = tuple(f"crawler-{n}" for n in range(24))


def drawn(text: str) -> etree._Element:
    return etree.fromstring(text.encode())


def texts(svg: etree._Element) -> list[str]:
    return [found.text or "" for found in svg.iter(f"{SVG}text")]


def test_every_figure_is_a_picture_of_its_own() -> None:
    figures = make_report(made_up()).figures()
    assert [figure.name for figure in figures] == [
        "curves-harvest-rate",
        "crawlers-harvest-rate",
        "curves-on-topic",
        "topics-harvest-rate",
        "distances",
        "relevances",
        "gains",
    ]
    for figure in figures:
        svg = drawn(svg_file(figure))
        assert svg.find(f"{SVG}title") is not None
        assert svg.find(f"{SVG}desc") is not None
        assert not [e for e in svg.iter() if any("href" in name for name in e.attrib)]


def test_names_from_anywhere_are_escaped_in_pictures() -> None:
    look = Lookup(made_up((HOSTILE, "b & c")))
    svg = drawn(svg_file(curve_figures(look)[0]))
    assert not list(svg.iter(f"{SVG}script"))
    assert any(HOSTILE in text for text in texts(svg))


def test_24_crawlers_have_24_pens_and_the_oracles_are_grey() -> None:
    pens = Lookup(made_up(MANY)).pens
    assert len({(pen.colour, pen.dash) for pen in pens.values()}) == 26
    assert pens["oracle"].css == pens["oracle (sources)"].css == "grey"


def test_neighbours_differ_in_grey_as_well() -> None:
    assert all(pen_of(n).dash != pen_of(n + 1).dash for n in range(7))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2, definition of contrast ratio)."""

    def luminance(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("colours", "ground"), [(LIGHT, "#fcfcfb"), (DARK, "#14171a")])
def test_names_in_the_colours_of_pens_are_readable(colours: tuple[str, ...], ground: str) -> None:
    assert min(contrast(colour, ground) for colour in colours) >= 4.5


def test_a_crawler_keeps_its_pen_where_another_failed() -> None:
    rich = made_up()
    without = replace(rich, curves=tuple(c for c in rich.curves if c.contender != "breadth-first"))
    before, after = curve_figures(Lookup(rich))[0], curve_figures(Lookup(without))[0]
    colour = Lookup(rich).pens["dom"].colour
    for figure in (before, after):
        svg = drawn(svg_file(figure))
        [label] = [t for t in svg.iter(f"{SVG}text") if str(t.text).endswith("dom")]
        group = label.getparent()
        assert group is not None
        assert group.get("color") == colour


def test_the_names_of_24_curves_stand_apart_and_inside_the_picture() -> None:
    [figure, *_] = curve_figures(Lookup(made_up(MANY)))
    svg = drawn(svg_file(figure))
    places = sorted(float(t.get("y", "")) for t in svg.iter(f"{SVG}text") if "crawler-" in str(t.text))
    assert len(places) == 24
    assert all(b - a >= 16 for a, b in pairwise(places))
    assert places[0] > 0
    assert places[-1] < float(svg.get("height", ""))


def test_few_curves_have_bands_and_of_many_the_panels_have_them() -> None:
    few, many = made_up(("a", "b")), made_up(MANY)
    assert "<polygon" in curve_figures(Lookup(few))[0].panels[0].body
    assert "<polygon" not in curve_figures(Lookup(many))[0].panels[0].body
    panels = crawler_figure(Lookup(many))
    assert panels is not None
    assert len(panels.panels) == 24
    assert all("<polygon" in panel.body for panel in panels.panels)


def test_topics_show_the_best_of_many_crawlers_only_and_say_so() -> None:
    figure = topic_figure(Lookup(made_up(MANY)))
    assert figure is not None
    assert "Only the 8 crawlers" in figure.caption
    assert {panel.body.count("<polyline") for panel in figure.panels} == {8 + 2}


@given(st.lists(st.floats(0, 400), max_size=24), st.floats(1, 17))
def test_labels_keep_their_order_their_distance_and_their_bounds(wanted: list[float], gap: float) -> None:
    places = spread(wanted, gap, 0, 420)
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    ordered = [places[n] for n in order]
    assert all(b - a >= gap - 1e-6 for a, b in pairwise(ordered))
    assert all(-1e-6 <= place <= 420 for place in places)


def test_values_that_are_no_numbers_are_left_out_of_a_curve() -> None:
    curve = Curve("a", "", "loss", (1, 2, 3, 4), (0.1, nan, inf, 0.3))
    assert line_of(curve, pen_of(0)).points == ((1.0, 0.1), (4.0, 0.3))


def test_the_first_pages_do_not_stretch_the_axis() -> None:
    line = Line("a", pen_of(0), ((1, 1.0), (2, 0.5), (100, 0.19), (1_000, 0.15)))
    assert ends_of([line]) == (1_000, 0.2)


def test_a_crawl_of_one_page_and_one_that_found_nothing_can_be_drawn() -> None:
    lines = [Line("a", pen_of(0), ((1, 0.0),)), Line("b", pen_of(1), ())]
    plot = curve_plot("t", lines, x_title="x", y_title="y")
    assert "a 0 after 1" in plot.description


def test_every_grid_line_stands_where_its_number_says() -> None:
    frame = PlotArea(0, 0, 100, 80, 10, 0.8, small=True)
    grid = drawn(f'<svg xmlns="http://www.w3.org/2000/svg">{frame.grid()}</svg>')
    numbers = {float(t.text or ""): float(t.get("y", "")) - 4 for t in grid.iter(f"{SVG}text")}
    assert numbers == pytest.approx({0: 80, 0.2: 60, 0.4: 40, 0.6: 20, 0.8: 0})


@pytest.mark.parametrize(("name", "told"), [("distances", "3 at 1, 1 at 2."), ("gains", "3 at -7, 1 at -6.")])
def test_bars_are_told_in_words_too_and_empty_ones_are_left_out(name: str, told: str) -> None:
    bars = {name: {"dom": (0.0, 3.0, 1.0), "ssrm": ()}}
    figure = bar_figure(Lookup(replace(made_up(), bars=bars)), name)
    assert figure is not None
    [panel] = figure.panels
    assert panel.description == told


def test_a_figure_can_be_a_png() -> None:
    pytest.importorskip("resvg_py", reason="the extra figures is not installed")
    [figure, *_] = curve_figures(Lookup(made_up()))
    image = png_bytes(svg_file(figure))
    assert image.startswith(b"\x89PNG")
    width = int.from_bytes(image[16:20], "big")
    assert width == 2 * figure.panels[0].width


def test_a_curve_over_fewer_topics_is_named_in_the_caption() -> None:
    rich = made_up()
    curves = tuple(
        replace(curve, topics=4 if curve.contender == "dom" else 5) if not curve.topic else curve
        for curve in rich.curves
    )
    [figure, *_] = curve_figures(Lookup(replace(rich, curves=curves)))
    assert "mean over 5 topics (dom over 4)" in figure.caption
