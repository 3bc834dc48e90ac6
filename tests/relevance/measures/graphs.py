"""Random hierarchies for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from semcrawl.topics import ConceptGraph, ConceptGraphBuilder

WORDS = ("ape", "bee", "cat", "dog", "elk", "fox", "gnu", "hen")


def build(size: int, edges: list[tuple[int, int]], relations: list[tuple[int, int]]) -> ConceptGraph:
    """The graph of concepts x:0 .. with is-a edges (child, parent); labels repeat on purpose."""
    builder = ConceptGraphBuilder("random")
    for node in range(size):
        labels = (WORDS[node % len(WORDS)], f"{WORDS[node % 3]} {WORDS[node % 5]}")
        parents = [f"x:{parent}" for child, parent in edges if child == node]
        builder.add(f"x:{node}", *labels, broader=parents)
    for source, target in relations:
        builder.relate(f"x:{source}", "near", f"x:{target}")
    return builder.build()


@st.composite
def hierarchies(draw: st.DrawFn, *, cycles: bool = True) -> ConceptGraph:
    """Graphs with several roots and parents, loose concepts, and, unless refused, cycles."""
    size = draw(st.integers(1, 9))
    nodes = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(nodes, nodes), max_size=14))
    if not cycles:
        edges = [(child, parent) for child, parent in edges if child > parent]
    return build(size, edges, draw(st.lists(st.tuples(nodes, nodes), max_size=4)))
