"""How common terms are in a language at large: document frequencies and idf.

A table is fixed; a :class:`GrowingBackground` is for languages that have none.
"""

import gzip
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from math import log
from pathlib import Path
from typing import ClassVar

from semcrawl.errors import ConfigError, StoreError, os_errors, regular, told_as
from semcrawl.text.languages import language_code
from semcrawl.text.terms import count_terms
from semcrawl.text.vocabulary import ByWord, Floats, WordSequence
from semcrawl.whole_files import write_whole

_UNSEEN = "\0"  # a term that no text has
_FORMAT = "semcrawl-background\t1"
_LARGEST_FILE = 256 * 1024 * 1024
_MOST_DOCUMENTS = 10**15
_IMAGINED = 20  # k of a growing background
_LEAST_SHARE = 0.01
_MOST_IDFS = 200_000  # from so many on, those of words that no document has are not kept


class _Idfs(dict[str, float]):
    """The idf of every term, worked out when first asked for: a dict is the fastest to ask.

    With ``shares`` of the concepts that have a term, so many documents more are imagined.
    """

    def __init__(self, df: Mapping[str, int], documents: int, shares: Mapping[str, float] | None = None) -> None:
        self._shares = shares or {}
        self._imagined = 0 if shares is None else _IMAGINED
        self.renew(df, documents)

    def renew(self, df: Mapping[str, int], documents: int) -> None:
        self.clear()
        self._df = df
        self._documents = documents + self._imagined

    def __missing__(self, term: str) -> float:
        share = self._shares.get(term, 0.0)
        df = self._df.get(term, 0) + self._imagined * max(share, _LEAST_SHARE)
        idf = log(self._documents / (df or 1)) if self._documents else 0.0
        # The words that no one knows are without number, and must not fill the memory.
        if share or term in self._df or len(self) < _MOST_IDFS:
            self[term] = idf
        return idf


