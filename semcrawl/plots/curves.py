"""Curves and bars as SVG: large plots with names, small panels with error bands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from semcrawl.plots import svg
from semcrawl.plots.axes import axes_of, number, round_end
from semcrawl.plots.svg import Drawing, Figure, Pen, PlotArea

MOST_BANDS = 6  # more would cover each other
_WIDTH, _LABEL_GAP, _LETTER, _LONGEST = 960, 17.0, 7.0, 44
_LEADER, _SAMPLE = 34.0, 26.0
_PANEL = (300, 200)
_BAR_WIDTH, _BAR_HEIGHT, _NUMBERED = 300, 170, 14
_UNSETTLED = 0.04
_MOST_POINTS, _MOST_PANEL_POINTS = 250, 70

Point = tuple[float, float]
Range = tuple[float, float, float]
Item = TypeVar("Item")


class Line(Struct, frozen=True):
    """One curve to draw: points from left to right, and (x, low, high) of its band."""

    name: str
    pen: Pen
    points: tuple[Point, ...]
    band: tuple[Range, ...] = ()


def ends_of(lines: Iterable[Line], most_ticks: int = 4) -> tuple[float, float]:
    """The largest x, and the round end of the y axis; the first few pages do not count for it."""
    drawn = [found for found in lines if found.points]
    x_end = max((found.points[-1][0] for found in drawn), default=1.0)
    settled = x_end * _UNSETTLED
    values = [y for found in drawn for x, y in found.points if x >= settled]
    bands = [high for found in drawn for x, _, high in found.band if x >= settled]
    return max(x_end, 1.0), round_end(max([*values, *bands], default=0.0), most_ticks)


def svg_plot(
    curves: Mapping[str, Sequence[float]],
    *,
    title: str = "",
    x_label: str = "pages fetched",
    y_label: str = "relevant pages",
    origin: bool = True,
) -> str:
    """Return curves, from the ``origin`` or their first value on, as an SVG file; ConfigError as for `axes_of`."""
    axes_of(curves)
    lines = [
        Line(name, svg.pen_of(number), (*[(0.0, 0.0)] * origin, *enumerate(values, start=1)))
        for number, (name, values) in enumerate(curves.items())
        if values
    ]
    plot = curve_plot(title.strip() or "Plot", lines, x_title=x_label, y_title=y_label, unit="?", heading=title)
    return svg.svg_file(Figure("plot", plot.title, (plot,)))


def curve_plot(
    title: str, lines: Sequence[Line], *, x_title: str, y_title: str, unit: str = "", heading: str = ""
) -> Drawing:
    """Many curves in one plot, each with its name and last value where it ends."""
    drawn = [found for found in lines if found.points]
    x_end, y_end = ends_of(drawn, 5)
    longest = max((len(_label(found, unit)) for found in drawn), default=0)
    room = _LEADER + _SAMPLE + 10 + _LETTER * min(longest, _LONGEST)
    top = 52 if heading else 16
    height = int(top + max(384.0, 74 + _LABEL_GAP * len(drawn)))
    area = PlotArea(66, top, _WIDTH - room, height - 52, x_end, y_end)
    # Bands with edges that cross say less than none: the panels have them.
    banded = drawn if len(drawn) <= MOST_BANDS else []
    body = [
        svg.group("ink", [svg.text(66, 30, heading, size=17, weight=600)] if heading else ()),
        area.grid(),
        area.x_numbers(),
        area.axis_titles(x_title, y_title),
        *(_band(area, found, _MOST_POINTS) for found in banded),
        *(_stroke(area, found, _MOST_POINTS) for found in drawn),
        *_labels(area, drawn, unit),
    ]
    return Drawing(title, _in_words(drawn), _WIDTH, height, "".join(body))


def curve_panel(
    title: str,
    lines: Sequence[Line],
    ends: tuple[float, float],
    *,
    behind: Sequence[Line] = (),
    head: Pen | None = None,
) -> Drawing:
    """A small plot with axes that end at ``ends``; of ``behind`` only the range is shown, grey."""
    width, height = _PANEL
    area = PlotArea(44, 30, width - 18, height - 24, *ends, small=True)
    drawn = [found for found in lines if found.points]
    heading = svg.text(2, 16, title, weight=600, size=13, most=40)
    body = [
        svg.group(head.css if head else "ink", [heading], head.colour if head else ""),
        _envelope(area, behind),
        area.grid(),
        area.x_numbers(),
        *(_band(area, found, _MOST_PANEL_POINTS) for found in drawn if len(drawn) <= MOST_BANDS),
        *(_stroke(area, found, _MOST_PANEL_POINTS) for found in drawn),
    ]
    return Drawing(title, _in_words(drawn), width, height, "".join(body))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels: in the order wanted, ``gap`` apart, from ``low`` to ``high`` if it fits.

    >>> spread([10, 12, 90], 10, 0, 100), spread([95, 98], 10, 0, 100)
    ([10, 20, 90], [90, 100])
    """
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    places = [0.0] * len(wanted)
    least = low
    for n in order:
        places[n] = max(wanted[n], least)
        least = places[n] + gap
    most = high
    for n in reversed(order):
        places[n] = min(places[n], most)
        most = places[n] - gap
    return places


