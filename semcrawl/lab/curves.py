"""Measures against the number of fetched pages: for each topic, and as a mean with a band."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from semcrawl.lab.results import Curve
from semcrawl.lab.statistics import bootstrap_band
from semcrawl.lab.values import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["CURVES", "POINTS", "curves_of", "sample_points"]

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
