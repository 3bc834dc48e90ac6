"""Curves with error bands: a large plot with names at the ends, and small panels."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

from semcrawl.plots.axes import number
from semcrawl.plots.svg import Drawing, Frame, group, line, rectangle, round_end, shown, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from semcrawl.lab.pens import Pen
    from semcrawl.lab.results import Curve

MOST_BANDS = 6
"""With more curves than this in one plot bands would cover each other."""

_WIDTH, _LABEL_GAP, _LETTER, _LONGEST = 960, 17.0, 7.0, 44
_LEADER, _SAMPLE = 34.0, 26.0
_PANEL = (300, 200)
_UNSETTLED = 0.04
_MOST_POINTS, _MOST_PANEL_POINTS = 250, 70

Point = tuple[float, float]
Range = tuple[float, float, float]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Line:
    """One curve to draw: points from left to right, and (x, low, high) of its band."""

    name: str
    pen: Pen
    points: tuple[Point, ...]
    band: tuple[Range, ...] = ()


def line_of(curve: Curve, pen: Pen, name: str = "") -> Line:
    """A curve of the results as a line; values that are no numbers are left out."""
    points = tuple(
        (float(x), y) for x, y in zip(curve.pages, curve.values, strict=False) if isfinite(y)
    )
    band = tuple(
        (float(x), low, high)
        for x, low, high in zip(curve.pages, curve.low, curve.high, strict=False)
        if isfinite(low) and isfinite(high)
    )
    return Line(name or curve.contender, pen, points, band)


def ends_of(lines: Iterable[Line], most_ticks: int = 4) -> tuple[float, float]:
    """The largest x, and the round number that the y axis of these lines ends at.

    The first pages do not count for it: a share of one or two pages is 0 or 1.
    """
    drawn = [found for found in lines if found.points]
    x_end = max((found.points[-1][0] for found in drawn), default=1.0)
    settled = x_end * _UNSETTLED
    values = [y for found in drawn for x, y in found.points if x >= settled]
    bands = [high for found in drawn for x, _, high in found.band if x >= settled]
    return max(x_end, 1.0), round_end(max([*values, *bands], default=0.0), most_ticks)


def curve_plot(
    title: str, lines: Sequence[Line], *, x_title: str, y_title: str, unit: str = ""
) -> Drawing:
    """Many curves in one plot, each with its name and last value where it ends."""
    drawn = [found for found in lines if found.points]
    x_end, y_end = ends_of(drawn, 5)
    longest = max((len(_label(found, unit)) for found in drawn), default=0)
    room = _LEADER + _SAMPLE + 10 + _LETTER * min(longest, _LONGEST)
    height = int(max(400.0, 90 + _LABEL_GAP * len(drawn)))
    frame = Frame(66, 16, _WIDTH - room, height - 52, x_end, y_end)
    # Bands with edges that cross say less than none: the panels have them.
    banded = drawn if len(drawn) <= MOST_BANDS else []
    body = [
        frame.grid(),
        frame.x_numbers(),
        frame.axis_titles(x_title, y_title),
        *(_band(frame, found, _MOST_POINTS) for found in banded),
        *(_stroke(frame, found, _MOST_POINTS) for found in drawn),
        *_labels(frame, drawn, unit),
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
    frame = Frame(44, 30, width - 18, height - 24, *ends, small=True)
    drawn = [found for found in lines if found.points]
    heading = text(2, 16, title, weight=600, size=13, most=40)
    body = [
        group(head.css if head else "ink", [heading], head.colour if head else ""),
        _envelope(frame, behind),
        frame.grid(),
        frame.x_numbers(),
        *(_band(frame, found, _MOST_PANEL_POINTS) for found in drawn if len(drawn) <= MOST_BANDS),
        *(_stroke(frame, found, _MOST_PANEL_POINTS) for found in drawn),
    ]
    return Drawing(title, _in_words(drawn), width, height, "".join(body))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels: in the order wanted, ``gap`` apart, from ``low`` to ``high`` if it fits.

    >>> spread([10, 12, 90], 10, 0, 100)
    [10, 20, 90]
    >>> spread([95, 98], 10, 0, 100)
    [90, 100]
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


def _labels(frame: Frame, lines: Sequence[Line], unit: str) -> list[str]:
    """Names and last values at the right, each joined with the end of its curve."""
    wanted = [frame.y(found.points[-1][1]) for found in lines]
    places = spread(wanted, _LABEL_GAP, frame.top, frame.foot)
    labels = []
    start = frame.right + _LEADER
    for found, y, place in zip(lines, wanted, places, strict=True):
        x = frame.x(found.points[-1][0])
        joint = line(x + 4, y, start - 3, place, ' stroke-width="1" opacity="0.45"')
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="currentColor"/>'
        sample = line(start, place, start + _SAMPLE, place, _pen_attributes(found.pen))
        name = text(start + _SAMPLE + 6, place + 4.5, _label(found, unit), most=_LONGEST)
        labels.append(group(found.pen.css, [joint, dot, sample, name], found.pen.colour))
    return labels


def _label(found: Line, unit: str) -> str:
    return f"{number(found.points[-1][1], unit)}  {found.name}"


def _stroke(frame: Frame, found: Line, most: int) -> str:
    places = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in _sampled(found.points, most))
    drawn = (
        f"<g><title>{shown(found.name)}</title>"
        f'<polyline fill="none" stroke="currentColor"{_pen_attributes(found.pen)} '
        f'stroke-linejoin="round" points="{places}"/></g>'
    )
    return group(found.pen.css, [drawn], found.pen.colour)


def _pen_attributes(pen: Pen) -> str:
    dash = f' stroke-dasharray="{pen.dash}"' if pen.dash else ""
    return f' stroke-width="{pen.width}"{dash}'


def _band(frame: Frame, found: Line, most: int) -> str:
    if not found.band:
        return ""
    area = _area(frame, found.band, most, opacity=0.16)
    return group(found.pen.css, [area], found.pen.colour)


def _envelope(frame: Frame, lines: Sequence[Line]) -> str:
    """The area between the lowest and the highest of several curves."""
    ranges: dict[float, list[float]] = {}
    for found in lines:
        for x, y in found.points:
            ranges.setdefault(x, []).append(y)
    band = tuple((x, min(ys), max(ys)) for x, ys in sorted(ranges.items()))
    if len(lines) < 2 or not band:
        return ""
    return group("grid", [_area(frame, band, _MOST_PANEL_POINTS, opacity=0.7)])


def _area(frame: Frame, band: Sequence[Range], most: int, *, opacity: float) -> str:
    sampled = _sampled(band, most)
    upper = [f"{frame.x(x):.1f},{frame.y(high):.1f}" for x, _, high in sampled]
    lower = [f"{frame.x(x):.1f},{frame.y(low):.1f}" for x, low, _ in reversed(sampled)]
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
    ends = sorted(lines, key=lambda found: -found.points[-1][1])
    told = (
        f"{found.name} {number(found.points[-1][1])} after {number(found.points[-1][0])}"
        for found in ends
    )
    return f"Values at the ends of the curves: {', '.join(told)}."


# Bars in a small panel: how many of something at 0, 1, 2 ...


_BAR_WIDTH, _HEIGHT = 300, 170
_NUMBERED = 14


def bar_panel(title: str, counts: Sequence[float], longest: int, y_end: float, pen: Pen) -> Drawing:
    """Counts as bars over 0 to ``longest``, so that panels of equal ends can be compared."""
    frame = Frame(44, 30, _BAR_WIDTH - 10, _HEIGHT - 24, longest + 1, y_end, small=True)
    step = (frame.right - frame.left) / (longest + 1)
    bars = [
        rectangle(
            frame.x(n) + step * 0.12, frame.y(count), step * 0.76, frame.foot - frame.y(count)
        )
        for n, count in enumerate(counts[: longest + 1])
        if count > 0
    ]
    every = max(1, -(-(longest + 1) // _NUMBERED))
    numbers = [
        text(frame.x(n + 0.5), frame.foot + 15, str(n), anchor="middle", size=11)
        for n in range(0, longest + 1, every)
    ]
    heading = text(2, 16, title, weight=600, most=40)
    body = [
        group(pen.css, [heading], pen.colour),
        frame.grid(),
        group(pen.css, bars, pen.colour),
        group("faint", numbers),
    ]
    told = ", ".join(f"{number(count)} at {n}" for n, count in enumerate(counts) if count > 0)
    return Drawing(title, f"{told or 'None'}.", _BAR_WIDTH, _HEIGHT, "".join(body))
