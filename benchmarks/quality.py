"""What the default crawler finds and calls relevant, on the ten development topics.

Crawls of schools-wikipedia without its index pages, from WordNet senses and from keywords. The
share of the oracle is the number of pages on the topic among the first 100 and 250, divided by
that of a crawler which sees the labels of its links' targets and takes the good ones first. F is
of the pages called relevant after 500, over the pages fetched; it is measured once more after the
ten questions of ``semcrawl review``, answered by the labels. Besides the topic's own seed,
crawls begin with other pages of the topic, drawn by chance.

    python -m benchmarks quality
    python -m benchmarks.quality --draws 5 --parts    (simulated: see simulated_crawls.py)
    python -m benchmarks.quality --ahead              (how much more an oracle finds that looks a page ahead)
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.checks import Check
from benchmarks.schools_wikipedia import INDEX_PAGES, find_schools
from benchmarks.simulated_crawls import KnownPages, SimulatedJudge, simulated_crawl
from semcrawl import Crawl
from semcrawl.lab.comparing import paired_t, wilcoxon
from semcrawl.models import adaptive_judge
from semcrawl.models.adaptive_judge import AdaptiveJudge
from semcrawl.models.link_evidence import START, LinkEvidence
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


Array = NDArray[np.float64]
LinksOf = Callable[[str], Sequence[str]]


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
    links = KnownPages(schools).articles_from  # in order
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


def _score(
    schools: RecordedSchools,
    links: LinksOf,
    topic: DevelopmentTopic,
    source: str,
    seeds: Sequence[str],
    strategy: str = "adaptive",
    judge: str = "",
    pages: int = PAGES,
) -> Score:
    written = _written(topic, source)
    learner = None if judge else AdaptiveJudge(Topic.parse(written))
    with Crawl(
        written,
        seeds,
        fetcher=schools.replay,
        replay=[str(schools.recording)],
        exclude=[INDEX_PAGES],
        pages=pages,
        strategy=strategy,
        judge=learner or judge,
        workers=1,
    ) as crawl:
        crawl.run()
        rows = sorted(crawl.query("harvest"), key=lambda row: row["step"])
        threshold = crawl.graph.describe().threshold
    at_100, at_250 = _shares([row["url"] for row in rows], links, topic, seeds)
    relevances = {row["url"]: row["relevance"] for row in rows}
    f = _f(relevances, topic, threshold)
    f_with_marks = f
    if learner is not None and seeds == topic.seeds:  # other seeds are drawn without marks
        f_with_marks = _f(_marked(learner, relevances, topic), topic, threshold)
    return Score(at_100, at_250, f, f_with_marks)


def _written(topic: DevelopmentTopic, source: str) -> str:
    return f"wordnet:{','.join(topic.senses)}" if source == "senses" else f"keywords:{topic.keywords.replace(' ', ',')}"


def _shares(
    visited: Sequence[str], links: LinksOf, topic: DevelopmentTopic, seeds: Sequence[str]
) -> tuple[float, float]:
    hits = np.cumsum([url in topic.articles for url in visited])
    best = np.cumsum(list(islice(_oracle(links, topic, seeds), 250)))
    at_100, at_250 = (hits[min(n, len(hits)) - 1] / best[min(n, len(best)) - 1] for n in (100, 250))
    return at_100, at_250


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


def _oracle(links: LinksOf, topic: DevelopmentTopic, seeds: Sequence[str]) -> Iterator[bool]:
    """Whether each page of a crawler is on the topic that sees its links' targets."""
    seen, good, other = set(seeds), deque(seeds), deque[str]()
    while good or other:
        url = good.popleft() if good else other.popleft()
        yield url in topic.articles
        for target in links(url):
            if target not in seen:
                seen.add(target)
                (good if target in topic.articles else other).append(target)


