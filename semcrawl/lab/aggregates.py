"""What all runs of a crawler come to together: curves, overlaps, costs, distances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from semcrawl.lab.comparing import bootstrap_band
from semcrawl.lab.metrics import OVERLAP_METRICS, ScoredRun, distance_histogram, overlap, value_of
from semcrawl.lab.results import Cost, Curve, Overlap, Value
from semcrawl.web.urls import hostname_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Key = TypeVar("Key", bound=Hashable)

CURVES = ("on-topic", "harvest-rate", "target-recall", "moving-relevance")  # and the headline
_FEWER_POINTS = 100
_DIGITS = 6


def sample_points(pages: int, most: int = 200) -> tuple[int, ...]:
    """Return at most ``most`` numbers from 1 to ``pages``, evenly spread, both ends included.

    >>> sample_points(5), sample_points(1_000, most=5)
    ((1, 2, 3, 4, 5), (1, 251, 500, 750, 1000))
    """
    spread = np.linspace(1, pages, min(pages, most))
    return tuple(round(point) for point in spread.tolist())


def curves_of(
    runs: Iterable[ScoredRun], headline: str, pages: int, *, similar: float, seed: int
) -> list[Curve]:
    """Return the mean curves over topics, the headline's for each too; all end where a run does."""
    found: list[Curve | None] = []
    points, fewer = sample_points(pages), sample_points(pages, _FEWER_POINTS)
    for contender, own in _grouped(runs, lambda run: run.contender).items():
        topics = _grouped(own, lambda run: run.topic)
        for metric in dict.fromkeys((*CURVES, headline)):
            tables = [_table(of_topic, metric, points, similar) for of_topic in topics.values()]
            if tables := [table for table in tables if table]:
                rows = tables[0] if len(tables) == 1 else [np.mean(one, axis=0) for one in tables]
                names = (contender, "", metric)
                found.append(_curve(names, points, rows, seed, topics=len(tables)))
        for topic, of_topic in topics.items():
            if rows := _table(of_topic, headline, fewer, similar):
                found.append(_curve((contender, topic, headline), fewer, rows, seed))
    return [curve for curve in found if curve]


def _table(
    runs: Sequence[ScoredRun], metric: str, points: Sequence[int], similar: float
) -> list[NDArray[np.float64]]:
    """The values of each run that has any, at each point; NaN where there is none."""
    rows = [
        [
            value_of(run, metric, point, similar) if run.pages(point) == point else None
            for point in points
        ]
        for run in runs
    ]
    return [np.array(row, dtype=np.float64) for row in rows if any(v is not None for v in row)]


def _curve(
    names: tuple[str, str, str],
    points: Sequence[int],
    rows: Sequence[NDArray[np.float64]],
    seed: int,
    topics: int = 0,
) -> Curve | None:
    """The mean of the rows where all have a value; ``names`` are crawler, topic and metric."""
    table = np.asarray(rows)
    whole = ~np.isnan(table).any(axis=0)
    if not whole.any():
        return None
    means, low, high = (
        tuple(round(value, _DIGITS) for value in values)
        for values in bootstrap_band(table[:, whole].tolist(), seed)
    )
    pages = tuple(np.asarray(points)[whole].tolist())
    band = (low, high) if len(rows) > 1 else ((), ())
    return Curve(*names, pages, means, *band, topics=topics)


def overlaps(runs: Sequence[ScoredRun], pages: int) -> list[Overlap]:
    """Return what repetitions from disjoint seeds share (Chakrabarti 1999, figures 8 and 9)."""
    points = sample_points(pages, _FEWER_POINTS)

    def mean(pairs: list[tuple[list[str], list[str]]]) -> tuple[float, ...]:
        curves = [[overlap(one, other, at) for at in points] for one, other in pairs]
        return tuple(round(value, _DIGITS) for value in np.mean(curves, axis=0).tolist())

    found = []
    for (contender, topic), group in _repetitions(runs).items():
        pairs = [
            (_urls(one), _urls(other))
            for one, other in combinations(group, 2)
            if not set(one.record.seeds) & set(other.record.seeds)
        ]
        if pairs:
            hosts = [(_hosts(one), _hosts(other)) for one, other in pairs]
            found.append(Overlap(contender, topic, points, mean(pairs), mean(hosts)))
    return found


def overlap_values(runs: Sequence[ScoredRun], points: Sequence[int]) -> list[Value]:
    """Return the mean overlap of each run with its repetitions from disjoint seeds."""
    found = []
    for group in _repetitions(runs).values():
        for run in group:
            seeds = set(run.record.seeds)
            others = [_urls(one) for one in group if not seeds & set(one.record.seeds)]
            own = _urls(run)
            for at in points if others else ():
                urls = [overlap(own, other, at) for other in others]
                hosts = [overlap(_hosts(own), _hosts(other), at) for other in others]
                for name, shared in zip(OVERLAP_METRICS, (urls, hosts), strict=True):
                    mean = float(np.mean(shared))
                    found.append(Value(run.contender, run.topic, run.repetition, name, at, mean))
    return found


def costs_of(runs: Iterable[ScoredRun]) -> list[Cost]:
    """Return what each crawler costs; all fetched pages count, those left out too."""
    found = []
    for name, own in _grouped(runs, lambda run: run.contender).items():
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
        for name, own in _grouped(runs, lambda run: run.contender).items()
    }


def _repetitions(runs: Iterable[ScoredRun]) -> dict[tuple[str, str], list[ScoredRun]]:
    return _grouped(runs, lambda run: (run.contender, run.topic))


def _grouped(
    runs: Iterable[ScoredRun], key: Callable[[ScoredRun], Key]
) -> dict[Key, list[ScoredRun]]:
    found: dict[Key, list[ScoredRun]] = defaultdict(list)
    for run in runs:
        found[key(run)].append(run)
    return found


def _urls(run: ScoredRun) -> list[str]:
    return [visit.url for visit in run.record.visits]


def _hosts(urls: Sequence[str]) -> list[str]:
    return [hostname_of(url) for url in urls]
