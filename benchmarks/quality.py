"""What the default crawler finds and calls relevant, on the ten development topics.

Crawls of schools-wikipedia without its index pages, from WordNet senses and from keywords. The
share of the oracle is the number of pages on the topic among the first 100 and 250, divided by
that of a crawler which sees the labels of its links' targets and takes the good ones first. F is
of the pages called relevant after 500, over the pages fetched; it is measured once more after the
ten questions of ``semcrawl review``, answered by the labels. Besides the topic's own seed,
crawls begin with other pages of the topic, drawn by chance.

    python -m benchmarks quality
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.checks import Check
from benchmarks.schools_wikipedia import INDEX_PAGES, find_schools
from semcrawl import Crawl
from semcrawl.models.adaptive_judge import AdaptiveJudge
from semcrawl.page import read_page
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from benchmarks.schools_wikipedia import DevelopmentTopic, RecordedSchools

__all__ = ["run"]

PAGES = 500
SEEDS = 5  # draws of other seeds for each topic
WANTED = {  # shares of the oracle at 100 and 250 pages, F at 500
    "senses": (0.78, 0.93, 0.76),
    "keywords": (0.72, 0.92, 0.74),
}
WORST = 0.8
QUESTIONS = 10
WANTED_WITH_MARKS = 0.82  # F, from senses
BESIDE = "best-first-page-anchor"


class Score(NamedTuple):
    """What came of one crawl."""

    at_100: float
    at_250: float
    f: float
    f_with_marks: float


def run(*, quick: bool) -> list[Check]:
    """Crawl for each topic; print shares and F, check their means."""
    schools = find_schools()
    if schools is None:
        return []
    links = _links(schools)
    topics = schools.topics[:3] if quick else schools.topics
    checks = []
    for source, (at_100, at_250, f) in WANTED.items():
        found = {topic.name: _score(schools, links, topic, source, topic.seeds) for topic in topics}
        _print(f"adaptive from {source}", found)
        means = np.mean(list(found.values()), 0)
        checks += [
            Check(f"share of the oracle at 100, {source}", means[0], "at least", at_100),
            Check(f"share of the oracle at 250, {source}", means[1], "at least", at_250),
            Check(f"worst topic at 250, {source}", min(s.at_250 for s in found.values()), "at least", WORST),
            Check(f"F after {PAGES}, {source}", means[2], "at least", f),
        ]
        name = f"F after {QUESTIONS} marks, {source}"
        print(f"    {name}: {means[3]:.3f}")
        if source == "senses":
            checks.append(Check(name, means[3], "at least", WANTED_WITH_MARKS))
        if not quick:
            _other_seeds(schools, links, topics, source)
    for source in WANTED:
        found = {topic.name: _score(schools, links, topic, source, topic.seeds, BESIDE, "labels") for topic in topics}
        _print(f"{BESIDE} from {source}", found)
    return checks


def _links(schools: RecordedSchools) -> dict[str, list[str]]:
    """The articles that each article links to, in order."""
    found = {}
    for url in schools.categories:
        targets = dict.fromkeys(link.url for link in read_page(schools.replay.fetch(url)).links)
        found[url] = [target for target in targets if target in schools.categories]
    return found


def _score(
    schools: RecordedSchools,
    links: dict[str, list[str]],
    topic: DevelopmentTopic,
    source: str,
    seeds: Sequence[str],
    strategy: str = "adaptive",
    judge: str = "",
) -> Score:
    written = (
        f"wordnet:{','.join(topic.senses)}" if source == "senses" else (f"keywords:{topic.keywords.replace(' ', ',')}")
    )
    learner = None if judge else AdaptiveJudge(Topic.parse(written))
    with Crawl(
        written,
        seeds,
        fetcher=schools.replay,
        replay=[str(schools.recording)],
        exclude=[INDEX_PAGES],
        pages=PAGES,
        strategy=strategy,
        judge=learner or judge,
        workers=1,
    ) as crawl:
        crawl.run()
        rows = sorted(crawl.query("harvest"), key=lambda row: row["step"])
        threshold = crawl.graph.describe().threshold
    hits = np.cumsum([row["url"] in topic.articles for row in rows])
    best = np.cumsum(list(_oracle(links, topic, seeds)))
    at_100, at_250 = (hits[min(n, len(hits)) - 1] / best[min(n, len(best)) - 1] for n in (100, 250))
    relevances = {row["url"]: row["relevance"] for row in rows}
    f = _f(relevances, topic, threshold)
    f_with_marks = f
    if learner is not None and seeds == topic.seeds:  # other seeds are drawn without marks
        f_with_marks = _f(_marked(learner, relevances, topic), topic, threshold)
    return Score(at_100, at_250, f, f_with_marks)


def _f(relevances: Mapping[str, float], topic: DevelopmentTopic, threshold: float) -> float:
    called = {url for url, relevance in relevances.items() if relevance >= threshold}
    right = len(called & topic.articles)
    return 2 * right / (len(called) + len(relevances.keys() & topic.articles))


def _marked(judge: AdaptiveJudge, relevances: Mapping[str, float], topic: DevelopmentTopic) -> dict[str, float]:
    """Answer the questions that the judge would ask, by the labels; return what it says then."""
    marks: dict[str, bool] = {}
    for _ in range(QUESTIONS):
        for url in judge.questions(1):
            marks[url] = url in topic.articles
        judge.mark(marks)
    return {**relevances, **judge.revise(), **judge.finish()}


def _oracle(links: dict[str, list[str]], topic: DevelopmentTopic, seeds: Sequence[str]) -> Iterator[bool]:
    """Whether each page of a crawler is on the topic that sees its links' targets."""
    seen, good, other = set(seeds), deque(seeds), deque[str]()
    while good or other:
        url = good.popleft() if good else other.popleft()
        yield url in topic.articles
        for target in links[url]:
            if target not in seen:
                seen.add(target)
                (good if target in topic.articles else other).append(target)


def _other_seeds(
    schools: RecordedSchools, links: dict[str, list[str]], topics: Sequence[DevelopmentTopic], source: str
) -> None:
    means = []
    for draw in range(SEEDS):
        chance = random.Random(draw)
        seeds = {topic.name: [chance.choice(sorted(topic.articles))] for topic in topics}
        found = [_score(schools, links, topic, source, seeds[topic.name]) for topic in topics]
        means.append(np.mean(found, 0))
    mean, spread = np.mean(means, 0)[:3], np.std(means, 0)[:3]
    cells = (f"{a:.3f} ± {b:.3f}" for a, b in zip(mean, spread, strict=True))
    print(f"    {SEEDS} draws of other seeds, at 100, 250, F: {', '.join(cells)}", flush=True)


def _print(title: str, found: dict[str, Score]) -> None:
    means = np.mean(list(found.values()), 0)
    print(f"{title}: at 100 {means[0]:.3f}, at 250 {means[1]:.3f}, F {means[2]:.3f}")
    cells = (f"{name} {s.at_100:.2f} {s.at_250:.2f} {s.f:.2f}" for name, s in found.items())
    print(f"    {'; '.join(cells)}", flush=True)