class Background:
    """Document frequencies of a collection of texts.

    ``idfs`` gives the idf of any term; one that no document has is treated as if one had.
    ``version`` is another number when idfs have changed; those of a table never do.

    >>> background = Background.from_texts(["a cat", "a dog", "cats and dogs", "rain"])
    >>> background.documents, background.df("cat"), round(background.idf("cat"), 3)
    (4, 2, 0.693)
    >>> background.idf("unseen") == background.idf("rain")
    True
    """

    __slots__ = ("_by_language", "_by_word", "_df", "documents", "idfs", "version")

    def __init__(self, df: Mapping[str, int], documents: int, shares: Mapping[str, float] | None = None) -> None:
        """Use :meth:`from_counts`, which checks the figures."""
        self.documents = documents
        self._df = df
        self.idfs = _Idfs(df, documents, shares)
        self.version = 0
        self._by_language: Mapping[str, Background] = {}
        self._by_word = ByWord(self.idfs.__getitem__, float)

    @classmethod
    def from_counts(cls, df: Mapping[str, int], documents: int) -> "Background":
        """Return the background of ``documents`` texts, ``df[term]`` of which hold the term."""
        if not 0 <= documents <= _MOST_DOCUMENTS:
            raise ConfigError(f"a background of {str(documents)[:20]} documents: it must be from 0 to 10^15")
        lowest, highest = min(df.values(), default=1), max(df.values(), default=0)
        if lowest < 1 or highest > documents:
            count = lowest if lowest < 1 else highest
            term = next(term for term, found in df.items() if found == count)
            raise ConfigError(
                f"a background of {documents} documents cannot have {count} with the term "
                f"{term!r}: document frequencies lie between 1 and the number of documents"
            )
        whole = "".join(df)
        if "\t" in whole or "\n" in whole:
            cut = next(term for term in df if "\t" in term or "\n" in term)
            raise ConfigError(f"the term {cut!r} holds a tab or a line break")
        return cls(dict(df), documents)

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> "Background":
        """Return the background of English texts, which are read once, one at a time."""
        return cls.from_terms(map(count_terms, texts))

    @classmethod
    def from_terms(cls, documents: Iterable[Iterable[str]]) -> "Background":
        """Return the background of documents, given the terms of each."""
        df: Counter[str] = Counter()
        total = 0
        for terms in documents:
            total += 1
            df.update(set(terms))
        return cls(dict(df), total)

    @staticmethod
    @cache
    def default() -> "Background":
        """Return the table shipped with semcrawl, made from WordNet's glosses; read once."""
        resource = Path(__file__).parent / "data" / "background.tsv.gz"
        return Background.from_bytes(resource.read_bytes(), resource.name)

    @staticmethod
    def of_languages(by_language: "Mapping[str, Background]") -> "Background":
        """Return the background of the first of some languages, which knows those of the others.

        >>> english, french = Background.from_counts({}, 10), GrowingBackground()
        >>> both = Background.of_languages({"en": english, "fr": french})
        >>> both.documents, both.of("fr-CA") is french, both.of("en") is both
        (10, True, True)
        """
        code, first = next(iter(by_language.items()))
        if len(by_language) == 1:
            return first
        if not isinstance(first, GrowingBackground):
            first = Background(first._df, first.documents)  # the shipped one is shared
        first._by_language = {**by_language, code: first}
        return first

    def of(self, language: str) -> "Background":
        """Return the background of a language; itself where it is for one or for all."""
        return self._by_language.get(language_code(language), self)

    def df(self, term: str) -> int:
        """Return how many documents have the term."""
        return self._df.get(term, 0)

    def items(self) -> Iterable[tuple[str, int]]:
        """Return the terms with the number of documents that have each."""
        return self._df.items()

    def idf(self, term: str) -> float:
        """Return ln(N / N_t) of a term (Batsakis 2007, eq. 1), ln N for a term never seen."""
        return self.idfs[term]

    def idfs_of(self, words: WordSequence) -> Floats:
        """Return the idfs of the terms of a text."""
        return self._by_word.of(words)

    def rarity(self, term: str) -> float:
        """Return the square of a term's idf as a share of the largest: how much it tells by itself.

        >>> background = Background.from_counts({"first": 10, "aid": 2}, documents=100)
        >>> round(background.rarity("first"), 2), round(background.rarity("asthma"), 2)
        (0.25, 1.0)
        """
        largest = self.idfs[_UNSEEN]
        return (self.idfs[term] / largest) ** 2 if largest else 0.0

    def __len__(self) -> int:
        return len(self._df)

    def __contains__(self, term: object) -> bool:
        return term in self._df

    def __repr__(self) -> str:
        return f"<Background of {self.documents:,} documents, {len(self._df):,} terms>"

    def save(self, path: str | Path) -> None:
        """Write the table to a file; a failure leaves the old file as it was."""
        target = Path(path)
        with os_errors(StoreError, f"cannot write the background table {target}"):
            write_whole(target, self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> "Background":
        """Read a table that :meth:`save` wrote.

        It is gzipped text: ``semcrawl-background<TAB>1``, ``documents<TAB>N``, then one line ``term<TAB>df`` per term.
        """
        with os_errors(ConfigError, f"cannot read the background table {path}"):
            data = regular(Path(path)).read_bytes()
        return cls.from_bytes(data, str(path))

    def to_bytes(self) -> bytes:
        """Return what :meth:`save` writes; the same table always gives the same bytes."""
        lines = [_FORMAT, f"documents\t{self.documents}"]
        lines += [f"{term}\t{df}" for term, df in sorted(self._df.items())]
        return gzip.compress("\n".join(lines).encode() + b"\n", 9, mtime=0)

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> "Background":
        """Read what :meth:`to_bytes` returned; ``name`` is for messages."""
        header, _, rest = _gunzip(data, name).partition("\n")
        if header != _FORMAT:
            raise ConfigError(
                f"{name} is no background table of this version: its first line is {header[:40]!r}, not {_FORMAT!r}"
            )
        first, _, rows = rest.partition("\n")
        if rows and rows.count("\t") != rows.removesuffix("\n").count("\n") + 1:  # a split would take much memory
            raise ConfigError(f"{name} has a row that is not 'term<TAB>number'")
        # One split over the whole text reads 60,000 rows in a few milliseconds.
        fields = rows.removesuffix("\n").replace("\n", "\t").split("\t") if rows else []
        with told_as(ConfigError, f"{name} has a row that is not 'term<TAB>number'", ValueError):
            documents = int(first.removeprefix("documents\t"))
            df = dict(zip(fields[::2], map(int, fields[1::2]), strict=True))
        return cls.from_counts(df, documents)


class GrowingBackground(Background):
    """Document frequencies that begin with labels of concepts and grow with the pages of a crawl.

    idf is -ln((N_t + k p_t) / (N + k)), as if there were k pages more, a share p_t of them with
    the term: its share among the concepts, at least one in a hundred. So the first pages do not
    count for too much, and no idf is 0. It changes, and ``version`` with it, when 1, 2, 4, 8, ...
    pages were added; after ``most`` of them no more. ``idfs`` stays the same object.

    >>> background = GrowingBackground([["lung", "diseas"], ["skin", "diseas"]])
    >>> background.idf("skin") > background.idf("diseas") > 0
    True
    >>> background.add(["skin", "day"])
    >>> background.version, background.documents, background.idf("skin") < background.idf("lung")
    (1, 1, True)
    """

    most: ClassVar[int] = 2_000

    __slots__ = ("_added", "_pending")

    def __init__(self, labels: Iterable[Iterable[str]] = ()) -> None:
        """Take the terms of each concept's labels, if there are any."""
        prior = Background.from_terms(labels)
        # Of a few concepts nothing can be said: k more are imagined without any term.
        total = prior.documents + _IMAGINED
        super().__init__({}, 0, {term: count / total for term, count in prior.items()})
        self._added = 0
        self._pending: Counter[str] = Counter()

    @property
    def is_full(self) -> bool:
        """Whether no more pages are taken."""
        return self._added >= self.most

    def add(self, terms: Iterable[str]) -> None:
        """Count one more page, given its terms."""
        if self.is_full:
            return
        self._added += 1
        self._pending.update(set(terms))
        if self._added & (self._added - 1) == 0 or self.is_full:
            df = Counter(self._df)
            df.update(self._pending)
            self._pending.clear()
            self._df, self.documents = df, self._added
            self.version += 1
            self._by_word = ByWord(self.idfs.__getitem__, float)
            self.idfs.renew(df, self._added)


def grows(background: Background, languages: Iterable[str]) -> bool:
    """Return whether one of the backgrounds of some languages grows with the crawl."""
    return any(isinstance(background.of(one), GrowingBackground) for one in languages)


def _gunzip(data: bytes, name: str) -> str:
    unpacker = zlib.decompressobj(wbits=31)
    wrong = f"{name} is no background table"
    with told_as(ConfigError, wrong, zlib.error, UnicodeDecodeError):
        text = unpacker.decompress(data, _LARGEST_FILE)
        if unpacker.eof:
            return text.decode()
    raise ConfigError(f"{wrong}: it is cut off, or larger than 256 MB")
