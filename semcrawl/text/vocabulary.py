"""Texts as arrays of numbers: the words of a page are found and counted without a loop over them.

Every word has a number. A text is cut at blanks into pieces, nearly all of which give one word or
none. Such a piece is found by a hash of its bytes in an array, which is twice as fast as to ask a
dict for thousands of strings, as that waits for memory each time.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from threading import Lock
from typing import Any, NamedTuple, overload
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Places = NDArray[np.int64]
Hashes = NDArray[np.uint64]

MOST_WORDS = 200_000  # after so many a vocabulary is to be replaced by a new one
_LONGEST = 24  # bytes of a piece that is looked for in the array
_FIRST_SLOTS = 1 << 14
_NO_WORD, _UNKNOWN = -1, -2
# Of what is in a slot, 24 bits are the number of a word plus 2, the others of the piece's hash.
_NUMBER = np.uint64((1 << 24) - 1)
# Drawn anew: who knew it could write words that all go to one slot, which would take time by their number squared.
_FACTOR, _SHIFT = np.uint64(secrets.randbits(64) | 1), np.uint64(32)
_EIGHT = 8
# By length, the bytes that belong to a piece among eight.
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_EIGHT + 1)], np.uint64)


class GrowingArray:
    """An array to which values are added at its end."""

    def __init__(self, kind: type, first: Sequence[float] | NDArray[Any] = ()) -> None:
        self._held: NDArray[Any] = np.empty(256, kind)
        self._size = 0
        self.extend(first)

    def __len__(self) -> int:
        return self._size

    def extend(self, values: Sequence[float] | NDArray[Any]) -> None:
        """Add values."""
        end = self._size + len(values)
        if end > len(self._held):
            larger = np.empty(max(end, len(self._held) * 9 // 8), self._held.dtype)
            larger[: self._size] = self._held[: self._size]
            self._held = larger
        self._held[self._size : end] = values
        self._size = end

    @property
    def values(self) -> NDArray[Any]:
        """What it holds now; not a copy, and not to be kept."""
        return self._held[: self._size]


class WordSequence(Sequence[str]):
    """The words of a text in their order, and how often it has each term."""

    def __init__(self, vocabulary: "Vocabulary", numbers: Ints, terms: Ints, counts: Ints) -> None:
        self.vocabulary = vocabulary
        self.numbers = numbers
        self.terms = terms  # by number, in order of first occurrence
        self.counts = counts

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return self.vocabulary.texts_of(self.numbers[place])
        return self.vocabulary.texts[int(self.numbers[place])]

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def pairs_of(self, words: Iterable[str]) -> Iterator[tuple[int, str, str]]:
        """Yield where some words stand before another, with both."""
        numbers, texts_of = self.numbers, self.vocabulary.texts_of
        wanted = np.zeros(len(self.vocabulary.texts), bool)
        wanted[self.vocabulary.numbers_of(words)] = True
        places = np.flatnonzero(wanted[numbers[:-1]])
        return zip(places.tolist(), texts_of(numbers[places]), texts_of(numbers[places + 1]), strict=True)

    def count_terms(self, among: "ByWord | None" = None) -> dict[str, int]:
        """Return how often each term occurs, or each for which ``among`` has a value but 0."""
        terms, counts = self.terms, self.counts
        if among is not None:
            kept = np.flatnonzero(among.of(self))
            terms, counts = terms[kept], counts[kept]
        return dict(zip(self.vocabulary.texts_of(terms), counts.tolist(), strict=True))


class ByWord:
    """A value for every word, worked out when its vocabulary has met it; for several threads at once."""

    def __init__(self, value_of: Callable[[str], float], kind: type) -> None:
        self._value_of = value_of
        self._kind = kind
        self._known: WeakKeyDictionary[Vocabulary, GrowingArray] = WeakKeyDictionary()
        self._adding = Lock()

    def of(self, words: WordSequence) -> NDArray[Any]:
        """Return the values of the terms of a text."""
        return self._values(words)[words.terms]

    def of_all(self, words: WordSequence) -> NDArray[Any]:
        """Return the values of all words of a text, in their order."""
        return self._values(words)[words.numbers]

    def _values(self, words: WordSequence) -> NDArray[Any]:
        known, texts = self._known.get(words.vocabulary), words.vocabulary.texts
        if known is None or len(known) < len(texts):
            with self._adding:
                known = self._known.setdefault(words.vocabulary, GrowingArray(self._kind))
                known.extend(list(map(self._value_of, texts[len(known) :])))
        return known.values


class ShortTexts(NamedTuple):
    """Many texts that were read together."""

    size: int
    words: WordSequence  # those of all, one after the other; terms are counted in each text
    text_of_word: Places
    text_of_term: Places

    def words_of(self, text: int) -> list[str]:
        """Return the words of one of the texts."""
        first, end = np.searchsorted(self.text_of_word, (text, text + 1))
        return self.words[first:end]


class Vocabulary:
    """The words of one language by number, and the pieces of texts that they were met in.

    For one thread at a time. ``words_of`` gives the words of each of some pieces.
    """

    def __init__(self, words_of: Callable[[list[str]], list[list[str]]], is_term: Callable[[str], bool]) -> None:
        self.texts: list[str] = []  # the words by number
        self._numbers: dict[str, int] = {}
        self._words_of = words_of
        self._is_term_text = is_term
        self._is_term = GrowingArray(bool)
        self._scratch = np.empty(0, np.int32)  # by word
        # A piece whose slot is taken has the next that is free.
        self._slots: Hashes = np.zeros(_FIRST_SLOTS, np.uint64)
        self._kept = GrowingArray(np.uint64), GrowingArray(np.int32)  # hashes and words

    @property
    def is_full(self) -> bool:
        """Whether it should be replaced: a web of endless words must not fill the memory."""
        return max(len(self._kept[0]), len(self.texts)) >= MOST_WORDS

    def texts_of(self, numbers: Ints) -> list[str]:
        """Return words by number."""
        return list(map(self.texts.__getitem__, numbers.tolist()))

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words, of those that were met."""
        return [number for number in map(self._numbers.get, words) if number is not None]

    def read(self, spaced: bytes) -> WordSequence:
        """Return the words of a text in UTF-8 that has blanks between its pieces."""
        return self._counted(self._words_in(spaced)[0])

    def read_all(self, texts: Sequence[bytes]) -> ShortTexts:
        """Return the words of many such texts."""
        numbers, starts = self._words_in(b" ".join(texts))
        owners = np.searchsorted(np.cumsum([len(text) + 1 for text in texts]), starts, "right")
        is_term = self._is_term.values[numbers]
        terms, of_term = numbers[is_term], owners[is_term]
        _, first, counts = np.unique(of_term * len(self.texts) + terms, return_index=True, return_counts=True)
        order = np.argsort(first)
        first = first[order]
        words = WordSequence(self, numbers, terms[first], counts[order].astype(np.int32))
        return ShortTexts(len(texts), words, owners, of_term[first])

    def _words_in(self, spaced: bytes) -> tuple[Ints, Places]:
        """Return the words of a text, and where the piece that each is from begins."""
        starts, ends = _edges(spaced)
        sizes = ends - starts
        hashes = _hashes(spaced, starts, sizes)
        found = self._find(hashes)
        found[sizes > _LONGEST] = _UNKNOWN
        new = np.flatnonzero(found == _UNKNOWN)
        if not len(new):
            return found[found >= 0], starts[found >= 0]
        bounds = zip(starts[new].tolist(), ends[new].tolist(), strict=True)
        words = self._words_of([spaced[start:end].decode() for start, end in bounds])
        counts = np.fromiter(map(len, words), np.int64, len(words))
        numbers = np.array(self._numbers_of_all(chain.from_iterable(words)), np.int32)
        is_one, has_one = counts < 2, counts == 1
        found[new] = _NO_WORD
        found[new[has_one]] = numbers[np.repeat(has_one, counts)]
        is_kept = is_one & (sizes[new] <= _LONGEST)
        self._keep(hashes[new[is_kept]], found[new[is_kept]])
        if not is_one.all():
            several = np.repeat(new, counts)[np.repeat(~is_one, counts)]
            found = np.insert(found, several, numbers[np.repeat(~is_one, counts)])
            starts = np.insert(starts, several, starts[several])
        return found[found >= 0], starts[found >= 0]

    def number(self, words: Iterable[str]) -> WordSequence:
        """Return words that were found before, in their order."""
        return self._counted(np.array(self._numbers_of_all(words), np.int32))

    def _counted(self, numbers: Ints) -> WordSequence:
        if len(self._scratch) < len(self.texts):
            self._scratch = np.empty(2 * len(self.texts), np.int32)
        scratch, places = self._scratch, np.arange(len(numbers), dtype=np.int32)
        scratch[numbers[::-1]] = places[::-1]  # the last one stays: where a word stands first
        terms = numbers[(scratch[numbers] == places) & self._is_term.values[numbers]]
        scratch[numbers] = len(terms)
        scratch[terms] = places[: len(terms)]
        counts = np.bincount(scratch[numbers], minlength=len(terms) + 1)[: len(terms)]
        return WordSequence(self, numbers, terms, counts.astype(np.int32))

    def _find(self, hashes: Hashes) -> Ints:
        """Return the words of pieces with some hashes."""
        last = len(self._slots) - 1
        slots = (hashes & np.uint64(last)).astype(np.int64)
        there = self._slots[slots]
        left = np.flatnonzero(((there ^ hashes) > _NUMBER) & (there != 0))
        while len(left):
            slots[left] = again = (slots[left] + 1) & last
            there[left] = now = self._slots[again]
            left = left[((now ^ hashes[left]) > _NUMBER) & (now != 0)]
        return (there & _NUMBER).astype(np.int32) + np.int32(_UNKNOWN)

    def _keep(self, hashes: Hashes, words: Ints) -> None:
        self._kept[0].extend(hashes)
        self._kept[1].extend(words)
        taken = 3 * len(self._kept[0])
        if taken > len(self._slots):
            self._slots = np.zeros(2 << taken.bit_length(), np.uint64)
            hashes, words = (kept.values for kept in self._kept)
        self._put(hashes, (hashes & ~_NUMBER) | (words - _UNKNOWN).astype(np.uint64))

    def _put(self, hashes: Hashes, entries: Hashes) -> None:
        last = len(self._slots) - 1
        slots = (hashes & np.uint64(last)).astype(np.int64)
        while len(slots):
            is_free = self._slots[slots] == 0
            self._slots[slots[is_free]] = entries[is_free]
            left = self._slots[slots] != entries
            hashes, entries, slots = hashes[left], entries[left], (slots[left] + 1) & last

    def _numbers_of_all(self, words: Iterable[str]) -> list[int]:
        known, texts, met = self._numbers, self.texts, len(self.texts)
        found = []
        for word in words:
            number = known.get(word)
            if number is None:
                number = known[word] = len(texts)
                texts.append(word)
            found.append(number)
        self._is_term.extend(list(map(self._is_term_text, texts[met:])))
        return found


