"""The cosines of pages that some measures need, worked out for all runs together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from semcrawl.errors import SemcrawlError
from semcrawl.lab.measures.page_matrix import PageMatrix
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from semcrawl.lab.experiment import LabTopic
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["with_page_scores"]


def with_page_scores(
    runs: Sequence[ScoredRun], topics: Sequence[LabTopic], truth: GroundTruth, web: LabWeb
) -> tuple[list[ScoredRun], list[str]]:
    """Return the runs with ``similarities`` and ``precisions``, and warnings.

    Each page is read once, however many runs have it.
    """
    urls = [visit.url for run in runs for visit in run.record.visits]
    urls += [url for topic in topics for url in truth.examples.get(topic.name, ())]
    matrix = PageMatrix(urls, web.terms, web.background)
    scores: dict[str, _TopicScores] = {}
    warnings = []
    for topic in topics:
        of_topic = [run for run in runs if run.topic == topic.name]
        try:
            description = Topic.parse(topic.topic).counts()
        except SemcrawlError as error:
            description = {}
            warnings.append(f"no precision for the topic {topic.name}: {error}")
        scores[topic.name] = _TopicScores(
            matrix, of_topic, truth.examples.get(topic.name, ()), description
        )
    return [scores[run.topic].fill_in(run) for run in runs], warnings


class _TopicScores:
    """The cosines of all pages of one topic's runs."""

    def __init__(
        self,
        matrix: PageMatrix,
        runs: Sequence[ScoredRun],
        examples: Sequence[str],
        description: Mapping[str, float],
    ) -> None:
        urls = list(dict.fromkeys(visit.url for run in runs for visit in run.visits))
        compared = {v.url for run in runs if not run.is_oracle for v in run.record.visits}
        self._similarities: dict[str, float] | None = None
        self._precisions: dict[str, float] | None = None
        if examples:
            best = matrix.best_cosines(urls, examples)
            self._similarities = dict(zip(urls, best.tolist(), strict=True))
        if description and compared:
            cosines = matrix.pant_cosines(urls, description, sorted(compared))
            self._precisions = dict(zip(urls, cosines.tolist(), strict=True))

    def fill_in(self, run: ScoredRun) -> ScoredRun:
        """The run with its own pages' cosines."""
        return replace(
            run,
            similarities=_of_visits(run, self._similarities),
            precisions=_of_visits(run, self._precisions),
        )


def _of_visits(run: ScoredRun, scores: Mapping[str, float] | None) -> tuple[float, ...] | None:
    return None if scores is None else tuple(scores[visit.url] for visit in run.visits)
