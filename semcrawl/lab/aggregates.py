"""What all runs of a crawler come to together: curves, costs, and what is shown as bars."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from semcrawl.lab.comparing import bootstrap_band
from semcrawl.lab.metrics import (
    OF_ALL_FETCHED,
    ScoredRun,
    distance_histogram,
    relevance_histogram,
    value_of,
)
from semcrawl.lab.page_measures import mean_gains
from semcrawl.lab.results import Cost, Curve
from semcrawl.lab.web import LabWeb
from semcrawl.registry import split_spec

Key = TypeVar("Key", bound=Hashable)

CURVES = (  # and the headline
    "on-topic",
    "harvest-rate",
    "target-recall",
    "moving-relevance",
    "url-overlap",
    "host-overlap",
)
_FEWER_POINTS = 100
_DIGITS = 6


def sample_points(pages: int, most: int = 200) -> tuple[int, ...]:
    """Return at most ``most`` numbers from 1 to ``pages``, evenly spread, both ends included.

    >>> sample_points(5), sample_points(1_000, most=5)
    ((1, 2, 3, 4, 5), (1, 251, 500, 750, 1000))
    """
    spread = np.linspace(1, pages, min(pages, most))
    return tuple(round(point) for point in spread.tolist())


def curves_of(runs: Iterable[ScoredRun], headline: str, pages: int, seed: int) -> list[Curve]:
    """Return the mean curves over topics, the headline's for each too; all end where a run does."""
    found: list[Curve | None] = []
    points, fewer = sample_points(pages), sample_points(pages, _FEWER_POINTS)
    for contender, own in _grouped(runs, lambda run: run.contender).items():
        topics = _grouped(own, lambda run: run.topic)
        for metric in dict.fromkeys((*CURVES, headline)):
            tables = [_table(of_topic, metric, points) for of_topic in topics.values()]
            if tables := [table for table in tables if table]:
                rows = tables[0] if len(tables) == 1 else [np.mean(one, axis=0) for one in tables]
                names = (contender, "", metric)
                found.append(_curve(names, points, rows, seed, topics=len(tables)))
        for topic, of_topic in topics.items():
            if rows := _table(of_topic, headline, fewer):
                found.append(_curve((contender, topic, headline), fewer, rows, seed))
    return [curve for curve in found if curve]


def _table(
    runs: Sequence[ScoredRun], metric: str, points: Sequence[int]
) -> list[NDArray[np.float64]]:
    """The values of each run that has any, at each point; NaN where there is none."""
    rows = [
        [
            value_of(run, metric, point)
            if metric in OF_ALL_FETCHED or run.pages(point) == point
            else None
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


def costs_of(runs: Iterable[ScoredRun]) -> list[Cost]:
    """Return what each crawler costs; all fetched pages count, those left out too."""
    return [_cost(name, own) for name, own in _grouped(runs, lambda run: run.contender).items()]


def _cost(name: str, runs: Sequence[ScoredRun]) -> Cost:
    pages = sum(len(run.record.visits) for run in runs)
    cpu, requests = (
        sum(getattr(run.record, spent) for run in runs) / max(pages, 1)
        for spent in ("cpu", "requests")
    )
    return Cost(name, len(runs), pages, cpu, requests)


def bars_of(
    runs: Sequence[ScoredRun], first: str, web: LabWeb
) -> dict[str, dict[str, tuple[float, ...]]]:
    """Return what reports show as bars, see ``Results.bars``; ``first`` is the first crawler."""
    by_name = _grouped(runs, lambda run: run.contender)
    learns = any(split_spec(run.strategy)[0] == "apprentice" for run in runs)
    gains = mean_gains(by_name.get(first, ()), web) if learns else ()
    return {
        "distances": {
            name: distance_histogram(visit.depth for run in own for visit in run.finds)
            for name, own in by_name.items()
        },
        "relevances": {
            name: relevance_histogram([v.relevance for run in own for v in run.visits[: run.limit]])
            for name, own in by_name.items()
        },
        "gains": {first: gains} if gains else {},
    }


def _grouped(
    runs: Iterable[ScoredRun], key: Callable[[ScoredRun], Key]
) -> dict[Key, list[ScoredRun]]:
    found: dict[Key, list[ScoredRun]] = defaultdict(list)
    for run in runs:
        found[key(run)].append(run)
    return found
