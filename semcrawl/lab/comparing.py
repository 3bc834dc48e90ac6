"""Crawlers against each other over topics: paired tests, verdicts on findings, two experiments."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, permutations, product
from math import isinf
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np
from msgspec.structs import replace

from semcrawl.arrays import Floats
from semcrawl.errors import LabError
from semcrawl.lab.experiment import Finding
from semcrawl.lab.results import METRICS, SIGNIFICANT, Comparison, Interval, OverTopics, Results, Value, Verdict
from semcrawl.plots.axes import count

RESAMPLES = 2_000
LEVEL = 0.95
REPRODUCED = "reproduced"
SAME_DIRECTION = "same direction"
NOT_REPRODUCED = "not reproduced"
NOT_TESTED = "not tested"

_EQUAL = 1e-9
_ENOUGH_TOPICS = 4
_FACTS_THAT_MATTER = ("web", "truth")


def paired_t(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return p of the paired t-test that ``left`` is greater, one-tailed; None below two pairs.

    Pant and Menczer 2003, section 5, test so over topics. Where all differences are equal, p is
    that of the sign test, 1 / 2^n, or 1 where left is not greater.

    >>> round(paired_t([3, 5, 4, 6], [1, 4, 2, 3]), 4), paired_t([2, 3, 4], [1, 2, 3])
    (0.0081, 0.125)
    """
    if len(left) < 2:
        return None
    differences = _differences(left, right)
    if np.ptp(differences) == 0:
        return 0.5 ** len(differences) if differences[0] > 0 else 1.0
    from scipy.special import stdtr  # what scipy.stats asks for too, after much else

    freedom = len(differences) - 1
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(len(differences)))
    return float(stdtr(freedom, -t))


def wilcoxon(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return the exact p of the Wilcoxon signed-rank test that ``left`` is greater, one-tailed.

    None below two pairs; 1 where all are equal. Equal pairs have no rank, ties share one.

    >>> wilcoxon([3, 5, 4, 6.5], [1, 4, 2.5, 3])
    0.0625
    """
    if len(left) < 2:
        return None
    differences = _differences(left, right)
    differences = differences[differences != 0]
    _, places, counts = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    # Twice the rank of each, from 1; equals have the mean of their ranks.
    ranks = np.asarray((2 * np.cumsum(counts) - counts + 1)[places])
    ways = np.zeros(int(ranks.sum()) + 1)  # by the sum of the ranks with a plus
    ways[0] = 1.0
    for rank in ranks.tolist():
        ways[rank:] = (ways[rank:] + ways[:-rank]) / 2
        ways[:rank] /= 2
    return min(1.0, float(ways[int(ranks[differences > 0].sum()) :].sum()))


def holm(ps: Sequence[float]) -> list[float]:
    """Return p values corrected for being several, in their order (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(ps)), key=ps.__getitem__)
    raised = accumulate((min(1.0, (len(ps) - rank) * ps[place]) for rank, place in enumerate(order)), max)
    corrected = dict(zip(order, raised, strict=True))
    return [corrected[place] for place in range(len(ps))]


def bootstrap(values: Sequence[float], seed: int = 1) -> Interval:
    """Return the mean of some values with its bootstrap interval of 95 % (percentiles).

    >>> bootstrap([0.5])
    Interval(mean=0.5, low=0.5, high=0.5)
    """
    means, low, high = bootstrap_band([[value] for value in values], seed)
    return Interval(means[0], low[0], high[0])


def bootstrap_band(rows: Sequence[Sequence[float]], seed: int = 1) -> tuple[list[float], list[float], list[float]]:
    """Return the mean of each column and its bootstrap interval's ends; rows are drawn whole."""
    table = np.asarray(rows, dtype=np.float64)
    means = table.mean(axis=0)
    if len(table) < 2:
        return means.tolist(), means.tolist(), means.tolist()
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(_draws(len(table), seed) @ table, [tail, 1 - tail], axis=0)
    # Rounding must not put a mean outside of its own interval.
    return means.tolist(), np.minimum(low, means).tolist(), np.maximum(high, means).tolist()


@lru_cache(maxsize=64)
def _draws(size: int, seed: int) -> Floats:
    """For each resample, the weight of each row: how often it was drawn / size."""
    drawn = np.random.default_rng(seed).integers(size, size=(RESAMPLES, size))
    return np.stack([np.bincount(row, minlength=size) for row in drawn]) / size


def _differences(left: Sequence[float], right: Sequence[float]) -> Floats:
    # Rounded, so that equal differences are ties for the ranks.
    return np.round(np.asarray(left, dtype=np.float64) - np.asarray(right, dtype=np.float64), 12)


