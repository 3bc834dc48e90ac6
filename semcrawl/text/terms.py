"""From text to terms: tokens, stems, and their counts, in one language.

A token is a run of Unicode letters, digits and combining marks after NFKC and case folding. All signs separate but an
inner apostrophe; a possessive ``'s`` is cut off. Scripts that put no spaces between words (Han, Kana, Thai, Lao, Khmer,
Myanmar) are cut into overlapping pairs of characters: a label of n characters is then n - 1 tokens in a row, and
finding those is finding the label as a string, without a word segmenter.

A term is the stem of a token that is no stop word, number, single character or longer than
64 characters (those are keys and hashes).
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import add
from pathlib import Path
from threading import Lock
from typing import TypeVar
from unicodedata import normalize

import Stemmer

from semcrawl.resources import facts_beside
from semcrawl.text.vocabulary import ShortTexts, Vocabulary, WordSequence

LONGEST_TERM = 64
_CACHE_SIZE = 100_000
_FEW = 16

_DATA = Path(__file__).parent / "data"
_SCRIPTS = facts_beside(__file__, "data/scripts.toml")
_MARKS, _SPACELESS = ("".join(_SCRIPTS[name]) for name in ("marks", "spaceless"))
_WORD = rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*"
_TOKEN = re.compile(rf"({_WORD}(?:'(?!s\b){_WORD})*)(?:'s\b)?")
_MARK = re.compile(f"[{_MARKS}]")
_SPACELESS_CHARACTER = re.compile(rf"[{_SPACELESS}][{_MARKS}]*")
_SPACELESS_RUN = re.compile(rf"((?:[{_SPACELESS}][{_MARKS}]*)+)")
_INVISIBLE = re.compile("[\u00ad\u200c\u200d\u2060\ufeff]+")
# Khmer and Thai pages mark where words end, labels do not.
_WORD_BREAK = re.compile(rf"(?<=[{_SPACELESS}{_MARKS}])\u200b+(?=[{_SPACELESS}])")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc]")

# Byte by byte over UTF-8: ASCII letters become small, digits, apostrophes and
# all that is not ASCII stay, every other sign becomes a space.
_SPACED = bytes(byte if byte > 127 or chr(byte) == "'" or chr(byte).isalnum() else 32 for byte in range(256)).lower()

_Result = TypeVar("_Result")


class Remembered(dict[str, _Result]):
    """A bounded cache in front of a function of texts; a hit costs one dict look-up."""

    def __init__(self, function: Callable[[str], _Result], size: int = 50_000, longest: int = sys.maxsize) -> None:
        """Keep up to ``size`` results, of texts of up to ``longest`` characters."""
        super().__init__()
        self._function = function
        self._size = size
        self._longest = longest

    def __missing__(self, text: str) -> _Result:
        result = self._function(text)
        if len(text) <= self._longest:
            self.keep(text, result)
        return result

    def keep(self, text: str, result: _Result) -> None:
        """Remember the result for a text."""
        if len(self) >= self._size:  # starting anew is cheaper than keeping an order
            self.clear()
        self[text] = result


def _spaced(text: str) -> bytes:
    # Most pieces are tokens already: five times faster than the regular expression.
    return text.encode("utf-8", "replace").translate(_SPACED)


def _spaced_turkish(text: str) -> bytes:
    return _spaced(text.replace("\u0130", "i").replace("I", "\u0131"))


def _is_plain(piece: str) -> bool:
    return piece.isascii() and piece.isalnum()


def _tokens_of_piece(piece: str) -> list[str]:
    text = _APOSTROPHE.sub("'", _INVISIBLE.sub("", piece))
    if "\u200b" in text:
        text = _WORD_BREAK.sub("", text)
    # Folding can undo the normal form, and the normal form can bring capitals
    # back (U+3390 SQUARE HZ): hence twice.
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    found: list[str] = _TOKEN.findall(folded)
    if folded.isascii() or not _SPACELESS_RUN.search(folded):
        return found
    return [part for token in found for part in _spaceless_parts(token)]


def _spaceless_parts(token: str) -> Iterable[str]:
    for place, part in enumerate(_SPACELESS_RUN.split(token)):
        if place % 2 == 0:  # what stands between the runs
            if other := part.strip("'"):
                yield other
            continue
        characters = _SPACELESS_CHARACTER.findall(part) if _MARK.search(part) else part
        if len(characters) == 1:
            yield part
        yield from map(add, characters, characters[1:])


class Analyser:
    """What makes terms of texts in one language; :func:`semcrawl.text.languages.analyser` has all.

    It may be used by several threads at once.
    """

    def __init__(self, language: str, stop_words: Iterable[str] = (), stemmer: str = "", elisions: str = "") -> None:
        """Take words that are no terms, a Snowball algorithm, and what stands before apostrophes.

        ``elisions`` are words in the form that they have before an apostrophe ("l d qu"): they
        are cut off, so that "l'asthme" is "asthme".
        """
        self.language = language
        self._spaced = _spaced_turkish if language in ("tr", "az") else _spaced
        self._elision = re.compile(f"(?:{'|'.join(elisions.split())})'") if elisions else None
        self._stemmer = Stemmer.Stemmer(stemmer, 0) if stemmer else None
        self._lock = Lock()  # a Stemmer has one buffer and is not made for two threads
        self.stop_words = frozenset(part for word in stop_words for part in self.tokens(word))
        # A page of endless tokens must not fill the memory.
        self._words = Remembered(self._word, _CACHE_SIZE, LONGEST_TERM)
        self._word_parts = Remembered(self._words_of_piece, _CACHE_SIZE, LONGEST_TERM)
        self._vocabulary = Vocabulary(self._words_of_pieces, may_be_term)
        self._reading = Lock()

    def __repr__(self) -> str:
        return f"<Analyser of {self.language}>"

    def _split(self, text: str) -> list[str]:
        return self._spaced(text).decode("utf-8").split()

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text, lower-case, in their order.

        >>> tokens("Alzheimer's patients don't e-mail: 2 x Caf\u00e9")
        ['alzheimer', 'patients', "don't", 'e', 'mail', '2', 'x', 'café']
        >>> tokens("日本語 Ver. 2")
        ['日本', '本語', 'ver', '2']
        """
        pieces = self._split(text)
        if text.isascii() and "'" not in text:
            return pieces
        found: list[str] = []
        for piece in pieces:
            if _is_plain(piece):
                found.append(piece)
            else:
                found += self._tokens_of(piece)
        return found

    def stem(self, word: str) -> str:
        """Return the stem of one lower-case word.

        English stems are those of Porter's original algorithm (nltk's ``ORIGINAL_ALGORITHM``);
        of the 87,966 words in WordNet's lemmas one differs, ``trekking`` (``trekk`` here).

        >>> stem("programming"), stem("programmer"), stem("diseases")
        ('program', 'programm', 'diseas')
        """
        if self._stemmer is None or len(word) > LONGEST_TERM:
            return word
        with self._lock:
            stemmed: str = self._stemmer.stemWord(word)
        return stemmed

    def words(self, text: str) -> list[str]:
        """Return the stems of a text in their order without stop words; all else stays.

        Numbers and single letters are there, as "type 2 diabetes" needs them; terms are not.

        >>> ENGLISH.words("Type 2 diabetes and the vitamins B and C")
        ['type', '2', 'diabet', 'vitamin', 'b', 'c']
        """
        return self._found(self._split(text))

    def read(self, text: str) -> WordSequence:
        """Return the :meth:`words` of a long text by number, counted: quicker than to loop.

        >>> ENGLISH.read("Cats and a cat chase 2 dogs").count_terms()
        {'cat': 2, 'chase': 1, 'dog': 1}
        """
        with self._reading:
            return self._numbered_words().read(self._spaced(text))

    def read_all(self, texts: Iterable[str]) -> ShortTexts:
        """Return the same of many short texts, read together.

        >>> found = ENGLISH.read_all(["Type 2 diabetes", "the café", ""])
        >>> [found.words_of(text) for text in range(3)]
        [['type', '2', 'diabet'], ['café'], []]
        """
        with self._reading:
            return self._numbered_words().read_all(list(map(self._spaced, texts)))

    def number(self, words: Iterable[str]) -> WordSequence:
        """Return the same of words that were found before."""
        with self._reading:
            return self._numbered_words().number(words)

    def _numbered_words(self) -> Vocabulary:
        if self._vocabulary.is_full:
            self._vocabulary = Vocabulary(self._words_of_pieces, may_be_term)
        return self._vocabulary

    def _words_of_pieces(self, pieces: Sequence[str]) -> list[list[str]]:
        plain = list(filter(_is_plain, pieces))
        known = dict(zip(plain, self.words_of_tokens(plain), strict=True))
        return [
            self._words_of_blanks(piece) if word is None else [word] if word else []
            for piece, word in zip(pieces, map(known.get, pieces), strict=True)
        ]

    def _words_of_blanks(self, piece: str) -> list[str]:
        # There are blanks beyond ASCII, at which only text can be cut.
        return [word for part in piece.split() for word in self._word_parts[part]]

    def words_of_tokens(self, tokens: Sequence[str]) -> list[str]:
        """Return the stem of each of many tokens, "" for stop words: quicker than one by one.

        >>> ENGLISH.words_of_tokens(["the", "diseases"])
        ['', 'diseas']
        """
        if self._stemmer is None:
            stems = list(tokens)
        else:
            # Of longer ones none is taken, and some stemmers take time by the square of the length.
            with self._lock:
                stems = self._stemmer.stemWords([token[: LONGEST_TERM + 1] for token in tokens])
        # "1990s" must not become the number 1990, nor "AED" the article. Without calls: a topic of WordNet has 80,000.
        stop_words = self.stop_words
        return [
            ""
            if len(token) > LONGEST_TERM or token in stop_words
            else stem
            if len(stem) > 1 and len(token) > 1 and not stem.isdigit() and not token.isdigit()
            else token
            for token, stem in zip(tokens, stems, strict=True)
        ]

    def terms(self, text: str) -> list[str]:
        """Return the stems of a text in order of occurrence, without what carries no topic.

        >>> terms("The 3 causes of asthma, and how asthma is treated")
        ['caus', 'asthma', 'asthma', 'treat']
        """
        return self.terms_among(self.words(text))

    def terms_among(self, words: Iterable[str]) -> list[str]:
        """Return the terms among the words of a text: what :meth:`terms` gives for the text.

        >>> ENGLISH.terms_among(ENGLISH.words("Type 2 diabetes"))
        ['type', 'diabet']
        """
        return [word for word in words if len(word) > 1 and not word.isdigit()]

    def forms(self, text: str) -> dict[str, list[str]]:
        """Return the words of a text as they are written, by the term that each gives."""
        found: dict[str, list[str]] = {}
        for word in self.tokens(text):
            for term in self.terms(word):
                found.setdefault(term, []).append(word)
        return found

    def count_terms(self, text: str) -> dict[str, int]:
        """Return how often each term occurs in a text, in order of first occurrence.

        >>> count_terms("Cats and a cat chase dogs")
        {'cat': 2, 'chase': 1, 'dog': 1}
        """
        found = self.terms(text)
        if len(found) > _FEW:
            return dict(Counter(found))
        counts: dict[str, int] = {}
        for term in found:  # of an anchor: a Counter is made more slowly than it counts
            counts[term] = counts.get(term, 0) + 1
        return counts

    def _found(self, pieces: list[str]) -> list[str]:
        """Return the words of pieces, most of which are tokens."""
        known = self._words
        if new := {piece for piece in pieces if piece not in known}:
            self._meet(new)
        found: list[str] = []
        for piece in pieces:
            word = known.get(piece)
            if word is None:
                found += self._word_parts[piece]
            elif word:
                found.append(word)
        return found

    def _meet(self, pieces: Iterable[str]) -> None:
        """Remember plain pieces, which are tokens: to stem many at once is far quicker."""
        new = [piece for piece in pieces if _is_plain(piece) and len(piece) <= LONGEST_TERM]
        for token, word in zip(new, self.words_of_tokens(new), strict=True):
            self._words.keep(token, word)

    def _tokens_of(self, piece: str) -> list[str]:
        found, elision = _tokens_of_piece(piece), self._elision
        if elision is None:
            return found
        return [token[cut.end() :] if (cut := elision.match(token)) else token for token in found]

    def _word(self, token: str) -> str:
        return self.words_of_tokens([token])[0]

    def _words_of_piece(self, piece: str) -> list[str]:
        tokens_of = (piece,) if _is_plain(piece) else self._tokens_of(piece)
        return [word for token in tokens_of if (word := self._words[token])]


def may_be_term(word: str) -> bool:
    """Return whether a word counts as a term: it is no number and no single character."""
    return len(word) > 1 and not word.isdigit()


_STOP_WORDS = _DATA / "stop_words"


def stop_words_by_language() -> dict[str, list[str]]:
    """Return the function words of all languages that have a list."""
    return {path.stem: stop_words_of(path.stem) for path in sorted(_STOP_WORDS.glob("*.txt"))}


def stop_words_of(language: str) -> list[str]:
    """Return the function words of a language as they are written; none where there is no list."""
    path = _STOP_WORDS / f"{language}.txt"
    return words_of_file(path) if path.is_file() else []


def words_of_file(path: Path) -> list[str]:
    """Return the words of a shipped file, whose lines that begin with ``#`` are comments."""
    lines = path.read_text("utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


ENGLISH = Analyser("en", stop_words_of("en"), "porter")

# The English ones have names of their own, as most callers mean them.
tokens = ENGLISH.tokens
stem = ENGLISH.stem
terms = ENGLISH.terms
count_terms = ENGLISH.count_terms
