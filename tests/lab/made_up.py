"""Made-up results, as an experiment would give them."""

from __future__ import annotations

from functools import cache
from math import exp
from random import Random

from semcrawl.lab.results import (
    METRICS,
    Comparison,
    Cost,
    Curve,
    Difference,
    Failure,
    Interval,
    MissedPage,
    OverTopics,
    Results,
    Value,
    Verdict,
)

HOSTILE = '<script>alert("x")</script>'

MEASURED = ("harvest-rate", "on-topic", "oracle-share", "first-relevant", "cpu-per-relevant")
CHECKPOINTS = (250, 500, 1_000)


@cache
def made_up(
    contenders: tuple[str, ...] = ("breadth-first", "best-first", "dom", "ssrm"),
    topics: tuple[str, ...] = ("health", "computing", "astronomy", "music", "mammals"),
    repetitions: int = 2,
) -> Results:
    """Rich results: later crawlers are better, the oracles best, everything there is occurs."""
    race = _Race((*contenders, "oracle", "oracle (sources)"), topics, repetitions)
    first, last = contenders[0], contenders[-1]
    return Results(
        title="The classic crawlers",
        about="Which of the classic crawlers finds most on-topic pages?\n\nFrom given seeds.",
        paper="Batsakis, Petrakis, Milios 2009",
        facts=(
            ("recorded web", "schools-wikipedia, 5,000 pages, index pages off"),
            ("pages", "1,000 per crawl"),
            ("truth", "labels, 10 % of the on-topic pages kept for training and not counted"),
        ),
        contenders=race.contenders,
        topics=tuple((topic, 100 + 20 * n) for n, topic in enumerate(topics)),
        measures=tuple(METRICS[name] for name in MEASURED),
        headline=("harvest-rate", 1_000),
        values=race.values(),
        over_topics=race.over_topics(),
        curves=race.curves(),
        comparisons=race.comparisons(),
        verdicts=(
            Verdict(
                f"{last} finds more than {first}.", "reproduced", "0.412 against 0.180, p 0.003", "harvest-rate", 1_000
            ),
            Verdict("ssrm beats dom.", "same direction", "0.41 / 0.40, p 0.31", "on-topic", 500),
            Verdict("Twice as good.", "not reproduced", "ratio 1.2", "harvest-rate", 0),
            Verdict("Hubs help.", "not tested", "", "harvest-rate", 1_000),
        ),
        differences=(
            Difference(
                last,
                first,
                37,
                (
                    MissedPage(
                        topics[0],
                        f"http://a.test/x?q={HOSTILE}|`",
                        412,
                        0.731,
                        f"linked from http://a.test/ as “asthma {HOSTILE}”; waited with 0.1",
                    ),
                ),
            ),
            Difference(first, last, 3),
        ),
        bars={
            "distances": {name: (0, 12, 30 + n, 18, 5, 0, 1) for n, name in enumerate(race.contenders)},
            "relevances": {first: (0.5, *[0.0] * 8, 0.5)},
            "gains": {first: (0.001,) * 17},
        },
        costs=tuple(Cost(name, len(topics) * repetitions, 10_000, 0.0042, 1.04) for name in race.contenders),
        trained_on={last: ("hmm from 51,312 paths, 54 training pages of health as targets",)},
        failures=(Failure(first, topics[0], 1, f"ValueError: {HOSTILE}"),),
        warnings=("12 labels name URLs that are not in the recording: http://b.test/, ...",),
    )


def all_failed() -> Results:
    """Results of an experiment in which no run ended well."""
    return Results(
        title="Nothing worked",
        about="",
        paper="",
        facts=(("pages", "100 per crawl"),),
        contenders=("dom", "oracle"),
        topics=(("health", 0),),
        measures=(METRICS["harvest-rate"],),
        headline=("harvest-rate", 100),
        values=(Value("dom", "health", 0, "harvest-rate", 100, None),),
        over_topics=(),
        curves=(),
        comparisons=(),
        verdicts=(Verdict("dom wins.", "not tested", "", "harvest-rate", 100),),
        differences=(),
        costs=(),
        trained_on={},
        failures=(Failure("dom", "health", 0, "ValueError: no"), Failure("oracle", "health", 0, "killed")),
        warnings=("topic health has no reachable target",),
    )


class _Race:
    def __init__(self, contenders: tuple[str, ...], topics: tuple[str, ...], times: int) -> None:
        self.contenders = contenders
        self.topics = topics
        self._times = times
        self._random = Random(7)
        rivals = len(contenders) - 2
        self._skill = {name: 0.15 + 0.3 * n / rivals for n, name in enumerate(contenders[:-2])}
        self._skill |= {"oracle": 0.7, "oracle (sources)": 0.6}

    def _rate(self, name: str, pages: int) -> float:
        return self._skill[name] * (0.6 + 0.4 * exp(-pages / 400))

    def _measured(self, name: str, measure: str, pages: int) -> float:
        rate = self._rate(name, pages)
        oracle = self._rate("oracle", pages)
        return {
            "harvest-rate": rate,
            "on-topic": rate * pages,
            "oracle-share": rate / oracle,
            "first-relevant": 1 / rate,
            "cpu-per-relevant": 0.004 / rate,
        }[measure]

    def values(self) -> tuple[Value, ...]:
        return tuple(
            Value(
                name, topic, repetition, measure, at, self._measured(name, measure, at) * self._random.uniform(0.8, 1.2)
            )
            for name in self.contenders
            for topic in self.topics
            for repetition in range(self._times)
            for measure in MEASURED
            for at in CHECKPOINTS
        )

    def over_topics(self) -> tuple[OverTopics, ...]:
        return tuple(
            OverTopics(
                name,
                measure,
                at,
                Interval(mean := self._measured(name, measure, at), mean * 0.85, mean * 1.15),
                len(self.topics),
            )
            for name in self.contenders
            for measure in MEASURED
            for at in CHECKPOINTS
        )

    def curves(self) -> tuple[Curve, ...]:
        found = []
        pages = tuple(range(10, 1_001, 10))
        for measure in ("harvest-rate", "on-topic"):
            for name in self.contenders:
                for topic in ("", *self.topics):
                    by = self._random.uniform(0.8, 1.2) if topic else 1.0
                    values = tuple(by * self._measured(name, measure, at) for at in pages)
                    low = tuple(value * 0.85 for value in values) if not topic else ()
                    high = tuple(value * 1.15 for value in values) if not topic else ()
                    found.append(Curve(name, topic, measure, pages, values, low, high))
        return tuple(found)

    def comparisons(self) -> tuple[Comparison, ...]:
        several = len(self.topics) > 1
        found = []
        for left in self.contenders[:-2]:
            for right in self.contenders[:-2]:
                if left != right:
                    difference = self._rate(left, 1_000) - self._rate(right, 1_000)
                    p = exp(-60 * difference) / 2 if difference > 0 else 1.0
                    told = min(p, 1.0) if several else None
                    wins = len(self.topics) if difference > 0 else 0
                    found.append(
                        Comparison(
                            *(left, right, "harvest-rate", 1_000, difference, len(self.topics)),
                            *(wins, 0, told, told, told),
                        )
                    )
        return tuple(found)
