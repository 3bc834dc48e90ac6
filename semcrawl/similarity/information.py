"""Intrinsic information content: how much a concept says, by how few it subsumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.topics.edges import Edges

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["count_below", "intrinsic_content"]


def intrinsic_content(up: Edges) -> Floats:
    """1 - log(hypo + 1) / log(N) for every concept (Seco, Veale, Hayes 2004).

    hypo is the number of concepts below, N the number of all concepts of the
    same connected hierarchy: its only root says nothing (0), a concept that
    nothing is below says all (1).

    >>> from semcrawl.topics.edges import Edges
    >>> intrinsic_content(Edges([1, 2, 3], [0, 0, 1], size=4)).round(3).tolist()
    [0.0, 0.5, 1.0, 1.0]
    """
    sizes = _component_sizes(up)
    logs = np.log(np.maximum(sizes, 2))
    content: Floats = np.maximum(1.0 - np.log(count_below(up) + 1) / logs, 0.0)
    return content


def count_below(up: Edges) -> Ints:
    """The number of different concepts below every concept.

    >>> from semcrawl.topics.edges import Edges
    >>> count_below(Edges([1, 2, 3, 3], [0, 0, 1, 2], size=4)).tolist()
    [3, 1, 1, 0]
    """
    parents = [up.of(node) for node in range(len(up.start) - 1)]
    counts, core = _fold_trees(parents)
    totals = list(counts)
    for node in core:
        totals[node] -= counts[node]
    for node in core:
        for above in _above(parents, node):
            totals[above] += counts[node]
    return np.asarray(totals, np.int64) - 1


def _fold_trees(parents: list[list[int]]) -> tuple[list[int], list[int]]:
    """Fold concepts with one parent into it, from the leaves on.

    Gives the number of concepts folded into each, itself included, and the
    concepts left over: those with several parents, or in a cycle, and all above
    them. Few are: only for these must every way up be walked.
    """
    children = [0] * len(parents)
    for above in parents:
        for parent in above:
            children[parent] += 1
    counts = [1] * len(parents)
    folded = [False] * len(parents)
    leaves = [node for node, kinds in enumerate(children) if not kinds]
    while leaves:
        node = leaves.pop()
        if len(parents[node]) > 1:
            continue
        folded[node] = True
        for parent in parents[node]:
            counts[parent] += counts[node]
            children[parent] -= 1
            if not children[parent]:
                leaves.append(parent)
    return counts, [node for node, is_folded in enumerate(folded) if not is_folded]


def _above(parents: list[list[int]], start: int) -> set[int]:
    found = {start}
    waiting = [start]
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


def _component_sizes(up: Edges) -> Ints:
    """The size of each concept's connected hierarchy."""
    size = len(up.start) - 1
    group = np.arange(size)
    low, high = up.sources(), up.target
    while True:
        before = group.copy()
        least = np.minimum(group[low], group[high])
        # The groups' heads are joined, not only the two ends: long chains need few rounds.
        np.minimum.at(group, before[low], least)
        np.minimum.at(group, before[high], least)
        group = group[group]
        if np.array_equal(group, before):
            return np.bincount(group, minlength=size)[group]
