"""Measures against the number of fetched pages: for each topic, and as a mean with a band."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from semcrawl.lab.comparing import bootstrap, bootstrap_band
from semcrawl.lab.measures import OVERLAP_MEASURES, distance_histogram, overlap, overlap_curve
from semcrawl.lab.results import Cost, Curve, Overlap, OverTopics, Value
from semcrawl.lab.scored_run import value_of
from semcrawl.web.urls import hostname_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from semcrawl.lab.scored_run import ScoredRun

CURVES = ("on-topic", "harvest-rate", "target-recall", "moving-relevance")
"""The measures that every experiment has curves of, beside its headline."""

POINTS = 200
_POINTS_OF_TOPIC = 100
_DIGITS = 6


def sample_points(pages: int, most: int = POINTS) -> tuple[int, ...]:
    """Return at most ``most`` numbers from 1 to ``pages``, evenly spread, both ends included.

    >>> sample_points(5), sample_points(1_000, most=5)
    ((1, 2, 3, 4, 5), (1, 251, 500, 750, 1000))
    """
    spread = np.linspace(1, pages, min(pages, most))
    return tuple(round(point) for point in spread.tolist())


def curves_of(
    runs: Iterable[ScoredRun], headline: str, pages: int, *, similar: float, seed: int
) -> list[Curve]:
    """Return the mean curves of `CURVES` and the headline, and the headline's of each topic.

    Bands are bootstrap intervals over topics; over repetitions for a single
    topic. A curve goes as far as all its runs have a value.
    """
    by_contender: dict[str, list[ScoredRun]] = defaultdict(list)
    for run in runs:
        by_contender[run.contender].append(run)
    sketch = _Sketch(similar, seed)
    found = []
    for contender, own in by_contender.items():
        for measure in dict.fromkeys((*CURVES, headline)):
            found += sketch.mean(contender, own, measure, sample_points(pages))
        few = sample_points(pages, _POINTS_OF_TOPIC)
        for topic in dict.fromkeys(run.topic for run in own):
            of_topic = [run for run in own if run.topic == topic]
            found += sketch.of_topic(contender, topic, of_topic, headline, few)
    return found


class _Sketch:
    """Draws curves; holds what they have in common."""

    def __init__(self, similar: float, seed: int) -> None:
        self._similar = similar
        self._seed = seed

    def mean(
        self, contender: str, runs: Sequence[ScoredRun], measure: str, points: Sequence[int]
    ) -> list[Curve]:
        by_topic: dict[str, list[list[float]]] = defaultdict(list)
        for run in runs:
            if (values := self._values(run, measure, points)) is not None:
                by_topic[run.topic].append(values)
        if not by_topic:
            return []
        if len(by_topic) == 1:
            rows = next(iter(by_topic.values()))
        else:
            rows = [np.mean(values, axis=0).tolist() for values in by_topic.values()]
        found = self._curve(contender, "", measure, points, rows)
        return [msgspec.structs.replace(curve, topics=len(by_topic)) for curve in found]

    def of_topic(
        self,
        contender: str,
        topic: str,
        runs: Sequence[ScoredRun],
        measure: str,
        points: Sequence[int],
    ) -> list[Curve]:
        rows = [self._values(run, measure, points) for run in runs]
        found = [row for row in rows if row is not None]
        return self._curve(contender, topic, measure, points, found) if found else []

    def _values(self, run: ScoredRun, measure: str, points: Sequence[int]) -> list[float] | None:
        """The run's values; NaN where there is none, None where there is none at all."""
        values = [
            value_of(run, measure, point, self._similar) if run.pages(point) == point else None
            for point in points
        ]
        if all(value is None for value in values):
            return None
        return [float("nan") if value is None else float(value) for value in values]

    def _curve(
        self,
        contender: str,
        topic: str,
        measure: str,
        points: Sequence[int],
        rows: Sequence[Sequence[float]],
    ) -> list[Curve]:
        table = np.asarray(rows)
        whole = ~np.isnan(table).any(axis=0)
        if not whole.any():
            return []
        pages = tuple(np.asarray(points)[whole].tolist())
        means, low, high = bootstrap_band(table[:, whole].tolist(), self._seed)
        band = (_rounded(low), _rounded(high)) if len(rows) > 1 else ((), ())
        return [Curve(contender, topic, measure, pages, _rounded(means), *band)]


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(value, _DIGITS) for value in values)


# What repetitions of a crawl from different seeds have in common.


_POINTS = 100


def overlaps(runs: Sequence[ScoredRun], pages: int) -> list[Overlap]:
    """Return how much repetitions from disjoint seeds share, for each crawler and topic.

    The mean over all such pairs, after the same number of pages each; all
    fetched pages count here (Chakrabarti, van den Berg and Dom 1999, figures 8
    and 9). Crawlers without such a pair are left out.
    """
    groups = _repeated(runs)
    points = sample_points(pages, _POINTS)
    found = []
    for (contender, topic), group in groups.items():
        pairs = [
            (_urls(one), _urls(other))
            for one, other in combinations(group, 2)
            if not set(one.record.seeds) & set(other.record.seeds)
        ]
        if pairs:
            urls = [overlap_curve(one, other, points) for one, other in pairs]
            hosts = [overlap_curve(_hosts(one), _hosts(other), points) for one, other in pairs]
            found.append(Overlap(contender, topic, points, _mean(urls), _mean(hosts)))
    return found