def _edges(spaced: bytes) -> tuple[Places, Places]:
    """Return where pieces begin and end."""
    is_blank = np.ones(len(spaced) + 2, bool)
    np.equal(np.frombuffer(spaced, np.uint8), 32, out=is_blank[1:-1])
    edges = np.flatnonzero(is_blank[1:] != is_blank[:-1])
    return edges[::2], edges[1::2]


def _hashes(spaced: bytes, starts: Places, sizes: Places) -> Hashes:
    """Return a hash of the first 24 bytes of each piece.

    Of 200,000 pieces two are taken for one once in ten million crawls. Who makes a page with such
    a piece on purpose could have written the word that it is taken for.
    """
    eights = np.ndarray(len(spaced) + 1, "<u8", spaced + bytes(_EIGHT), strides=(1,))
    hashes = _mixed(eights[starts] & _MASKS[np.minimum(sizes, _EIGHT)])
    for offset in range(_EIGHT, _LONGEST, _EIGHT):
        left = np.flatnonzero(sizes > offset)
        part = eights[starts[left] + offset] & _MASKS[np.minimum(sizes[left] - offset, _EIGHT)]
        hashes[left] = _mixed(hashes[left] + part)
    return hashes


def _mixed(bits: Hashes) -> Hashes:
    bits = bits * _FACTOR
    bits = (bits ^ (bits >> _SHIFT)) * _FACTOR
    return bits ^ (bits >> _SHIFT)
