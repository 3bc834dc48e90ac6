"""The measures of single pairs, by the letter of their formulas: what their sweeps must agree with."""

from __future__ import annotations

from math import exp, log, tanh
from typing import TYPE_CHECKING

from semcrawl.relevance.hierarchy import hierarchy_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.topics import ConceptGraph

    Formula = Callable[[ConceptGraph, int, int], float]


def common(graph: ConceptGraph, a: int, b: int) -> dict[int, int]:
    """The concepts above both, with the edges of the way over each."""
    of_a, of_b = graph.is_a.reached(a), graph.is_a.reached(b)
    return {node: of_a[node] + of_b[node] for node in of_a.keys() & of_b.keys()}


def shortest(graph: ConceptGraph, a: int, b: int, *, virtual_root: bool = False) -> int | None:
    ways = list(common(graph, a, b).values())
    if virtual_root:
        depths = hierarchy_of(graph).depths
        ways.append(0 if a == b else int(depths[a] + depths[b]) + 2)
    return min(ways, default=None)


def by_path(value: Callable[[int], float], *, virtual_root: bool = False) -> Formula:
    def similarity(graph: ConceptGraph, a: int, b: int) -> float:
        far = shortest(graph, a, b, virtual_root=virtual_root)
        return 0.0 if far is None else value(far)

    return similarity


def leacock_chodorow(*, normalised: bool = True, virtual_root: bool = False) -> Formula:
    def similarity(graph: ConceptGraph, a: int, b: int) -> float:
        widest = 2 * (max(int(hierarchy_of(graph).longest.max()), 1) + virtual_root)
        far = shortest(graph, a, b, virtual_root=virtual_root)
        raw = None if far is None else log(widest / (1 + far))
        return (max(raw / log(widest), 0.0) if normalised else raw) if raw is not None else 0.0

    return similarity


def li(*, alpha: float = 0.2, root_depth: int = -1, deepest: bool = False) -> Formula:
    def similarity(graph: ConceptGraph, a: int, b: int) -> float:
        ways, depths = common(graph, a, b), hierarchy_of(graph).depths
        least = min(ways.values(), default=0)
        far = dict.fromkeys(ways, least) if deepest else ways
        values = (exp(-alpha * far[one]) * tanh(0.6 * max(int(depths[one]) + root_depth, 0)) for one in ways)
        return max(values, default=0.0)

    return similarity


def wu_palmer(*, virtual_root: bool = False) -> Formula:
    def similarity(graph: ConceptGraph, a: int, b: int) -> float:
        hierarchy, ways = hierarchy_of(graph), common(graph, a, b)
        if not ways:
            return 2 / (int(hierarchy.depths[a] + hierarchy.depths[b]) + 4) if virtual_root else 0.0
        deepest = max(hierarchy.depths[one] for one in ways)
        found = []
        for one in (one for one in ways if hierarchy.depths[one] == deepest):
            depth = int(hierarchy.longest[one]) + 1 + virtual_root
            edges = (shortest(graph, a, one) or 0) + (shortest(graph, b, one) or 0)
            found.append(2 * depth / (edges + 2 * depth))
        return max(found)

    return similarity


def resnik(graph: ConceptGraph, a: int, b: int) -> float:
    return max((float(hierarchy_of(graph).content[one]) for one in common(graph, a, b)), default=0.0)


def lin(graph: ConceptGraph, a: int, b: int) -> float:
    content, shared = hierarchy_of(graph).content, resnik(graph, a, b)
    if a == b:
        return 1.0
    return min(2 * shared / float(content[a] + content[b]), 1.0) if shared else 0.0


def related(graph: ConceptGraph, a: int, b: int) -> float:
    def leads(start: str, end: str) -> bool:
        return end in graph.broader(start) or end in (to for _, to in graph.relations(start))

    one, other = graph.ids[a], graph.ids[b]
    return float(a == b or leads(one, other) or leads(other, one))
