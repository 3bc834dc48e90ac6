"""The neighbourhood of a concept as a picture: broader on the left, narrower on the right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from semcrawl.plots.svg import shown

if TYPE_CHECKING:
    from semcrawl.relevance.concept_tree import Branch

_COLUMN, _ROW, _MARGIN, _BOX = 230, 34, 24, 190


class _Placed(Struct):
    branch: Branch
    column: int
    row: float
    parent: _Placed | None


def neighbourhood_svg(root: Branch) -> str:
    """The text of a self-contained SVG file; darker boxes are nearer to the topic."""
    placed = list(_place(root))
    first = min(one.column for one in placed)
    columns = max(one.column for one in placed) - first + 1
    rows = max(one.row for one in placed) + 1
    width = columns * _COLUMN - (_COLUMN - _BOX) + 2 * _MARGIN
    height = rows * _ROW + 2 * _MARGIN
    parts = [_edge(one, first) for one in placed if one.parent]
    parts += [_box(one, first) for one in placed]
    frame = Path(__file__).with_name("neighbourhood.svg").read_text("utf-8")
    label = shown(f"The neighbourhood of {root.label}")
    return frame.format(width=width, height=height, label=label, parts="\n".join(parts))


def _place(root: Branch) -> Iterator[_Placed]:
    """Columns by level, rows by leaves; the two sides are laid out each on its own."""
    middle = _Placed(root, 0, 0.0, None)
    left = [child for child in root.branches if child.relation == "broader"]
    right = [child for child in root.branches if child.relation != "broader"]
    sides = [_side(left, middle, -1), _side(right, middle, 1)]
    tallest = max((_height(side) for side in sides), default=1.0)
    middle.row = (tallest - 1) / 2
    yield middle
    for side in sides:
        shift = (tallest - _height(side)) / 2
        for one in side:
            one.row += shift
            yield one


def _height(side: list[_Placed]) -> float:
    return max((one.row for one in side), default=0.0) + 1


def _side(children: list[Branch], parent: _Placed, step: int) -> list[_Placed]:
    placed: list[_Placed] = []
    next_row = 0.0

    def lay(branch: Branch, above: _Placed) -> _Placed:
        nonlocal next_row
        here = _Placed(branch, above.column + step, 0.0, above)
        placed.append(here)
        below = [lay(child, here) for child in branch.branches]
        if below:
            here.row = (below[0].row + below[-1].row) / 2
        else:
            here.row, next_row = next_row, next_row + 1
        return here

    for child in children:
        lay(child, parent)
    return placed


def _x(one: _Placed, first: int) -> float:
    return _MARGIN + (one.column - first) * _COLUMN


def _y(one: _Placed) -> float:
    return _MARGIN + one.row * _ROW + _ROW / 2


def _edge(one: _Placed, first: int) -> str:
    assert one.parent is not None
    from_right = one.column > one.parent.column
    x1 = _x(one.parent, first) + (_BOX if from_right else 0)
    x2 = _x(one, first) + (0 if from_right else _BOX)
    y1, y2, half = _y(one.parent), _y(one), (x1 + x2) / 2
    return f'<path d="M{x1:g} {y1:g} C{half:g} {y1:g} {half:g} {y2:g} {x2:g} {y2:g}"/>'


def _box(one: _Placed, first: int) -> str:
    branch, x, y = one.branch, _x(one, first), _y(one)
    shade = 97 - round(35 * min(max(branch.similarity, 0.0), 1.0))
    note = "" if branch.relation in ("topic", "broader", "narrower") else branch.relation
    beside = f'<text class="r" x="{x + 2:g}" y="{y - 14:g}">{shown(note)}</text>' if note else ""
    return (
        f'<g><title>{shown(branch.id)}</title><rect x="{x:g}" y="{y - 12:g}" width="{_BOX}" '
        f'height="24" rx="6" fill="hsl(212 70% {shade}%)"/>{beside}'
        f'<text x="{x + 8:g}" y="{y + 4:g}">{shown(branch.label, 24)}</text>'
        f'<text class="w" x="{x + _BOX - 8:g}" y="{y + 4:g}">{branch.similarity:.2f}</text></g>'
    )
