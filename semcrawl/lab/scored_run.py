"""A run with all that metrics need, and the value of every metric of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from semcrawl.crawl.progress import StopReason
from semcrawl.lab.experiment import ORACLES, is_oracle
from semcrawl.lab.metrics import (
    OVERLAP_METRICS,
    SiteTally,
    bytes_per_relevant,
    concept_coverage,
    cpu_per_relevant,
    first_relevant,
    harvest_area,
    harvest_rate,
    loss,
    mean_over,
    moving_average,
    on_topic,
    oracle_share,
    tally,
    target_recall,
)
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.plan import RunPlan
    from semcrawl.lab.records import FoundSite, RunRecord, Visit


@dataclass(frozen=True, kw_only=True)
class ScoredRun:
    """A run that did not fail, against the ground truth.

    Attributes:
        contender: the crawler's name; the plan's, because equal runs of two
            crawlers share a record.
        visits: its pages in their order, without those left out.
        hits: whether each of them is on topic.
        targets: how many pages there are to be found.
        sites: judged sites that count, as (pages fetched by then, site, taken for
            relevant, is relevant); None where nothing is known of sites.
        oracle: ``hits`` of the oracle with the same seeds; None where there is none.
        similarities: best cosine of each visit with an example page; None without examples.
        precisions: cosine of each visit with the topic's description; None without one.
        limit: over how many pages at most it is measured; None for as many as are asked for.
    """

    contender: str
    topic: str
    repetition: int
    strategy: str
    record: RunRecord
    visits: tuple[Visit, ...]
    hits: tuple[bool, ...]
    targets: int
    sites: tuple[tuple[int, str, bool, bool], ...] | None = None
    oracle: tuple[bool, ...] | None = None
    similarities: tuple[float, ...] | None = None
    precisions: tuple[float, ...] | None = None
    limit: int | None = None

    @property
    def is_oracle(self) -> bool:
        """Whether the crawler sees labels."""
        return is_oracle(self.strategy)

    @property
    def has_crawled(self) -> bool:
        """Whether it went through the web; a site classifier is given its sites."""
        return bool(self.record.stopped)

    def pages(self, at: int) -> int:
        """Return over how many pages "the first ``at`` pages" are measured."""
        return at if self.limit is None else min(at, self.limit)

    def site_tally(self, at: int) -> SiteTally | None:
        """Return the sites judged by page ``at``, each by its latest judgement."""
        if self.sites is None:
            return None
        latest = {site: (taken, true) for after, site, taken, true in self.sites if after <= at}
        return tally(latest.values())

    @property
    def finds(self) -> tuple[Visit, ...]:
        """The on-topic pages that were found, within the limit."""
        counted = zip(self.visits[: self.limit], self.hits, strict=False)
        return tuple(visit for visit, hit in counted if hit)

    @property
    def hit_urls(self) -> frozenset[str]:
        """The URLs of the finds."""
        return frozenset(visit.url for visit in self.finds)


def score_runs(
    plans: Iterable[RunPlan], records: Mapping[str, RunRecord], truth: GroundTruth
) -> list[ScoredRun]:
    """Return the runs that have a record and did not fail, in the order of their plans."""
    known_pages = Counter(host_of(url) for url in truth.known)
    scored = []
    for plan in plans:
        record = records.get(plan.key)
        if record is not None and not record.error:
            scored.append(_scored(plan, record, truth, known_pages))
    return scored


def with_oracles(runs: Sequence[ScoredRun]) -> list[ScoredRun]:
    """Return the runs, each with what the oracle found for its topic and repetition."""
    best = {
        (run.topic, run.repetition): run.hits for run in runs if run.strategy == ORACLES["oracle"]
    }
    return [replace(run, oracle=best.get((run.topic, run.repetition))) for run in runs]


def with_limits(runs: Sequence[ScoredRun]) -> list[ScoredRun]:
    """Return the runs, all of a topic and repetition measured over the same number of pages.

    Of the crawls that were ended by their page limit, the one with the fewest
    pages that count sets the limit. A crawl that had nothing left to fetch sets
    none: it has missed the rest.
    """
    limits: dict[tuple[str, int], int] = {}
    for run in runs:
        if run.record.stopped == StopReason.PAGES_REACHED:
            key = run.topic, run.repetition
            limits[key] = min(len(run.visits), limits.get(key, len(run.visits)))
    return [replace(run, limit=limits.get((run.topic, run.repetition))) for run in runs]


def _scored(
    plan: RunPlan, record: RunRecord, truth: GroundTruth, known_pages: Counter[str]
) -> ScoredRun:
    topic = plan.topic.name
    left_out = frozenset(plan.left_out)
    targets = truth.on_topic.get(topic, frozenset()) - left_out
    visits = tuple(visit for visit in record.visits if visit.url not in left_out)
    return ScoredRun(
        contender=plan.crawler,
        topic=topic,
        repetition=plan.repetition,
        strategy=plan.contender.strategy,
        record=record,
        visits=visits,
        hits=tuple(visit.url in targets for visit in visits),
        targets=len(targets),
        sites=_counted_sites(record, truth.sites.get(topic), left_out, known_pages),
    )


def _counted_sites(
    record: RunRecord,
    relevant: frozenset[str] | None,
    left_out: frozenset[str],
    known_pages: Counter[str],
) -> tuple[tuple[int, str, bool, bool], ...] | None:
    """The judged sites; those of which training saw more than half of the pages do not count."""
    if not record.sites or not relevant:
        return None
    seen = Counter(host_of(url) for url in left_out)
    counted = [0, *accumulate(visit.url not in left_out for visit in record.visits)]

    def row(found: FoundSite) -> tuple[int, str, bool, bool]:
        after = counted[min(found.after, len(counted) - 1)]
        return after, found.site, found.is_relevant, found.site in relevant

    rows = [row(site) for site in record.sites if 2 * seen[site.site] <= known_pages[site.site]]
    return tuple(sorted(rows, key=lambda one: one[0]))


_NEED_TARGETS = frozenset({"harvest-rate", "loss", "on-topic", "first-relevant"})
"""They have no value for a topic without a page to find; others see to it themselves."""


def value_of(run: ScoredRun, metric: str, at: int, similar: float = 0.75) -> float | None:
    """Return a metric of a run over its first ``at`` pages; None where it does not apply.

    The overlap with other repetitions is no metric of a run alone (`overlap_values`).
    ``similar`` is the cosine above which a page counts for the harvest ratio.
    """
    if metric in OVERLAP_METRICS or (metric in _NEED_TARGETS and not run.targets):
        return None
    if metric in _OF_SITES:
        return _OF_SITES[metric](run, at)
    if not run.has_crawled or not run.pages(at):
        return None
    if metric == "harvest-ratio":
        found = run.similarities
        return (
            None if found is None else harvest_rate([one > similar for one in found], run.pages(at))
        )
    return _OF_PAGES[metric](run, run.pages(at))


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
