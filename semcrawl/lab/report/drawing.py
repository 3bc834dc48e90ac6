"""Drawings in SVG: elements with escaped texts, and figures of one or several panels.

Every colour is ``currentColor`` of a group that has both a ``color`` for paper
and a class, so that a dark page can recolour what a file shows on light ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import ceil
from typing import TYPE_CHECKING

from semcrawl.demo.axes import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "GAP",
    "INK",
    "Drawing",
    "Figure",
    "group",
    "line",
    "rectangle",
    "shown",
    "svg_element",
    "svg_file",
    "text",
]

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_PAPER = "#fcfcfb"
INK = {"ink": "#22262b", "faint": "#59616a", "grid": "#e1e4e8", "grey": "#6b737c"}
GAP = 12


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: its size in pixels, what it shows in words, and its elements."""

    title: str
    description: str
    width: int
    height: int
    body: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One or several drawings of equal size under one caption; ``name`` is that of its file."""

    name: str
    caption: str
    panels: tuple[Drawing, ...]
    columns: int = 3


def shown(words: str, most: int = 10_000) -> str:
    """A text from anywhere, on one line, cut to its length and escaped.

    >>> shown("a <b>\\n c")
    'a &lt;b&gt; c'
    >>> shown("abcdefgh", 4)
    'abc…'
    """
    clean = clean_text(words)
    return escape(clean if len(clean) <= most else f"{clean[: most - 1]}…")


def line(x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    """A line in the colour of its group."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="currentColor"{more}/>'


def rectangle(x: float, y: float, width: float, height: float, more: str = "") -> str:
    """A filled rectangle in the colour of its group."""
    size = f'width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="currentColor"{more}/>'


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


def group(css: str, parts: Iterable[str], colour: str = "", more: str = "") -> str:
    """Elements of one colour; that of ``INK`` unless another is given."""
    inner = "".join(parts)
    return f'<g class="{css}" color="{colour or INK[css]}"{more}>{inner}</g>' if inner else ""


def svg_element(drawing: Drawing, name: str) -> str:
    """A drawing as an element of a page; ``name`` is unique there."""
    size = f'viewBox="0 0 {drawing.width} {drawing.height}"'
    return (
        f'<svg {size} width="{drawing.width}" height="{drawing.height}" role="img" '
        f'aria-labelledby="{name}-t {name}-d" font-family="{_FONT}">'
        f'<title id="{name}-t">{shown(drawing.title)}</title>'
        f'<desc id="{name}-d">{shown(drawing.description)}</desc>{drawing.body}</svg>'
    )


def svg_file(figure: Figure) -> str:
    """A figure as the text of a file that needs nothing beside it, on light ground of its own."""
    whole = _combined(figure)
    opening, _, rest = svg_element(whole, figure.name).partition("<title")
    opening = opening.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    ground = f'<rect width="{whole.width}" height="{whole.height}" fill="{_PAPER}"/>'
    head, end, body = rest.partition("</desc>")
    return f"{opening}<title{head}{end}{ground}{body}\n"


def _combined(figure: Figure) -> Drawing:
    """All panels in rows."""
    first = figure.panels[0]
    if len(figure.panels) == 1:
        return first
    columns = min(figure.columns, len(figure.panels))
    rows = ceil(len(figure.panels) / columns)
    body = "".join(
        f'<g transform="translate({GAP + number % columns * (first.width + GAP)} '
        f'{GAP + number // columns * (first.height + GAP)})">{panel.body}</g>'
        for number, panel in enumerate(figure.panels)
    )
    return Drawing(
        title=figure.caption,
        description=" ".join(f"{panel.title}: {panel.description}" for panel in figure.panels),
        width=GAP + columns * (first.width + GAP),
        height=GAP + rows * (first.height + GAP),
        body=body,
    )
