"""Numbers as a report shows them."""

from __future__ import annotations

from math import isfinite

__all__ = ["NONE", "interval_text", "number", "p_text"]

NONE = "–"
"""What stands where there is no value."""


def number(value: float | None, unit: str = "?") -> str:
    """A value with as many digits as it deserves; a share (``unit`` "") has three places.

    >>> number(0.5, ""), number(1234.4, "pages"), number(12.345, "pages"), number(7.0, "s")
    ('0.500', '1,234', '12.3', '7')
    >>> number(0.01234, "s"), number(0.25), number(None)
    ('0.0123', '0.25', '–')
    """
    if value is None or not isfinite(value):
        return NONE
    if unit == "":
        return f"{value:.3f}"
    if value == round(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"


def interval_text(low: float, high: float, unit: str = "?") -> str:
    """The ends of an interval.

    >>> interval_text(0.25, 0.5, "")
    '0.250 to 0.500'
    """
    return f"{number(low, unit)} to {number(high, unit)}"


def p_text(p: float | None) -> str:
    """A p value, short: without the 0 before the point; it is never 0.

    >>> p_text(0.0421), p_text(0.000012), p_text(1.0), p_text(None)
    ('.042', '<.001', '1', '–')
    """
    if p is None or not isfinite(p):
        return NONE
    if p < 0.001:
        return "<.001"
    return "1" if p > 0.9995 else f"{p:.3f}".removeprefix("0")
