from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.topics.concepts import Edges

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20)


@given(PAIRS)
def test_edges_are_grouped_by_source_in_the_order_given(pairs: list[tuple[int, int]]) -> None:
    edges = Edges([s for s, _ in pairs], [t for _, t in pairs], size=7)
    assert len(edges) == len(pairs)
    for node in range(7):
        assert edges.of(node) == [target for source, target in pairs if source == node]


@given(PAIRS)
def test_reversed_twice_is_the_same_set_of_edges(pairs: list[tuple[int, int]]) -> None:
    edges = Edges([s for s, _ in pairs], [t for _, t in pairs], size=7)
    again = edges.reversed().reversed()
    for node in range(7):
        assert sorted(again.of(node)) == sorted(edges.of(node))
    assert edges.reversed().sources().tolist() == sorted(target for _, target in pairs)
