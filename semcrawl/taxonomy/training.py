"""From a tree and counted examples to a classifier."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError, TopicError
from semcrawl.taxonomy.classifier import Classifier, Layout, Weights
from semcrawl.taxonomy.features import fisher_index, select_features

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from semcrawl.taxonomy.examples import CountedExamples, ExampleSet
    from semcrawl.taxonomy.tree import CategoryTree

__all__ = ["TrainingOptions", "layout_of", "train_classifier"]


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How a classifier is made from examples.

    Attributes:
        smoothing: Lidstone's α, what is added to every count of a term; 1 is Laplace's.
        features: how many terms are chosen for each decision; 0: all.
        length: a document of more chosen terms counts as if it had this many, which
            keeps probabilities from running to 0 and 1; 0: as in the paper, no limit.
        mixture: whether a category with others under it is a mixture of them, or
            one coin made of all their examples together.
    """

    smoothing: float = 0.1
    features: int = 5_000
    length: float = 0.0
    mixture: bool = True

    def __post_init__(self) -> None:
        if not (isfinite(self.smoothing) and self.smoothing > 0):
            raise ConfigError(f"the smoothing must be greater than 0, not {self.smoothing:g}")
        if self.features < 0 or not (isfinite(self.length) and self.length >= 0):
            raise ConfigError("features and length are numbers of 0 or more; 0 means no limit")


def train_classifier(
    tree: CategoryTree, examples: ExampleSet, options: TrainingOptions, good: Iterable[str]
) -> Classifier:
    """The classifier of the examples; categories without any below them are left out.

    The examples of a category that has others under it count where it is told
    from its siblings, and not where those under it are told from each other.

    Raises:
        TopicError: there is no example at all.
    """
    counted = examples.matrix()
    layout = layout_of(tree, set(counted.categories))
    if not layout.ids:
        raise TopicError(f"{tree.name} has no examples to learn from; add some")
    weights = _Training(tree, counted, layout, options).weights()
    return Classifier(layout, weights, frozenset(good))


def layout_of(tree: CategoryTree, with_examples: set[str]) -> Layout:
    """The columns of the categories that have examples, themselves or below."""
    trained = {step for category in with_examples for step in tree.trail(category)}
    ids: list[str] = []
    parent: list[int] = []
    group: list[int] = []
    starts: list[int] = []
    levels: list[tuple[int, int]] = []
    above: list[tuple[int, str | None]] = [(-1, None)]
    while above:
        first = len(ids)
        for column, category in above:
            children = [child for child in tree.children(category) if child in trained]
            if children:
                starts.append(len(ids))
                ids += children
                parent += [column] * len(children)
                group += [len(starts) - 1] * len(children)
        if len(ids) > first:
            levels.append((first, len(ids)))
        above = [(column, ids[column]) for column in range(first, len(ids))]
    leaf = np.ones(len(ids), bool)
    leaf[[column for column in parent if column >= 0]] = False
    return Layout(
        tuple(ids),
        np.array(parent, np.int64),
        np.array(group, np.int64),
        np.array(starts, np.int64),
        tuple(levels),
        np.flatnonzero(leaf),
    )


class _Training:
    """The sums over the examples of each category, by itself and with all under it."""

    def __init__(
        self,
        tree: CategoryTree,
        counted: CountedExamples,
        layout: Layout,
        options: TrainingOptions,
    ) -> None:
        self._layout = layout
        self._terms = counted.terms
        self._options = options
        self._owners = list(dict.fromkeys(counted.categories))
        trails = [self._columns(tree, owner) for owner in self._owners]
        self._own = _Sums(_one_hot(counted.categories, self._owners), counted)
        above = [(column, row) for row, trail in enumerate(trails) for column in trail]
        self._whole = self._own.gathered(_matrix(above, len(layout.ids), len(self._owners)))
        self._parts: list[list[int]] = [[] for _ in layout.ids]
        for column, row in above:
            self._parts[column].append(row)

    def _columns(self, tree: CategoryTree, category: str) -> list[int]:
        columns = {one: number for number, one in enumerate(self._layout.ids)}
        return [columns[step] for step in tree.trail(category)]

    def weights(self) -> Weights:
        """The table of all decisions."""
        starts, size = self._layout.starts, len(self._layout.ids)
        ends = [*starts[1:].tolist(), size]
        parts = [self._parts[column] if self._options.mixture else [] for column in range(size)]
        part_starts = np.concatenate(([0], np.cumsum([len(rows) or 1 for rows in parts])))
        table = _Table(int(part_starts[-1]))
        for number, (first, end) in enumerate(zip(starts.tolist(), ends, strict=True)):
            low, high = int(part_starts[first]), int(part_starts[end])
            rows = [row for column in range(first, end) for row in parts[column]]
            sums = self._own.rows(rows) if rows else self._whole.rows(slice(first, end))
            table.prior[low:high] = np.log(sums.documents / sums.documents.sum())
            table.group[low:high] = number
            if end - first > 1:  # an only child needs no words
                table.add(number, low, self._chosen(first, end), sums.counts, self._options)
        return table.weights(self._terms, part_starts[:-1], self._options.length)

    def _chosen(self, first: int, end: int) -> NDArray[np.int64]:
        """The terms for telling some siblings apart, by their columns in the matrix."""
        siblings = self._whole.rows(slice(first, end))
        occurring: NDArray[np.int64] = np.unique(siblings.counts.indices).astype(np.int64)
        if not 0 < self._options.features < len(occurring):
            return occurring
        documents = siblings.documents[:, None]
        means = siblings.shares[:, occurring].toarray() / documents
        squares = siblings.squares[:, occurring].toarray() / documents
        return occurring[select_features(fisher_index(means, squares), self._options.features)]


