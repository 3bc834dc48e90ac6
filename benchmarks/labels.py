"""Pages judged by the labels of a topic alone, beside ``ssrm`` with resnik and ``cosine``.

All articles of schools-wikipedia are judged on the ten development topics, once from WordNet
senses and once from keywords. F is taken at three thresholds: the one that is best over the
other nine topics (the fair one), 0.5, and the best for the topic itself. Then one topic of an
ontology, at the judge's own threshold, and one topic of which it is known what was wrong.

    python -m benchmarks labels
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.checks import Check
from benchmarks.schools_wikipedia import find_schools
from semcrawl.page import Page, read_page
from semcrawl.relevance import JUDGES
from semcrawl.relevance.judges import LabelsJudge
from semcrawl.text import Background
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from benchmarks.schools_wikipedia import DevelopmentTopic, RecordedSchools

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

__all__ = ["run"]

BESIDE = ("ssrm:measure=resnik", "cosine")
WANTED = {"senses": 0.58, "keywords": 0.50}
CANDIDATES = 300  # thresholds that are tried, for each topic
ONTOLOGY = "doid-2016-03-04.derived.owl"
WAR = {"War", "Military", "Conflict", "Terror", "Terrorism"}  # words in names of categories
BEST = 50


class _Articles(NamedTuple):
    pages: list[Page]
    categories: list[list[str]]

    def on(self, topic: DevelopmentTopic) -> Bools:
        """Which articles third parties have labelled as on a topic."""
        return np.array([page.url in topic.articles for page in self.pages])


def run(*, quick: bool) -> list[Check]:
    """Judge the articles; print F by topic, check its mean."""
    schools = find_schools()
    if schools is None:
        return []
    started = time.process_time()
    articles = _articles(schools)
    seconds = time.process_time() - started
    print(f"{len(articles.pages):,} articles, read in {seconds:.0f} s of CPU")
    topics = schools.topics[:3] if quick else schools.topics
    checks = []
    for source, wanted in WANTED.items():
        mean = _mean_f("labels", source, topics, articles)
        title = f"mean F of labels from {source}, threshold of the other topics"
        checks.append(Check(title, mean, "at least", wanted))
    checks += [*_diseases(schools, articles), _asthma(articles)]
    for name in BESIDE:
        for source in WANTED:
            _mean_f(name, source, topics, articles)
    return checks


def _articles(schools: RecordedSchools) -> _Articles:
    pages = []
    for url in schools.categories:
        read = read_page(schools.replay.fetch(url))
        page = Page(url=url, title=read.title, pieces=read.pieces)  # links take much memory
        _ = page.word_sequence, page.terms
        pages.append(page)
    return _Articles(pages, list(schools.categories.values()))


def _scores(judge: str, topic: str, articles: _Articles) -> Floats:
    """The relevance of every article."""
    built = JUDGES.create(judge, topic=Topic.parse(topic), background=Background.default())
    return np.array([built.judge(page).relevance for page in articles.pages])


def _mean_f(judge: str, source: str, topics: Sequence[DevelopmentTopic], articles: _Articles) -> float:
    """Print a line for a judge; return the mean F at the thresholds of the other topics."""
    started = time.process_time()
    scores = [_scores(judge, _written(topic, source), articles) for topic in topics]
    seconds = time.process_time() - started
    thresholds = np.unique(np.concatenate([_candidates(found) for found in scores]))
    truth = [articles.on(topic) for topic in topics]
    curves = np.array([_f(*both, thresholds) for both in zip(scores, truth, strict=True)])
    others = [np.delete(curves, place, 0).mean(0).argmax() for place in range(len(topics))]
    fair = [curve[best] for curve, best in zip(curves, others, strict=True)]
    half = [_f(*both, np.array([0.5]))[0] for both in zip(scores, truth, strict=True)]
    print(
        f"{judge} from {source}: F {np.mean(fair):.3f} at the threshold of the other topics, "
        f"{np.mean(half):.3f} at 0.5, {curves.max(1).mean():.3f} at each topic's best; "
        f"best for all {thresholds[curves.mean(0).argmax()]:.3f}; {seconds:.0f} s of CPU"
    )
    named = zip(topics, fair, half, curves.max(1), strict=True)
    cells = (f"{topic.name} {a:.2f} {b:.2f} {c:.2f}" for topic, a, b, c in named)
    print(f"    {'; '.join(cells)}", flush=True)
    return float(np.mean(fair))


def _written(topic: DevelopmentTopic, source: str) -> str:
    if source == "senses":
        return f"wordnet:{','.join(topic.senses)}"
    return f"keywords:{','.join(topic.keywords.split())}"


def _candidates(scores: Floats) -> Floats:
    above = scores[scores > 0]
    return np.quantile(above, np.linspace(0, 1, CANDIDATES)) if len(above) else np.array([0.5])


def _f(scores: Floats, truth: Bools, thresholds: Floats) -> Floats:
    """F at each threshold: 2 true / (judged relevant + on the topic)."""
    judged = len(scores) - np.searchsorted(np.sort(scores), thresholds, "left")
    right = int(truth.sum()) - np.searchsorted(np.sort(scores[truth]), thresholds, "left")
    found: Floats = 2 * right / (judged + truth.sum())
    return found


def _diseases(schools: RecordedSchools, articles: _Articles) -> list[Check]:
    """All of the Human Disease Ontology against the articles on health and medicine."""
    data = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data"))
    file = data / "ontologies" / ONTOLOGY
    if not file.is_file():
        print(f"left out: there is no {ONTOLOGY} in $SEMCRAWL_DATA")
        return []
    topic = f"{file}#DOID_4"
    judged = _scores("labels", topic, articles) >= LabelsJudge.threshold
    truth = articles.on(next(topic for topic in schools.topics if topic.name == "health"))
    right = int((judged & truth).sum())
    print(f"disease of DOID: {judged.sum()} judged relevant, {right} of {truth.sum()} on health")
    return [
        Check("pages on health found with DOID", right, "at least", 80),
        Check("precision of these", right / max(int(judged.sum()), 1), "at least", 0.7),
    ]


def _asthma(articles: _Articles) -> Check:
    """No page of war is near asthma, though there are asthma attacks."""
    scores = _scores("labels", "wordnet:asthma", articles)
    best = [place for place in np.argsort(-scores)[:BEST].tolist() if scores[place] > 0]
    names = {name for found in articles.categories for name in found if _is_of_war(name)}
    print(f"categories of war: {', '.join(sorted(names))}")
    wrong = [articles.pages[place].title for place in best if names & set(articles.categories[place])]
    print(f"asthma: {len(best)} best pages above 0; of war: {_listed(wrong)}")
    return Check(f"pages of war among the best {BEST} on asthma", len(wrong), "at most", 0)


def _is_of_war(category: str) -> bool:
    return not WAR.isdisjoint(re.split("[._]", category))


def _listed(titles: Iterable[str]) -> str:
    return ", ".join(titles) or "none"
