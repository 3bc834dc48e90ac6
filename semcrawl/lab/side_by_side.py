"""Two experiments side by side: does a crawler do better in one than in the other?

Whole results are compared crawler by crawler, by their names; or one crawler with one other.
A topic counts when both have a value for it, so the tests are paired.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import LabError
from semcrawl.lab.aggregates import TopicValues
from semcrawl.lab.comparing import compare, corrected

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.lab.results import Comparison, Results

_FACTS_THAT_MATTER = ("web", "truth")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: results, what they are called, and one crawler of them or "" for all."""

    name: str
    results: Results
    contender: str = ""

    def contenders(self) -> tuple[str, ...]:
        """The crawlers that take part.

        Raises:
            LabError: the one that is named is not there.
        """
        if not self.contender:
            return self.results.contenders
        if self.contender not in self.results.contenders:
            raise LabError(
                f"{self.name} has no crawler {self.contender!r}; there are: "
                f"{', '.join(self.results.contenders)}"
            )
        return (self.contender,)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """What came of it.

    Attributes:
        measure: what was compared, after ``at`` pages.
        comparisons: is the crawler of the first better than that of the second; named
            as ``NAME:CRAWLER`` on both sides. p is corrected for all of them.
        means: for each comparison the means of both over the topics that they share.
        notes: what a reader must know: crawlers of one side only, another web.
    """

    measure: str
    at: int
    comparisons: tuple[Comparison, ...]
    means: tuple[tuple[float, float], ...]
    notes: tuple[str, ...]


def find_side(text: str, find: Callable[[str], Results]) -> Side:
    """The side that ``NAME``, ``results.json`` or one of them with ``:CRAWLER`` stands for.

    ``find`` gives the results of a name or file.

    Raises:
        LabError: there are no such results.
    """
    name, colon, contender = text.partition(":")
    shown = Path(name).parent.name or name if name.endswith(".json") else name
    if colon and not contender:
        raise LabError(f"{text!r} names no crawler after its colon; leave the colon out for all")
    return Side(shown, find(name), contender)


def put_side_by_side(left: Side, right: Side, metric: str = "", at: int = 0) -> SideBySide:
    """Compare two sides by a metric; by the first one's headline unless one is given.

    Raises:
        LabError: there is nothing that both have: no crawler, topic, measure or number of pages.
    """
    headline, pages = left.results.headline
    metric, at = metric or headline, at or pages
    left, right = _told_apart(left, right)
    _require_shared_metric(left, right, metric, at)
    pairs, notes = _pairs(left, right)
    values = TopicValues(
        msgspec.structs.replace(value, contender=f"{place}:{value.contender}")
        for place, side in (("left", left), ("right", right))
        for value in side.results.values
    )
    found, means = [], []
    for a, b in pairs:
        one, other = f"left:{a}", f"right:{b}"
        compared = compare(values, one, other, metric, at)
        if compared is None:
            notes.append(f"{a} and {b} have no topic in common")
            continue
        topics = values.shared_topics((one, other), metric, at)
        both = (values.by_topic(name, metric, at) for name in (one, other))
        left_mean, right_mean = (fmean(found[topic] for topic in topics) for found in both)
        means.append((left_mean, right_mean))
        names = {"left": f"{left.name}:{a}", "right": f"{right.name}:{b}"}
        found.append(msgspec.structs.replace(compared, **names))
    if not found:
        raise LabError(
            f"{left.name} and {right.name} cannot be compared: no crawler has a value of "
            f"{metric} after {at:,} pages for a topic that both have"
        )
    notes += _differing_facts(left, right)
    return SideBySide(metric, at, tuple(corrected(found)), tuple(means), tuple(notes))


def _told_apart(left: Side, right: Side) -> tuple[Side, Side]:
    """The sides with different names, where they have the same and are not the same results."""
    if left.name != right.name or left.results == right.results:
        return left, right
    return replace(left, name=f"{left.name} (A)"), replace(right, name=f"{right.name} (B)")


def _require_shared_metric(left: Side, right: Side, metric: str, at: int) -> None:
    for side in (left, right):
        known = {(value.measure, value.at) for value in side.results.values}
        if (metric, at) in known:
            continue
        pages = sorted(number for name, number in known if name == metric)
        if not pages:
            names = ", ".join(sorted({name for name, _ in known}))
            raise LabError(f"{side.name} has no measure {metric!r}; there are: {names}")
        told = ", ".join(f"{number:,}" for number in pages)
        raise LabError(
            f"{side.name} tells {metric} after {told} pages, not after {at:,}: choose one that "
            "both have with --at"
        )


def _pairs(left: Side, right: Side) -> tuple[list[tuple[str, str]], list[str]]:
    """The crawlers to compare, and what is said of those of one side only."""
    ours, theirs = left.contenders(), right.contenders()
    if left.contender and right.contender:
        return [(left.contender, right.contender)], []
    if left.contender:
        return [(left.contender, name) for name in theirs], []
    if right.contender:
        return [(name, right.contender) for name in ours], []
    shared = [(name, name) for name in ours if name in theirs]
    if not shared:
        raise LabError(
            f"{left.name} and {right.name} have no crawler in common; name one of each, as in "
            f"'{left.name}:{ours[0] if ours else '…'}'"
        )
    notes = [
        f"only in {side.name}: {', '.join(alone)}"
        for side, names, others in ((left, ours, theirs), (right, theirs, ours))
        if (alone := [name for name in names if name not in others])
    ]
    return shared, notes


def _differing_facts(left: Side, right: Side) -> list[str]:
    ours, theirs = dict(left.results.facts), dict(right.results.facts)
    return [
        f"they differ in {key}: {ours[key]}; {theirs[key]}"
        for key in ours
        if key.casefold() in _FACTS_THAT_MATTER and key in theirs and ours[key] != theirs[key]
    ]
