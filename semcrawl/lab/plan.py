"""Which runs an experiment is made of: every crawler for every topic, as often as asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.crawl.settings import Scope
from semcrawl.errors import FetchError, LabError, UrlError
from semcrawl.lab.experiment import ORACLES, Contender, Experiment, LabTopic, ModelPlan
from semcrawl.lab.loading import merged_settings
from semcrawl.lab.run_key import run_key
from semcrawl.web.urls import canonical, host_of

if TYPE_CHECKING:
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.web import LabWeb

_HOPS = 5


def seed_sets(
    experiment: Experiment, topic: LabTopic, pages: Collection[str], web: LabWeb
) -> tuple[tuple[str, ...], ...]:
    """The seeds of each repetition: those that the topic names, or drawn from ``pages``."""
    if experiment.seeds.are_drawn:
        return _drawn(experiment, topic, sorted(pages))
    given = topic.seeds
    if not given and experiment.web.demo:
        from semcrawl.demo import demo_web

        given = demo_web().seeds
    seeds = tuple(dict.fromkeys(_checked(url, topic, web, experiment) for url in given))
    if absent := [url for url in seeds if _landing(url, web) is None]:
        lost = f". They may be lost: {'; '.join(web.problems)}" if web.problems else ""
        raise LabError(
            f"topic {topic.name}: not in the recorded web: {', '.join(absent)}; name pages that "
            f"are in it as seeds{lost}"
        )
    return (seeds,) * experiment.repetitions


def first_pages(seeds: Iterable[str], web: LabWeb) -> tuple[str, ...]:
    """The pages that the seeds lead to, through redirects."""
    found = (_landing(url, web) for url in seeds)
    return tuple(page for page in found if page is not None)


def _drawn(
    experiment: Experiment, topic: LabTopic, pages: list[str]
) -> tuple[tuple[str, ...], ...]:
    draw, times = experiment.seeds, experiment.repetitions
    size = draw.size or max(1, round(draw.share * len(pages)))
    if draw.disjoint and not draw.size:
        size = min(size, len(pages) // times)
    wanted = size * times if draw.disjoint else size
    if not 0 < wanted <= len(pages):
        each = f"{times} times {size} different" if draw.disjoint else f"{size}"
        raise LabError(
            f"topic {topic.name}: {each} seeds are to be drawn from {len(pages)} pages on it that "
            "training has not seen; draw fewer in [seeds]"
        )
    chance = f"{experiment.random_seed} seeds {topic.name}"
    if draw.disjoint:
        mixed = Random(chance).sample(pages, wanted)
        sets = [mixed[n * size : (n + 1) * size] for n in range(times)]
    else:
        sets = [Random(f"{chance} {n}").sample(pages, size) for n in range(times)]
    return tuple(tuple(sorted(drawn)) for drawn in sets)


def _checked(url: str, topic: LabTopic, web: LabWeb, experiment: Experiment) -> str:
    try:
        seed = canonical(url)
    except UrlError as error:
        raise LabError(f"topic {topic.name}: a seed is {error}") from error
    scope = Scope(experiment.web.include, experiment.web.exclude)
    if seed not in web.urls() and not scope.allows(seed):
        raise LabError(
            f"topic {topic.name}: the seed {seed} is shut out by include or exclude in [web]; "
            "name another"
        )
    return seed


def _landing(url: str, web: LabWeb) -> str | None:
    """The page of the recorded web that a URL leads to, through redirects; None for none."""
    with suppress(FetchError):
        for _ in range(_HOPS):
            if url in web.urls():
                break
            url = web.replay.fetch(url).redirect or ""
    return url if url in web.urls() else None


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One run that is to be made."""

    key: str  # the digest of all that it depends on
    contender: Contender
    topic: LabTopic
    spec: str  # the topic as the crawler is given it
    repetition: int
    seeds: tuple[str, ...]
    left_out: tuple[str, ...]  # counted for no crawler: training pages, drawn seeds
    pages: int
    settings: dict[str, Any]
    models: tuple[ModelPlan, ...]

    @property
    def crawler(self) -> str:
        """The name of the crawler."""
        return self.contender.name or self.contender.strategy

    @property
    def names(self) -> dict[str, Any]:
        """What its record says of it; equal runs of two crawlers share all the rest."""
        said = {"contender": self.crawler, "topic": self.topic.name, "repetition": self.repetition}
        return {**said, "left_out": self.left_out}


def plan_runs(experiment: Experiment, web: LabWeb, truth: GroundTruth) -> tuple[RunPlan, ...]:
    """All runs of an experiment, by crawler, topic and repetition; the oracles last."""
    starts, left_out = {}, {}
    for topic in experiment.topic:
        pages = truth.on_topic[topic.name] - truth.training[topic.name]
        starts[topic.name] = seed_sets(experiment, topic, pages, web)
        left_out[topic.name] = _left_out(experiment, topic, starts[topic.name], truth)
    models = {model.name: model for model in experiment.model}
    plans = []
    for contender, topic in product(_contenders(experiment), experiment.topic):
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
                models=tuple(models[name] for name in contender.models),
            )
            plans.append(msgspec.structs.replace(plan, key=run_key(plan, web, truth)))
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
    experiment: Experiment, topic: LabTopic, starts: tuple[tuple[str, ...], ...], truth: GroundTruth
) -> tuple[str, ...]:
    pages = set(truth.training[topic.name])
    if experiment.seeds.are_drawn:
        pages.update(*starts)
    for (_, name), sample in truth.samples.items():
        if name == topic.name:
            pages.update(*sample.values())
    if hosts := truth.training_hosts(topic.name):
        pages.update(url for url in truth.known if host_of(url) in hosts)
    return tuple(sorted(pages))
