"""Finding terms of several words, such as "first aid", in a sequence of stems.

Phrases are matched on what :func:`semcrawl.text.terms.terms` gives, where stop
words are gone: "diseases of the heart" and "diseases heart" are one phrase.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.text.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Phrase = tuple[str, ...]
"""The stems of a term of one or several words, in their order."""


class PhraseMatcher:
    """Finds phrases from left to right, the longest first, without overlaps.

    >>> matcher = PhraseMatcher.from_texts(["first aid", "first aid kit", "kit"])
    >>> list(matcher.find(terms("A first-aid kit for first aid")))
    [(0, ('first', 'aid', 'kit')), (3, ('first', 'aid'))]
    """

    __slots__ = ("_lengths", "_phrases")

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        """Take the phrases to find; empty ones are passed over."""
        self._phrases = frozenset(tuple(phrase) for phrase in phrases if phrase)
        # The lengths that occur under a first stem, long to short: a position
        # where no phrase starts costs one look-up, however many phrases there are.
        lengths: dict[str, set[int]] = {}
        for phrase in self._phrases:
            lengths.setdefault(phrase[0], set()).add(len(phrase))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> PhraseMatcher:
        """Return a matcher of the phrases in ``texts``; one of stop words alone is passed over."""
        return cls(tuple(terms(text)) for text in texts)

    def __len__(self) -> int:
        """Return the number of different phrases."""
        return len(self._phrases)

    def __contains__(self, phrase: object) -> bool:
        """Return whether a tuple of stems is one of the phrases."""
        return phrase in self._phrases

    def find(self, stems: Sequence[str]) -> Iterator[tuple[int, Phrase]]:
        """Yield the phrases in a sequence of stems, each with the position of its first stem."""
        position, end = 0, len(stems)
        while position < end:
            phrase = self._longest_at(position, stems)
            if phrase:
                yield position, phrase
            position += len(phrase) or 1

    def count(self, text: str) -> dict[str, int]:
        """Return how often each term occurs in a text, phrases being terms of their own.

        A phrase is keyed by its stems with a space between; a stem inside a
        phrase is counted as part of it only.

        >>> PhraseMatcher.from_texts(["first aid"]).count("First aid comes first")
        {'first aid': 1, 'come': 1, 'first': 1}
        """
        stems = terms(text)
        counts: dict[str, int] = {}
        position, end = 0, len(stems)
        while position < end:
            phrase = self._longest_at(position, stems)
            term = " ".join(phrase) or stems[position]
            counts[term] = counts.get(term, 0) + 1
            position += len(phrase) or 1
        return counts

    def _longest_at(self, position: int, stems: Sequence[str]) -> Phrase:
        """Return the longest phrase that starts at a position, () where none does."""
        for length in self._lengths.get(stems[position], ()):
            candidate = tuple(stems[position : position + length])
            if candidate in self._phrases:
                return candidate
        return ()
