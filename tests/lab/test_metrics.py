"""Measures of the lab: worked examples, and what holds for any crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl.sites.progress import SiteTally, tally
from semcrawl.lab.metrics import (
    ScoredRun,
    first_relevant,
    harvest_area,
    mean_over,
    moving_average,
    on_topic,
    overlap,
    value_of,
)
from semcrawl.lab.page_measures import PageMatrix
from semcrawl.lab.records import RunRecord, Visit
from semcrawl.lab.results import METRICS
from semcrawl.text.background import Background
from semcrawl.text.vectors import cosine, tf, tf_idf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

crawls = st.lists(st.booleans(), max_size=60)
numbers = st.integers(min_value=1, max_value=80)
words = st.sampled_from(["asthma", "lung", "planet", "star", "music"])
pages = st.lists(st.dictionaries(words, st.integers(1, 9)), min_size=1, max_size=8)


def test_every_measure_says_where_it_comes_from_and_what_it_is() -> None:
    for name, note in METRICS.items():
        assert note.name == name
        assert note.title
        assert note.source
        assert note.definition.endswith(".")


def scored(hits: Sequence[bool], oracle: Sequence[bool] | None = None, **more: Any) -> ScoredRun:
    """A run that visited pages of 100, 200, 300 ... bytes, and took a quarter of a second each."""
    visits = tuple(
        Visit(f"http://a.test/{n}", 1.0, 0.5, 0, 100 * n, "asthma" if n == 1 else "flu")
        for n in range(1, len(hits) + 1)
    )
    record = RunRecord(
        key="k",
        contender="one",
        topic="lungs",
        visits=visits,
        cpu=0.25 * len(visits),
        stopped="PagesReached",
        concepts=("asthma", "flu", "gout", "mumps"),
    )
    given = {"targets": 8, **more}
    return ScoredRun(
        contender="one",
        topic="lungs",
        repetition=0,
        strategy="dom",
        record=record,
        visits=visits,
        hits=tuple(hits),
        oracle=None if oracle is None else tuple(oracle),
        **given,
    )


FOUND = (True, False, True, True)


@pytest.mark.parametrize(
    ("metric", "at", "value"),
    [
        ("harvest-rate", 4, 0.75),  # Chakrabarti et al. 2002, section 1
        ("harvest-rate", 10, 0.3),
        ("loss", 4, 0.25),
        ("on-topic", 3, 2),
        ("target-recall", 3, 0.25),  # Pant, Menczer 2003, eq. 4: 2 of 8
        ("first-relevant", 4, 1),
        ("oracle-share", 4, 0.75),
        ("cpu-per-relevant", 4, 1 / 3),
        ("bytes-per-relevant", 2, 300),
        ("concept-coverage", 4, 0.5),
        ("relevance-peak", 4, 1.0),
    ],
)
def test_worked_examples(metric: str, at: int, value: float) -> None:
    assert value_of(scored(FOUND, [True] * 4), metric, at) == pytest.approx(value)


@pytest.mark.parametrize(
    ("metric", "run"),
    [
        ("target-recall", scored(FOUND, targets=0)),
        ("harvest-rate", scored(FOUND, targets=0)),
        ("cpu-per-relevant", scored([False])),
        ("bytes-per-relevant", scored([False])),
        ("oracle-share", scored(FOUND)),
        ("oracle-share", scored([True], [False])),
        ("harvest-area", scored(FOUND)),
    ],
)
def test_what_does_not_apply_has_no_value(metric: str, run: ScoredRun) -> None:
    assert value_of(run, metric, 4) is None


def test_a_crawl_that_stops_early_is_not_rewarded() -> None:
    short, long = [True, True], [True, True, False, False, True]
    assert mean_over(short, 5) == 0.4 < mean_over(long, 5)
    assert mean_over([0.9, 0.9], 6) == pytest.approx(0.3)


@given(crawls, numbers)
def test_harvest_and_loss_are_shares_that_add_up_to_one(hits: list[bool], at: int) -> None:
    harvest, loss = (value_of(scored(hits), metric, at) for metric in ("harvest-rate", "loss"))
    assert harvest is not None
    assert loss is not None
    assert 0 <= harvest <= 1
    assert harvest + loss == pytest.approx(1)


@given(crawls, numbers)
def test_recall_never_falls(hits: list[bool], at: int) -> None:
    run = scored(hits, targets=100)
    before, after = (value_of(run, "target-recall", pages) for pages in (at, at + 1))
    assert before is not None
    assert after is not None
    assert before <= after <= 1


@given(crawls, numbers)
def test_the_first_relevant_page_is_the_first_that_counts(hits: list[bool], at: int) -> None:
    first = first_relevant(hits, at)
    assert on_topic(hits, min(first, at)) == (first <= at)
    assert on_topic(hits, first - 1) == 0


@given(crawls, numbers)
def test_the_oracle_is_the_whole_of_itself(hits: list[bool], at: int) -> None:
    whole = 1.0 if any(hits[:at]) else None
    assert value_of(scored(hits, hits), "oracle-share", at) == whole
    assert harvest_area(hits, hits, at) == whole


def test_early_finds_have_the_larger_area() -> None:
    oracle = [True] * 4
    early, late = [True, True, False, False], [False, False, True, True]
    for hits in (early, late):
        assert value_of(scored(hits, oracle), "oracle-share", 4) == 0.5
    assert harvest_area(early, oracle, 4) == (1 + 2 + 2 + 2) / (1 + 2 + 3 + 4)
    assert harvest_area(late, oracle, 4) == (0 + 0 + 1 + 2) / (1 + 2 + 3 + 4)


def test_the_moving_average_looks_back_over_its_window_only() -> None:
    relevance = [1.0] * 100 + [0.0] * 100
    assert moving_average(relevance, 100) == 1
    assert moving_average(relevance, 150) == 0.5
    assert moving_average(relevance, 200) == 0
    assert moving_average(relevance[:150], 200) == 0


def test_sites_are_counted_by_what_was_said_and_what_is_true() -> None:
    found = tally([(True, True), (True, True), (True, False), (False, True), (False, False)])
    assert found == SiteTally(right=2, wrong=1, missed=1, refused=1)
    assert found.pages_per_relevant_site(30) == 15
    assert found.harvest_rate == 3 / 5
    assert found.precision == found.recall == 2 / 3
    assert found.f_measure == pytest.approx(2 / 3)


def test_no_site_gives_no_value() -> None:
    nothing = SiteTally()
    assert nothing.pages_per_relevant_site(10) is None
    assert [nothing.harvest_rate, nothing.precision, nothing.recall, nothing.f_measure] == [None] * 4


@given(st.lists(words, min_size=1), st.lists(words, min_size=1))
def test_overlap_is_a_symmetric_share(one: list[str], other: list[str]) -> None:
    assert 0 <= overlap(one, other) <= 1
    assert overlap(one, other) == overlap(other, one)
    assert overlap(one, one) == 1


BACKGROUND = Background.from_counts({"asthma": 2, "lung": 5, "star": 10}, documents=40)


def matrix_of(counts: list[dict[str, int]]) -> tuple[PageMatrix, list[str]]:
    urls = [f"http://a.test/{number}" for number in range(len(counts))]
    return PageMatrix(urls, dict(zip(urls, counts, strict=True)).__getitem__, BACKGROUND), urls


@given(pages, st.data())
def test_the_best_cosine_is_the_best_of_plain_cosines(counts: list[dict[str, int]], data: st.DataObject) -> None:
    matrix, urls = matrix_of(counts)
    examples = data.draw(st.lists(st.sampled_from(range(len(urls))), min_size=1, unique=True))
    vectors = [tf_idf(page, BACKGROUND) for page in counts]
    expected = [max(cosine(page, vectors[number]) for number in examples) for page in vectors]
    found = matrix.best_cosines(urls, [urls[number] for number in examples])
    assert found.tolist() == pytest.approx(expected)


@given(pages, st.dictionaries(words, st.floats(0.1, 3), min_size=1))
def test_pant_cosines_are_those_of_the_formula(counts: list[dict[str, int]], description: dict[str, float]) -> None:
    matrix, urls = matrix_of(counts)
    compared = urls[: (len(urls) + 1) // 2]
    df = {
        term: seen
        for term in ("asthma", "lung", "planet", "star", "music")
        if (seen := sum(term in page for page in counts[: len(compared)]))
    }
    background = Background.from_counts(df, documents=len(compared))

    def weights(counts: Mapping[str, float]) -> dict[str, float]:
        return {term: (0.5 + 0.5 * n) * background.idf(term) for term, n in tf(counts).items()}

    expected = [cosine(weights(page), weights(description)) for page in counts]
    found = matrix.pant_cosines(urls, description, compared)
    assert found.tolist() == pytest.approx(expected)
