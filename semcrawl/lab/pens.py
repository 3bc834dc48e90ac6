"""Pens: what tells the curves of up to 32 crawlers apart, on screen, in print and in grey."""

from __future__ import annotations

from dataclasses import dataclass

from semcrawl.lab.experiment import ORACLES

# Eight hues that people with any colour vision tell apart as well as eight can be (begun from
# Okabe and Ito's), dark enough for paper; and the same hues, light enough for a dark page.
LIGHT = (
    "#0068a8",
    "#c2480a",
    "#00795a",
    "#a2338c",
    "#7d6300",
    "#0b7d91",
    "#b5163d",
    "#5b4bc4",
)
DARK = (
    "#5cb3f2",
    "#ff9a57",
    "#3fcf9f",
    "#ee8fd8",
    "#d9bd3f",
    "#4fcfe3",
    "#ff8098",
    "#ab9fff",
)
_DASHES = ("", "8 4", "2 4", "11 4 2 4")
_GREY = "#6b737c"


@dataclass(frozen=True, slots=True)
class Pen:
    """A colour on light ground, a dash pattern, and the class that a dark page recolours."""

    colour: str
    dash: str
    css: str
    width: float = 2.2


def is_oracle(contender: str) -> bool:
    """Whether a crawler sees the labels; told by its name, which is the lab's own.

    >>> is_oracle("oracle"), is_oracle("oracle (sources)"), is_oracle("dom")
    (True, True, False)
    """
    return contender in ORACLES


def pen_of(number: int) -> Pen:
    """The pen of the n-th crawler; neighbours differ in hue and dash, 32 in one of the two.

    >>> len({(pen_of(n).colour, pen_of(n).dash) for n in range(32)})
    32
    """
    hue = number % len(LIGHT)
    dash = _DASHES[(hue + number // len(LIGHT)) % len(_DASHES)]
    return Pen(LIGHT[hue], dash, f"hue-{hue}")


def pens_for(contenders: tuple[str, ...]) -> dict[str, Pen]:
    """A pen for each crawler by its place in the experiment; grey ones for the oracles."""
    pens: dict[str, Pen] = {}
    rivals = oracles = 0
    for name in contenders:
        if is_oracle(name):
            pens[name] = Pen(_GREY, _DASHES[oracles % len(_DASHES)], "grey", width=2.6)
            oracles += 1
        else:
            pens[name] = pen_of(rivals)
            rivals += 1
    return pens
