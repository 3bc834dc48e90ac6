"""What is really on topic, which of it training may see, and what a reader must know of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from semcrawl.lab.reach import reachable
from semcrawl.lab.samples import category_samples, training_sites
from semcrawl.lab.seed_sets import draws_seeds, first_pages, seed_sets
from semcrawl.lab.truth_sources import labelled_pages
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from semcrawl.lab.experiment import Experiment, LabTopic
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.samples import SiteLesson
    from semcrawl.lab.truth_tables import TruthTable

__all__ = ["GroundTruth", "read_truth"]


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """The truth of an experiment; all URLs are pages of the recorded web that may be crawled.

    Attributes:
        on_topic: the pages on each topic, by its name.
        known: the pages that the truth says anything of.
        training: those on each topic that training may see; they are never counted.
        examples: those on each topic that stand for it in the harvest ratio.
        sites: the hosts that are on each topic as a whole, where that is known.
        warnings: what a reader must know, a sentence each.
        categories: the categories of each known page, as the truth names them.
        samples: what taxonomies are trained with: pages by category, by model and topic. They
            are never counted either.
        site_lessons: the sites that models of sites are trained with, by model and topic.
        training_sites: their hosts, by topic; neither they nor their pages are counted.
    """

    on_topic: Mapping[str, frozenset[str]]
    known: frozenset[str]
    training: Mapping[str, frozenset[str]]
    examples: Mapping[str, tuple[str, ...]]
    sites: Mapping[str, frozenset[str]]
    warnings: tuple[str, ...] = ()
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    samples: Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    site_lessons: Mapping[tuple[str, str], SiteLesson] = field(default_factory=dict)
    training_sites: Mapping[str, frozenset[str]] = field(default_factory=dict)


def read_truth(experiment: Experiment, web: LabWeb) -> GroundTruth:
    """The ground truth of an experiment; what is drawn by chance is the same every time.

    Raises:
        LabError: a table cannot be read, a seed is not in the web, or too many are to be drawn.
    """
    table, warnings = labelled_pages(experiment, web)
    on_topic, known = _on_topic(experiment, web, table)
    training = {
        topic.name: _training(experiment, topic, on_topic[topic.name]) for topic in experiment.topic
    }
    examples = {
        topic.name: _examples(experiment, topic, on_topic[topic.name], training[topic.name])
        for topic in experiment.topic
    }
    sites = _sites(experiment, on_topic, known)
    lessons = _lessons(experiment, sites, known)
    warnings += _reach(experiment, web, on_topic, training)
    return GroundTruth(
        on_topic,
        known,
        training,
        examples,
        sites,
        tuple(warnings),
        table.categories,
        _samples(experiment, table, on_topic, training),
        lessons,
        {
            topic.name: frozenset().union(
                *(lesson.hosts for (_, name), lesson in lessons.items() if name == topic.name)
            )
            for topic in experiment.topic
        },
    )


def _samples(
    experiment: Experiment,
    table: TruthTable,
    on_topic: Mapping[str, frozenset[str]],
    training: Mapping[str, frozenset[str]],
) -> dict[tuple[str, str], dict[str, tuple[str, ...]]]:
    return {
        (model.name, topic.name): category_samples(
            table.categories,
            on_topic[topic.name],
            training[topic.name],
            model.pages,
            f"{experiment.random_seed} taxonomy {topic.name}",
        )
        for model in experiment.model
        if model.kind == "taxonomy"
        for topic in experiment.topic
    }


def _lessons(
    experiment: Experiment, sites: Mapping[str, frozenset[str]], known: frozenset[str]
) -> dict[tuple[str, str], SiteLesson]:
    return {
        (model.name, topic.name): training_sites(
            sites[topic.name], known, f"{experiment.random_seed} sites {topic.name}"
        )
        for model in experiment.model
        if model.kind == "sites"
        for topic in experiment.topic
    }


def _on_topic(
    experiment: Experiment, web: LabWeb, table: TruthTable
) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    by_prefix = bool(experiment.truth.labels)
    has_categories = by_prefix or experiment.truth.demo
    found = {}
    for topic in experiment.topic:
        wanted = (has_categories and topic.on_topic) or (topic.name,)
        found[topic.name] = frozenset(
            url
            for url, names in table.categories.items()
            if any(n.startswith(wanted) if by_prefix else n in wanted for n in names)
        )
    # What a list of targets does not name is not on topic; a table of labels may leave pages out.
    known = web.urls() if experiment.truth.targets else frozenset(table.categories)
    return found, known


def _training(experiment: Experiment, topic: LabTopic, pages: Collection[str]) -> frozenset[str]:
    size = round(experiment.truth.training_share * len(pages))
    chance = Random(f"{experiment.random_seed} training {topic.name}")
    return frozenset(chance.sample(sorted(pages), size))


def _examples(
    experiment: Experiment, topic: LabTopic, pages: frozenset[str], training: frozenset[str]
) -> tuple[str, ...]:
    """Pages that stand for the topic; those of training only where there are too few others."""
    wanted = experiment.truth.examples
    chance = Random(f"{experiment.random_seed} examples {topic.name}")
    fresh, seen = sorted(pages - training), sorted(training)
    drawn = chance.sample(fresh, min(wanted, len(fresh)))
    drawn += chance.sample(seen, min(wanted - len(drawn), len(seen)))
    return tuple(sorted(drawn))


def _sites(
    experiment: Experiment, on_topic: Mapping[str, frozenset[str]], known: Iterable[str]
) -> dict[str, frozenset[str]]:
    """The hosts on each topic: as the demo web says, else those with most of their pages on it."""
    if experiment.truth.demo:
        from semcrawl.demo import demo_web

        topics = demo_web().topics
        return {
            topic.name: frozenset().union(
                *(topics[n].sites for n in topic.on_topic or (topic.name,) if n in topics)
            )
            for topic in experiment.topic
        }
    pages = Counter(map(host_of, known))
    found = {}
    for name, urls in on_topic.items():
        relevant = Counter(map(host_of, urls))
        found[name] = frozenset(host for host, n in relevant.items() if 2 * n > pages[host])
    return found


def _reach(
    experiment: Experiment,
    web: LabWeb,
    on_topic: Mapping[str, frozenset[str]],
    training: Mapping[str, frozenset[str]],
) -> list[str]:
    """Topics without a page, and topics whose pages no crawl can come to."""
    warnings = []
    for topic in experiment.topic:
        pages = on_topic[topic.name]
        if not pages:
            named = f" ({', '.join(topic.on_topic)})" if topic.on_topic else ""
            warnings.append(f"no page of the recorded web is on the topic {topic.name}{named}")
        countable = pages - training[topic.name]
        sets = seed_sets(experiment, topic, countable, web)
        targets = countable.difference(*sets) if draws_seeds(experiment) else countable
        for number, seeds in enumerate(dict.fromkeys(sets), start=1):
            if targets and not reachable(first_pages(seeds, web), targets, web.links):
                which = f" of repetition {number}" if len(sets) > 1 else ""
                warnings.append(
                    f"no page on the topic {topic.name} can be reached from its seeds{which}"
                )
    return warnings
