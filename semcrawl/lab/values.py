"""Every measure of a run after so many pages, by the measure's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.measures.cost import bytes_per_relevant, cpu_per_relevant
from semcrawl.lab.measures.coverage import concept_coverage
from semcrawl.lab.measures.harvest import (
    first_relevant,
    harvest_rate,
    loss,
    on_topic,
    target_recall,
)
from semcrawl.lab.measures.oracle_share import harvest_area, oracle_share
from semcrawl.lab.measures.overlap import OVERLAP_MEASURES
from semcrawl.lab.measures.relevance import mean_over, moving_average

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["value_of"]

_NEED_TARGETS = frozenset({"harvest-rate", "loss", "on-topic", "first-relevant"})
"""They have no value for a topic without a page to find; others see to it themselves."""


def value_of(run: ScoredRun, measure: str, at: int, similar: float = 0.75) -> float | None:
    """Return a measure of a run over its first ``at`` pages; None where it does not apply.

    The overlap with other repetitions is no measure of a run alone (`overlap_values`).
    ``similar`` is the cosine above which a page counts for the harvest ratio.
    """
    if measure in OVERLAP_MEASURES or (measure in _NEED_TARGETS and not run.targets):
        return None
    if measure in _OF_SITES:
        return _OF_SITES[measure](run, at)
    if not run.has_crawled or not run.pages(at):
        return None
    if measure == "harvest-ratio":
        return _harvest_ratio(run, run.pages(at), similar)
    return _OF_PAGES[measure](run, run.pages(at))


def _harvest_ratio(run: ScoredRun, pages: int, similar: float) -> float | None:
    if run.similarities is None:
        return None
    return harvest_rate([cosine > similar for cosine in run.similarities], pages)


def _relevances(run: ScoredRun) -> list[float]:
    return [visit.relevance for visit in run.visits]


def _cpu(run: ScoredRun, pages: int) -> float | None:
    fetched = len(run.record.visits)
    return cpu_per_relevant(run.hits, pages, run.record.cpu / fetched) if fetched else None


def _coverage(run: ScoredRun, pages: int) -> float | None:
    seen = zip(run.visits[:pages], run.hits[:pages], strict=True)
    return concept_coverage((visit.concept for visit, hit in seen if hit), run.record.concepts)


def _pprs(run: ScoredRun, at: int) -> float | None:
    found = run.site_tally(at)
    if found is None or not run.has_crawled or not run.visits:
        return None
    return found.pages_per_relevant_site(min(at, len(run.visits)))


def _of_tally(name: str) -> Callable[[ScoredRun, int], float | None]:
    def formula(run: ScoredRun, at: int) -> float | None:
        found = run.site_tally(at)
        return None if found is None else getattr(found, name)

    return formula


_OF_PAGES: Mapping[str, Callable[[ScoredRun, int], float | None]] = {
    "harvest-rate": lambda run, pages: harvest_rate(run.hits, pages),
    "loss": lambda run, pages: loss(run.hits, pages),
    "on-topic": lambda run, pages: on_topic(run.hits, pages),
    "average-similarity": lambda run, pages: _mean(run.similarities, pages),
    "precision": lambda run, pages: _mean(run.precisions, pages),
    "target-recall": lambda run, pages: target_recall(run.hits, pages, run.targets),
    "relevance": lambda run, pages: mean_over(_relevances(run), pages),
    "moving-relevance": lambda run, pages: moving_average(_relevances(run), pages),
    "first-relevant": lambda run, pages: first_relevant(run.hits, pages),
    "oracle-share": lambda run, pages: _against_oracle(oracle_share, run, pages),
    "harvest-area": lambda run, pages: _against_oracle(harvest_area, run, pages),
    "concept-coverage": _coverage,
    "cpu-per-relevant": _cpu,
    "bytes-per-relevant": lambda run, pages: bytes_per_relevant(
        run.hits, [visit.size for visit in run.visits], pages
    ),
}

_OF_SITES: Mapping[str, Callable[[ScoredRun, int], float | None]] = {
    "pprs": _pprs,
    "site-harvest-rate": _of_tally("harvest_rate"),
    "site-precision": _of_tally("precision"),
    "site-recall": _of_tally("recall"),
    "site-f": _of_tally("f_measure"),
}


def _mean(scores: Sequence[float] | None, pages: int) -> float | None:
    return None if scores is None else mean_over(scores, pages)


def _against_oracle(
    share: Callable[[Sequence[bool], Sequence[bool], int], float | None],
    run: ScoredRun,
    pages: int,
) -> float | None:
    return None if run.oracle is None else share(run.hits, run.oracle, pages)
