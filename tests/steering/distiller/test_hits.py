from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.steering.distiller import edge_weights, find_rho, iterate


@pytest.mark.parametrize(
    ("relevance", "share", "rho", "passing"),
    [
        ([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05], 0.2, 0.7, 2),
        ([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05], 0.15, 0.7, 2),
        ([0.5, 0.4], 0.15, 0.4, 1),  # at least one
        ([0.5, 0.4], 1.0, 0.0, 2),
        ([1.0, 1.0, 1.0, 0.5], 0.25, 0.5, 3),  # equal pages pass together
        ([1.0, 1.0, 1.0], 0.15, 0.0, 3),
        ([0.3, 0.0, 0.0, 0.0], 0.75, 0.0, 1),  # what is worth nothing never passes
        ([0.0, 0.0], 0.15, 0.0, 0),
        ([0.7], 0.15, 0.0, 1),
        ([], 0.15, 0.0, 0),
        ([number / 100 for number in range(1, 101)], 0.07, 0.93, 7),
    ],
)
def test_rho_lets_a_share_of_the_pages_pass(relevance: list[float], share: float, rho: float, passing: int) -> None:
    pages = np.array(relevance)
    assert find_rho(pages, share) == rho
    assert (pages > rho).sum() == passing


# Every example is a web of up to eight pages on up to three sites.
@st.composite
def webs(draw: st.DrawFn) -> tuple[list[float], list[int], list[tuple[int, int]]]:
    count = draw(st.integers(2, 8))
    parts = st.integers(0, 1000).map(lambda n: n / 1000)
    relevance = draw(st.lists(parts, min_size=count, max_size=count))
    sites = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    page = st.integers(0, count - 1)
    links = draw(st.lists(st.tuples(page, page), unique=True, max_size=30))
    return relevance, sites, [(u, v) for u, v in links if sites[u] != sites[v]]


def by_networkx(
    relevance: list[float], sites: list[int], edges: list[tuple[int, int]], rounds: int
) -> tuple[list[float], list[float]]:
    """The formula as the paper has it, edge by edge."""
    web = networkx.DiGraph()
    web.add_nodes_from(range(len(relevance)))
    web.add_edges_from(edges)
    for u, v in web.edges:
        same_server = [w for w in web.predecessors(v) if sites[w] == sites[u]]
        same_target = [w for w in web.successors(u) if sites[w] == sites[v]]
        web.edges[u, v]["to_authority"] = relevance[u] / len(same_server)
        web.edges[u, v]["to_hub"] = relevance[u] / len(same_target)
    hubs = scaled([1.0 if web.out_degree(u) else 0.0 for u in web])
    authorities = [0.0 for _ in web]
    for _ in range(rounds):
        authorities = scaled([sum(hubs[u] * e["to_authority"] for u, _, e in web.in_edges(v, data=True)) for v in web])
        hubs = scaled([sum(authorities[v] * e["to_hub"] for _, v, e in web.out_edges(u, data=True)) for u in web])
    return hubs, authorities


def scaled(scores: list[float]) -> list[float]:
    total = sum(scores)
    return [score / total for score in scores] if total else scores


@given(webs(), st.integers(1, 30))
def test_the_matrices_give_what_the_formula_gives_edge_by_edge(
    web: tuple[list[float], list[int], list[tuple[int, int]]], rounds: int
) -> None:
    relevance, sites, links = web
    edges = (np.array([u for u, _ in links], dtype=np.int64), np.array([v for _, v in links], dtype=np.int64))
    weights = edge_weights(edges, np.array(relevance), np.array(sites))
    found, *_ = iterate(edges, weights, len(relevance), rounds)
    hubs, authorities = by_networkx(relevance, sites, links, rounds)
    # Where it ends early, the rounds left would change next to nothing.
    assert found[0] == pytest.approx(hubs, abs=1e-7)
    assert found[1] == pytest.approx(authorities, abs=1e-7)


def test_it_ends_when_nothing_changes_any_more() -> None:
    edges = np.array([0]), np.array([1])
    _, computed, converged = iterate(edges, (np.array([0.5]), np.array([0.5])), 2, 50)
    assert converged
    assert computed < 5


def test_it_ends_after_the_rounds_given() -> None:
    # Two hubs that share one authority, with unequal weights, and another authority each.
    edges = np.array([0, 0, 1, 1]), np.array([2, 3, 3, 4])
    weights = edge_weights(edges, np.array([0.9, 0.8, 1.0, 1.0, 1.0]), np.arange(5))
    _, *ended = iterate(edges, weights, 5, 3)
    assert ended == [3, False]
