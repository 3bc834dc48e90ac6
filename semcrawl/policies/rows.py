"""The rows of a policy, read as changes; what cannot be read is left out and counted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from semcrawl.policies.policy import RowForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["PolicyRow", "read_rows"]

_MOST = 1e5
"""No priority is larger: what has a place before all others needs no more."""

_MOST_FACTOR = 100.0
"""No factor is larger, none smaller than one over it: a factor must be possible to undo."""


class PolicyRow(NamedTuple):
    """A URL or site, and its priority or factor; None where it shall be dropped."""

    subject: str
    value: float | None


def read_rows(
    rows: Iterable[Mapping[str, object]], form: RowForm, limit: int
) -> tuple[list[PolicyRow], int]:
    """The first ``limit`` rows that can be read, and how many were left out.

    A number that is not finite or below 0 is none. A priority beyond 100,000
    counts as that; a factor is at least 0.01 and at most 100.
    """
    read: list[PolicyRow] = []
    left_out = 0
    subject, *value = form.value
    for row in rows:
        one = _read(row.get(subject), row.get(value[0]) if value else None, form)
        if one is None or len(read) >= limit:
            left_out += 1
        else:
            read.append(one)
    return read, left_out


def _read(subject: object, value: object, form: RowForm) -> PolicyRow | None:
    if not isinstance(subject, str):
        return None
    if form is RowForm.DROP:
        return PolicyRow(subject, None)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number) or number < 0:
        return None
    if form is not RowForm.PRIORITY:
        number = max(number, 1 / _MOST_FACTOR)
    most = _MOST if form is RowForm.PRIORITY else _MOST_FACTOR
    # Six places, as everywhere: a resumed crawl must see the same order.
    return PolicyRow(subject, round(min(number, most), 6))
