"""Values of a measure by topic, and over topics: repetitions are averaged first."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING

from semcrawl.lab.results import OverTopics
from semcrawl.lab.statistics import bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from semcrawl.lab.results import Value

__all__ = ["TopicValues"]


class TopicValues:
    """The values of all runs, asked for by crawler, measure and number of pages."""

    def __init__(self, values: Iterable[Value]) -> None:
        found: dict[tuple[str, str, int], dict[str, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for one in values:
            if one.value is not None:
                found[one.contender, one.measure, one.at][one.topic].append(one.value)
        self._found = {key: dict(topics) for key, topics in found.items()}

    def by_topic(self, contender: str, measure: str, at: int) -> dict[str, float]:
        """The mean over repetitions of each topic that has a value."""
        topics = self._found.get((contender, measure, at), {})
        return {topic: fmean(values) for topic, values in topics.items()}

    def shared_topics(self, contenders: Iterable[str], measure: str, at: int) -> list[str]:
        """The topics of which all these crawlers have a value."""
        tables = [self.by_topic(contender, measure, at) for contender in contenders]
        first = tables[0] if tables else {}
        return [topic for topic in first if all(topic in table for table in tables)]

    def over_topics(self, seed: int) -> list[OverTopics]:
        """The mean of every measure of every crawler over topics, with intervals.

        The interval is of topics; of repetitions where there is only one topic.
        """
        found = []
        for (contender, measure, at), topics in self._found.items():
            values = _spread(topics)
            interval = bootstrap(values, seed)
            found.append(OverTopics(contender, measure, at, interval, len(topics)))
        return found


def _spread(topics: Mapping[str, list[float]]) -> list[float]:
    """The values that an interval is drawn from: of topics, or of one topic's repetitions."""
    if len(topics) == 1:
        return next(iter(topics.values()))
    return [fmean(values) for values in topics.values()]
