"""What came out of an experiment, ready to be told: values, curves, comparisons, verdicts."""

from collections.abc import Mapping
from html import escape

import msgspec

from semcrawl.notebook import table
from semcrawl.plots.axes import interval_text, number
from semcrawl.resources import facts_beside

SIGNIFICANT = 0.05  # below this corrected p one crawler is said to beat another


class Metric(msgspec.Struct, frozen=True):
    """What is measured; ``unit`` is "" for a share."""

    name: str
    title: str
    unit: str
    higher_is_better: bool
    source: str
    definition: str
    is_curve: bool = False  # against pages fetched, in every report
    needs_targets: bool = False  # it has no value for a topic without a page to find


# By name, in the order of reports.
METRICS: Mapping[str, Metric] = {
    name: Metric(name=name, **said) for name, said in facts_beside(__file__, "metrics.toml").items()
}


class Value(msgspec.Struct, frozen=True):
    """One metric of one run after so many pages; None where it does not apply."""

    contender: str
    topic: str
    repetition: int
    measure: str
    at: int
    value: float | None


class Interval(msgspec.Struct, frozen=True):
    """A mean and its bootstrap interval of 95 %."""

    mean: float
    low: float
    high: float


class OverTopics(msgspec.Struct, frozen=True):
    """A metric of a crawler over all topics (repetitions of a topic averaged first)."""

    contender: str
    measure: str
    at: int
    interval: Interval
    topics: int


class Curve(msgspec.Struct, frozen=True):
    """A metric against the number of pages, mean over ``topics`` topics, or of one ``topic``."""

    contender: str
    topic: str
    measure: str
    pages: tuple[int, ...]
    values: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    topics: int = 0


class Comparison(msgspec.Struct, frozen=True):
    """Whether ``left`` is better than ``right``; p values are None with fewer than two topics."""

    left: str
    right: str
    measure: str
    at: int
    difference: float  # mean over topics of left - right, positive where left is better
    topics: int
    wins: int
    ties: int
    t: float | None  # p of the paired one-tailed t-test
    wilcoxon: float | None  # p of the Wilcoxon signed-rank test, one-tailed
    corrected: float | None  # p of the t-test, corrected for all comparisons (Holm)


class Verdict(msgspec.Struct, frozen=True):
    """A finding, and whether it is reproduced."""

    says: str
    outcome: str
    figures: str
    measure: str
    at: int


class MissedPage(msgspec.Struct, frozen=True):
    """A page that one crawler found and another did not, with why."""

    topic: str
    url: str
    step: int
    priority: float
    explanation: str


class Difference(msgspec.Struct, frozen=True):
    """On-topic pages that ``left`` found and ``right`` did not: how many, and examples."""

    left: str
    right: str
    pages: int
    examples: tuple[MissedPage, ...] = ()


class Cost(msgspec.Struct, frozen=True):
    """What a crawler costs, over all its runs."""

    contender: str
    runs: int
    pages: int
    cpu_per_page: float
    requests_per_page: float


class CrawlerNote(msgspec.Struct, frozen=True):
    """What a crawler was: strategy, judge, description, settings, seeds and kind, as texts."""

    name: str
    strategy: str
    judge: str
    description: str
    settings: str
    seeds: str
    crawler: str


class TopicNote(msgspec.Struct, frozen=True):
    """What a topic was: what crawlers were given, how many seeds, how many pages are on it."""

    name: str
    given: str
    seeds: int
    pages: int


class Failure(msgspec.Struct, frozen=True):
    """A run that failed, and why."""

    contender: str
    topic: str
    repetition: int
    error: str


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """All that a report tells."""

    title: str
    about: str
    paper: str
    facts: tuple[tuple[str, str], ...]  # what was done: web, pages, topics, truth, training ...
    contenders: tuple[str, ...]  # in the order of the experiment, oracles last
    topics: tuple[tuple[str, int], ...]  # with how many pages are on each and can be reached
    measures: tuple[Metric, ...]
    headline: tuple[str, int]  # what curves and matrices show, and after how many pages
    values: tuple[Value, ...]
    over_topics: tuple[OverTopics, ...]
    curves: tuple[Curve, ...]
    comparisons: tuple[Comparison, ...]
    verdicts: tuple[Verdict, ...]
    differences: tuple[Difference, ...]
    costs: tuple[Cost, ...]
    trained_on: dict[str, tuple[str, ...]]
    failures: tuple[Failure, ...]
    warnings: tuple[str, ...]
    name: str = ""  # what the results are kept under
    crawlers: tuple[CrawlerNote, ...] = ()
    topic_notes: tuple[TopicNote, ...] = ()
    # By crawler: ``distances``, finds by links from the nearest seed; ``relevances``, shares of
    # pages by tenths of relevance; ``gains``, information gain by DOM offset.
    bars: dict[str, dict[str, tuple[float, ...]]] = {}

    def __repr__(self) -> str:
        return f"<Results of {self.title}: {', '.join(self.contenders)}>"

    def _repr_html_(self) -> str:
        found = [one for one in self.over_topics if (one.measure, one.at) == self.headline]
        rows = [
            (one.contender, f"{number(one.interval.mean)}", interval_text(one.interval.low, one.interval.high))
            for one in found
        ]
        return f"<b>{escape(self.title)}</b>" + table(
            ("crawler", "{} after {:,} pages".format(*self.headline), "95 %"), rows
        )
