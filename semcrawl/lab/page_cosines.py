"""Cosines of many pages at once, those of `semcrawl.text.vectors`, by one sparse matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semcrawl.errors import SemcrawlError
from semcrawl.lab.experiment import LabTopic
from semcrawl.lab.ground_truth import GroundTruth
from semcrawl.lab.metrics import ScoredRun
from semcrawl.lab.web import LabWeb
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser
from semcrawl.topics import Topic

_Scores = tuple[dict[str, float] | None, dict[str, float] | None]

_BEGINNING = 50  # terms of a page, as many as a directory says of it


class PageMatrix:
    """Term counts of pages, as a sparse matrix with a row for each page."""

    def __init__(
        self, urls: Sequence[str], terms: Callable[[str], Mapping[str, int]], background: Background
    ) -> None:
        from scipy.sparse import csr_matrix

        self._background = background
        self._rows = {url: row for row, url in enumerate(dict.fromkeys(urls))}
        self._columns: dict[str, int] = {}
        starts, columns, counts = [0], list[int](), list[int]()
        for url in self._rows:
            page = terms(url)
            columns += [self._columns.setdefault(term, len(self._columns)) for term in page]
            counts += page.values()
            starts.append(len(columns))
        shape = (len(self._rows), len(self._columns))
        self._counts = csr_matrix(
            (np.array(counts, dtype=np.float64), np.array(columns, dtype=np.int32), starts), shape
        )

    def best_cosines(self, urls: Sequence[str], examples: Sequence[str]) -> NDArray[np.float64]:
        """Return each page's best tf-idf cosine with an example (Batsakis 2007, section 4.2)."""
        if not examples or not urls or not self._columns:
            return np.zeros(len(urls))
        weighted = self._tf_idf
        like = weighted[self._numbers(urls)] @ weighted[self._numbers(examples)].T
        return _between_0_and_1(like.max(axis=1).todense())

    def pant_cosines(
        self, urls: Sequence[str], description: Mapping[str, float], compared: Sequence[str]
    ) -> NDArray[np.float64]:
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

    def _description(
        self, description: Mapping[str, float], idfs: NDArray[np.float64], unseen: float
    ) -> NDArray[np.float64]:
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


def _between_0_and_1(column: Any) -> NDArray[np.float64]:
    """A column as a flat array; rounding can carry a cosine a hair above 1."""
    return np.clip(np.asarray(column, dtype=np.float64).ravel(), 0.0, 1.0)


def with_page_scores(
    runs: Sequence[ScoredRun], topics: Sequence[LabTopic], truth: GroundTruth, web: LabWeb
) -> tuple[list[ScoredRun], list[str]]:
    """Return the runs with ``similarities`` and ``precisions``, and warnings."""
    urls = [visit.url for run in runs for visit in run.record.visits]
    urls += [url for topic in topics for url in truth.examples.get(topic.name, ())]
    matrix = PageMatrix(urls, web.terms, web.background)
    scores: dict[str, _Scores] = {}
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
    return [_scored(run, scores[run.topic]) for run in runs], warnings


def topic_description(
    topic: LabTopic, training: Collection[str], web: LabWeb
) -> Mapping[str, float]:
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
    matrix: PageMatrix,
    runs: Sequence[ScoredRun],
    examples: Sequence[str],
    description: Mapping[str, float],
) -> _Scores:
    urls = list(dict.fromkeys(visit.url for run in runs for visit in run.visits))
    compared = {v.url for run in runs if not run.is_oracle for v in run.record.visits}
    similarities = precisions = None
    if examples:
        best = matrix.best_cosines(urls, examples)
        similarities = dict(zip(urls, best.tolist(), strict=True))
    if description and compared:
        cosines = matrix.pant_cosines(urls, description, sorted(compared))
        precisions = dict(zip(urls, cosines.tolist(), strict=True))
    return similarities, precisions


def _scored(run: ScoredRun, scores: _Scores) -> ScoredRun:
    similarities, precisions = (
        None if table is None else tuple(table[visit.url] for visit in run.visits)
        for table in scores
    )
    return replace(run, similarities=similarities, precisions=precisions)
