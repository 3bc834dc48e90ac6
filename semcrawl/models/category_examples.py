"""The examples of the categories: how often each term occurs in each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, slots=True)
class Example:
    """One example: where it came from, its category, and its term counts in two arrays.

    The terms are numbers in the vocabulary of the :class:`ExampleSet`.
    """

    source: str
    category: str
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class CountedExamples:
    """All examples as a matrix, in an order that does not depend on when they were added.

    Attributes:
        terms: the term of each column, sorted.
        categories: the category of each row.
        counts: rows of term counts.
    """

    terms: list[str]
    categories: list[str]
    counts: csr_matrix


class ExampleSet:
    """Examples by source and category; a document may be an example of several categories.

    >>> examples = ExampleSet()
    >>> examples.add("a.html", "ex:cats", {"cat": 2, "purr": 1})
    True
    >>> examples.number("ex:cats"), examples.categories_of("a.html")
    (1, ['ex:cats'])
    """

    def __init__(self, terms: Sequence[str] = ()) -> None:
        """Make a set without examples; ``terms`` are the first numbers of its vocabulary."""
        self._vocabulary = {term: number for number, term in enumerate(terms)}
        self._rows: dict[tuple[str, str], Example] = {}

    def __len__(self) -> int:
        """Return the number of examples."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Example]:
        """The examples, in the order in which they were added."""
        return iter(self._rows.values())

    @property
    def vocabulary(self) -> list[str]:
        """The terms by their numbers."""
        return list(self._vocabulary)

    def add(self, source: str, category: str, counts: Mapping[str, int]) -> bool:
        """Add an example, or replace it; return whether it is new to the category."""
        numbers = self._vocabulary
        terms = np.fromiter(
            (numbers.setdefault(term, len(numbers)) for term in counts), np.int32, len(counts)
        )
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
        self.put(replace(self._rows.pop((source, category)), category=to))

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

    def number(self, category: str) -> int:
        """How many examples a category itself has."""
        return len(self.of(category))

    def numbers(self) -> dict[str, int]:
        """How many examples each category itself has."""
        return Counter(row.category for row in self._rows.values())

    def matrix(self) -> CountedExamples:
        """The examples as a matrix; sorted, so that the same examples give the same numbers."""
        from scipy.sparse import csr_matrix

        rows = sorted(self._rows.values(), key=lambda row: (row.source, row.category))
        used, columns = np.unique(
            np.concatenate([row.terms for row in rows] or [np.empty(0, np.int32)]),
            return_inverse=True,
        )
        words = self.vocabulary
        named = [words[number] for number in used.tolist()]
        order = sorted(range(len(named)), key=named.__getitem__)
        place = np.empty(len(named), np.int64)
        place[order] = np.arange(len(named))
        start = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row.terms) for row in rows], out=start[1:])
        values = np.concatenate([row.counts for row in rows] or [np.empty(0, np.int32)])
        counts = csr_matrix(
            (values.astype(np.float64), place[columns], start), shape=(len(rows), len(named))
        )
        return CountedExamples(
            [named[number] for number in order], [row.category for row in rows], counts
        )
