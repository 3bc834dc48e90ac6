"""Metrics that need the pages of runs: cosines with a topic, best servers, words around links."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from semcrawl.arrays import Floats, Ints
from semcrawl.errors import SemcrawlError
from semcrawl.lab.experiment import Experiment, LabTopic
from semcrawl.lab.ground_truth import GroundTruth
from semcrawl.lab.metrics import ScoredRun
from semcrawl.lab.web import LabWeb
from semcrawl.models.apprentice import equal_boundary
from semcrawl.models.clustering import vector_matrix
from semcrawl.steering.distiller import JudgedPages, find_rho, hits
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser
from semcrawl.topics import Topic

_BEGINNING = 50  # terms of a page, as many as a directory says of it
BEST = 25  # authorities whose servers are compared (Chakrabarti 1999, section 5.4)
ROUNDS = 50
SHARE = 0.15  # of the pages can be authorities (Chakrabarti 1999, section 3.2)
FARTHEST = 8  # the largest DOM offset of Chakrabarti 2002, figure 8


class PageMatrix:
    """Term counts of pages, as a sparse matrix with a row for each page."""

    def __init__(self, urls: Sequence[str], terms: Callable[[str], Mapping[str, int]], background: Background) -> None:
        self._background = background
        self._rows = {url: row for row, url in enumerate(dict.fromkeys(urls))}
        self._columns: dict[str, int] = {}
        self._counts = vector_matrix(map(terms, self._rows), self._columns)

    def best_cosines(self, urls: Sequence[str], examples: Sequence[str]) -> Floats:
        """Return each page's best tf-idf cosine with an example (Batsakis 2007, section 4.2)."""
        if not examples or not urls or not self._columns:
            return np.zeros(len(urls))
        weighted = self._tf_idf
        like = weighted[self._numbers(urls)] @ weighted[self._numbers(examples)].T
        return _between_0_and_1(like.max(axis=1).todense())

    def pant_cosines(self, urls: Sequence[str], description: Mapping[str, float], compared: Sequence[str]) -> Floats:
        """Return each page's cosine with a description (Pant, Menczer 2003, eq. 2 and 3).

        |C| and df are counted over ``compared``; a term that none of them has counts as if one had.
        """
        if not urls or not compared or not description or not self._columns:
            return np.zeros(len(urls))
        terms = self._counts[self._numbers(compared)].indices
        df = np.bincount(terms, minlength=len(self._columns))
        idfs = np.log(len(compared) / np.maximum(df, 1))
        wanted = self._description(description, idfs, unseen=float(np.log(len(compared))))
        pages = _augmented(self._counts[self._numbers(urls)])
        pages = pages.multiply(idfs[np.newaxis, :]).tocsr()
        return _between_0_and_1(_unit_rows(pages) @ wanted)

    def _description(self, description: Mapping[str, float], idfs: Floats, unseen: float) -> Floats:
        largest = max(description.values())
        vector = np.zeros(len(self._columns))
        squares = 0.0
        for term, weight in description.items():
            column = self._columns.get(term)
            idf = unseen if column is None else float(idfs[column])
            value = (0.5 + 0.5 * weight / largest) * idf
            squares += value * value
            if column is not None:
                vector[column] = value
        return vector / np.sqrt(squares) if squares else vector

    @cached_property
    def _tf_idf(self) -> Any:
        """The pages as tf-idf vectors of length 1 (Batsakis 2007, eq. 1)."""
        idfs = np.array([self._background.idf(term) for term in self._columns])
        return _unit_rows(self._counts.multiply(idfs[np.newaxis, :]).tocsr())

    def _numbers(self, urls: Sequence[str]) -> list[int]:
        return [self._rows[url] for url in urls]


def _augmented(counts: Any) -> Any:
    """The counts of each row as 0.5 + 0.5 tf / max tf; terms that are absent stay 0."""
    largest = np.asarray(counts.max(axis=1).todense()).ravel()
    of_each = np.repeat(largest, np.diff(counts.indptr))
    augmented = counts.copy()
    augmented.data = 0.5 + 0.5 * counts.data / of_each
    return augmented


def _unit_rows(matrix: Any) -> Any:
    """The rows scaled to length 1; rows of zeros stay as they are."""
    from scipy.sparse import diags

    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return diags(np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)) @ matrix


def _between_0_and_1(column: Any) -> Floats:
    """A column as a flat array; rounding can carry a cosine a hair above 1."""
    return np.clip(np.asarray(column, dtype=np.float64).ravel(), 0.0, 1.0)


def with_page_scores(
    runs: Sequence[ScoredRun], experiment: Experiment, truth: GroundTruth, web: LabWeb
) -> tuple[list[ScoredRun], list[str]]:
    """Return the runs with ``similarities`` and ``precisions``, and warnings."""
    topics, similar = experiment.topic, experiment.truth.similar
    urls = [visit.url for run in runs for visit in run.record.visits]
    urls += [url for topic in topics for url in truth.examples.get(topic.name, ())]
    matrix = PageMatrix(urls, web.terms, web.background)
    scores: dict[str, dict[str, dict[str, float]]] = {}
    warnings = []
    for topic in topics:
        description: Mapping[str, float] = {}
        try:
            description = topic_description(topic, truth.training.get(topic.name, ()), web)
        except SemcrawlError as error:
            warnings.append(f"no precision for the topic {topic.name}: {error}")
        of_topic = [run for run in runs if run.topic == topic.name]
        examples = truth.examples.get(topic.name, ())
        scores[topic.name] = _scores(matrix, of_topic, examples, description)
    found = []
    for run in runs:
        own: dict[str, Any] = {
            name: tuple(table[visit.url] for visit in run.visits) for name, table in scores[run.topic].items()
        }
        found.append(replace(run, similar=similar, **own))
    return found, warnings