def overlap_values(runs: Sequence[ScoredRun], points: Sequence[int]) -> list[Value]:
    """Return the mean overlap of each run with its repetitions from disjoint seeds."""
    found = []
    for group in _repeated(runs).values():
        for run in group:
            seeds = set(run.record.seeds)
            others = [_urls(one) for one in group if not seeds & set(one.record.seeds)]
            own = _urls(run)
            for at in points if others else ():
                urls = [overlap(own, other, at) for other in others]
                hosts = [overlap(_hosts(own), _hosts(other), at) for other in others]
                for name, shared in zip(OVERLAP_MEASURES, (urls, hosts), strict=True):
                    mean = float(np.mean(shared))
                    found.append(Value(run.contender, run.topic, run.repetition, name, at, mean))
    return found


def _repeated(runs: Sequence[ScoredRun]) -> dict[tuple[str, str], list[ScoredRun]]:
    """The repetitions of each crawler and topic."""
    groups: dict[tuple[str, str], list[ScoredRun]] = defaultdict(list)
    for run in runs:
        groups[run.contender, run.topic].append(run)
    return groups


def _urls(run: ScoredRun) -> list[str]:
    return [visit.url for visit in run.record.visits]


def _hosts(urls: Sequence[str]) -> list[str]:
    return [hostname_of(url) for url in urls]


def _mean(curves: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(round(value, 6) for value in np.mean(curves, axis=0).tolist())


# What all runs of a crawler come to together: costs and distances.


def costs_of(runs: Iterable[ScoredRun]) -> list[Cost]:
    """Return what each crawler costs; all fetched pages count, those left out too."""
    found = []
    for name, own in _by_contender(runs).items():
        pages = sum(len(run.record.visits) for run in own)
        hits = sum(sum(run.hits) for run in own)
        cpu = sum(run.record.cpu for run in own)
        size = sum(visit.size for run in own for visit in run.record.visits)
        requests = sum(run.record.requests for run in own)
        found.append(
            Cost(
                contender=name,
                runs=len(own),
                pages=pages,
                cpu_per_page=cpu / pages if pages else 0.0,
                cpu_per_relevant=cpu / hits if hits else None,
                bytes_per_relevant=size / hits if hits else None,
                requests_per_page=requests / pages if pages else 0.0,
            )
        )
    return found


def distances_of(runs: Iterable[ScoredRun]) -> dict[str, tuple[int, ...]]:
    """Return for each crawler its finds by their links from the nearest seed."""
    return {
        name: distance_histogram(visit.depth for run in own for visit in run.finds)
        for name, own in _by_contender(runs).items()
    }


def _by_contender(runs: Iterable[ScoredRun]) -> dict[str, list[ScoredRun]]:
    found: dict[str, list[ScoredRun]] = defaultdict(list)
    for run in runs:
        found[run.contender].append(run)
    return found


# Values of a measure by topic, and over topics: repetitions are averaged first.


class TopicValues:
    """The values of all runs, asked for by crawler, measure and number of pages."""

    def __init__(self, values: Iterable[Value]) -> None:
        found: dict[tuple[str, str, int], dict[str, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for one in values:
            if one.value is not None:
                found[one.contender, one.measure, one.at][one.topic].append(one.value)
        self._found = {key: dict(topics) for key, topics in found.items()}

    def by_topic(self, contender: str, measure: str, at: int) -> dict[str, float]:
        """The mean over repetitions of each topic that has a value."""
        topics = self._found.get((contender, measure, at), {})
        return {topic: fmean(values) for topic, values in topics.items()}

    def shared_topics(self, contenders: Iterable[str], measure: str, at: int) -> list[str]:
        """The topics of which all these crawlers have a value."""
        tables = [self.by_topic(contender, measure, at) for contender in contenders]
        first = tables[0] if tables else {}
        return [topic for topic in first if all(topic in table for table in tables)]

    def over_topics(self, seed: int) -> list[OverTopics]:
        """The mean of every measure of every crawler over topics, with intervals.

        The interval is of topics; of repetitions where there is only one topic.
        """
        found = []
        for (contender, measure, at), topics in self._found.items():
            values = _spread(topics)
            interval = bootstrap(values, seed)
            found.append(OverTopics(contender, measure, at, interval, len(topics)))
        return found


def _spread(topics: Mapping[str, list[float]]) -> list[float]:
    """The values that an interval is drawn from: of topics, or of one topic's repetitions."""
    if len(topics) == 1:
        return next(iter(topics.values()))
    return [fmean(values) for values in topics.values()]
