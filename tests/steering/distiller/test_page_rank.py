from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.steering.distiller import page_rank


@given(st.integers(1, 8), st.data())
def test_page_rank_is_that_of_networkx(count: int, data: st.DataObject) -> None:
    page = st.integers(0, count - 1)
    links = data.draw(st.lists(st.tuples(page, page), unique=True, max_size=25))
    web = networkx.DiGraph()
    web.add_nodes_from(range(count))
    web.add_edges_from(links)
    sources = np.array([u for u, _ in links], dtype=np.int64)
    targets = np.array([v for _, v in links], dtype=np.int64)
    scores, _, converged = page_rank((sources, targets), count, 300)
    expected = networkx.pagerank(web, alpha=0.85, tol=1e-12, max_iter=500)
    assert converged
    assert scores == pytest.approx([expected[n] for n in range(count)], abs=1e-7)


def test_pages_without_links_share_what_they_have_with_all() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    scores, rounds, converged = page_rank((nothing, nothing), 4, 50)
    assert list(scores) == [0.25] * 4
    assert (rounds, converged) == (1, True)


def test_it_ends_after_the_rounds_given() -> None:
    scores, rounds, converged = page_rank((np.array([0, 1, 1]), np.array([1, 0, 2])), 3, 2)
    assert (rounds, converged) == (2, False)
    assert scores.sum() == pytest.approx(1.0)


def test_no_pages_have_no_ranks() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert page_rank((nothing, nothing), 0, 50)[0].size == 0
