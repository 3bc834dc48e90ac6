"""Finding terms of several words, such as "first aid", in what ``text.terms.terms`` gives.

Stop words are gone there: "diseases of the heart" and "diseases heart" are one phrase.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Phrase = tuple[str, ...]
"""The stems of a term of several words."""

Counts = Mapping[str, int]
"""How often each term occurs; a phrase is keyed by its stems with spaces between."""

OrderedTerms = Callable[[], Sequence[str]]
"""Gives the terms of a text in their order, as ``semcrawl.text.terms`` does."""

_NONE: dict[str, int] = {}


class PhraseMatcher:
    """Finds phrases from left to right, the longest first, without overlaps.

    >>> matcher = PhraseMatcher(["first aid", "first aid kit"])
    >>> matcher.find(["first", "aid", "kit", "first", "aid"])
    [(0, ('first', 'aid', 'kit')), (3, ('first', 'aid'))]
    >>> matcher.split({"first": 2, "aid": 1}, lambda: ["first", "aid", "first"])
    ({'first': 1}, {'first aid': 1})
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        """Take phrases of two stems or more, as stems with spaces between."""
        split = sorted((tuple(phrase.split(" ")) for phrase in phrases), key=len, reverse=True)
        usual = Counter(stem for stems in split for stem in set(stems))
        self._size = len(split)
        # First stem, then second, then the phrases that start so, long to short.
        self._by_start: dict[str, dict[str, list[Phrase]]] = {}
        # Under its rarest stem a phrase is looked at least often.
        self._by_stem: dict[str, list[Phrase]] = {}
        for stems in split:
            seconds = self._by_start.setdefault(stems[0], {})
            seconds.setdefault(stems[1], []).append(stems)
            self._by_stem.setdefault(min(stems, key=usual.__getitem__), []).append(stems)

    def __len__(self) -> int:
        return self._size

    def find(self, stems: Sequence[str]) -> list[tuple[int, Phrase]]:
        """Return the phrases in a sequence of stems, each with the position of its first stem."""
        by_start = self._by_start
        found: list[tuple[int, Phrase]] = []
        end, last = 0, len(stems) - 1
        for position in [place for place, stem in enumerate(stems) if stem in by_start]:
            if position < end or position == last:
                continue
            for phrase in by_start[stems[position]].get(stems[position + 1], ()):
                size = len(phrase)
                if size == 2 or tuple(stems[position : position + size]) == phrase:
                    found.append((position, phrase))
                    end = position + size
                    break
        return found

    def split(self, counts: Counts, ordered: OrderedTerms | None) -> tuple[Counts, Counts]:
        """Return the counts of single stems outside phrases, and those of the phrases.

        ``ordered`` is called only where ``counts`` hold all stems of some phrase.
        """
        if ordered is None or not self._may_hold(counts):
            return counts, _NONE
        found = self.find(ordered())
        if not found:
            return counts, _NONE
        left = dict(counts)
        phrases: dict[str, int] = {}
        for _, phrase in found:
            key = " ".join(phrase)
            phrases[key] = phrases.get(key, 0) + 1
            for stem in phrase:
                rest = left.get(stem, 0) - 1
                if rest > 0:
                    left[stem] = rest
                else:
                    left.pop(stem, None)
        return left, phrases

    def _may_hold(self, counts: Counts) -> bool:
        by_stem = self._by_stem
        return any(
            all(other in counts for other in phrase)
            for stem in [stem for stem in counts if stem in by_stem]
            for phrase in by_stem[stem]
        )
