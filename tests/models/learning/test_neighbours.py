from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.models.clustering import Neighbours, TermTable, heaviest_terms, vector_matrix
from semcrawl.text.background import Background
from semcrawl.text.vectors import cosine

EQUAL = Background.from_counts(dict.fromkeys(["cat", "dog", "rain", "snow", "sun"], 1), 10)


TERMS = TermTable(["cat", "dog", "rain", "snow", "sun"], EQUAL, 0)


def neighbours(pages: list[dict[str, int]], clusters: list[int], k: int) -> Neighbours:
    vectors = [heaviest_terms(page, EQUAL, 0) for page in pages]
    return Neighbours(vector_matrix(vectors, {term: n for n, term in enumerate(TERMS.terms)}), np.array(clusters), k)


PAGES = [{"cat": 1}, {"cat": 1, "dog": 1}, {"dog": 1}, {"rain": 1}, {"rain": 2, "snow": 1}]


@pytest.mark.parametrize(
    ("page", "k", "cluster"),
    [
        ({"cat": 3}, 1, 0),
        ({"dog": 1, "cat": 1}, 1, 1),
        ({"snow": 1}, 1, 2),
        # Of the three nearest to "cat dog rain", two are in cluster 1.
        ({"cat": 1, "dog": 2, "rain": 1}, 3, 1),
        # One vote each: the nearer one decides.
        ({"cat": 2, "rain": 1}, 2, 0),
        # Words of no training page say nothing.
        ({"cat": 1, "zebra": 50}, 1, 0),
    ],
)
def test_most_of_the_nearest_decide(page: dict[str, int], k: int, cluster: int) -> None:
    assert neighbours(PAGES, [0, 1, 1, 2, 2], k).cluster(TERMS.read(page)) == cluster


@pytest.mark.parametrize("page", [{}, {"zebra": 3}])
def test_a_page_that_shares_nothing_has_no_cluster(page: dict[str, int]) -> None:
    assert neighbours(PAGES, [0, 1, 1, 2, 2], 3).cluster(TERMS.read(page)) is None


def test_pages_that_share_nothing_have_no_vote() -> None:
    # Five neighbours are asked for, but only one page has snow.
    assert neighbours(PAGES, [0, 0, 0, 0, 1], 5).cluster(TERMS.read({"snow": 1})) == 1


def test_equal_clusters_go_by_their_number() -> None:
    cat = TERMS.read({"cat": 1})
    assert neighbours([{"cat": 1}, {"cat": 1}], [1, 0], 2).cluster(cat) == 0
    assert neighbours([{"cat": 1}, {"cat": 1}], [1, 0], 1).cluster(cat) == 1


COUNTS = st.dictionaries(st.sampled_from(["cat", "dog", "rain", "snow", "sun"]), st.integers(1, 5))


@given(st.lists(COUNTS, min_size=1, max_size=8), COUNTS)
def test_the_nearest_page_is_the_one_with_the_highest_cosine(pages: list[dict[str, int]], page: dict[str, int]) -> None:
    cosines = [cosine(heaviest_terms(one, EQUAL, 0), page) for one in pages]
    found = neighbours(pages, list(range(len(pages))), 1).cluster(TERMS.read(page))
    if max(cosines) == 0:
        assert found is None
    else:
        assert found is not None
        assert cosines[found] == pytest.approx(max(cosines), abs=1e-5)