def _oracle_ahead(links: LinksOf, topic: DevelopmentTopic, seeds: Sequence[str]) -> Iterator[bool]:
    """Whether each page is on the topic of an oracle that also sees where its links' targets lead.

    Where no page on the topic is known, it takes one that leads to most of those not yet seen.
    """
    wanted, seen = topic.articles, set(seeds)
    good, other = deque(seeds), list[str]()
    while good or other:
        if good:
            url = good.popleft()
        else:
            url = max(other, key=lambda one: len(wanted.intersection(links(one)) - seen))
            other.remove(url)
        yield url in wanted
        for target in links(url):
            if target not in seen:
                seen.add(target)
                (good if target in wanted else other).append(target)


def _drawn(topics: Sequence[DevelopmentTopic], draw: int | None) -> dict[str, Sequence[str]]:
    """Return seeds by topic: one of its pages, drawn by chance, or its own."""
    chance = random.Random(draw)
    return {topic.name: topic.seeds if draw is None else [chance.choice(sorted(topic.articles))] for topic in topics}


def _other_seeds(schools: RecordedSchools, links: LinksOf, topics: Sequence[DevelopmentTopic], source: str) -> None:
    found = []
    for draw in range(SEEDS):
        seeds = _drawn(topics, draw)
        found.append([_score(schools, links, topic, source, seeds[topic.name]) for topic in topics])
    _print_draws("adaptive", np.array(found))


def _print_draws(title: str, found: Array) -> None:
    """Print means over draws and topics, with the spread of draws and that of topics."""
    means = found.mean((0, 1))[:3], found.mean(1).std(0)[:3], found.mean(0).std(0)[:3]
    cells = (f"{a:.3f} ± {b:.3f} ± {c:.3f}" for a, b, c in zip(*means, strict=True))
    worst = found[:, :, 1].mean(0).min()
    print(
        f"    {title}, {len(found)} draws of other seeds, ± draws ± topics: {', '.join(cells)}; worst {worst:.2f}",
        flush=True,
    )


def _print(title: str, found: dict[str, Score]) -> None:
    means = np.mean(list(found.values()), 0)
    print(f"{title}: at 100 {means[0]:.3f}, at 250 {means[1]:.3f}, F {means[2]:.3f}")
    cells = (f"{name} {s.at_100:.2f} {s.at_250:.2f} {s.f:.2f}" for name, s in found.items())
    print(f"    {'; '.join(cells)}", flush=True)


class Simulation:
    """Simulated crawls for the topics; each topic's judge is made once."""

    def __init__(self, schools: RecordedSchools, kept: Path | None) -> None:
        self._schools = schools
        self._pages = KnownPages(schools, kept)
        self._judges: dict[str, SimulatedJudge] = {}

    def score(self, topic: DevelopmentTopic, source: str, seeds: Sequence[str], *, marks: bool = True) -> Score:
        """Crawl; return what came of it."""
        written = _written(topic, source)
        if written not in self._judges:
            self._judges[written] = SimulatedJudge(written, self._pages)
        judge = self._judges[written]
        visited = simulated_crawl(judge, self._pages, seeds, PAGES)
        at_100, at_250 = _shares(visited, self._pages.articles_from, topic, seeds)
        assert judge.learnt is not None
        relevances = dict(zip(visited, judge.learnt.relevance.tolist(), strict=True))
        f = _f(relevances, topic, judge.threshold)
        marked = _f(_marked(judge, relevances, topic), topic, judge.threshold) if marks else f
        return Score(at_100, at_250, f, marked)

    def scores(self, source: str, draw: int | None = None, *, marks: bool = False) -> dict[str, Score]:
        """Crawl for all topics, from their own seeds or from others that are drawn."""
        seeds = _drawn(self._schools.topics, draw)
        topics = {topic.name: topic for topic in self._schools.topics}
        found = {name: self.score(topics[name], source, seeds[name], marks=marks) for name in topics}
        self._pages.keep()
        return found

    def compare_oracles(self) -> None:
        """Print for each topic how many pages on it both oracles find among 100 and 250."""
        for topic in self._schools.topics:
            found = []
            for oracle in (_oracle, _oracle_ahead):
                hits = list(islice(oracle(self._pages.articles_from, topic, topic.seeds), 250))
                found += [sum(hits[:100]), sum(hits)]
            print(f"    {topic.name}: {found[0]} and {found[1]}, looking ahead {found[2]} and {found[3]}", flush=True)
            self._pages.keep()

    def beside(self, source: str, draw: int) -> list[Score]:
        """Return what real crawls of best-first find from the same seeds."""
        topics, seeds, links = self._schools.topics, _drawn(self._schools.topics, draw), self._pages.articles_from
        return [_score(self._schools, links, it, source, seeds[it.name], BESIDE, "labels", 250) for it in topics]


