"""The labels of a graph's concepts, and finding concepts by them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

from semcrawl.text.terms import stem, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_MOST_CANDIDATES = 4_000
_CODE = re.compile(r"[A-Za-z]{0,12}[_:.-]?[0-9][0-9_.:-]*[A-Za-z]?|[0-9a-f-]{20,}", re.IGNORECASE)
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_+\s]+")


class Label(NamedTuple):
    """A name of a concept: text, language tag ("" if not known), weight (1 = as good as any)."""

    text: str
    language: str = "en"
    weight: float = 1.0


def primary_language(tag: str) -> str:
    """Return the language of a tag without its region: ``pt`` of ``pt-BR``."""
    return tag.lower().split("-")[0]


def labels_in(language: str, labels: list[Label]) -> list[Label]:
    """Return the labels in a language or in none; all of them where there are none such."""
    wanted = ("", primary_language(language))
    return [label for label in labels if primary_language(label.language) in wanted] or labels


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


def last_part(iri: str) -> str:
    """Return what follows the last ``#``, ``/`` or ``:`` of an IRI.

    >>> last_part("http://purl.obolibrary.org/obo/DOID_2841"), last_part("http://a.org/b#C")
    ('DOID_2841', 'C')
    """
    rest = re.split(r"[#/]", iri.rstrip("#/"))[-1]
    return unquote(rest if "/" in iri or "#" in iri else iri.rpartition(":")[2])


def words_of_name(name: str) -> str:
    """Return the words that a name is put together from, "" for a code such as DOID_2841.

    >>> words_of_name("CabernetSauvignon"), words_of_name("has_part"), words_of_name("DOID_2841")
    ('Cabernet Sauvignon', 'has part', '')
    """
    return "" if _CODE.fullmatch(name) else " ".join(_BOUNDARY.sub(" ", name).split())


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
        rows = len(text)
        self._languages = [languages] * rows if isinstance(languages, str) else languages
        self._weights = [1.0] * rows if weights is None else weights
        self._ranks = np.zeros(rows, np.int64) if ranks is None else ranks

    def of(self, concept: int) -> list[Label]:
        """Return the labels of a concept, the preferred one first."""
        return [self._label(row) for row in range(*self._start[concept : concept + 2].tolist())]

    def _label(self, row: int) -> Label:
        return Label(self._texts[self._text[row]], self._languages[row], self._weights[row])

    def joined(self, other: LabelTable, places: NDArray[np.int64], size: int) -> LabelTable:
        """Return both tables as one of ``size`` concepts; concept n of the other is at places[n].

        The labels of this table come first. A label that a concept has in both
        is kept once.
        """
        theirs = places[other._owners()]
        new = np.ones(len(theirs), bool)
        for row in np.flatnonzero(theirs < len(self._start) - 1).tolist():
            new[row] = other._label(row)[:2] not in {label[:2] for label in self.of(theirs[row])}
        rows = np.flatnonzero(new)
        owners = np.concatenate((self._owners(), theirs[rows]))
        order = np.argsort(owners, kind="stable")
        start = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(owners, minlength=size), out=start[1:])
        text = np.concatenate((self._text, other._text[rows] + len(self._texts)))
        languages = [*self._languages, *map(other._languages.__getitem__, rows.tolist())]
        weights = [*self._weights, *map(other._weights.__getitem__, rows.tolist())]
        # What this table has is found before what only the other has.
        ranks = np.concatenate((self._ranks, other._ranks[rows] + (1 << 20)))
        return LabelTable(
            start,
            text[order],
            [*self._texts, *other._texts],
            languages=list(map(languages.__getitem__, order.tolist())),
            weights=list(map(weights.__getitem__, order.tolist())),
            ranks=ranks[order],
        )

    def _owners(self) -> NDArray[np.int64]:
        """Return the concept of every row."""
        return np.repeat(np.arange(len(self._start) - 1), np.diff(self._start))

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
        with the text are compared, for speed.
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
        return _Lookup(keys, self._text, self._owners(), self._ranks)


class _Lookup:
    """From a key to the concepts that have it, in order of rank."""

    def __init__(
        self,
        keys: list[str],
        text: NDArray[np.int64],
        owners: NDArray[np.int64],
        ranks: NDArray[np.int64],
    ) -> None:
        self.keys: dict[str, int] = dict(zip(keys, range(len(keys)), strict=True))
        group = np.fromiter(map(self.keys.__getitem__, keys), np.int64, len(keys))[text]
        order = group * (int(ranks.max(initial=0)) + 1) + ranks
        self._owners = owners[np.argsort(order, kind="stable")]
        self._start = np.zeros(len(keys) + 1, np.int64)
        np.cumsum(np.bincount(group, minlength=len(keys)), out=self._start[1:])

    def find(self, key: str) -> list[int]:
        number = self.keys.get(key)
        if number is None:
            return []
        found = self._owners[self._start[number] : self._start[number + 1]].tolist()
        return list(dict.fromkeys(found))