class TopicValues:
    """The values of all runs by crawler, metric and number of pages; repetitions are averaged."""

    def __init__(self, values: Iterable[Value]) -> None:
        self._found: dict[tuple[str, str, int], dict[str, list[float]]] = {}
        for one in values:
            if one.value is not None:
                topics = self._found.setdefault((one.contender, one.measure, one.at), {})
                topics.setdefault(one.topic, []).append(one.value)

    def by_topic(self, contender: str, metric: str, at: int) -> dict[str, float]:
        """The mean over repetitions of each topic that has a value."""
        topics = self._found.get((contender, metric, at), {})
        return {topic: fmean(values) for topic, values in topics.items()}

    def shared_topics(self, contenders: Iterable[str], metric: str, at: int) -> list[str]:
        """The topics of which all these crawlers have a value."""
        tables = [self.by_topic(contender, metric, at) for contender in contenders]
        first = tables[0] if tables else {}
        return [topic for topic in first if all(topic in table for table in tables)]

    def over_topics(self, seed: int) -> list[OverTopics]:
        """Each metric's mean over topics; intervals are of topics, of repetitions for one topic."""
        found = []
        for (contender, metric, at), topics in self._found.items():
            rows = list(topics.values())
            values = rows[0] if len(rows) == 1 else [fmean(row) for row in rows]
            found.append(OverTopics(contender, metric, at, bootstrap(values, seed), len(rows)))
        return found


def compare_all(values: TopicValues, contenders: Sequence[str], metric: str, at: int) -> list[Comparison]:
    """Return whether left is better than right for all ordered pairs; p is corrected for all."""
    pairs = [compare(values, a, b, metric, at) for a, b in permutations(contenders, 2)]
    return corrected([pair for pair in pairs if pair is not None])