class _Sums:
    """Per class: how many documents, and the sums of their counts and of their shares."""

    def __init__(self, members: csr_matrix, counted: CountedExamples) -> None:
        totals = np.asarray(counted.counts.sum(axis=1))
        shares = counted.counts.multiply(1.0 / np.maximum(totals, 1.0)).tocsr()
        self.documents: NDArray[np.float64] = np.asarray(members.sum(axis=1)).ravel()
        self.counts = (members @ counted.counts).tocsr()
        self.shares = (members @ shares).tocsr()
        self.squares = (members @ shares.multiply(shares)).tocsr()

    def gathered(self, classes: csr_matrix) -> _Sums:
        """The sums of classes made of these."""
        return self._with(
            classes @ self.documents,
            *((classes @ part).tocsr() for part in (self.counts, self.shares, self.squares)),
        )

    def rows(self, chosen: list[int] | slice) -> _Sums:
        """The sums of some classes."""
        return self._with(
            self.documents[chosen], self.counts[chosen], self.shares[chosen], self.squares[chosen]
        )

    @staticmethod
    def _with(documents: NDArray[np.float64], *parts: csr_matrix) -> _Sums:
        made = _Sums.__new__(_Sums)
        made.documents = documents
        made.counts, made.shares, made.squares = parts
        return made


class _Table:
    """The entries of the weights, while they are collected."""

    def __init__(self, parts: int) -> None:
        self.unseen = np.zeros(parts)
        self.prior = np.zeros(parts)
        self.group = np.zeros(parts, np.int64)
        self._entries: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]] = []

    def add(
        self,
        group: int,
        first: int,
        chosen: NDArray[np.int64],
        counts: csr_matrix,
        options: TrainingOptions,
    ) -> None:
        """Add what the chosen terms say of the parts from ``first`` on."""
        if not len(chosen):
            return
        alpha = options.smoothing
        seen = counts[:, chosen].tocoo()
        total = np.bincount(seen.row, seen.data, minlength=counts.shape[0])
        self.unseen[first : first + len(total)] = log(alpha) - np.log(total + alpha * len(chosen))
        rows = seen.row.astype(np.int64) + first
        self._entries.append((chosen[seen.col], rows, np.log1p(seen.data / alpha)))
        marks = np.full(len(chosen), len(self.unseen) + group)
        self._entries.append((chosen, marks, np.ones(len(chosen))))

    def weights(self, words: list[str], starts: NDArray[np.int64], length: float) -> Weights:
        """All entries, sorted by their terms."""
        none = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
        joined = zip(none, *self._entries, strict=True)
        term, column, value = (np.concatenate(part) for part in joined)
        used, row = np.unique(term, return_inverse=True)
        order = np.argsort(row, kind="stable")
        start = np.zeros(len(used) + 1, np.int64)
        np.cumsum(np.bincount(row, minlength=len(used)), out=start[1:])
        return Weights(
            {words[number]: place for place, number in enumerate(used.tolist())},
            start,
            column[order].astype(np.int32),
            value[order],
            starts,
            self.group,
            self.unseen,
            self.prior,
            length,
        )


def _one_hot(categories: list[str], owners: list[str]) -> csr_matrix:
    numbers = {owner: number for number, owner in enumerate(owners)}
    pairs = [(numbers[category], row) for row, category in enumerate(categories)]
    return _matrix(pairs, len(owners), len(categories))


def _matrix(ones: list[tuple[int, int]], rows: int, columns: int) -> csr_matrix:
    from scipy.sparse import csr_matrix

    places = np.array(ones, np.int64).reshape(-1, 2).T
    return csr_matrix((np.ones(len(ones)), (places[0], places[1])), shape=(rows, columns))
