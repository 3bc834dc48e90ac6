"""What repetitions of a crawl from different seeds have in common."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.lab.curves import sample_points
from semcrawl.lab.measures.overlap import OVERLAP_MEASURES, overlap, overlap_curve
from semcrawl.lab.results import Overlap, Value
from semcrawl.web.urls import hostname_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["overlap_values", "overlaps"]

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
