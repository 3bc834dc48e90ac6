"""Hierarchical naive Bayes, compiled into arrays (Chakrabarti, van den Berg, Dom 1999, sec. 3.1).

From the root, whose probability is 1, downwards:

    Pr[c|d] = Pr[parent|d] · Pr[c|d,parent]
    Pr[c|d,parent] = Pr[c|parent] Pr[d|c] / Σ over siblings c' of Pr[c'|parent] Pr[d|c']
    Pr[d|c] ∝ Π over terms t of Pr[t|c] ** n(d,t)

all in logarithms. A category with others under it is a mixture of them: its
Pr[d|c] is the sum over its parts (each category under it that has examples, and
its own examples) of Pr[part|c] Pr[d|part]; or, if trained so, one coin made of all
examples together.

The terms of a decision are those chosen for its parent; a term that was not
chosen says nothing there. With Lidstone's smoothing α,
Pr[t|c] = (n(c,t) + α) / (n(c) + α |F|), and its logarithm is that of an unseen term,
ln α - ln(n(c) + α |F|), plus ln(1 + n(c,t) / α). The second part is 0 for most terms, so a
page is classified by adding up the few entries that are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["Classification", "Classifier", "Layout", "Weights"]

_FIRST = np.zeros(1, np.int64)


@dataclass(frozen=True, slots=True)
class Classification:
    """What the classifier says of a document.

    Attributes:
        relevance: R(d), the probability that the document is in a good category.
        log_relevance: its natural logarithm, exact also where R(d) is too small for a number.
        best: the IRI of the leaf with the highest probability.
        path: the IRIs from the top category down to that leaf.
        probability: of that leaf.
        on_good_path: whether some category of the path is good.
    """

    relevance: float
    log_relevance: float
    best: str
    path: tuple[str, ...]
    probability: float
    on_good_path: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The trained categories in columns: level by level, siblings side by side.

    Attributes:
        ids: the category of each column.
        parent: the column of its parent, -1 for the root.
        group: the number of its group of siblings.
        starts: the first column of each group.
        levels: per level its first column and the one after its last.
        leaves: the columns with nothing under them.
    """

    ids: tuple[str, ...]
    parent: NDArray[np.int64]
    group: NDArray[np.int64]
    starts: NDArray[np.int64]
    levels: tuple[tuple[int, int], ...]
    leaves: NDArray[np.int64]

    def trail(self, column: int) -> list[int]:
        """The columns from the top down to one."""
        found = []
        while column >= 0:
            found.append(column)
            column = int(self.parent[column])
        return found[::-1]


@dataclass(frozen=True, slots=True)
class Weights:
    """What is known of the terms, as a sparse table over the parts of all columns.

    Row r, ``start[r]`` to ``start[r + 1]``, holds what term r says: for a part
    ln(1 + n(part,t) / α), and for column (number of parts + g) a 1 where the
    term was chosen for group g.

    Attributes:
        rows: the row of each term.
        start: where the rows begin.
        column: of each entry.
        value: of each entry.
        part_starts: the first part of each column of the layout.
        part_group: the group of siblings that a part is compared in.
        unseen: per part the logarithm of an unseen term's probability.
        prior: per part ln Pr[part|parent of its column].
        length: documents of more terms count as if they had this many; 0: no limit.
    """

    rows: Mapping[str, int]
    start: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    part_starts: NDArray[np.int64]
    part_group: NDArray[np.int64]
    unseen: NDArray[np.float64]
    prior: NDArray[np.float64]
    length: float


class Classifier:
    """Classifies documents given as term counts; several threads may do so at once."""

    def __init__(self, layout: Layout, weights: Weights, good: frozenset[str]) -> None:
        """Take the compiled arrays, and the IRIs of the categories that are marked good."""
        self.layout = layout
        self.weights = weights
        self.good = good
        marked = np.array([category in good for category in layout.ids], bool)
        inherited = marked.copy()
        for column, parent in enumerate(layout.parent.tolist()):
            if parent >= 0:
                inherited[column] |= inherited[parent]
        self._is_good = inherited
        # Of a good category and those under it, only the upper one is added up.
        above = np.where(layout.parent >= 0, inherited[layout.parent], False)
        self._good_tops = np.flatnonzero(marked & ~above)

    @property
    def has_good(self) -> bool:
        """Whether some good category has examples."""
        return bool(len(self._good_tops))

    def is_good(self, column: int) -> bool:
        """Whether the category of a column is good, by its own mark or one above it."""
        return bool(self._is_good[column])

    def classify(self, terms: Mapping[str, int]) -> Classification:
        """The relevance and the best leaf of a document."""
        layout = self.layout
        logs = self.log_probabilities(terms)
        best = int(layout.leaves[int(np.argmax(logs[layout.leaves]))])
        tops = logs[self._good_tops]
        log_relevance = min(0.0, float(_log_sums(tops, _FIRST)[0])) if len(tops) else -inf
        return Classification(
            relevance=exp(log_relevance),
            log_relevance=log_relevance,
            best=layout.ids[best],
            path=tuple(layout.ids[column] for column in layout.trail(best)),
            probability=exp(min(0.0, float(logs[best]))),
            on_good_path=self.is_good(best),
        )

    def log_probabilities(self, terms: Mapping[str, int]) -> NDArray[np.float64]:
        """Ln Pr[c|d] for every column of the layout."""
        layout = self.layout
        scores = _log_sums(self.part_scores(terms), self.weights.part_starts)
        logs = scores - _log_sums(scores, layout.starts)[layout.group]
        for first, end in layout.levels[1:]:
            logs[first:end] += logs[layout.parent[first:end]]
        return logs

    def part_scores(self, terms: Mapping[str, int]) -> NDArray[np.float64]:
        """Ln (Pr[part|parent] Pr[d|part]) for every part, up to what siblings share."""
        weights, parts = self.weights, len(self.weights.prior)
        known = weights.rows.get
        found = [(row, count) for term, count in terms.items() if (row := known(term)) is not None]
        if not found:
            return weights.prior.copy()
        rows, counts = np.array(found, np.int64).T
        start = weights.start[rows]
        sizes = weights.start[rows + 1] - start
        ends = np.cumsum(sizes)
        places = np.arange(ends[-1]) + np.repeat(start - ends + sizes, sizes)
        sums = np.bincount(
            weights.column[places],
            weights.value[places] * np.repeat(counts, sizes),
            minlength=parts + len(self.layout.starts),
        )
        chosen = sums[parts:][weights.part_group]
        text = sums[:parts] + chosen * weights.unseen
        if weights.length:
            text *= np.minimum(1.0, weights.length / np.maximum(chosen, 1.0))
        scores: NDArray[np.float64] = weights.prior + text
        return scores


def _log_sums(logs: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The logarithm of Σ exp over each run of values.

    The largest is taken out first, or all the exponentials would be 0.
    """
    if len(starts) == len(logs):
        return logs
    highest = np.maximum.reduceat(logs, starts)
    sizes = np.diff(starts, append=len(logs))
    total = np.add.reduceat(np.exp(logs - np.repeat(highest, sizes)), starts)
    sums: NDArray[np.float64] = highest + np.log(total)
    return sums
