"""What a reader of results must know of the runs behind them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from semcrawl.crawl.stopping import StopReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from semcrawl.lab.results import Failure
    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["caveats"]


def caveats(runs: Sequence[ScoredRun], failures: Sequence[Failure], pages: int) -> list[str]:
    """Return a sentence for each: pages not counted, crawls that ended early, runs that failed.

    ``pages`` is how many each crawl was to fetch.
    """
    return [*_of_limits(runs, pages), *_of_early_ends(runs), *_of_failures(failures)]


def _of_limits(runs: Iterable[ScoredRun], pages: int) -> list[str]:
    """A sentence where crawls are measured over fewer pages than they were to fetch."""
    limits: dict[str, int] = {}
    for run in runs:
        if run.limit is not None and run.limit < pages:
            limits[run.topic] = min(run.limit, limits.get(run.topic, pages))
    told = ", ".join(f"{topic} {limit:,}" for topic, limit in limits.items() if limit)
    none = ", ".join(topic for topic, limit in limits.items() if not limit)
    some = (
        f"of {pages:,} pages, some are left out of the count; all crawlers of a topic are "
        f"measured over the same number of others: {told}"
    )
    nothing = (
        f"nothing is left to measure where a crawl met only pages that are left out of the count: "
        f"{none}; let crawls fetch more pages, or train with fewer"
    )
    return [some] * bool(told) + [nothing] * bool(none)


def _of_early_ends(runs: Iterable[ScoredRun]) -> list[str]:
    """A sentence for each crawler that had nothing left to fetch before its pages were fetched."""
    ended: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        if run.record.stopped == StopReason.FRONTIER_EMPTY and not run.is_oracle:
            ended[run.contender].append(f"{run.topic} after {len(run.record.visits):,}")
    return [
        f"{name} had nothing left to fetch: {', '.join(where[:3])}"
        + (f" and {len(where) - 3} more" if len(where) > 3 else "")
        for name, where in ended.items()
    ]


def _of_failures(failures: Sequence[Failure]) -> list[str]:
    if not failures:
        return []
    names = dict.fromkeys(failure.contender for failure in failures)
    many = "1 run failed and is" if len(failures) == 1 else f"{len(failures):,} runs failed and are"
    return [f"{many} left out: {', '.join(names)}"]
