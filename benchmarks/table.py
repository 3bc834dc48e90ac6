"""The table of figures in docs/benchmarks.md: read, brought up to date with what was measured, written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.checks import Check

__all__ = ["PAGE", "updated"]

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"

_HEAD = "| benchmark | figure | target | measured | when |\n|---|---|---|---|---|\n"
_TABLE = re.compile(re.escape(_HEAD) + r"((?:\|.*\n)*)")


def updated(page: str, benchmark: str, checks: Sequence[Check], when: str, order: Iterable[str]) -> str:
    """A page's text with the rows of a benchmark replaced by these figures; bold are those that miss their target.

    Rows stand in ``order`` of their benchmarks.

    >>> from benchmarks.checks import Check
    >>> page = _HEAD + "| road | old | at most 1 | 2 | then |\\n"
    >>> print(updated(page, "road", [Check("new", 1.26, "at most", 1.0)], "today", ["road"]))
    | benchmark | figure | target | measured | when |
    |---|---|---|---|---|
    | road | new | at most 1 | **1.26** | today |
    <BLANKLINE>
    """
    found = _TABLE.search(page)
    if found is None:
        raise SystemExit(f"{PAGE.name} has no table that begins with {_HEAD.splitlines()[0]}")
    rows = [row for row in found[1].splitlines() if _benchmark(row) != benchmark]
    rows += [_row(benchmark, check, when) for check in checks]
    places = {name: place for place, name in enumerate(order)}
    rows.sort(key=lambda row: places.get(_benchmark(row), len(places)))
    return page[: found.start(1)] + "".join(f"{row}\n" for row in rows) + page[found.end(1) :]


def _benchmark(row: str) -> str:
    return row.split("|")[1].strip()


def _row(benchmark: str, check: Check, when: str) -> str:
    figure = check.text if check.is_met else f"**{check.text}**"
    cells = benchmark, check.name, f"{check.bound} {check.target:g}{check.unit}", figure, when
    return f"| {' | '.join(cells)} |"
