"""What was done in an experiment, in words: for the head of its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.experiment import Experiment, TruthSource
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.plan import RunPlan

__all__ = ["facts_of"]


def facts_of(
    experiment: Experiment, plans: Sequence[RunPlan], truth: GroundTruth, web: LabWeb
) -> tuple[tuple[str, str], ...]:
    """Return pairs of a heading and a sentence; files are told by their names, not their places."""
    rows = [
        ("web", _web(experiment, web)),
        ("pages per crawl", f"{experiment.pages:,}"),
        ("topics", ", ".join(topic.name for topic in experiment.topic)),
        ("truth", _truth(experiment.truth)),
        ("seeds", _seeds(experiment, plans)),
        ("training", _training(experiment, truth)),
        ("not counted", _left_out(plans)),
        ("background", _name(experiment.web.background)),
        ("random seed", str(experiment.random_seed)),
        ("runs", f"{len(plans):,}"),
        ("made by", f"semcrawl {VERSION}"),
    ]
    return tuple((heading, sentence) for heading, sentence in rows if sentence)


def _web(experiment: Experiment, web: LabWeb) -> str:
    source = experiment.web
    names = "the demo web" if source.demo else ", ".join(map(_name, source.replay))
    told = [f"{names}: {len(web.urls()):,} pages to crawl"]
    told += [f"only {', '.join(source.include)}"] if source.include else []
    told += [f"without {', '.join(source.exclude)}"] if source.exclude else []
    return "; ".join([*told, f"digest {web.digest[:12]}"])


def _truth(source: TruthSource) -> str:
    if source.demo:
        return "what the demo web knows of its pages"
    if source.judge:
        return f"the judge {source.judge}"
    kind = "labels" if source.labels else "judged pages" if source.judged else "targets"
    told = f"{kind} of {_name(source.labels or source.judged or source.targets)}"
    return f"{told}, only of the kinds {', '.join(source.kinds)}" if source.kinds else told


def _seeds(experiment: Experiment, plans: Sequence[RunPlan]) -> str:
    sizes = sorted({len(plan.seeds) for plan in plans})
    if not sizes:
        return ""
    count = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    if not experiment.seeds.size and not experiment.seeds.share:
        return f"{count} per topic, as given"
    disjoint = ", none of them twice" if experiment.seeds.disjoint else ""
    return f"{count} drawn for each of {experiment.repetitions} repetitions{disjoint}"


def _training(experiment: Experiment, truth: GroundTruth) -> str:
    if not experiment.model:
        return "nothing was trained"
    models = ", ".join(f"{model.name} ({model.kind})" for model in experiment.model)
    pages = ", ".join(f"{name} {len(urls):,}" for name, urls in truth.training.items() if urls)
    return f"{models}; training pages on topic: {pages}" if pages else models


def _left_out(plans: Sequence[RunPlan]) -> str:
    counts = {plan.topic.name: len(plan.left_out) for plan in plans if plan.left_out}
    told = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return f"pages of training and drawn seeds: {told}" if told else ""


def _name(place: str) -> str:
    return Path(place).name or place
