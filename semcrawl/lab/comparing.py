"""Every crawler against every other by one measure, over topics."""

from __future__ import annotations

from itertools import permutations
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec

from semcrawl.lab.measures import MEASURES
from semcrawl.lab.results import Comparison
from semcrawl.lab.statistics import holm, paired_t, wilcoxon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.topic_values import TopicValues

__all__ = ["compare", "compare_all", "corrected"]

_EQUAL = 1e-9


def compare_all(
    values: TopicValues, contenders: Sequence[str], measure: str, at: int
) -> list[Comparison]:
    """Return the full matrix: is left better than right, for every ordered pair.

    p values are corrected for all of its tests. Pairs without a topic in common are left out.
    """
    pairs = [compare(values, a, b, measure, at) for a, b in permutations(contenders, 2)]
    return corrected([pair for pair in pairs if pair is not None])


def compare(
    values: TopicValues,
    left: str,
    right: str,
    measure: str,
    at: int,
    topics: Sequence[str] | None = None,
) -> Comparison | None:
    """Return whether left is better than right over the topics that both have a value for.

    ``topics`` are some of those. ``corrected`` is not filled in. None without a topic.
    """
    if topics is None:
        topics = values.shared_topics((left, right), measure, at)
    if not topics:
        return None
    sign = 1.0 if MEASURES[measure].higher_is_better else -1.0
    a, b = (values.by_topic(name, measure, at) for name in (left, right))
    better = [sign * a[topic] for topic in topics]
    worse = [sign * b[topic] for topic in topics]
    differences = [one - other for one, other in zip(better, worse, strict=True)]
    return Comparison(
        left=left,
        right=right,
        measure=measure,
        at=at,
        difference=0.0 if abs(mean := fmean(differences)) <= _EQUAL else mean,
        topics=len(topics),
        wins=sum(one > _EQUAL for one in differences),
        ties=sum(abs(one) <= _EQUAL for one in differences),
        t=paired_t(better, worse),
        wilcoxon=wilcoxon(better, worse),
        corrected=None,
    )


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p of the t-test corrected for all of them (Holm)."""
    tested = [one.t for one in comparisons if one.t is not None]
    ps = iter(holm(tested))
    return [
        one if one.t is None else msgspec.structs.replace(one, corrected=next(ps))
        for one in comparisons
    ]