def _labels(area: PlotArea, lines: Sequence[Line], unit: str) -> Iterator[str]:
    wanted = [area.y(found.points[-1][1]) for found in lines]
    places = spread(wanted, _LABEL_GAP, area.top, area.foot)
    start = area.right + _LEADER
    for found, y, place in zip(lines, wanted, places, strict=True):
        x = area.x(found.points[-1][0])
        joint = svg.line(x + 4, y, start - 3, place, ' stroke-width="1" opacity="0.45"')
        sample = svg.line(start, place, start + _SAMPLE, place, _pen_attributes(found.pen))
        name = svg.text(start + _SAMPLE + 6, place + 4.5, _label(found, unit), most=_LONGEST)
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="currentColor"/>'
        yield svg.group(found.pen.css, [joint, dot, sample, name], found.pen.colour)


def _label(found: Line, unit: str) -> str:
    return f"{number(found.points[-1][1], unit)}  {found.name}"


def _stroke(area: PlotArea, found: Line, most: int) -> str:
    places = " ".join(f"{area.x(x):.1f},{area.y(y):.1f}" for x, y in _sampled(found.points, most))
    drawn = (
        f"<g><title>{svg.shown(found.name)}</title>"
        f'<polyline fill="none" stroke="currentColor"{_pen_attributes(found.pen)} '
        f'stroke-linejoin="round" points="{places}"/></g>'
    )
    return svg.group(found.pen.css, [drawn], found.pen.colour)


def _pen_attributes(pen: Pen) -> str:
    dash = f' stroke-dasharray="{pen.dash}"' if pen.dash else ""
    return f' stroke-width="{pen.width}"{dash}'


def _band(area: PlotArea, found: Line, most: int) -> str:
    if not found.band:
        return ""
    band = _filled(area, found.band, most, opacity=0.16)
    return svg.group(found.pen.css, [band], found.pen.colour)


def _envelope(area: PlotArea, lines: Sequence[Line]) -> str:
    ranges: dict[float, list[float]] = {}
    for found in lines:
        for x, y in found.points:
            ranges.setdefault(x, []).append(y)
    band = tuple((x, min(ys), max(ys)) for x, ys in sorted(ranges.items()))
    if len(lines) < 2 or not band:
        return ""
    return svg.group("grid", [_filled(area, band, _MOST_PANEL_POINTS, opacity=0.7)])


def _filled(area: PlotArea, band: Sequence[Range], most: int, *, opacity: float) -> str:
    sampled = _sampled(band, most)
    upper = [f"{area.x(x):.1f},{area.y(high):.1f}" for x, _, high in sampled]
    lower = [f"{area.x(x):.1f},{area.y(low):.1f}" for x, low, _ in reversed(sampled)]
    places = " ".join([*upper, *lower])
    return f'<polygon points="{places}" fill="currentColor" opacity="{opacity}"/>'


def _sampled(items: Sequence[Item], most: int) -> list[Item]:
    """At most ``most`` + 1 of the items, evenly, with the first and the last."""
    step = max(1, -(-len(items) // most))
    picked = list(items[::step])
    if items and picked[-1] is not items[-1]:
        picked.append(items[-1])
    return picked


def _in_words(lines: Sequence[Line]) -> str:
    if not lines:
        return "No values."
    ends = sorted(((one.name, *one.points[-1]) for one in lines), key=lambda end: -end[2])
    told = (f"{name} {number(y)} after {number(x)}" for name, x, y in ends)
    return f"Values at the ends of the curves: {', '.join(told)}."


def bar_panel(title: str, counts: Sequence[float], longest: int, y_end: float, pen: Pen, first: int = 0) -> Drawing:
    """Counts as bars, numbered from ``first``; panels of equal ends (``longest``, y) compare."""
    area = PlotArea(44, 30, _BAR_WIDTH - 10, _BAR_HEIGHT - 24, longest + 1, y_end, small=True)
    step = (area.right - area.left) / (longest + 1)
    bars = [
        f'<rect x="{area.x(n) + step * 0.12:.1f}" y="{area.y(count):.1f}" width="{step * 0.76:.1f}" '
        f'height="{area.foot - area.y(count):.1f}" fill="currentColor"/>'
        for n, count in enumerate(counts[: longest + 1])
        if count > 0
    ]
    every = max(1, -(-(longest + 1) // _NUMBERED))
    numbers = [
        svg.text(area.x(n + 0.5), area.foot + 15, str(n + first), anchor="middle", size=11)
        for n in range(0, longest + 1, every)
    ]
    heading = svg.text(2, 16, title, weight=600, most=40)
    body = [
        svg.group(pen.css, [heading], pen.colour),
        area.grid(),
        svg.group(pen.css, bars, pen.colour),
        svg.group("faint", numbers),
    ]
    told = ", ".join(f"{number(count)} at {n}" for n, count in enumerate(counts, first) if count > 0)
    return Drawing(title, f"{told or 'None'}.", _BAR_WIDTH, _BAR_HEIGHT, "".join(body))
