"""What all plots share: checked curves, axes with round numbers, numbers as text."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

from semcrawl.errors import ConfigError

_SMALLEST = 1e-9


class Axes(NamedTuple):
    """The ends of both axes; both start at 0. ``y_end`` is a round number."""

    x_end: int
    y_end: float


def axes_of(curves: Mapping[str, Sequence[float]], most_y_ticks: int = 5) -> Axes:
    """The axes for curves that begin at one page; ConfigError for no value or one below 0."""
    values = [value for curve in curves.values() for value in curve]
    if not values:
        raise ConfigError("there is nothing to plot: give at least one curve with a value")
    for value in values:
        if not isfinite(value) or value < 0:
            raise ConfigError(f"cannot plot {value}: values must be numbers of 0 or more")
    longest = max(map(len, curves.values()))
    return Axes(longest, round_end(max(values), most_y_ticks))


def round_end(largest: float, most: int = 5) -> float:
    """Return the round number at which an axis ends that shows ``largest``.

    >>> round_end(0.47), round_end(0.0)
    (0.5, 1.0)
    """
    return ticks(largest if largest > _SMALLEST else 1.0, most)[-1]


def ticks(largest: float, most: int) -> list[float]:
    """Return at most ``most`` + 2 round numbers from 0 to the first that is >= ``largest``.

    >>> ticks(42, 5), ticks(0.3, 3)
    ([0.0, 10.0, 20.0, 30.0, 40.0, 50.0], [0.0, 0.1, 0.2, 0.3])
    """
    raw = largest / most
    scale = 10.0 ** floor(log10(raw))
    # The small slack keeps 0.3 / 3 from being more than 0.1.
    step = scale * next(factor for factor in (1, 2, 5, 10) if raw <= factor * scale * (1 + 1e-9))
    steps = ceil(largest / step * (1 - 1e-9))
    # Twelve digits are enough to see and hide that 3 * 0.1 is not 0.3.
    return [float(f"{step * number:.12g}") for number in range(steps + 1)]


def clean_text(text: str) -> str:
    """Return a label on one line, with what cannot be shown replaced.

    >>> clean_text("fo\\x1b[31mcused\\n crawl")
    'fo\ufffd[31mcused crawl'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))


def count(number: int, noun: str, plural: str = "") -> str:
    """A number and its noun.

    >>> count(1, "page"), count(1200, "page"), count(2, "category", "categories")
    ('1 page', '1,200 pages', '2 categories')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


NONE = "–"


def number(value: float | None, unit: str = "?") -> str:
    """A value with as many digits as it deserves; a share (``unit`` "") has three places.

    >>> number(0.5, ""), number(1234.4, "pages"), number(12.345, "pages"), number(7.0, "s")
    ('0.500', '1,234', '12.3', '7')
    >>> number(0.01234, "s"), number(0.25), number(1200.0), number(None)
    ('0.0123', '0.25', '1,200', '–')
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
