"""Hierarchical naive Bayes, compiled into arrays (Chakrabarti, van den Berg, Dom 1999, sec. 3.1).

From the root, whose probability is 1, downwards:

    Pr[c|d] = Pr[parent|d] · Pr[c|d,parent]
    Pr[c|d,parent] = Pr[c|parent] Pr[d|c] / Σ over siblings c' of Pr[c'|parent] Pr[d|c']
    Pr[d|c] ∝ Π over terms t of Pr[t|c] ** n(d,t)

all in logarithms. A category with others under it is a mixture of them: its Pr[d|c] is the sum
over its parts (each category under it that has examples, and its own examples) of
Pr[part|c] Pr[d|part]; or, if trained so, all examples are pooled.

Only the terms chosen for a parent count in its decision. With Lidstone's smoothing α, Pr[t|c] = (n(c,t) + α) / (n(c) +
α |F|), and its logarithm is that of an unseen term, ln α - ln(n(c) + α |F|), plus ln(1 + n(c,t) / α), which is 0 for
most terms: a page is classified by adding up the few entries that are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, inf
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Floats, Ints, spans
from semcrawl.errors import TopicError
from semcrawl.models.category_tree import CategoryTree
from semcrawl.models.naive_bayes import log_unseen, shares
from semcrawl.models.training_options import TaxonomyOptions
from semcrawl.relevance.similarities import TOP_CLASSES

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Example(msgspec.Struct, frozen=True):
    """Where an example came from, its category, its terms as numbers of a vocabulary, counts."""

    source: str
    category: str
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]


class CountedExamples(msgspec.Struct, frozen=True):
    """The term counts of all examples, in an order that does not depend on when they were added."""

    terms: list[str]  # of each column, sorted
    categories: list[str]  # of each row
    counts: csr_matrix


class ExampleSet:
    """Examples by source and category; a document may be an example of several categories.

    >>> examples = ExampleSet()
    >>> examples.add("a.html", "ex:cats", {"cat": 2, "purr": 1})
    True
    >>> dict(examples.numbers()), examples.categories_of("a.html")
    ({'ex:cats': 1}, ['ex:cats'])
    """

    def __init__(self, terms: Sequence[str] = ()) -> None:
        self._vocabulary = {term: number for number, term in enumerate(terms)}
        self._rows: dict[tuple[str, str], Example] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Example]:
        return iter(self._rows.values())

    @property
    def vocabulary(self) -> list[str]:
        """The terms by their numbers."""
        return list(self._vocabulary)

    def add(self, source: str, category: str, counts: Mapping[str, int]) -> bool:
        """Add an example, or replace it; return whether it is new to the category."""
        numbers = self._vocabulary
        terms = np.fromiter((numbers.setdefault(term, len(numbers)) for term in counts), np.int32, len(counts))
        values = np.fromiter(counts.values(), np.int32, len(counts))
        return self.put(Example(source, category, terms, values))

    def put(self, example: Example) -> bool:
        """Add an example whose terms are numbers of this vocabulary already."""
        key = (example.source, example.category)
        new = key not in self._rows
        self._rows[key] = example
        return new

    def move(self, source: str, category: str, to: str) -> None:
        """Make an example of one category one of another."""
        self.put(msgspec.structs.replace(self._rows.pop((source, category)), category=to))

    def remove(self, source: str, category: str) -> None:
        """Take an example out of a category."""
        del self._rows[source, category]

    def sources(self) -> list[str]:
        """Where the examples came from."""
        return list(dict.fromkeys(source for source, _ in self._rows))

    def categories_of(self, source: str) -> list[str]:
        """The categories that a document is an example of."""
        return [category for one, category in self._rows if one == source]

    def of(self, category: str) -> list[Example]:
        """The examples of one category itself, without those under it."""
        return [row for row in self._rows.values() if row.category == category]

    def numbers(self) -> dict[str, int]:
        """How many examples each category itself has."""
        return Counter(row.category for row in self._rows.values())

    def matrix(self) -> CountedExamples:
        """The examples as a matrix."""
        from scipy.sparse import csr_matrix

        rows = sorted(self._rows.values(), key=lambda row: (row.source, row.category))
        none, words = np.empty(0, np.int32), self.vocabulary
        numbers = np.concatenate([none, *(row.terms for row in rows)])
        values = np.concatenate([none, *(row.counts for row in rows)]).astype(np.float64)
        used = sorted(np.unique(numbers).tolist(), key=words.__getitem__)
        column = np.zeros(len(words), np.int64)
        column[np.array(used, np.int64)] = np.arange(len(used))
        start = np.cumsum([0, *(len(row.terms) for row in rows)])
        counts = csr_matrix((values, column[numbers], start), shape=(len(rows), len(used)))
        terms = [words[number] for number in used]
        return CountedExamples(terms, [row.category for row in rows], counts)


class Classification(msgspec.Struct, frozen=True):
    """What the classifier says of a document."""

    relevance: float  # R(d), the probability of a good category
    log_relevance: float  # exact also where R(d) is too small for a number
    best: str  # the IRI of the most probable leaf
    path: tuple[str, ...]  # IRIs from the top down to it
    probability: float
    on_good_path: bool
    top: tuple[str, ...] = ()  # IRIs of the most probable leaves, the best first


class Layout(msgspec.Struct, frozen=True):
    """The trained categories in columns: level by level, siblings side by side."""

    ids: tuple[str, ...]
    parent: Ints  # -1 for the root
    group: Ints  # the number of the group of siblings
    starts: Ints  # the first column of each group
    levels: tuple[tuple[int, int], ...]  # the first column of each, and the one after its last
    leaves: Ints

    def trail(self, column: int) -> list[int]:
        """The columns from the top down to one."""
        found = []
        while column >= 0:
            found.append(column)
            column = int(self.parent[column])
        return found[::-1]


class Weights(msgspec.Struct, frozen=True):
    """What is known of the terms, as a sparse table over the parts of all columns.

    A term has ln(1 + n(part,t) / α) for a part, and a 1 in column (number of parts + g) where it
    was chosen for group g.
    """

    rows: Mapping[str, int]
    table: csr_matrix
    part_starts: Ints  # the first part of each column of the layout
    part_group: Ints  # the group of siblings that a part is compared in
    unseen: Floats  # ln of an unseen term's probability, by part
    prior: Floats  # ln Pr[part|parent of its column]
    length: float  # longer documents count as if they had so many terms; 0: no limit


class Classifier:
    """Classifies documents given as term counts; several threads may do so at once."""

    def __init__(self, layout: Layout, weights: Weights, good: frozenset[str]) -> None:
        self.layout = layout
        self.weights = weights
        self.good = good
        marked = np.array([category in good for category in layout.ids], bool)
        inherited = np.array([marked[layout.trail(column)].any() for column in range(len(marked))], bool)
        self._is_good = inherited
        # Of a good category and those under it, only the upper one is added up.
        above = np.where(layout.parent >= 0, inherited[layout.parent], False)
        self.good_tops = np.flatnonzero(marked & ~above)

    def is_good(self, column: int) -> bool:
        """Whether the category of a column is good, by its own mark or one above it."""
        return bool(self._is_good[column])

    def classify(self, terms: Mapping[str, int]) -> Classification:
        """The relevance and the best leaf of a document."""
        layout = self.layout
        logs = self.log_probabilities(terms)
        top = layout.leaves[np.argsort(-logs[layout.leaves], kind="stable")[:TOP_CLASSES]].tolist()
        best = top[0]
        log_relevance = min(0.0, float(np.logaddexp.reduce(logs[self.good_tops], initial=-inf)))
        return Classification(
            relevance=exp(log_relevance),
            log_relevance=log_relevance,
            best=layout.ids[best],
            path=tuple(layout.ids[column] for column in layout.trail(best)),
            probability=exp(min(0.0, float(logs[best]))),
            on_good_path=self.is_good(best),
            top=tuple(layout.ids[column] for column in top),
        )

    def log_probabilities(self, terms: Mapping[str, int]) -> Floats:
        """Ln Pr[c|d] for every column of the layout."""
        layout = self.layout
        scores = np.logaddexp.reduceat(self.part_scores(terms), self.weights.part_starts)
        logs: Floats = scores - np.logaddexp.reduceat(scores, layout.starts)[layout.group]
        for first, end in layout.levels[1:]:
            logs[first:end] += logs[layout.parent[first:end]]
        return logs

    def part_scores(self, terms: Mapping[str, int]) -> Floats:
        """Ln (Pr[part|parent] Pr[d|part]) for every part, up to what siblings share."""
        weights, parts, table = self.weights, len(self.weights.prior), self.weights.table
        known = weights.rows.get
        found = [(row, count) for term, count in terms.items() if (row := known(term)) is not None]
        if not found:
            return weights.prior.copy()
        rows, counts = np.array(found, np.int64).T
        # Written out in numpy: scipy takes longer to check matrices than to multiply.
        start = table.indptr[rows]
        sizes = table.indptr[rows + 1] - start
        _, places = spans(start, sizes)
        sums = np.bincount(
            table.indices[places],
            table.data[places] * np.repeat(counts, sizes),
            minlength=parts + len(self.layout.starts),
        )
        chosen = sums[parts:][weights.part_group]
        text = sums[:parts] + chosen * weights.unseen
        if weights.length:
            text *= np.minimum(1.0, weights.length / np.maximum(chosen, 1.0))
        return np.asarray(weights.prior + text)


def fisher_index(means: Floats, squares: Floats) -> Floats:
    """How well each term tells classes apart: spread between classes over spread within.

    ``means[c, t]`` is the mean over the documents of class c of the share that term t has of a document, ``squares[c,
    t]`` the mean of its square. The index is the sum over pairs of classes of (mean - mean')² over the sum of the
    variances within the classes (Chakrabarti, Dom, Agrawal, Raghavan 1998, VLDB Journal 7). The mean of the
    denominators is added to each, so that a term which varies in no class is not infinitely good.

    >>> means = np.array([[0.5, 0.1], [0.1, 0.1]])
    >>> fisher_index(means, means**2 + 0.01).round(2).tolist()
    [4.0, 0.0]
    """
    between = len(means) * (means**2).sum(axis=0) - means.sum(axis=0) ** 2
    within = np.maximum(squares - means**2, 0.0).sum(axis=0)
    usual = float(within.mean()) if within.size else 0.0
    return np.asarray(between / (within + (usual or 1.0)))


def select_features(index: Floats, number: int) -> Ints:
    """The places of the ``number`` largest values, in order of place; all for 0.

    >>> select_features(np.array([0.2, 0.9, 0.2, 0.1]), 2).tolist()
    [0, 1]
    """
    if number <= 0 or number >= len(index):
        return np.arange(len(index))
    return np.sort(np.argsort(-index, kind="stable")[:number])


def train_classifier(
    tree: CategoryTree, examples: ExampleSet, options: TaxonomyOptions, good: Iterable[str]
) -> Classifier:
    """The classifier of the examples, without empty categories; TopicError if all are empty."""
    counted = examples.matrix()
    layout = layout_of(tree, set(counted.categories))
    if not layout.ids:
        raise TopicError(f"{tree.name} has no examples to learn from; add some")
    return Classifier(layout, _weights(tree, counted, layout, options), frozenset(good))


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


class _Sums(msgspec.Struct, frozen=True):
    """Per class: how many documents, and the sums of their counts, shares and squared shares."""

    documents: Floats
    counts: csr_matrix
    shares: csr_matrix
    squares: csr_matrix

    @staticmethod
    def of(counted: CountedExamples, owners: list[str]) -> _Sums:
        """Sum the examples of each category itself."""
        totals = np.asarray(counted.counts.sum(axis=1))
        shares = counted.counts.multiply(1.0 / np.maximum(totals, 1.0)).tocsr()
        numbers = {owner: number for number, owner in enumerate(owners)}
        rows = [(numbers[category], row) for row, category in enumerate(counted.categories)]
        each = _Sums(np.ones(len(rows)), counted.counts, shares, shares.multiply(shares).tocsr())
        return each.gathered(_members(rows, len(owners), len(rows)))

    def gathered(self, classes: csr_matrix) -> _Sums:
        """Return the sums of classes made of these."""
        return _Sums(
            classes @ self.documents, *((classes @ part).tocsr() for part in (self.counts, self.shares, self.squares))
        )

    def rows(self, chosen: list[int] | slice) -> _Sums:
        return _Sums(self.documents[chosen], self.counts[chosen], self.shares[chosen], self.squares[chosen])

    def telling_columns(self, number: int) -> Ints:
        """Return the columns of the terms that tell these classes apart, at most ``number``."""
        occurring: Ints = np.unique(self.counts.indices).astype(np.int64)
        if not 0 < number < len(occurring):
            return occurring
        documents = self.documents[:, None]
        means = self.shares[:, occurring].toarray() / documents
        squares = self.squares[:, occurring].toarray() / documents
        return occurring[select_features(fisher_index(means, squares), number)]


def _weights(tree: CategoryTree, counted: CountedExamples, layout: Layout, options: TaxonomyOptions) -> Weights:
    from scipy.sparse import csr_matrix

    owners = list(dict.fromkeys(counted.categories))
    columns = {category: column for column, category in enumerate(layout.ids)}
    above = [(columns[step], row) for row, owner in enumerate(owners) for step in tree.trail(owner)]
    own = _Sums.of(counted, owners)
    whole = own.gathered(_members(above, len(columns), len(owners)))
    parts: list[list[int]] = [[] for _ in columns]
    if options.mixture:
        for column, row in above:
            parts[column].append(row)
    part_starts = np.concatenate(([0], np.cumsum([len(rows) or 1 for rows in parts])))
    size = int(part_starts[-1])
    unseen, prior, part_group = np.zeros(size), np.zeros(size), np.zeros(size, np.int64)
    entries: list[tuple[Ints, Ints, Floats]] = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    ends = [*layout.starts[1:].tolist(), len(columns)]
    for group, (first, end) in enumerate(zip(layout.starts.tolist(), ends, strict=True)):
        low, high = int(part_starts[first]), int(part_starts[end])
        siblings = whole.rows(slice(first, end))
        rows = [row for column in range(first, end) for row in parts[column]]
        sums = own.rows(rows) if rows else siblings
        prior[low:high] = np.log(sums.documents / sums.documents.sum())
        part_group[low:high] = group
        # An only child needs no words.
        chosen = siblings.telling_columns(options.features) if end - first > 1 else np.empty(0, np.int64)
        if len(chosen):
            seen = sums.counts[:, chosen].tocoo()
            total = np.bincount(seen.row, seen.data, minlength=high - low).astype(np.float64)
            unseen[low:high] = log_unseen(total, options.smoothing, len(chosen))
            logs = np.log1p(seen.data / options.smoothing)
            entries.append((chosen[seen.col], seen.row.astype(np.int64) + low, logs))
            entries.append((chosen, np.full(len(chosen), size + group), np.ones(len(chosen))))
    term, place, value = (np.concatenate(part) for part in zip(*entries, strict=True))
    used, number = np.unique(term, return_inverse=True)
    table = csr_matrix((value, (number, place)), shape=(len(used), size + len(ends)))
    words = {counted.terms[one]: number for number, one in enumerate(used.tolist())}
    return Weights(words, table, part_starts[:-1], part_group, unseen, prior, options.length)


def _members(ones: list[tuple[int, int]], rows: int, columns: int) -> csr_matrix:
    from scipy.sparse import csr_matrix

    places = np.array(ones, np.int64).reshape(-1, 2).T
    return csr_matrix((np.ones(len(ones)), (places[0], places[1])), shape=(rows, columns))


class TellingTerm(msgspec.Struct, frozen=True):
    """A term, how often it counts in the document, and ln (Pr[t|c] / Pr[t|other])."""

    term: str
    count: float
    log_ratio: float


class CategoryComparison(msgspec.Struct, frozen=True):
    """The decision between the best good category and the best other one for a document.

    The two are siblings: where the paths to the best good leaf and to the best other leaf part.
    ``log_prior`` plus the sum of count · log_ratio is ln (Pr[category|d] / Pr[other|d]).
    """

    category: str
    other: str
    log_prior: float
    terms: tuple[TellingTerm, ...]


def compare(classifier: Classifier, terms: Mapping[str, int]) -> CategoryComparison | None:
    """What decided between good and other categories; None where all or none are good."""
    layout, weights = classifier.layout, classifier.weights
    logs = classifier.log_probabilities(terms)
    leaves = layout.leaves.tolist()
    good = [leaf for leaf in leaves if classifier.is_good(leaf)]
    others = [leaf for leaf in leaves if not classifier.is_good(leaf)]
    if not good or not others:
        return None
    best, rival = max(good, key=logs.item), max(others, key=logs.item)
    trails = zip(layout.trail(best), layout.trail(rival), strict=False)
    one, other = next((mine, theirs) for mine, theirs in trails if mine != theirs)
    scores = classifier.part_scores(terms)
    part, rival = (max(_parts(classifier, column), key=scores.item) for column in (one, other))
    group = int(layout.group[one])
    found = []
    for term, count in terms.items():
        said = _said(weights, term)
        if len(weights.prior) + group in said:
            ratio = said.get(part, 0.0) - said.get(rival, 0.0)
            base = float(weights.unseen[part] - weights.unseen[rival])
            found.append(TellingTerm(term, float(count), ratio + base))
    total = sum(telling.count for telling in found)
    if weights.length and total > weights.length:
        scale = weights.length / total
        found = [TellingTerm(one.term, one.count * scale, one.log_ratio) for one in found]
    found.sort(key=lambda telling: (-telling.count * telling.log_ratio, telling.term))
    prior = float(weights.prior[part] - weights.prior[rival])
    return CategoryComparison(layout.ids[one], layout.ids[other], prior, tuple(found))


def telling_terms(classifier: Classifier, category: str, number: int = 10) -> list[TellingTerm]:
    """The terms that tell a category from its siblings best.

    They are ordered by Pr[t|c] ln (Pr[t|c] / Pr[t|siblings]), where Pr[t|siblings] is the mean
    over the other parts, weighted by examples. An only child has none.
    """
    layout, weights = classifier.layout, classifier.weights
    if category not in layout.ids:
        return []
    column = layout.ids.index(category)
    own = _parts(classifier, column)
    inside = np.zeros(len(weights.prior), bool)
    inside[own] = True
    rivals = np.flatnonzero((weights.part_group == layout.group[column]) & ~inside)
    if not len(rivals):
        return []
    # Words that the category itself has: only they can speak for it.
    said = weights.table[:, : len(weights.prior)]
    used = np.unique(said[:, own].nonzero()[0])
    chances = np.exp(said[used].toarray() + weights.unseen)
    here = chances[:, own] @ shares(weights.prior[own])
    there = chances[:, rivals] @ shares(weights.prior[rivals])
    words = {row: term for term, row in weights.rows.items()}
    ratio = np.log(here / there)
    order = np.argsort(-here * ratio, kind="stable")[:number]
    return [TellingTerm(words[int(used[at])], 1.0, float(ratio[at])) for at in order]


def _parts(classifier: Classifier, column: int) -> list[int]:
    starts = classifier.weights.part_starts
    ends = [*starts[1:].tolist(), len(classifier.weights.prior)]
    return list(range(int(starts[column]), ends[column]))


def _said(weights: Weights, term: str) -> dict[int, float]:
    row = weights.rows.get(term)
    if row is None:
        return {}
    said = weights.table[row]
    return dict(zip(said.indices.tolist(), said.data.tolist(), strict=True))
