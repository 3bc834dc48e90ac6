"""Drawings in SVG: elements with escaped texts, pens, axes, figures of one or several panels."""

from collections.abc import Iterable
from html import escape
from math import ceil

import msgspec

from semcrawl.plots.axes import clean_text, number, ticks

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_PAPER = "#fcfcfb"
INK = {"ink": "#22262b", "faint": "#59616a", "grid": "#e1e4e8", "grey": "#6b737c"}
_GAP = 12
# Eight hues that people with any colour vision tell apart (begun from Okabe and Ito's): LIGHT
# for light ground, DARK the same hues for a dark page.
LIGHT = ("#0068a8", "#c2480a", "#00795a", "#a2338c", "#7d6300", "#0b7d91", "#b5163d", "#5b4bc4")
DARK = ("#5cb3f2", "#ff9a57", "#3fcf9f", "#ee8fd8", "#d9bd3f", "#4fcfe3", "#ff8098", "#ab9fff")
_DASHES = ("", "8 4", "2 4", "11 4 2 4")


class Drawing(msgspec.Struct, frozen=True):
    """A picture: its size in pixels, what it shows in words, and its elements."""

    title: str
    description: str
    width: int
    height: int
    body: str


class Figure(msgspec.Struct, frozen=True):
    """One or several drawings of equal size under one caption; ``name`` is that of its file."""

    name: str
    caption: str
    panels: tuple[Drawing, ...]
    columns: int = 3


def shown(words: str, most: int = 10_000) -> str:
    """A text from anywhere, on one line, cut to its length and escaped.

    >>> shown("a <b>\\n c"), shown("abcdefgh", 4)
    ('a &lt;b&gt; c', 'abc…')
    """
    clean = clean_text(words)
    return escape(clean if len(clean) <= most else f"{clean[: most - 1]}…")


def line(x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    """A line in the colour of its group."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="currentColor"{more}/>'


def text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    size: int = 13,
    weight: int = 400,
    most: int = 60,
    more: str = "",
) -> str:
    """A line of text in the colour of its group."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="currentColor"{more}>{shown(words, most)}</text>'
    )


def group(css: str, parts: Iterable[str], colour: str = "") -> str:
    """Elements of one colour; ``css`` is the class for dark pages."""
    inner = "".join(parts)
    return f'<g class="{css}" color="{colour or INK[css]}">{inner}</g>' if inner else ""


def svg_element(drawing: Drawing, name: str, *, alone: bool = False) -> str:
    """A drawing as an element of a page, where ``name`` is unique; ``alone`` as that of a file, on light ground."""
    size = f'width="{drawing.width}" height="{drawing.height}"'
    xmlns, ground = (' xmlns="http://www.w3.org/2000/svg"', f'<rect {size} fill="{_PAPER}"/>') if alone else ("", "")
    return (
        f'<svg{xmlns} viewBox="0 0 {drawing.width} {drawing.height}" {size} role="img" '
        f'aria-labelledby="{name}-t {name}-d" font-family="{_FONT}">'
        f'<title id="{name}-t">{shown(drawing.title)}</title>'
        f'<desc id="{name}-d">{shown(drawing.description)}</desc>{ground}{drawing.body}</svg>'
    )


def svg_file(figure: Figure) -> str:
    """A figure as the text of a file that needs nothing beside it."""
    return svg_element(_combined(figure), figure.name, alone=True) + "\n"


def _combined(figure: Figure) -> Drawing:
    first = figure.panels[0]
    if len(figure.panels) == 1:
        return first
    columns = min(figure.columns, len(figure.panels))
    rows = ceil(len(figure.panels) / columns)
    body = "".join(
        f'<g transform="translate({_GAP + number % columns * (first.width + _GAP)} '
        f'{_GAP + number // columns * (first.height + _GAP)})">{panel.body}</g>'
        for number, panel in enumerate(figure.panels)
    )
    return Drawing(
        title=figure.caption,
        description=" ".join(f"{panel.title}: {panel.description}" for panel in figure.panels),
        width=_GAP + columns * (first.width + _GAP),
        height=_GAP + rows * (first.height + _GAP),
        body=body,
    )


class Pen(msgspec.Struct, frozen=True):
    """A colour on light ground, a dash pattern, and the class that a dark page recolours."""

    colour: str
    dash: str
    css: str
    width: float = 2.2


def pen_of(number: int) -> Pen:
    """The n-th pen; neighbours differ in hue and dash, 32 in one of the two.

    >>> len({(pen_of(n).colour, pen_of(n).dash) for n in range(32)})
    32
    """
    hue = number % len(LIGHT)
    dash = _DASHES[(hue + number // len(LIGHT)) % len(_DASHES)]
    return Pen(LIGHT[hue], dash, f"hue-{hue}")


def grey_pen(number: int) -> Pen:
    """The n-th pen of what is drawn for comparison."""
    return Pen(INK["grey"], _DASHES[number % len(_DASHES)], "grey", width=2.6)


class PlotArea(msgspec.Struct, frozen=True):
    """The area between two axes that start at 0, in pixels; ``small`` is for panels."""

    left: float
    top: float
    right: float
    foot: float
    x_end: float
    y_end: float
    small: bool = False

    def x(self, value: float) -> float:
        """Where a value of the x axis stands."""
        return self.left + value / self.x_end * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a value of the y axis stands; what is beyond the axis stands at its end."""
        share = min(max(value / self.y_end, 0.0), 1.0)
        return self.foot - share * (self.foot - self.top)

    def grid(self) -> str:
        """Horizontal lines with their numbers, and the axis at 0."""
        size = 11 if self.small else 13
        values = [v for v in ticks(self.y_end, 4 if self.small else 5) if v <= self.y_end]
        lines = (line(self.left, self.y(v), self.right, self.y(v)) for v in values if v)
        numbers = (text(self.left - 7, self.y(v) + 4, number(v), anchor="end", size=size) for v in values)
        axis = line(self.left, self.foot, self.right, self.foot)
        return group("grid", lines) + group("faint", numbers) + group("ink", [axis])

    def x_numbers(self) -> str:
        """Ticks and numbers under the axis, whole numbers only."""
        size, gap = (11, 15) if self.small else (13, 20)
        parts = []
        for value in ticks(self.x_end, 3 if self.small else 6):
            if value <= self.x_end and value == int(value):
                x, y = self.x(value), self.foot + gap
                parts.append(line(x, self.foot, x, self.foot + 4))
                parts.append(text(x, y, number(value), anchor="middle", size=size))
        return group("faint", parts)

    def axis_titles(self, x_title: str, y_title: str) -> str:
        """What the axes count: under the one, upright beside the other."""
        middle, height = (self.left + self.right) / 2, (self.top + self.foot) / 2
        turned = f' transform="rotate(-90 18 {height:.1f})"'
        return group(
            "ink",
            [
                text(middle, self.foot + 42, x_title, anchor="middle"),
                text(18, height, y_title, anchor="middle", more=turned),
            ],
        )
