"""How common terms are in a language at large: document frequencies and idf."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from functools import cache
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.text.terms import count_terms
from semcrawl.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FORMAT = "semcrawl-background\t1"
_LARGEST_FILE = 256 * 1024 * 1024


class _Idfs(dict[str, float]):
    """The idf of every term, worked out when first asked for: a dict is the fastest to ask."""

    def __init__(self, df: Mapping[str, int], documents: int) -> None:
        self._df = df
        self._documents = documents
        self._unseen = log(documents) if documents else 0.0

    def __missing__(self, term: str) -> float:
        df = self._df.get(term)
        if df is None:
            return self._unseen  # not kept: the words that no one knows are without number
        idf = self[term] = log(self._documents / df)
        return idf


class Background:
    """Document frequencies of a collection of texts.

    ``idfs`` gives the idf of any term; one that no document has is treated as if one had.

    >>> background = Background.from_texts(["a cat", "a dog", "cats and dogs", "rain"])
    >>> background.documents, background.df("cat"), round(background.idf("cat"), 3)
    (4, 2, 0.693)
    >>> background.idf("unseen") == background.idf("rain")
    True
    """

    __slots__ = ("_df", "documents", "idfs")

    def __init__(self, df: Mapping[str, int], documents: int) -> None:
        """Use :meth:`from_counts`, which checks the figures."""
        self.documents = documents
        self._df = df
        self.idfs: Mapping[str, float] = _Idfs(df, documents)

    @classmethod
    def from_counts(cls, df: Mapping[str, int], documents: int) -> Background:
        """Return the background of ``documents`` texts, ``df[term]`` of which hold the term."""
        if documents < 0:
            raise ConfigError(f"a background of {documents} documents: the number must be >= 0")
        for term, count in df.items():
            if not 1 <= count <= documents:
                raise ConfigError(
                    f"a background of {documents} documents cannot have {count} with the term "
                    f"{term!r}: document frequencies lie between 1 and the number of documents"
                )
            if "\t" in term or "\n" in term:
                raise ConfigError(f"the term {term!r} holds a tab or a line break")
        return cls(dict(df), documents)

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Background:
        """Return the background of a collection; the texts are read once, one at a time."""
        df: Counter[str] = Counter()
        documents = 0
        for text in texts:
            documents += 1
            df.update(count_terms(text).keys())
        return cls(dict(df), documents)

    @staticmethod
    @cache
    def default() -> Background:
        """Return the table shipped with semcrawl, made from WordNet's glosses; read once."""
        resource = Path(__file__).parent / "data" / "background.tsv.gz"
        return Background.from_bytes(resource.read_bytes(), resource.name)

    def df(self, term: str) -> int:
        """Return how many documents have the term."""
        return self._df.get(term, 0)

    def idf(self, term: str) -> float:
        """Return ln(N / N_t) of a term (Batsakis 2007, eq. 1), ln N for a term never seen."""
        return self.idfs[term]

    def __len__(self) -> int:
        return len(self._df)

    def __contains__(self, term: object) -> bool:
        return term in self._df

    def __repr__(self) -> str:
        return f"<Background of {self.documents:,} documents, {len(self._df):,} terms>"

    def save(self, path: str | Path) -> None:
        """Write the table to a file; a failure leaves the old file as it was."""
        target = Path(path)
        try:
            write_whole(target, self.to_bytes())
        except OSError as error:
            raise ConfigError(f"cannot write the background table {target}: {error}") from error

    @classmethod
    def load(cls, path: str | Path) -> Background:
        """Read a table that :meth:`save` wrote.

        It is gzipped text: ``semcrawl-background<TAB>1``, ``documents<TAB>N``, then one line
        ``term<TAB>df`` per term.
        """
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise ConfigError(f"cannot read the background table {path}: {error}") from error
        return cls.from_bytes(data, str(path))

    def to_bytes(self) -> bytes:
        """Return what :meth:`save` writes; the same table always gives the same bytes."""
        lines = [_FORMAT, f"documents\t{self.documents}"]
        lines += [f"{term}\t{df}" for term, df in sorted(self._df.items())]
        return gzip.compress("\n".join(lines).encode() + b"\n", 9, mtime=0)

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> Background:
        """Read what :meth:`to_bytes` returned; ``name`` is for messages."""
        header, _, rest = _gunzip(data, name).partition("\n")
        if header != _FORMAT:
            raise ConfigError(
                f"{name} is no background table of this version: its first line is "
                f"{header[:40]!r}, not {_FORMAT!r}"
            )
        first, _, rows = rest.partition("\n")
        # One split over the whole text reads 60,000 rows in a few milliseconds.
        fields = rows.removesuffix("\n").replace("\n", "\t").split("\t") if rows else []
        try:
            documents = int(first.removeprefix("documents\t"))
            df = dict(zip(fields[::2], map(int, fields[1::2]), strict=True))
        except ValueError as error:
            raise ConfigError(f"{name} has a row that is not 'term<TAB>number': {error}") from error
        return cls.from_counts(df, documents)


def _gunzip(data: bytes, name: str) -> str:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(data, _LARGEST_FILE)
        if unpacker.eof:
            return text.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise ConfigError(f"{name} is no background table: {error}") from error
    raise ConfigError(f"{name} is no background table: it is cut off, or larger than 256 MB")
