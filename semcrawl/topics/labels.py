"""The labels of a graph's concepts, and finding concepts by them."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from semcrawl.text.terms import stem, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Label", "LabelTable", "normal_label", "stemmed_label"]

_MOST_CANDIDATES = 4_000


class Label(NamedTuple):
    """A name of a concept: text, language tag ("" if not known), weight (1 = as good as any)."""

    text: str
    language: str = "en"
    weight: float = 1.0


def normal_label(text: str) -> str:
    """Return the form in which labels are compared: case folded, with single spaces.

    >>> normal_label(" First_Aid ")
    'first aid'
    """
    return " ".join(text.replace("_", " ").casefold().split())


def stemmed_label(text: str) -> str:
    """Return the stems of a label's words, stop words included, with single spaces.

    >>> stemmed_label("Diseases of the Heart") == stemmed_label("disease of the hearts")
    True
    """
    return " ".join(map(stem, tokens(text)))


class LabelTable:
    """All labels of a graph: concept ``n`` has the rows ``start[n] .. start[n + 1] - 1``.

    A row holds the number of its text in ``texts`` (texts are shared and hold no
    line break), its language and weight, and its rank: where several concepts
    have the same label, those of smaller rank are found first.
    """

    def __init__(
        self,
        start: NDArray[np.int64],
        text: NDArray[np.int64],
        texts: Sequence[str],
        *,
        languages: Sequence[str] | str = "en",
        weights: Sequence[float] | None = None,
        ranks: NDArray[np.int64] | None = None,
    ) -> None:
        """Take the columns; one string as ``languages`` holds for every row."""
        self._start = start
        self._text = text
        self._texts = texts
        self._languages = languages
        self._weights = weights
        self._ranks = ranks

    def of(self, concept: int) -> list[Label]:
        """Return the labels of a concept, the preferred one first."""
        return [self._label(row) for row in range(*self._start[concept : concept + 2].tolist())]

    def _label(self, row: int) -> Label:
        languages, weights = self._languages, self._weights
        return Label(
            self._texts[self._text[row]],
            languages if isinstance(languages, str) else languages[row],
            1.0 if weights is None else weights[row],
        )

    def joined(self, other: LabelTable, places: NDArray[np.int64], size: int) -> LabelTable:
        """Return both tables as one of ``size`` concepts; concept n of the other is at places[n].

        The labels of this table come first. A label that a concept has in both
        is kept once.
        """
        own = np.repeat(np.arange(len(self._start) - 1), np.diff(self._start))
        theirs = places[np.repeat(np.arange(len(other._start) - 1), np.diff(other._start))]
        new = np.ones(len(theirs), bool)
        for row in np.flatnonzero(theirs < len(self._start) - 1).tolist():
            new[row] = other._label(row)[:2] not in {label[:2] for label in self.of(theirs[row])}
        rows = np.flatnonzero(new)
        owners = np.concatenate((own, theirs[rows]))
        order = np.argsort(owners, kind="stable")
        start = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(owners, minlength=size), out=start[1:])
        text = np.concatenate((self._text, other._text[rows] + len(self._texts)))
        kept, sequence = rows.tolist(), order.tolist()
        languages = [*self._all_languages(), *map(other._all_languages().__getitem__, kept)]
        weights = [*self._all_weights(), *map(other._all_weights().__getitem__, kept)]
        # What this table has is found before what only the other has.
        ranks = np.concatenate((self._all_ranks(), other._all_ranks()[rows] + (1 << 20)))
        return LabelTable(
            start,
            text[order],
            [*self._texts, *other._texts],
            languages=list(map(languages.__getitem__, sequence)),
            weights=list(map(weights.__getitem__, sequence)),
            ranks=ranks[order],
        )

    def _all_languages(self) -> Sequence[str]:
        languages = self._languages
        return [languages] * len(self._text) if isinstance(languages, str) else languages

    def _all_weights(self) -> Sequence[float]:
        return [1.0] * len(self._text) if self._weights is None else self._weights

    def _all_ranks(self) -> NDArray[np.int64]:
        return np.zeros(len(self._text), np.int64) if self._ranks is None else self._ranks

    def find(self, text: str) -> list[int]:
        """Return the concepts with this label, whatever its case, the most usual first."""
        return self._exact.find(normal_label(text))

    def find_stemmed(self, text: str) -> list[int]:
        """Return the concepts with a label of the same stems, the most usual first."""
        return self._stemmed.find(stemmed_label(text))

    def search(self, text: str, limit: int = 20) -> list[str]:
        """Return labels that hold a text, those that begin with it first, then by length."""
        wanted = normal_label(text)
        found = [label for label in self._exact.keys if wanted in label]
        found.sort(key=lambda label: (not label.startswith(wanted), len(label), label))
        return found[:limit]

    def near(self, text: str, limit: int = 5) -> list[str]:
        """Return labels that are spelt much like a text, the nearest first.

        Only labels of about the same length that share the beginning or the end
        with the text are compared, so the answer takes a fraction of a second
        in a graph of any size.
        """
        wanted = normal_label(text)
        if not wanted:
            return []
        size, first, last = len(wanted), wanted[0], wanted[-2:]
        candidates = [
            label
            for label in self._exact.keys
            if abs(len(label) - size) <= 2 and (label[:1] == first or label[-2:] == last)
        ]
        candidates.sort(key=lambda label: (label[:2] != wanted[:2], abs(len(label) - size)))
        return get_close_matches(wanted, candidates[:_MOST_CANDIDATES], limit, 0.7)

    @cached_property
    def _exact(self) -> _Lookup:
        # One pass over the joined text is five times faster than one per label.
        keys = "\n".join(self._texts).replace("_", " ").casefold().split("\n")
        return self._lookup(keys if self._texts else [])

    @cached_property
    def _stemmed(self) -> _Lookup:
        return self._lookup([stemmed_label(text) for text in self._texts])

    def _lookup(self, keys: list[str]) -> _Lookup:
        owners = np.repeat(np.arange(len(self._start) - 1), np.diff(self._start))
        return _Lookup(keys, self._text, owners, self._ranks)


class _Lookup:
    """From a key to the concepts that have it, in order of rank."""

    def __init__(
        self,
        keys: list[str],
        text: NDArray[np.int64],
        owners: NDArray[np.int64],
        ranks: NDArray[np.int64] | None,
    ) -> None:
        self.keys: dict[str, int] = dict(zip(keys, range(len(keys)), strict=True))
        group = np.fromiter(map(self.keys.__getitem__, keys), np.int64, len(keys))[text]
        order = group if ranks is None else group * (int(ranks.max(initial=0)) + 1) + ranks
        self._owners = owners[np.argsort(order, kind="stable")]
        self._start = np.zeros(len(keys) + 1, np.int64)
        np.cumsum(np.bincount(group, minlength=len(keys)), out=self._start[1:])

    def find(self, key: str) -> list[int]:
        number = self.keys.get(key)
        if number is None:
            return []
        found = self._owners[self._start[number] : self._start[number + 1]].tolist()
        return list(dict.fromkeys(found))
