"""Where crawls start: the seeds that a topic names, or a set drawn for each repetition."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from semcrawl.crawl.scope import Scope
from semcrawl.errors import FetchError, LabError, UrlError
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from semcrawl.lab.experiment import Experiment, LabTopic
    from semcrawl.lab.lab_web import LabWeb

__all__ = ["draws_seeds", "first_pages", "seed_sets"]

_HOPS = 5


def draws_seeds(experiment: Experiment) -> bool:
    """Whether seeds are drawn; else topics name them."""
    return bool(experiment.seeds.size or experiment.seeds.share)


def seed_sets(
    experiment: Experiment, topic: LabTopic, pages: Collection[str], web: LabWeb
) -> tuple[tuple[str, ...], ...]:
    """The seeds of each repetition.

    Args:
        experiment: says how they are drawn.
        topic: the topic.
        pages: the pages to draw from: those on the topic that training has not seen.
        web: the recorded web that the seeds must be in.

    Raises:
        LabError: a seed is not in the web, or there are fewer pages than are to be drawn.
    """
    if draws_seeds(experiment):
        return _drawn(experiment, topic, sorted(pages))
    given = topic.seeds
    if not given and experiment.web.demo:
        from semcrawl.demo import demo_web

        given = demo_web().seeds
    seeds = tuple(dict.fromkeys(_checked(url, topic, web, experiment) for url in given))
    if absent := [url for url in seeds if _landing(url, web) is None]:
        raise LabError(
            f"topic {topic.name}: not in the recorded web: {', '.join(absent)}; name pages that "
            f"are in it as seeds{_perhaps_lost(web)}"
        )
    return (seeds,) * experiment.repetitions


def _perhaps_lost(web: LabWeb) -> str:
    """What may be why a seed is not there."""
    return f". They may be lost: {'; '.join(web.problems)}" if web.problems else ""


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
    if draw.disjoint:
        mixed = Random(f"{experiment.random_seed} seeds {topic.name}").sample(pages, wanted)
        return tuple(tuple(sorted(mixed[n * size : (n + 1) * size])) for n in range(times))
    return tuple(
        tuple(
            sorted(Random(f"{experiment.random_seed} seeds {topic.name} {n}").sample(pages, size))
        )
        for n in range(times)
    )


def _checked(url: str, topic: LabTopic, web: LabWeb, experiment: Experiment) -> str:
    try:
        seed = canonical(url)
    except UrlError as error:
        raise LabError(f"topic {topic.name}: a seed is {error}") from error
    if seed not in web.urls() and not _scope(experiment).allows(seed):
        raise LabError(
            f"topic {topic.name}: the seed {seed} is shut out by include or exclude in [web]; "
            "name another"
        )
    return seed


def _scope(experiment: Experiment) -> Scope:
    return Scope(experiment.web.include, experiment.web.exclude)


def _landing(url: str, web: LabWeb) -> str | None:
    """The page of the recorded web that a URL leads to, through redirects; None for none."""
    for _ in range(_HOPS + 1):
        if url in web.urls():
            return url
        try:
            target = web.fetch(url).redirect
        except FetchError:
            return None
        if target is None:
            return None
        url = target
    return None
