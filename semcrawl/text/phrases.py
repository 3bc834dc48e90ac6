"""Finding labels in texts: phrases such as "first aid", and acronyms as they are written.

Phrases are looked for among words as ``Analyser.words`` gives them. Stop words are gone there:
"diseases of the heart" and "diseases heart" are one phrase.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, pairwise

from semcrawl.text.terms import may_be_term
from semcrawl.text.vocabulary import WordSequence

Phrase = tuple[str, ...]  # the stems of a term of several words
Counts = Mapping[str, int]
"""How often each term occurs; a phrase is keyed by its stems with spaces between."""

OrderedWords = Callable[[], Sequence[str]]
"""Gives the words of a text in their order, as ``Analyser.words`` does."""

WrittenText = Callable[[], str]  # gives a text as it is written
EXACT = "="  # what the key of a label begins with that is matched as it is written
_NONE: dict[str, int] = {}
_LETTERS = re.compile(r"[^\W\d_]+")
_NEAR = 40  # characters beside a word in which the next words are looked for


def acronym_uses(word: str, text: str) -> int:
    """Return how often a word in capitals, or its plural, stands beside words that are not.

    A word in capitals among others is a heading, and one alone may be.

    >>> acronym_uses("GNU", "The GNU Free Documentation License"), acronym_uses("GNU", "THE GNU")
    (1, 0)
    """
    found = re.finditer(rf"(?<!\w){word}(?:ES|S)?(?!\w)", text)
    return sum(_is_alone(text, *match.span()) for match in found)


def _is_alone(text: str, start: int, end: int) -> bool:
    before = _LETTERS.findall(text[max(start - _NEAR, 0) : start])[-1:]
    after = _LETTERS.findall(text[end : end + _NEAR])[:1]
    beside = before + after
    return bool(beside) and not any(len(word) > 1 and word.isupper() for word in beside)


def counted(places: Iterable[tuple[int, Phrase]]) -> Counts:
    """Return how often each phrase was found.

    >>> counted([(0, ("first", "aid")), (7, ("first", "aid"))])
    {'first aid': 2}
    """
    found = [" ".join(phrase) for _, phrase in places]
    return dict(Counter(found)) if found else _NONE


class PhraseMatcher:
    """Finds phrases from left to right, the longest first, without overlaps.

    >>> matcher = PhraseMatcher(["first aid", "first aid kit"])
    >>> matcher.find(["first", "aid", "kit", "first", "aid"])
    [(0, ('first', 'aid', 'kit')), (3, ('first', 'aid'))]
    >>> matcher.split({"first": 2, "aid": 1}, lambda: ["first", "aid", "first"])
    ({'first': 1}, {'first aid': 1})
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        """Take phrases of two or more stems with spaces between; they may hold numbers."""
        split = sorted((tuple(phrase.split(" ")) for phrase in phrases), key=len, reverse=True)
        self._size = len(split)
        # First stem, then second, then the phrases that start so, long to short.
        self._by_start: dict[str, dict[str, list[Phrase]]] = {}
        # Of these first stems counts cannot tell whether a phrase may begin with them.
        self._uncounted: set[str] = set()
        self._uncounted_second: set[str] = set()
        for stems in split:
            self._by_start.setdefault(stems[0], {}).setdefault(stems[1], []).append(stems)
        for first, seconds in self._by_start.items():
            if not may_be_term(first):
                self._uncounted.add(first)
            elif not all(map(may_be_term, seconds)):
                self._uncounted_second.add(first)

    def __len__(self) -> int:
        return self._size

    @property
    def first_stems(self) -> set[str]:
        """The first two stems of each phrase: what :meth:`places` looks for in counts."""
        return {*self._by_start, *chain.from_iterable(self._by_start.values())}

    def find(self, stems: Sequence[str]) -> list[tuple[int, Phrase]]:
        """Return the phrases in a sequence of stems, each with the position of its first stem."""
        return self._find(stems, self._by_start)

    def _find(self, stems: Sequence[str], starts: Collection[str]) -> list[tuple[int, Phrase]]:
        by_start = self._by_start
        found: list[tuple[int, Phrase]] = []
        end = 0
        if isinstance(stems, WordSequence):
            pairs = stems.pairs_of(starts)
        else:
            pairs = ((place, *pair) for place, pair in enumerate(pairwise(stems)) if pair[0] in starts)
        for position, first, second in pairs:
            if position < end:
                continue
            for phrase in by_start[first].get(second, ()):
                size = len(phrase)
                if size == 2 or tuple(stems[position : position + size]) == phrase:
                    found.append((position, phrase))
                    end = position + size
                    break
        return found

    def count(self, counts: Counts, ordered: OrderedWords) -> Counts:
        """Return how often each phrase is in a text; ``ordered`` is called only if needed."""
        return counted(self.places(counts, ordered))

    def places(self, counts: Counts, ordered: OrderedWords) -> list[tuple[int, Phrase]]:
        """Return what :meth:`find` does, of a text whose counts are known."""
        starts = self._starts_in(counts)
        return self._find(ordered(), starts) if starts else []

    def split(self, counts: Counts, ordered: OrderedWords) -> tuple[Counts, Counts]:
        """Return the counts of single stems outside phrases, and those of the phrases."""
        phrases = self.count(counts, ordered)
        if not phrases:
            return counts, _NONE
        left = dict(counts)
        for phrase, count in phrases.items():
            for stem in phrase.split(" "):
                rest = left.get(stem, 0) - count
                if rest > 0:
                    left[stem] = rest
                else:
                    left.pop(stem, None)
        return left, phrases

    def _starts_in(self, counts: Counts) -> set[str]:
        """Return the first stems of phrases that a text with these counts may hold."""
        by_start, any_second = self._by_start, self._uncounted_second
        counted = counts.keys()
        found = {
            stem
            for stem in counted & by_start.keys()
            if stem in any_second or not by_start[stem].keys().isdisjoint(counted)
        }
        return found | self._uncounted if self._uncounted else found


