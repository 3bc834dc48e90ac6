"""What all runs of a crawler come to together: costs and distances."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from semcrawl.lab.measures.distances import distance_histogram
from semcrawl.lab.results import Cost

if TYPE_CHECKING:
    from collections.abc import Iterable

    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["costs_of", "distances_of"]


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
