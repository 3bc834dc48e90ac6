"""What came out of an experiment, ready to be told: values, curves, comparisons, verdicts."""

from __future__ import annotations

import msgspec


class Metric(msgspec.Struct, frozen=True):
    """What is measured; ``unit`` is "" for a share."""

    name: str
    title: str
    unit: str
    higher_is_better: bool
    source: str
    definition: str


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
    """Whether ``left`` is better than ``right`` over topics.

    Attributes:
        difference: mean over topics of left - right, positive where left is better.
        t: p of the paired one-tailed t-test; None with fewer than two topics.
        wilcoxon: p of the Wilcoxon signed-rank test, one-tailed; None likewise.
        corrected: p of the t-test, corrected for all comparisons of the matrix (Holm).
    """

    left: str
    right: str
    measure: str
    at: int
    difference: float
    topics: int
    wins: int
    ties: int
    t: float | None
    wilcoxon: float | None
    corrected: float | None


class Verdict(msgspec.Struct, frozen=True):
    """A finding, and whether it is reproduced (see `comparing`)."""

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


class Overlap(msgspec.Struct, frozen=True):
    """Shared URLs and hosts of two repetitions from disjoint seeds, against pages fetched."""

    contender: str
    topic: str
    pages: tuple[int, ...]
    urls: tuple[float, ...]
    hosts: tuple[float, ...]


class Cost(msgspec.Struct, frozen=True):
    """What a crawler costs, over all its runs."""

    contender: str
    runs: int
    pages: int
    cpu_per_page: float
    cpu_per_relevant: float | None
    bytes_per_relevant: float | None
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
    """All that a report tells.

    Attributes:
        facts: what was done, as pairs: web, pages, topics, truth, training ...
        contenders: names in the order of the experiment, oracles last.
        topics: their names, with how many pages are on each and can be reached.
        headline: the metric that curves and matrices show, and after how many pages.
        distances: per contender, relevant pages found by links from the nearest seed.
        name: what the results are kept under; "" where nobody named them.
    """

    title: str
    about: str
    paper: str
    facts: tuple[tuple[str, str], ...]
    contenders: tuple[str, ...]
    topics: tuple[tuple[str, int], ...]
    measures: tuple[Metric, ...]
    headline: tuple[str, int]
    values: tuple[Value, ...]
    over_topics: tuple[OverTopics, ...]
    curves: tuple[Curve, ...]
    comparisons: tuple[Comparison, ...]
    verdicts: tuple[Verdict, ...]
    differences: tuple[Difference, ...]
    overlaps: tuple[Overlap, ...]
    distances: dict[str, tuple[int, ...]]
    costs: tuple[Cost, ...]
    trained_on: dict[str, tuple[str, ...]]
    failures: tuple[Failure, ...]
    warnings: tuple[str, ...]
    name: str = ""
    crawlers: tuple[CrawlerNote, ...] = ()
    topic_notes: tuple[TopicNote, ...] = ()
