"""What took part in an experiment: its crawlers and topics, for the head of its report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.lab.results import CrawlerNote, TopicNote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.experiment import Experiment
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.plan import RunPlan

__all__ = ["crawler_notes", "topic_notes"]

_PATH = re.compile(r"(?:(?<=[\s:=,\"'\[(])|^)/(?!/)[^\s:=,#?\"'\])]+")


def crawler_notes(plans: Sequence[RunPlan]) -> tuple[CrawlerNote, ...]:
    """Return what each crawler was; files are told by their names, not their places."""
    found: dict[str, CrawlerNote] = {}
    for plan in plans:
        one = plan.contender
        name = one.name or one.strategy
        settings = ", ".join(f"{key}={value}" for key, value in plan.settings.items())
        found[name] = CrawlerNote(
            name=name,
            strategy=_without_places(one.strategy),
            judge=_without_places(one.judge),
            description=one.description,
            settings=_without_places(settings),
            seeds=one.seeds,
            crawler=one.crawler,
        )
    return tuple(found.values())


def topic_notes(
    experiment: Experiment, plans: Sequence[RunPlan], truth: GroundTruth
) -> tuple[TopicNote, ...]:
    """Return what each topic was, with all descriptions that a crawler was given."""
    seeds = {plan.topic.name: len(plan.seeds) for plan in plans}
    used = dict.fromkeys(plan.contender.description for plan in plans)
    found = []
    for topic in experiment.topic:
        others = [f"{name}: {topic.descriptions[name]}" for name in used if name]
        given = _without_places("; ".join([topic.topic, *others]))
        pages = len(truth.on_topic.get(topic.name, ()))
        found.append(TopicNote(topic.name, given, seeds.get(topic.name, 0), pages))
    return tuple(found)


def _without_places(text: str) -> str:
    """A text with the names of files in place of their full paths.

    >>> _without_places("/home/ann/mine.py:Mine:table=/data/a.tsv")
    'mine.py:Mine:table=a.tsv'
    >>> _without_places("keywords:and/or, http://a.test/b")
    'keywords:and/or, http://a.test/b'
    """
    return _PATH.sub(lambda found: Path(found[0]).name or found[0], text)