class ExactMatcher:
    """Counts labels that are matched as they are written, such as acronyms.

    >>> matcher = ExactMatcher({"=AD": "ad", "=MoS": "mo"})
    >>> matcher.count({"ad": 2}, lambda: "An ad for AD-free life")
    {'=AD': 1}
    """

    def __init__(self, stems: Mapping[str, str]) -> None:
        """Take the keys of the labels, each with the stem under which texts count it, or ""."""
        self._by_stem: dict[str, list[str]] = {}
        for key, stem in stems.items():
            self._by_stem.setdefault(stem, []).append(key.removeprefix(EXACT))

    @property
    def stems(self) -> Collection[str]:
        """The stems that are looked for in counts."""
        return self._by_stem.keys()

    def count(self, counts: Counts, text: WrittenText) -> Counts:
        """Return how often each label is in a text; it is read only where it may hold one."""
        if not self._by_stem:
            return _NONE
        places = self.find(counts.keys() & self._by_stem.keys(), text)
        return dict(Counter(key for _, key in places)) if places else _NONE

    def find(self, stems: Iterable[str], text: WrittenText) -> list[tuple[int, str]]:
        """Return the labels in a text with their positions, of those that some stems may mean."""
        wanted = [label for stem in (*stems, "") for label in self._by_stem.get(stem, ())]
        written = text() if wanted else ""
        # To look for each of them is much faster than to try all of them at every place.
        there = [label for label in wanted if label in written]
        if not there:
            return []
        longest_first = "|".join(map(re.escape, sorted(there, key=len, reverse=True)))
        found = re.finditer(rf"(?<![\w&])(?:{longest_first})(?![\w&])", written)
        return [(match.start(), EXACT + match.group()) for match in found]
