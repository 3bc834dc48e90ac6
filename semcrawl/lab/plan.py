"""Which runs an experiment is made of: every crawler for every topic, as often as asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.lab.cross_references import merged_settings
from semcrawl.lab.experiment import Contender, LabTopic, ModelPlan
from semcrawl.lab.model_names import models_named
from semcrawl.lab.oracle_names import ORACLES
from semcrawl.lab.run_key import run_key
from semcrawl.lab.seed_sets import draws_seeds, seed_sets
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from semcrawl.lab.experiment import Experiment
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb

__all__ = ["RunPlan", "plan_runs"]


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One run that is to be made.

    Attributes:
        key: the digest of all that the run depends on.
        contender: the crawler.
        topic: the topic.
        spec: the description of the topic that the crawler is given.
        repetition: which repetition, from 0.
        seeds: where it starts.
        left_out: pages that are not counted in this topic, the same for every crawler:
            those that training saw and the drawn seeds of all repetitions.
        pages: how many pages it may fetch.
        settings: the experiment's settings, with the crawler's own in their place.
        models: the models that the crawler names, in that order.
    """

    key: str
    contender: Contender
    topic: LabTopic
    spec: str
    repetition: int
    seeds: tuple[str, ...]
    left_out: tuple[str, ...]
    pages: int
    settings: dict[str, Any]
    models: tuple[ModelPlan, ...]


def plan_runs(experiment: Experiment, web: LabWeb, truth: GroundTruth) -> tuple[RunPlan, ...]:
    """All runs of an experiment, by crawler, topic and repetition; the oracles last.

    Raises:
        LabError: a seed is not in the web, or too many are to be drawn.
        ConfigError: a strategy or a judge cannot be loaded.
    """
    starts = {
        topic.name: seed_sets(
            experiment, topic, truth.on_topic[topic.name] - truth.training[topic.name], web
        )
        for topic in experiment.topic
    }
    left_out = {
        topic.name: _left_out(experiment, topic, starts[topic.name], truth)
        for topic in experiment.topic
    }
    models = {model.name: model for model in experiment.model}
    plans = []
    for contender in _contenders(experiment):
        for topic in experiment.topic:
            for repetition, seeds in enumerate(starts[topic.name]):
                plan = RunPlan(
                    key="",
                    contender=contender,
                    topic=topic,
                    spec=topic.descriptions.get(contender.description, topic.topic),
                    repetition=repetition,
                    seeds=seeds,
                    left_out=left_out[topic.name],
                    pages=experiment.pages,
                    settings=merged_settings(experiment, contender),
                    models=tuple(models[name] for name in models_named(contender)),
                )
                key = run_key(plan, web, truth)
                plans.append(msgspec.structs.replace(plan, key=key))
    return tuple(plans)


def _contenders(experiment: Experiment) -> list[Contender]:
    there = {contender.strategy for contender in experiment.strategy}
    oracles = [
        Contender(name=name, strategy=strategy)
        for name, strategy in ORACLES.items()
        if experiment.oracles and strategy not in there
    ]
    return [*experiment.strategy, *oracles]


def _left_out(
    experiment: Experiment,
    topic: LabTopic,
    starts: tuple[tuple[str, ...], ...],
    truth: GroundTruth,
) -> tuple[str, ...]:
    pages = set(truth.training[topic.name])
    if draws_seeds(experiment):
        pages.update(*starts)
    for (_, name), sample in truth.samples.items():
        if name == topic.name:
            pages.update(*sample.values())
    hosts = truth.training_sites.get(topic.name, frozenset())
    if hosts:
        pages.update(url for url in truth.known if host_of(url) in hosts)
    return tuple(sorted(pages))
