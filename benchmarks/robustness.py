"""Two soft-focused crawls of one topic from different seeds: how many pages they share.

Chakrabarti et al. 1999, section 5.3, on schools-wikipedia: ten articles of a
topic are drawn at random from those that its label names, one half of them
starts one crawl, the other half another. A crawl that follows the topic and
not its seeds finds the same pages from both. Shown after 250, 500 and 1,000
pages; breadth-first crawls from the same seeds, of the first topics, say how
much two crawls of so small a web share in any case.
"""

from __future__ import annotations

import random
import statistics
from typing import TYPE_CHECKING

from benchmarks.checks import Check
from benchmarks.schools_wikipedia import INDEX_PAGES, find_schools

if TYPE_CHECKING:
    from benchmarks.schools_wikipedia import DevelopmentTopic, RecordedSchools

__all__ = ["run"]

PAGES = 1000
LOOKS = (250, 500, PAGES)
SEEDS = 10
DRAW = 1999
LEAST = 0.6
BESIDE = 3
"""For how many topics breadth-first is shown as well."""


def run(*, quick: bool) -> list[Check]:
    """Crawl every topic from both halves; the mean of the shares of common pages counts."""
    schools = find_schools()
    if schools is None:
        return []
    topics = schools.topics[:2] if quick else schools.topics
    print(f"share of the pages in common after {', '.join(map(str, LOOKS))} pages")
    focused = [_told(schools, topic, "soft-focus") for topic in topics]
    unfocused = [_told(schools, topic, "breadth-first") for topic in topics[:BESIDE]]
    last = [overlaps[-1] for overlaps in focused]
    reached = sum(share >= LEAST for share in last)
    print(f"  {reached} of {len(last)} topics reach {LEAST:.0%}; the least is {min(last):.1%}")
    print(f"  mean: {_means(focused)}; breadth-first {_means(unfocused)}")
    name = f"share of pages in common after {PAGES:,}, mean of {len(last)} topics"
    return [Check(name, statistics.mean(last), "at least", LEAST)]


def _told(schools: RecordedSchools, topic: DevelopmentTopic, strategy: str) -> list[float]:
    overlaps = _overlaps(schools, topic, strategy)
    print(f"  {topic.name:>16}, {strategy}: {_shares(overlaps)}", flush=True)
    return overlaps


def _overlaps(schools: RecordedSchools, topic: DevelopmentTopic, strategy: str) -> list[float]:
    """The share of one crawl's pages that the other has too, at each look."""
    one, other = (
        schools.crawl(f"keywords:{topic.keywords}", seeds, strategy=strategy, exclude=[INDEX_PAGES], pages=PAGES)
        for seeds in _halves(topic)
    )
    return [len(set(one[:look]) & set(other[:look])) / look for look in LOOKS]


def _halves(topic: DevelopmentTopic) -> tuple[list[str], list[str]]:
    drawn = random.Random(f"{DRAW} {topic.name}").sample(sorted(topic.articles), SEEDS)
    return drawn[: SEEDS // 2], drawn[SEEDS // 2 :]


def _shares(overlaps: list[float]) -> str:
    return " ".join(f"{share:.1%}" for share in overlaps)


def _means(topics: list[list[float]]) -> str:
    return _shares([statistics.mean(look) for look in zip(*topics, strict=True)])