def compare(
    values: TopicValues, left: str, right: str, metric: str, at: int, topics: Sequence[str] | None = None
) -> Comparison | None:
    """Return whether left is better than right, without ``corrected``; None without a topic."""
    if topics is None:
        topics = values.shared_topics((left, right), metric, at)
    if not topics:
        return None
    sign = 1.0 if METRICS[metric].higher_is_better else -1.0
    a, b = (values.by_topic(name, metric, at) for name in (left, right))
    better = [sign * a[topic] for topic in topics]
    worse = [sign * b[topic] for topic in topics]
    differences = [one - other for one, other in zip(better, worse, strict=True)]
    return Comparison(
        left=left,
        right=right,
        measure=metric,
        at=at,
        difference=0.0 if abs(mean := fmean(differences)) <= _EQUAL else mean,
        topics=len(topics),
        wins=sum(one > _EQUAL for one in differences),
        ties=sum(abs(one) <= _EQUAL for one in differences),
        t=paired_t(better, worse),
        wilcoxon=wilcoxon(better, worse),
        corrected=None,
    )


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p of the t-test corrected for all of them (Holm)."""
    ps = iter(holm([one.t for one in comparisons if one.t is not None]))
    return [one if one.t is None else msgspec.structs.replace(one, corrected=next(ps)) for one in comparisons]


def judge_finding(finding: Finding, values: TopicValues, pages: int, topics: int, seed: int = 1) -> Verdict:
    """Return the verdict on a finding; ``topics`` is how many the experiment has."""
    at = finding.at or pages
    names = tuple(dict.fromkeys((*finding.left, *finding.right)))
    shared = values.shared_topics(names, finding.measure, at)
    if shared:
        tables = {name: values.by_topic(name, finding.measure, at) for name in names}
        intervals = {name: bootstrap([table[topic] for topic in shared], seed) for name, table in tables.items()}
        outcome, figures = _Trial(finding, values, at, shared, intervals).outcome()
        figures.append(f"{len(shared)} of {topics} topics" if len(shared) < topics else count(topics, "topic"))
    else:
        without = [name for name in names if not values.by_topic(name, finding.measure, at)]
        why = f"no value for {', '.join(without)}" if without else "no topic in common"
        outcome, figures = NOT_TESTED, [why]
    return Verdict(finding.says, outcome, "; ".join(figures), finding.measure, at)


class _Trial(msgspec.Struct, frozen=True):
    finding: Finding
    values: TopicValues
    at: int
    topics: Sequence[str]
    intervals: Mapping[str, Interval]

    def outcome(self) -> tuple[str, list[str]]:
        rules = {"above": self._above, "near": self._near, "ratio": self._ratio}
        outcome, figures = rules.get(self.finding.expect, self._between)()
        several = len(self.topics) > 1
        means = [
            f"{name} {one.mean:.3g}" + (f" [{one.low:.3g}, {one.high:.3g}]" if several else "")
            for name, one in self.intervals.items()
        ]
        return outcome, means + figures

    def _above(self) -> tuple[str, list[str]]:
        found = (
            compare(self.values, left, right, self.finding.measure, self.at, self.topics)
            for left, right in product(self.finding.left, self.finding.right)
        )
        tested = corrected([one for one in found if one is not None])
        ps = [one.corrected for one in tested if one.corrected is not None]
        figures = [
            f"{one.left} over {one.right}: "
            + (f"{one.difference:+.3g}" if one.difference else "a tie")
            + ("" if (p := one.corrected) is None else f", p {'< 0.001' if p < 0.001 else f'{p:.3f}'}")
            for one in tested
        ]
        if not all(one.difference > 0 for one in tested):
            return NOT_REPRODUCED, figures
        enough = len(self.topics) >= _ENOUGH_TOPICS and all(p < SIGNIFICANT for p in ps)
        return (REPRODUCED if enough else SAME_DIRECTION), figures

    def _near(self) -> tuple[str, list[str]]:
        apart = 0.0
        for left, right in product(self.finding.left, self.finding.right):
            a, b = self.intervals[left].mean, self.intervals[right].mean
            larger = max(abs(a), abs(b))
            apart = max(apart, abs(a - b) / larger if larger else 0.0)
        near = apart <= self.finding.within + 1e-12
        figures = [f"{apart:.1%} apart, at most {self.finding.within:.0%} expected"]
        return (REPRODUCED if near else NOT_REPRODUCED), figures

    def _ratio(self) -> tuple[str, list[str]]:
        below = self._mean(self.finding.right)
        if not below:
            return NOT_TESTED, [f"no ratio: the mean of {', '.join(self.finding.right)} is 0"]
        ratio = self._mean(self.finding.left) / below
        low, high = self.finding.low, self.finding.high
        figures = [f"ratio {ratio:.3g}, {self._expected()}"]
        if low <= ratio <= high:
            return REPRODUCED, figures
        same_side = (low >= 1 and ratio > 1) or (high <= 1 and ratio < 1)
        return (SAME_DIRECTION if same_side else NOT_REPRODUCED), figures

    def _between(self) -> tuple[str, list[str]]:
        mean = self._mean(self.finding.left)
        fits = self.finding.low <= mean <= self.finding.high
        figures = [self._expected()]
        if len(self.finding.left) > 1:
            figures.insert(0, f"mean {mean:.3g}")
        return (REPRODUCED if fits else NOT_REPRODUCED), figures

    def _mean(self, names: Sequence[str]) -> float:
        return fmean(self.intervals[name].mean for name in names)

    def _expected(self) -> str:
        low, high = self.finding.low, self.finding.high
        if isinf(low) or isinf(high):
            return f"at most {high:g} expected" if isinf(low) else f"at least {low:g} expected"
        return f"{low:g} to {high:g} expected"


class Side(msgspec.Struct, frozen=True):
    """Results that are compared, their name, and one crawler of them or "" for all."""

    name: str
    results: Results
    contender: str = ""

    def contenders(self) -> tuple[str, ...]:
        """The crawlers that take part; LabError where the one that is named is not there."""
        if not self.contender:
            return self.results.contenders
        if self.contender not in self.results.contenders:
            raise LabError(
                f"{self.name} has no crawler {self.contender!r}; there are: {', '.join(self.results.contenders)}"
            )
        return (self.contender,)


class SideBySide(msgspec.Struct, frozen=True):
    """Two experiments compared by a metric after ``at`` pages."""

    measure: str
    at: int
    comparisons: tuple[Comparison, ...]  # of crawlers named NAME:CRAWLER
    means: tuple[tuple[float, float], ...]  # left and right of each, over the topics they share
    notes: tuple[str, ...]


def find_side(text: str, find: Callable[[str], Results]) -> Side:
    """The side that ``NAME`` or ``results.json`` stands for, perhaps with ``:CRAWLER``."""
    name, colon, contender = text.partition(":")
    shown = Path(name).parent.name or name if name.endswith(".json") else name
    if colon and not contender:
        raise LabError(f"{text!r} names no crawler after its colon; leave the colon out for all")
    return Side(shown, find(name), contender)


def put_side_by_side(left: Side, right: Side, metric: str = "", at: int = 0) -> SideBySide:
    """Compare by a metric, left's headline by default; LabError where they share nothing."""
    headline, pages = left.results.headline
    metric, at = metric or headline, at or pages
    if left.name == right.name and left.results != right.results:
        left, right = replace(left, name=f"{left.name} (A)"), replace(right, name=f"{right.name} (B)")
    _require_shared_metric(left, right, metric, at)
    pairs, notes = _pairs(left, right)
    values = TopicValues(
        msgspec.structs.replace(value, contender=f"{side.name}:{value.contender}")
        for side in (left, right)
        for value in side.results.values
    )
    found, means = [], []
    for a, b in pairs:
        names = f"{left.name}:{a}", f"{right.name}:{b}"
        compared = compare(values, *names, metric, at)
        if compared is None:
            notes.append(f"{a} and {b} have no topic in common")
            continue
        topics = values.shared_topics(names, metric, at)
        tables = (values.by_topic(name, metric, at) for name in names)
        left_mean, right_mean = (fmean(table[topic] for topic in topics) for table in tables)
        means.append((left_mean, right_mean))
        found.append(compared)
    if not found:
        raise LabError(
            f"{left.name} and {right.name} cannot be compared: no crawler has a value of "
            f"{metric} after {at:,} pages for a topic that both have"
        )
    notes += _differing_facts(left, right)
    return SideBySide(metric, at, tuple(corrected(found)), tuple(means), tuple(notes))


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
            f"{side.name} tells {metric} after {told} pages, not after {at:,}: choose one that both have with --at"
        )


def _pairs(left: Side, right: Side) -> tuple[list[tuple[str, str]], list[str]]:
    ours, theirs = left.contenders(), right.contenders()
    if left.contender or right.contender:
        return list(product(ours, theirs)), []
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
