"""From the records of runs to results: values, curves, comparisons, verdicts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from semcrawl.lab.caveats import caveats
from semcrawl.lab.comparing import compare_all
from semcrawl.lab.crawler_notes import crawler_notes, topic_notes
from semcrawl.lab.curves import curves_of
from semcrawl.lab.differences import differences
from semcrawl.lab.facts import facts_of
from semcrawl.lab.findings import judge_finding
from semcrawl.lab.measures import MEASURES
from semcrawl.lab.measures.overlap import OVERLAP_MEASURES
from semcrawl.lab.oracle_names import is_oracle
from semcrawl.lab.page_scores import with_page_scores
from semcrawl.lab.reach import reachable
from semcrawl.lab.repetitions import overlap_values, overlaps
from semcrawl.lab.results import Failure, Results, Value
from semcrawl.lab.scored_run import score_runs, with_limits, with_oracles
from semcrawl.lab.seed_sets import first_pages
from semcrawl.lab.topic_values import TopicValues
from semcrawl.lab.totals import costs_of, distances_of
from semcrawl.lab.training_notes import trained_on
from semcrawl.lab.values import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from semcrawl.lab.experiment import Experiment
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.plan import RunPlan
    from semcrawl.lab.record import RunRecord
    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["headline_of", "measure", "measured_at"]


def measure(
    experiment: Experiment,
    plans: Sequence[RunPlan],
    records: Mapping[str, RunRecord],
    truth: GroundTruth,
    web: LabWeb,
) -> Results:
    """Return the results of an experiment.

    Runs that failed, or have no record, are told and left out. The order of
    ``records`` makes no difference.
    """
    scored = with_limits(with_oracles(score_runs(plans, records, truth)))
    runs, warnings = with_page_scores(scored, experiment.topic, truth, web)
    values = _values(experiment, runs)
    by_topic = TopicValues(values)
    headline, seed = headline_of(experiment), experiment.random_seed
    failures = _failures(plans, records)
    crawlers = _contenders(plans)
    rivals = [name for name, oracle in crawlers.items() if not oracle]
    occurring = {value.measure for value in values}
    topics = len(experiment.topic)
    return Results(
        title=experiment.title,
        about=experiment.about,
        paper=experiment.paper,
        facts=facts_of(experiment, plans, truth, web),
        contenders=tuple(crawlers),
        topics=_topics(experiment, plans, truth, web),
        measures=tuple(note for name, note in MEASURES.items() if name in occurring),
        headline=headline,
        values=tuple(values),
        over_topics=tuple(by_topic.over_topics(seed)),
        curves=tuple(
            curves_of(
                runs, headline[0], experiment.pages, similar=experiment.truth.similar, seed=seed
            )
        ),
        comparisons=tuple(compare_all(by_topic, rivals, *headline)),
        verdicts=tuple(
            judge_finding(finding, by_topic, experiment.pages, topics, seed)
            for finding in experiment.finding
        ),
        differences=tuple(differences(runs, web)),
        overlaps=tuple(overlaps(runs, experiment.pages)),
        distances=distances_of(runs),
        costs=tuple(costs_of(runs)),
        trained_on=trained_on(runs),
        failures=failures,
        crawlers=crawler_notes(plans),
        topic_notes=topic_notes(experiment, plans, truth),
        warnings=(
            *web.problems,
            *truth.warnings,
            *warnings,
            *caveats(runs, failures, experiment.pages),
        ),
    )


def headline_of(experiment: Experiment) -> tuple[str, int]:
    """Return the measure that curves and matrices show, and after how many pages.

    Those of the first finding; without findings the harvest rate at the page budget.
    """
    if not experiment.finding:
        return "harvest-rate", experiment.pages
    first = experiment.finding[0]
    return first.measure, first.at or experiment.pages


def measured_at(experiment: Experiment) -> tuple[int, ...]:
    """Return after how many pages measures are told, where findings ask for it too."""
    pages = experiment.pages
    told = experiment.at or (pages // 4, pages // 2)
    asked = (finding.at for finding in experiment.finding)
    return tuple(sorted({at for at in (*told, *asked, pages) if 1 <= at <= pages}))


def _values(experiment: Experiment, runs: Sequence[ScoredRun]) -> list[Value]:
    """All values, without the measures that apply to no run."""
    similar = experiment.truth.similar
    found = [
        Value(run.contender, run.topic, run.repetition, name, at, value_of(run, name, at, similar))
        for run in runs
        for name in MEASURES
        if name not in OVERLAP_MEASURES
        for at in measured_at(experiment)
    ]
    found += overlap_values(runs, measured_at(experiment))
    occurring = {value.measure for value in found if value.value is not None}
    return [value for value in found if value.measure in occurring]


def _contenders(plans: Iterable[RunPlan]) -> dict[str, bool]:
    """The crawlers in the order of the experiment, oracles last; whether each is an oracle."""
    found = {
        plan.contender.name or plan.contender.strategy: is_oracle(plan.contender.strategy)
        for plan in plans
    }
    return dict(sorted(found.items(), key=lambda one: one[1]))


def _topics(
    experiment: Experiment, plans: Sequence[RunPlan], truth: GroundTruth, web: LabWeb
) -> tuple[tuple[str, int], ...]:
    found, links = [], cache(web.links)
    for topic in experiment.topic:
        own = [plan for plan in plans if plan.topic.name == topic.name]
        targets = truth.on_topic.get(topic.name, frozenset()).difference(
            *(plan.left_out for plan in own[:1])
        )
        seeds = dict.fromkeys(seed for plan in own for seed in plan.seeds)
        found.append((topic.name, reachable(first_pages(seeds, web), targets, links)))
    return tuple(found)


def _failures(plans: Iterable[RunPlan], records: Mapping[str, RunRecord]) -> tuple[Failure, ...]:
    found = []
    for plan in plans:
        record = records.get(plan.key)
        error = "it was not run" if record is None else record.error
        if error:
            name = plan.contender.name or plan.contender.strategy
            found.append(Failure(name, plan.topic.name, plan.repetition, error))
    return tuple(found)
