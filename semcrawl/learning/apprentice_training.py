"""Training the apprentice from remembered links, and giving waiting links new priorities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.learning.apprentice_model import ApprenticeModel, equal_boundary, ordered_priority
from semcrawl.learning.cocitation import cocitation_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.learning.features import FeatureKinds, LinkFeatures
    from semcrawl.learning.link_memory import LinkMemory, RememberedPage

__all__ = ["MIN_LINKS", "Lesson", "last_round", "next_round", "rescored", "train"]

MIN_LINKS = 50
"""Fewer links with both ends fetched teach nothing."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """How the apprentice is taught.

    Attributes:
        kinds: the features of links.
        boundary: the least relevance that is high; None for two equally likely buckets.
        start: a model that was trained before; what is learned is added to it.
    """

    kinds: FeatureKinds
    boundary: float | None = None
    start: ApprenticeModel | None = None


def next_round(pages: int, every: int) -> int:
    """At which number of pages to train again, after having trained at ``pages``.

    Every so many pages, and once there are ten times as many, with every tenth
    more: a round looks at all pages, and would come to cost more than the crawl.

    >>> next_round(0, 200), next_round(200, 200), next_round(5000, 200)
    (200, 400, 5500)
    """
    return pages + max(every, pages // 10)


def last_round(pages: int, every: int) -> int:
    """The last number of pages up to ``pages`` at which to train, 0 for none.

    >>> last_round(199, 200), last_round(455, 200)
    (0, 400)
    """
    done = 0
    while (following := next_round(done, every)) <= pages:
        done = following
    return done


def train(memory: LinkMemory, lesson: Lesson, pages: int | None = None) -> ApprenticeModel:
    """Learn from all links of the first ``pages`` pages whose both ends are fetched.

    The same pages in the same order give the same model.

    Raises:
        ConfigError: too few links, or all of one bucket.
    """
    relevance = memory.relevances(pages)
    model = _untrained(memory, lesson, relevance, pages)
    for page in memory.pages(pages):
        found = relevance[page.targets]
        fetched = ~np.isnan(found)
        if fetched.any():
            parts = _parts(page, relevance, model.boundary, lesson.kinds)
            model.add(found[fetched], *(part.chosen(fetched) for part in parts))
    if not model.has_both:
        raise ConfigError(_one_class(model))
    return model


def rescored(memory: LinkMemory, model: ApprenticeModel, kinds: FeatureKinds) -> dict[str, float]:
    """The priorities of all remembered URLs that are not fetched; of several links the best."""
    relevance = memory.relevances()
    best = np.full(len(relevance), -np.inf)
    for page in memory.pages():
        waiting = np.isnan(relevance[page.targets])
        if waiting.any():
            parts = _parts(page, relevance, model.boundary, kinds)
            odds = model.log_odds(*(part.chosen(waiting) for part in parts))
            np.maximum.at(best, page.targets[waiting], odds)
    ranked = np.flatnonzero(best > -np.inf)
    priorities = ordered_priority(best[ranked]).tolist()
    urls = map(memory.url, ranked.tolist())
    return dict(zip(urls, priorities, strict=True))


def _untrained(
    memory: LinkMemory, lesson: Lesson, relevance: NDArray[np.float64], pages: int | None
) -> ApprenticeModel:
    """The model to begin with, once it is clear that there is something to learn."""
    found = [relevance[page.targets] for page in memory.pages(pages)]
    targets = np.concatenate(found) if found else np.zeros(0)
    targets = targets[~np.isnan(targets)]
    if lesson.start is not None:
        return lesson.start.copy()
    if len(targets) < MIN_LINKS:
        raise ConfigError(
            f"there are {len(targets)} links with both ends fetched and judged, which is too few "
            f"to learn from: the apprentice needs {MIN_LINKS}; fetch more pages"
        )
    boundary = equal_boundary(targets) if lesson.boundary is None else lesson.boundary
    if boundary is None:
        raise ConfigError(
            f"all {len(targets)} links lead to pages of the same relevance, {targets[0]:g}: "
            "there is nothing to tell apart; take another topic, judge or web"
        )
    return ApprenticeModel(boundary)


def _one_class(model: ApprenticeModel) -> str:
    kind = "high" if model.links[1] else "low"
    return (
        f"all {int(model.links.sum())} links are {kind} with the boundary {model.boundary:g}: "
        "there is nothing to tell apart; take another boundary, or none"
    )


def _parts(
    page: RememberedPage, relevance: NDArray[np.float64], boundary: float, kinds: FeatureKinds
) -> tuple[LinkFeatures, ...]:
    if not kinds.cocitation:
        return (page.features,)
    found = relevance[page.targets]
    nearby = cocitation_features(page.places, page.targets, found, boundary, kinds.d_max)
    return page.features, nearby
