"""Pages that were read once, on disk by what they were read from and the code that read them."""

import os
import sqlite3
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgspec

import semcrawl
from semcrawl.closing import Closing
from semcrawl.errors import LabError
from semcrawl.lab.records import make_folder
from semcrawl.page import Page, read_page
from semcrawl.version import VERSION
from semcrawl.web import Response

_REMEMBERED = 256  # decoded pages in memory
_WAIT = 60.0
# Header fields that a page depends on, beside its bytes.
_FIELDS = ("content-type", "content-language", "x-robots-tag")
_TABLE = "CREATE TABLE IF NOT EXISTS page (key BLOB PRIMARY KEY, read BLOB, terms BLOB)"


_encoder = msgspec.msgpack.Encoder()
# A page, its language, words that are no terms, and all words as places among terms and these.
_decoder = msgspec.msgpack.Decoder(tuple[Page, str | None, list[str], list[int]])
_terms_decoder = msgspec.msgpack.Decoder(dict[str, int])


@cache
def reader_print() -> str:
    """A digest of the code that reads pages and counts their terms."""
    digest = blake2b(VERSION.encode(), digest_size=8)
    root = Path(semcrawl.__file__).parent
    for part in ("page", "text", "lab/page_store.py"):
        place = root / part
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def page_key(response: Response) -> bytes:
    """A digest of everything that the page of a response depends on."""
    digest = blake2b(response.body, digest_size=16)
    fields = [response.headers.get(name, "") for name in _FIELDS]
    digest.update(_encoder.encode((response.url, fields, response.truncated)))
    return digest.digest()


def encode_page(page: Page) -> tuple[bytes, bytes]:
    """A page, and apart from it its term counts, as bytes; UnicodeEncodeError for a surrogate."""
    sequence = page.word_sequence  # asked for first, as counts are made from it then
    words = dict.fromkeys((*page.terms, *sequence))
    numbers = {word: number for number, word in enumerate(words)}
    # Statements are not asked for in a lab, so the markup that they are read from is not kept.
    # Terms are kept in English: those of a topic in another language are counted anew.
    plain = replace(page, markup="", languages=("en",))
    others = list(words)[len(page.terms) :]
    stored = plain, page.language, others, [numbers[word] for word in sequence]
    return zlib.compress(_encoder.encode(stored), 1), _encoder.encode(page.terms)


def decode_page(read: bytes, terms: bytes) -> Page:
    """The page that `encode_page` was given; ValueError for damaged or other bytes."""
    try:
        page, language, others, places = _decoder.decode(zlib.decompress(read))
        counts = _terms_decoder.decode(terms)
        words = [*counts, *others]
        sequence = [words[place] for place in places]
    except (zlib.error, msgspec.MsgspecError, IndexError) as error:
        raise ValueError(f"not a stored page: {error}") from error
    # Where a cached property keeps its value.
    page.__dict__.update(terms=counts, word_sequence=sequence, language=language)
    return page


class PageStore(Closing):
    """Pages by what they were read from; several processes may use one folder at once."""

    def __init__(self, folder: Path, remembered: int = _REMEMBERED) -> None:
        self.path = folder / f"pages-{reader_print()}.sqlite"
        self._remembered = remembered
        self._pages: OrderedDict[bytes, Page] = OrderedDict()
        self._open: tuple[int, sqlite3.Connection] | None = None
        make_folder(folder)
        self._rows()

    def read(self, response: Response) -> Page:
        """The page of a response, as `read_page` gives it, read only if it never was."""
        key = page_key(response)
        page = self._pages.pop(key, None) or self._load(key)
        if page is None:
            page = read_page(response)
            self._save(key, page)
        self._pages[key] = page
        if len(self._pages) > self._remembered:
            self._pages.popitem(last=False)
        return page

    def terms(self, key: bytes) -> Mapping[str, int] | None:
        """The term counts of a page that was read before, None where there is none."""
        row = self._one("SELECT terms FROM page WHERE key = ?", key)
        try:
            return _terms_decoder.decode(row[0]) if row else None
        except msgspec.MsgspecError:
            return None

    def close(self) -> None:
        """Let go of the file; it is opened again when a page is asked for."""
        if self._open is not None:
            process, connection = self._open
            self._open = None
            if process == os.getpid():
                connection.close()

    def _load(self, key: bytes) -> Page | None:
        row = self._one("SELECT read, terms FROM page WHERE key = ?", key)
        try:
            return decode_page(*row) if row else None
        except ValueError:
            return None

    def _save(self, key: bytes, page: Page) -> None:
        try:
            row = (key, *encode_page(page))
        except UnicodeEncodeError:
            return
        with self._errors():
            self._rows().execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?)", row)

    def _one(self, query: str, key: bytes) -> tuple[bytes, ...] | None:
        with self._errors(), closing(self._rows().execute(query, (key,))) as rows:
            found: tuple[bytes, ...] | None = rows.fetchone()
        return found

    def _rows(self) -> sqlite3.Connection:
        # A connection must not be used in a process that was forked off.
        if self._open is not None and self._open[0] == os.getpid():
            return self._open[1]
        with self._errors():
            connection = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)
        self._open = os.getpid(), connection
        return connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LabError(
                f"the pages kept in {self.path} cannot be used ({error}); "
                "remove the file, and they are read again"
            ) from error
