"""What became of the findings of a paper: reproduced or not, with the figures.

- "above" is *reproduced* when every left is better than every right with p < 0.05, by a
  one-tailed paired t-test over topics, corrected for the pairs of the finding (Holm). With
  three topics or fewer no test says much: then, or with a larger p, all means in the order of
  the finding are the *same direction*. Else it is *not reproduced*.
- "near" is reproduced when every left and right differ by at most a share of the larger.
- "ratio" is reproduced when the mean of the lefts over that of the rights is within bounds;
  outside of them but on the same side of 1 it is the same direction.
- "between" is reproduced when the mean of the lefts is within bounds.

A topic counts where all crawlers of the finding have a value.
"""

from __future__ import annotations

from itertools import product
from math import isinf
from statistics import fmean
from typing import TYPE_CHECKING

from semcrawl.lab.comparing import compare, corrected
from semcrawl.lab.results import Verdict
from semcrawl.lab.statistics import bootstrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.experiment import Finding
    from semcrawl.lab.topic_values import TopicValues

__all__ = ["NOT_REPRODUCED", "NOT_TESTED", "REPRODUCED", "SAME_DIRECTION", "judge_finding"]

REPRODUCED = "reproduced"
SAME_DIRECTION = "same direction"
NOT_REPRODUCED = "not reproduced"
NOT_TESTED = "not tested"

_SIGNIFICANT = 0.05
_ENOUGH_TOPICS = 4


def judge_finding(
    finding: Finding, values: TopicValues, pages: int, topics: int, seed: int = 1
) -> Verdict:
    """Return the verdict on a finding.

    Args:
        finding: what the paper says.
        values: the values of all runs.
        pages: the page budget, for a finding at the end.
        topics: how many topics the experiment has.
        seed: of the bootstrap intervals.
    """
    at = finding.at or pages
    names = tuple(dict.fromkeys((*finding.left, *finding.right)))
    shared = values.shared_topics(names, finding.measure, at)
    if shared:
        outcome, figures = _Trial(finding, values, at, shared, seed).outcome()
        figures.append(_of_topics(len(shared), topics))
    else:
        without = [name for name in names if not values.by_topic(name, finding.measure, at)]
        why = f"no value for {', '.join(without)}" if without else "no topic in common"
        outcome, figures = NOT_TESTED, [why]
    return Verdict(finding.says, outcome, "; ".join(figures), finding.measure, at)


class _Trial:
    """One finding over the topics that all its crawlers have a value for."""

    def __init__(
        self, finding: Finding, values: TopicValues, at: int, topics: Sequence[str], seed: int
    ) -> None:
        self._finding = finding
        self._values = values
        self._at = at
        self._topics = topics
        names = dict.fromkeys((*finding.left, *finding.right))
        self._intervals = {name: bootstrap(self._of(name), seed) for name in names}

    def outcome(self) -> tuple[str, list[str]]:
        """What became of it, and the figures."""
        rule = {
            "above": self._above,
            "near": self._near,
            "ratio": self._ratio,
            "between": self._between,
        }[self._finding.expect]
        outcome, figures = rule()
        several = len(self._topics) > 1
        means = [
            f"{name} {one.mean:.3g}" + (f" [{one.low:.3g}, {one.high:.3g}]" if several else "")
            for name, one in self._intervals.items()
        ]
        return outcome, means + figures

    def _above(self) -> tuple[str, list[str]]:
        measure, pairs = self._finding.measure, product(self._finding.left, self._finding.right)
        found = (
            compare(self._values, left, right, measure, self._at, self._topics)
            for left, right in pairs
        )
        tested = corrected([one for one in found if one is not None])
        ps = [one.corrected for one in tested if one.corrected is not None]
        figures = [
            f"{one.left} over {one.right}: "
            + (f"{one.difference:+.3g}" if one.difference else "a tie")
            + ("" if one.corrected is None else f", p {_p(one.corrected)}")
            for one in tested
        ]
        if not all(one.difference > 0 for one in tested):
            return NOT_REPRODUCED, figures
        enough = len(self._topics) >= _ENOUGH_TOPICS
        if enough and all(p < _SIGNIFICANT for p in ps):
            return REPRODUCED, figures
        return SAME_DIRECTION, figures

    def _near(self) -> tuple[str, list[str]]:
        apart = 0.0
        for left, right in product(self._finding.left, self._finding.right):
            a, b = self._intervals[left].mean, self._intervals[right].mean
            larger = max(abs(a), abs(b))
            apart = max(apart, abs(a - b) / larger if larger else 0.0)
        near = apart <= self._finding.within + 1e-12
        figures = [f"{apart:.1%} apart, at most {self._finding.within:.0%} expected"]
        return (REPRODUCED if near else NOT_REPRODUCED), figures

    def _ratio(self) -> tuple[str, list[str]]:
        below = self._mean(self._finding.right)
        if not below:
            return NOT_TESTED, [f"no ratio: the mean of {', '.join(self._finding.right)} is 0"]
        ratio = self._mean(self._finding.left) / below
        low, high = self._finding.low, self._finding.high
        figures = [f"ratio {ratio:.3g}, {self._expected()}"]
        if low <= ratio <= high:
            return REPRODUCED, figures
        same_side = (low >= 1 and ratio > 1) or (high <= 1 and ratio < 1)
        return (SAME_DIRECTION if same_side else NOT_REPRODUCED), figures

    def _between(self) -> tuple[str, list[str]]:
        mean = self._mean(self._finding.left)
        fits = self._finding.low <= mean <= self._finding.high
        figures = [self._expected()]
        if len(self._finding.left) > 1:
            figures.insert(0, f"mean {mean:.3g}")
        return (REPRODUCED if fits else NOT_REPRODUCED), figures

    def _of(self, name: str) -> list[float]:
        by_topic = self._values.by_topic(name, self._finding.measure, self._at)
        return [by_topic[topic] for topic in self._topics]

    def _mean(self, names: Sequence[str]) -> float:
        return fmean(self._intervals[name].mean for name in names)

    def _expected(self) -> str:
        low, high = self._finding.low, self._finding.high
        if isinf(low) or isinf(high):
            return f"at most {high:g} expected" if isinf(low) else f"at least {low:g} expected"
        return f"{low:g} to {high:g} expected"


def _of_topics(shared: int, topics: int) -> str:
    if shared < topics:
        return f"{shared} of {topics} topics"
    return "1 topic" if topics == 1 else f"{topics} topics"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
