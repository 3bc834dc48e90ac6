"""From text to terms: tokens, Porter stems, and their counts.

A token is a run of Unicode letters, digits and combining marks after NFKC and case folding.
All signs separate but an inner apostrophe; a possessive ``'s`` is cut off. A term is the
Porter stem of a token that is no stop word, number, single character or longer than 64
characters (those are keys and hashes).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar
from unicodedata import normalize

import Stemmer

if TYPE_CHECKING:
    from collections.abc import Callable

STOP_WORDS = frozenset(
    word
    for line in (Path(__file__).parent / "data" / "stop_words.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)
"""English function words, lower-case."""

LONGEST_TERM = 64
_CACHE_SIZE = 100_000

# Python's \w leaves out combining marks; these blocks hold the ones that
# occur inside words: Latin and Greek accents, Hebrew, Arabic, Indic, Thai, Lao.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03"
    "\u0a3c-\u0a51\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0bbe-\u0bcd\u0c00-\u0c03"
    "\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
)
_WORD = rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*"
_TOKEN = re.compile(rf"({_WORD}(?:'(?!s\b){_WORD})*)(?:'s\b)?")
_INVISIBLE = re.compile("[\u00ad\u200c\u200d\u2060\ufeff]+")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc]")

# Byte by byte over UTF-8: ASCII letters become small, digits, apostrophes and
# all that is not ASCII stay, every other sign becomes a space.
_SPACED = bytes(
    byte if byte > 127 or chr(byte) == "'" or chr(byte).isalnum() else 32 for byte in range(256)
).lower()

_porter = Stemmer.Stemmer("porter", 0)
_porter_lock = Lock()

_Result = TypeVar("_Result")


class Remembered(dict[str, _Result]):
    """A bounded cache in front of a function of texts; a hit costs one dict look-up."""

    def __init__(
        self, function: Callable[[str], _Result], size: int = 50_000, longest: int = sys.maxsize
    ) -> None:
        """Keep up to ``size`` results, of texts of up to ``longest`` characters."""
        super().__init__()
        self._function = function
        self._size = size
        self._longest = longest

    def __missing__(self, text: str) -> _Result:
        result = self._function(text)
        if len(text) > self._longest:
            return result
        if len(self) >= self._size:  # starting anew is cheaper than keeping an order
            self.clear()
        self[text] = result
        return result


def tokens(text: str) -> list[str]:
    """Return the words of a text, lower-case, in their order.

    >>> tokens("Alzheimer's patients don't e-mail: 2 x Caf\u00e9")
    ['alzheimer', 'patients', "don't", 'e', 'mail', '2', 'x', 'café']
    """
    pieces = _pieces(text)
    if text.isascii() and "'" not in text:
        return pieces
    found: list[str] = []
    for piece in pieces:
        if _is_plain(piece):
            found.append(piece)
        else:
            found += _tokens_of_piece(piece)
    return found


def stem(word: str) -> str:
    """Return the Porter stem of one lower-case word.

    The stems are those of Porter's original algorithm (nltk's ``ORIGINAL_ALGORITHM``);
    of the 87,966 words in WordNet's lemmas one differs, ``trekking`` (``trekk`` here).

    >>> stem("programming"), stem("programmer"), stem("diseases")
    ('program', 'programm', 'diseas')
    """
    return _stems[word]


def terms(text: str) -> list[str]:
    """Return the stems of a text in order of occurrence, without what carries no topic.

    >>> terms("The 3 causes of asthma, and how asthma is treated")
    ['caus', 'asthma', 'asthma', 'treat']
    """
    pieces = _pieces(text)
    found: list[str | None] = list(map(_terms.get, pieces))
    if None in found:  # a piece that is no known word
        unknown = [place for place, term in enumerate(found) if term is None]
        for place in reversed(unknown):  # the places before stay where they are
            found[place : place + 1] = _parts[pieces[place]]
    return list(filter(None, found))


def count_terms(text: str) -> dict[str, int]:
    """Return how often each term occurs in a text, in order of first occurrence.

    >>> count_terms("Cats and a cat chase dogs")
    {'cat': 2, 'chase': 1, 'dog': 1}
    """
    counts: dict[str, int] = {}
    known = _terms.get
    for piece, count in Counter(_pieces(text)).items():
        term = known(piece)
        if term is None:
            for part in _parts[piece]:
                counts[part] = counts.get(part, 0) + count
        elif term:
            counts[term] = counts.get(term, 0) + count
    return counts


def _pieces(text: str) -> list[str]:
    # Most pieces are tokens already: five times faster than the regular expression.
    return text.encode("utf-8", "replace").translate(_SPACED).decode("utf-8").split()


def _is_plain(piece: str) -> bool:
    return piece.isascii() and piece.isalnum()


def _tokens_of_piece(piece: str) -> list[str]:
    text = _APOSTROPHE.sub("'", _INVISIBLE.sub("", piece))
    # Folding can undo the normal form, and the normal form can bring capitals
    # back (U+3390 SQUARE HZ): hence twice.
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    found: list[str] = _TOKEN.findall(folded)
    return found


def _porter_stem(word: str) -> str:
    with _porter_lock:  # a Stemmer has one buffer and is not made for two threads
        stemmed: str = _porter.stemWord(word)
    return stemmed


def _term(token: str) -> str:
    # "" where the token is not worth counting.
    if len(token) < 2 or len(token) > LONGEST_TERM or token in STOP_WORDS or token.isdigit():
        return ""
    return _porter_stem(token)


def _terms_of_piece(piece: str) -> list[str]:
    tokens_of = (piece,) if _is_plain(piece) else _tokens_of_piece(piece)
    return [term for token in tokens_of if (term := _terms[token])]


# A page of endless tokens must not fill the memory.
_stems = Remembered(_porter_stem, _CACHE_SIZE, LONGEST_TERM)
_terms = Remembered(_term, _CACHE_SIZE, LONGEST_TERM)
_parts = Remembered(_terms_of_piece, _CACHE_SIZE, LONGEST_TERM)