def topic_description(topic: LabTopic, training: Collection[str], web: LabWeb) -> Mapping[str, float]:
    """Return the terms that precision@N compares pages with (Pant, Menczer 2003, section 3).

    The paper describes a topic by a source that crawlers do not see, one or two sentences for each
    of its pages: here the text that the topic gives, else the beginnings of its training pages,
    which are never counted. Without either it is what crawlers are given.
    """
    if topic.evaluation:
        return Counter(analyser("en").terms(topic.evaluation))
    pages = filter(None, map(web.page, sorted(training)))
    found = Counter(term for page in pages for term in page.term_sequence[:_BEGINNING])
    return found or Topic.parse(topic.topic).counts()


def _scores(
    matrix: PageMatrix, runs: Sequence[ScoredRun], examples: Sequence[str], description: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    urls = list(dict.fromkeys(visit.url for run in runs for visit in run.visits))
    compared = {v.url for run in runs if not run.is_oracle for v in run.record.visits}
    scores: dict[str, Floats] = {}
    if examples:
        scores["similarities"] = matrix.best_cosines(urls, examples)
    if description and compared:
        scores["precisions"] = matrix.pant_cosines(urls, description, sorted(compared))
    return {name: dict(zip(urls, found.tolist(), strict=True)) for name, found in scores.items()}


def with_best_servers(runs: Sequence[ScoredRun], points: Sequence[int], web: LabWeb) -> list[ScoredRun]:
    """Return the runs; those that were repeated with their best servers after so many pages."""
    repeated = Counter((run.contender, run.topic) for run in runs)
    return [
        replace(run, best_servers={at: best_servers(run, at, web) for at in points})
        if repeated[run.contender, run.topic] > 1
        else run
        for run in runs
    ]


def best_servers(run: ScoredRun, at: int, web: LabWeb) -> Collection[str]:
    """Return the servers (of one host: pages) of the best authorities (Chakrabarti 1999, 5.4)."""
    visits = run.record.visits[:at]
    if not visits:
        return ()
    rows = ((v.url, v.relevance, h) for v, h in zip(visits, run.hosts, strict=False))
    pages = JudgedPages.of_rows(rows)
    rho = find_rho(pages.relevance, SHARE)
    number = pages.numbers
    links = [
        (number[url], number[target])
        for url in pages.urls
        for target in web.links(url)
        if target in number and pages.relevance[number[target]] > rho
    ]
    ends = np.array(links, np.int64).reshape(-1, 2)
    across = "hosts" if pages.sites.any() else "pages"
    found = hits(pages, (ends[:, 0], ends[:, 1]), rho, ROUNDS, across).best(BEST)
    host_of = dict(zip(run.urls, run.hosts, strict=True))
    return {host_of[url] if across == "hosts" else url for url in found.authorities}


def mean_gains(runs: Iterable[ScoredRun], web: LabWeb) -> tuple[float, ...]:
    """Return the mean over runs of `information_gains`; empty where no run tells anything."""
    found = [gains for run in runs if (gains := information_gains(run, web)) is not None]
    return tuple(np.mean(found, axis=0).tolist()) if found else ()


def information_gains(run: ScoredRun, web: LabWeb) -> Floats | None:
    """Return the mean information gain of terms by DOM offset, from -8 to 8, in bits.

    Links whose both ends were fetched are of two equally likely buckets, by the relevance of
    their targets; the gain of a term at an offset is what its presence there tells of the bucket
    (Chakrabarti et al. 2002, figure 8). None where all targets are equally relevant.
    """
    relevance = {visit.url: visit.relevance for visit in run.record.visits}
    judged = [relevance[end] for url in relevance for end in web.links(url) if end in relevance]
    boundary = equal_boundary(np.array(judged))
    if boundary is None:
        return None
    links = np.zeros(2, np.int64)
    counts: tuple[Counter[tuple[str, int]], ...] = (Counter(), Counter())
    for url in relevance:
        page = web.page(url)
        for link in page.links if page else ():
            target = web.landing(link.url)
            if page is not None and target in relevance and target != url:
                bucket = int(relevance[target] >= boundary)
                links[bucket] += 1
                counts[bucket].update(set(page.offsets(link, FARTHEST)))
    features = sorted(counts[0].keys() | counts[1].keys())
    present = np.array([[count[one] for one in features] for count in counts], np.float64)
    gains = information_gain(present, links)
    places = np.array([offset + FARTHEST for _, offset in features], np.int64)
    seen = np.bincount(places, minlength=2 * FARTHEST + 1)
    sums = np.bincount(places, gains, 2 * FARTHEST + 1)
    return np.divide(sums, seen, out=np.zeros_like(sums), where=seen > 0)


def information_gain(present: Floats, links: Ints) -> Floats:
    """Return H(bucket) - H(bucket | presence) of features, in bits.

    ``present`` has a column for each feature: in how many links of each bucket it occurs.

    >>> information_gain(np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([2, 2]))
    array([1., 0.])
    """
    total = links.sum()
    absent = links[:, None] - present
    without, given = absent.sum(axis=0) / total, present.sum(axis=0) / total
    whole = _entropy(links[:, None].astype(np.float64))
    return np.asarray(whole - given * _entropy(present) - without * _entropy(absent))


def _entropy(counts: Floats) -> Floats:
    shares = counts / np.maximum(counts.sum(axis=0), 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=0))