def _without(*evidence: str) -> dict[tuple[Any, str], Any]:
    """Return what to put in place so that links are ranked without some evidence."""
    columns, features = [list(START).index(name) for name in evidence], LinkEvidence.features

    def fewer(self: LinkEvidence, urls: Any) -> Any:
        found = features(self, urls)
        found[:, columns] = 0.0
        return found

    return {(LinkEvidence, "features"): fewer}


def _is_of_pages(evidence: str) -> bool:
    return "followed" not in evidence and ("page" in evidence or "relevant" in evidence)


PARTS: dict[str, Callable[[], dict[tuple[Any, str], Any]]] = {
    "nothing": dict,
    "what came of other links": lambda: _without(*(name for name in START if "followed" in name)),
    "learning of link weights": lambda: {(LinkEvidence, "_learn"): lambda *_: None},
    "learnt words in anchors": lambda: _without(*(name for name in START if "learnt words" in name)),
    "labels in anchors": lambda: _without(*(name for name in START if "label" in name or "names" in name)),
    "relevance of the pages that link": lambda: _without(*(name for name in START if _is_of_pages(name))),
    "all learnt words, of pages and anchors": lambda: {(adaptive_judge, "FEWEST"): PAGES + 1},
    "lists": lambda: {(adaptive_judge, "_LISTED"): 1e-9} | _without("listed"),
}
"""Parts of the default crawler, and what stands in their place when they are left out."""


@click.command()
@click.option("--kept", type=Path, help="A file that keeps what pages say for the next time.")
@click.option("--draws", default=0, help="How many times other seeds are drawn.")
@click.option("--ahead", is_flag=True, help="Only say what an oracle finds that looks a page ahead.")
@click.option("--parts", is_flag=True, help="Leave out one part after the other.")
def main(kept: Path | None, draws: int, ahead: bool, parts: bool) -> None:
    """Simulate the crawls of the default crawler."""
    schools = find_schools()
    if schools is None:
        return
    simulation = Simulation(schools, kept)
    if ahead:
        simulation.compare_oracles()
        return
    for part, places in PARTS.items() if parts else [("nothing", dict)]:
        with ExitStack() as left_out:
            for (owner, name), value in places().items():
                left_out.enter_context(patch.object(owner, name, value))
            for source in WANTED:
                found = simulation.scores(source, marks=part == "nothing")
                _print(f"adaptive from {source}, simulated, left out: {part}", found)
                at_100, at_250, f, marked = np.mean(list(found.values()), 0)
                worst = min(one.at_250 for one in found.values())
                print(f"    {at_100:.3f} | {at_250:.3f} | {worst:.2f} | {f:.3f} | {marked:.3f}")
    ours = {}
    for source in WANTED if draws else ():
        ours[source] = np.array([list(simulation.scores(source, draw).values()) for draw in range(draws)])
        _print_draws(f"adaptive from {source}, simulated", ours[source])
    for source, each in ours.items():
        theirs = np.array([simulation.beside(source, draw) for draw in range(draws)])
        _print_draws(f"{BESIDE} from {source}", theirs)
        for place, n in enumerate((100, 250)):
            both = each[:, :, place].mean(0).tolist(), theirs[:, :, place].mean(0).tolist()
            print(f"    at {n}, p over {len(both[0])} topics: t {paired_t(*both):.1g}, Wilcoxon {wilcoxon(*both):.1g}")


if __name__ == "__main__":
    main()
