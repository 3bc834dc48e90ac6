"""What crawlers that learn were trained on, told once for all topics where that can be."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["merged_sentences", "trained_on"]

_NUMBER = re.compile(r"\d[\d,]*")


def trained_on(runs: Iterable[ScoredRun]) -> dict[str, tuple[str, ...]]:
    """Return what each crawler that learns was trained on, a sentence each."""
    told: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for run in runs:
        for sentence in run.record.trained_on:
            told[run.contender][run.topic][sentence] = None
    return {name: merged_sentences(by_topic) for name, by_topic in told.items()}


def merged_sentences(by_topic: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the sentences of all topics; those that differ only by topic and numbers are one.

    >>> merged_sentences({"cats": ["7 pages of cats"], "dogs": ["12 pages of dogs"]})
    ('7 to 12 pages of each topic',)
    """
    alike: dict[str, list[str]] = defaultdict(list)
    for topic, sentences in by_topic.items():
        for sentence in sentences:
            told = re.sub(rf"(?<![\w-]){re.escape(topic)}(?![\w-])", "each topic", sentence)
            alike[_NUMBER.sub("#", told)].append(told if len(by_topic) > 1 else sentence)
    return tuple(map(_ranges, alike.values()))


def _ranges(sentences: Sequence[str]) -> str:
    """Sentences that differ in their numbers as one."""
    numbers = zip(*map(_NUMBER.findall, sentences), strict=True)
    told = (_range([int(number.replace(",", "")) for number in column]) for column in numbers)
    return _NUMBER.sub(lambda _: next(told), sentences[0])


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
