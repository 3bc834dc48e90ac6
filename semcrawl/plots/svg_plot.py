"""Curves as a picture: one SVG file that needs nothing beside it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.plots.axes import Axes, axes_of, clean_text, number_text, ticks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Colours that people with any colour vision tell apart (after Okabe and
# Ito, the light ones darkened); dashes tell the curves apart in grey as well.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#56708c", "#8a6d00")
_DASHES = ("", "9 5", "2 5", "12 4 2 4", "5 3", "1 3")
_PAPER, _INK, _FAINT, _GRID = "#fcfcfb", "#22262b", "#5c646d", "#e3e6e9"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_LEFT, _RIGHT, _BOTTOM = 68, 64, 58
_LEAST_WIDTH, _LEAST_HEIGHT = 480, 240
_MOST_POINTS = 1_000
_LETTER, _TITLE_LETTER = 7.2, 10.5
_LONGEST = 50


def svg_plot(
    curves: Mapping[str, Sequence[float]],
    *,
    width: int = 760,
    height: int = 440,
    title: str = "",
    x_label: str = "pages fetched",
    y_label: str = "relevant pages",
) -> str:
    """Return curves as the text of an SVG file, sizes in pixels.

    The n-th value of a curve belongs to n pages fetched. The picture has its
    own light ground, so that it is as readable on a dark page as on paper.

    Raises:
        ConfigError: too small a plot, no value, or one that is negative or no number.
    """
    if width < _LEAST_WIDTH or height < _LEAST_HEIGHT:
        raise ConfigError(
            f"a plot of {width} by {height} pixels is too small; "
            f"it needs {_LEAST_WIDTH} by {_LEAST_HEIGHT}"
        )
    frame = _Frame(axes_of(curves), width, height, _legend_rows(list(curves), width))
    heading = _shown(title, int((width - _LEFT) / _TITLE_LETTER))
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = f'font-family="{_FONT}" font-size="13"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>',
        f"<title>{heading or 'Plot'}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{_PAPER}"/>',
        _text(_LEFT, 34, heading, size=17, weight=600),
        *frame.legend(),
        *frame.grid(),
        *frame.labels(_shown(x_label), _shown(y_label)),
        *(frame.curve(number, curve) for number, curve in enumerate(curves.values()) if curve),
        *frame.ends(list(curves.values())),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


class _Frame:
    """The drawing area between the axes."""

    def __init__(self, axes: Axes, width: int, height: int, legend: list[list[str]]) -> None:
        self._axes = axes
        self._legend = legend
        self._numbers = {name: n for n, name in enumerate(n for row in legend for n in row)}
        self._right = width - _RIGHT
        self._top = 58 + 22 * len(legend)
        self._foot = height - _BOTTOM

    def x(self, value: float) -> float:
        return _LEFT + value / self._axes.x_end * (self._right - _LEFT)

    def y(self, value: float) -> float:
        return self._foot - value / self._axes.y_end * (self._foot - self._top)

    def legend(self) -> Iterator[str]:
        for row, names in enumerate(self._legend):
            at, y = float(_LEFT), 60 + 22 * row
            for name in names:
                yield _line(at, y, at + 30, y, _stroke(self._numbers[name]))
                yield _text(at + 38, y + 4.5, _shown(name))
                at += _legend_width(name)

    def grid(self) -> Iterator[str]:
        for value in ticks(self._axes.y_end, 5):
            y = self.y(value)
            ink = _INK if value == 0 else _GRID
            yield _line(_LEFT, y, self._right, y, f'stroke="{ink}"')
            yield _text(_LEFT - 10, y + 4.5, number_text(value), anchor="end", ink=_FAINT)
        for value in ticks(self._axes.x_end, 6):
            if value <= self._axes.x_end and value == int(value):
                x = self.x(value)
                yield _line(x, self._foot, x, self._foot + 5, f'stroke="{_INK}"')
                yield _text(x, self._foot + 21, number_text(value), anchor="middle", ink=_FAINT)

    def labels(self, x_label: str, y_label: str) -> Iterator[str]:
        middle = (_LEFT + self._right) / 2
        yield _text(middle, self._foot + 44, x_label, anchor="middle")
        y = (self._top + self._foot) / 2
        turned = f' transform="rotate(-90 20 {y:.1f})"'
        yield _text(20, y, y_label, anchor="middle", more=turned)

    def curve(self, number: int, values: Sequence[float]) -> str:
        points = [f"{self.x(at):.1f},{self.y(value):.1f}" for at, value in _sampled(values)]
        return (
            f'<polyline fill="none" {_stroke(number)} stroke-linejoin="round" '
            f'points="{" ".join(points)}"/>'
        )

    def ends(self, curves: list[Sequence[float]]) -> Iterator[str]:
        """Yield the last value of every curve beside its end, moved apart where they meet."""
        ends = [(number, curve) for number, curve in enumerate(curves) if curve]
        lowest: dict[int, float] = {}
        for number, curve in sorted(ends, key=lambda end: end[1][-1]):
            x, y = self.x(len(curve)), self.y(curve[-1])
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{_colour(number)}"/>'
            # Only labels in the same column of the picture can meet.
            place = lowest[len(curve)] = min(y + 4.5, lowest.get(len(curve), y + 20) - 15)
            yield _text(x + 9, place, number_text(curve[-1]), weight=600, ink=_colour(number))


def _sampled(values: Sequence[float]) -> list[tuple[int, float]]:
    """Return the origin and the points of a curve, evenly thinned where there are very many."""
    step = max(1, len(values) // _MOST_POINTS)
    points = [(at, values[at - 1]) for at in range(step, len(values) + 1, step)]
    if len(values) % step:
        points.append((len(values), values[-1]))
    return [(0, 0.0), *points]


def _legend_rows(names: list[str], width: int) -> list[list[str]]:
    """Return the names in rows that fit beside each other."""
    rows: list[list[str]] = [[]]
    room = float(width - _LEFT)
    for name in names:
        if rows[-1] and _legend_width(name) > room:
            rows.append([])
            room = width - _LEFT
        rows[-1].append(name)
        room -= _legend_width(name)
    return rows


def _legend_width(name: str) -> float:
    return 38 + _LETTER * min(len(name), _LONGEST) + 26


def _shown(text: str, most: int = _LONGEST) -> str:
    cleaned = clean_text(text)
    return escape(cleaned if len(cleaned) <= most else f"{cleaned[: most - 1]}…")


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _stroke(number: int) -> str:
    dash = _DASHES[number % len(_DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{_colour(number)}" stroke-width="2.5"{dashes}'


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {stroke}/>'


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = 13,
    weight: int = 400,
    anchor: str = "start",
    ink: str = _INK,
    more: str = "",
) -> str:
    """Return a text element; the text must be escaped already."""
    if not text:
        return ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{ink}"{more}>{text}</text>'
    )
