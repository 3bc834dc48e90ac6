"""Values of an experiment by what they belong to, and which of them is the best."""

from __future__ import annotations

from collections import defaultdict
from math import isclose, isfinite
from statistics import fmean
from typing import TYPE_CHECKING

from semcrawl.lab.report.pens import is_oracle, pens_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.lab.results import MeasureNote, OverTopics, Results

__all__ = ["Lookup", "best_of", "measure_title"]


class Lookup:
    """Results, found by crawler, topic, measure and number of pages.

    Attributes:
        results: the results themselves.
        rivals: the crawlers but the oracles, in the order of the experiment.
        oracles: those that see the labels.
        pens: what each crawler is drawn with.
        notes: the measures by name, that of the headline first.
    """

    def __init__(self, results: Results) -> None:
        self.results = results
        self.rivals = tuple(name for name in results.contenders if not is_oracle(name))
        self.oracles = tuple(name for name in results.contenders if is_oracle(name))
        self.pens = pens_for(results.contenders)
        self.notes = _headline_first(results)
        self._over = {(o.contender, o.measure, o.at): o for o in results.over_topics}
        values: dict[tuple[str, str, str, int], list[float]] = defaultdict(list)
        for found in results.values:
            if found.value is not None and isfinite(found.value):
                key = (found.contender, found.topic, found.measure, found.at)
                values[key].append(found.value)
        self._means = {key: fmean(numbers) for key, numbers in values.items()}
        self._ats: dict[str, set[int]] = defaultdict(set)
        self._topics: dict[tuple[str, int], set[str]] = defaultdict(set)
        for _, topic, measure, at in self._means:
            self._ats[measure].add(at)
            self._topics[measure, at].add(topic)
        for over in results.over_topics:
            self._ats[over.measure].add(over.at)

    @property
    def headline(self) -> MeasureNote | None:
        """The measure that the experiment is about, None where nothing was measured."""
        return self.notes.get(self.results.headline[0])

    def pages_of(self, measure: str) -> tuple[int, ...]:
        """After how many pages a measure is known."""
        return tuple(sorted(self._ats.get(measure, ())))

    def last(self, measure: str) -> int:
        """After how many pages tables with one column for a measure tell it."""
        known = self.pages_of(measure)
        wanted = self.results.headline[1]
        return wanted if wanted in known or not known else known[-1]

    def topics_of(self, measure: str, at: int) -> int:
        """For how many topics any crawler has a value of a measure."""
        return len(self._topics.get((measure, at), ()))

    def is_whole(self, found: OverTopics) -> bool:
        """Whether a mean is over all topics that have values, so that it can be ranked."""
        return found.topics >= self.topics_of(found.measure, found.at)

    def share_of_topics(self, found: OverTopics) -> str:
        """Over how many topics a mean is, where it is not over all that have values; else ""."""
        if self.is_whole(found):
            return ""
        return f"{found.topics} of {self.topics_of(found.measure, found.at)} topics"

    def over(self, contender: str, measure: str, at: int) -> OverTopics | None:
        """A measure over all topics."""
        return self._over.get((contender, measure, at))

    def mean(self, contender: str, topic: str, measure: str, at: int) -> float | None:
        """A measure of one topic, mean over repetitions."""
        return self._means.get((contender, topic, measure, at))

    def ranked(self) -> tuple[str, ...]:
        """The crawlers from best to worst by the headline over topics, oracles last.

        Those with values of some topics only have no place among the others and follow them.
        """
        note = self.headline
        if note is None:
            return self.results.contenders
        at = self.last(note.name)

        def place(name: str) -> tuple[int, float]:
            found = self.over(name, note.name, at)
            if found is None or not isfinite(found.interval.mean):
                return 2, 0.0
            if not self.is_whole(found):
                return 1, 0.0
            return 0, -found.interval.mean if note.higher_is_better else found.interval.mean

        return (*sorted(self.rivals, key=place), *self.oracles)


def best_of(values: Mapping[str, float | None], note: MeasureNote) -> frozenset[str]:
    """The names with the best value; the oracles take no part, and one alone is not the best."""
    known = {
        name: value
        for name, value in values.items()
        if value is not None and isfinite(value) and not is_oracle(name)
    }
    if len(known) < 2:
        return frozenset()
    best = max(known.values()) if note.higher_is_better else min(known.values())
    return frozenset(n for n, value in known.items() if isclose(value, best, abs_tol=1e-12))


def measure_title(note: MeasureNote) -> str:
    """The title of a measure with its unit."""
    return f"{note.title} ({note.unit})" if note.unit and note.unit != "pages" else note.title


def _headline_first(results: Results) -> dict[str, MeasureNote]:
    notes = {note.name: note for note in results.measures}
    first = results.headline[0]
    return {first: notes[first], **notes} if first in notes else notes
