"""The recorded web of an experiment: its answers, its pages, and how they hang together.

Pages are read once, and kept on disk by what they were read from and the code that read them.
"""

import os
import sqlite3
import time
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from hashlib import blake2b, file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

import semcrawl
from semcrawl.closing import Closing
from semcrawl.crawl.settings import Scope
from semcrawl.demo.web import FILE, demo_web
from semcrawl.errors import FetchError, LabError, PageError, os_errors, told_as
from semcrawl.lab.experiment import WebSource
from semcrawl.lab.records import make_folder, read_kept, write_in_folder
from semcrawl.page import Page, read_page
from semcrawl.page.background import find_background
from semcrawl.text.background import Background
from semcrawl.version import VERSION
from semcrawl.web import Replay, Response, open_replay
from semcrawl.web.response import DropReason

_DAMAGED = {DropReason.BAD_RESPONSE, DropReason.UNREADABLE}
_HOPS = 5
_REMEMBERED = 1_000
NO_PAGE = b""  # stands where a URL gave no page
_PAGES_REMEMBERED = 256  # decoded pages in memory
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
    for part in ("page", "text", "lab/web.py"):
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
    sequence = page.word_sequence
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
    with told_as(ValueError, "not a stored page", zlib.error, msgspec.MsgspecError, IndexError):
        page, language, others, places = _decoder.decode(zlib.decompress(read))
        counts = _terms_decoder.decode(terms)
        words = [*counts, *others]
        sequence = [words[place] for place in places]
    # Where a cached property keeps its value.
    page.__dict__.update(terms=counts, word_sequence=sequence, language=language)
    return page


class PageStore(Closing):
    """Pages by what they were read from; several processes may use one folder at once."""

    def __init__(self, folder: Path, remembered: int = _PAGES_REMEMBERED) -> None:
        self.path = folder / f"pages-{reader_print()}.sqlite"
        self._remembered = remembered
        self._pages: OrderedDict[bytes, Page] = OrderedDict()
        self._open: tuple[int, sqlite3.Connection] | None = None
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
            self._log_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)
        self._open = os.getpid(), connection
        return connection

    def _log_ahead(self, connection: sqlite3.Connection) -> None:
        """Let readers and a writer work at once; two that begin this at once do not wait."""
        until = time.monotonic() + _WAIT
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.02)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LabError(
                f"the pages kept in {self.path} cannot be used ({error}); remove the file, and they are read again"
            ) from error


class Survey(msgspec.Struct, array_like=True):
    """What a recorded web holds; URLs are named by their numbers."""

    urls: list[str]
    keys: list[bytes]  # of the page store, or NO_PAGE
    links: list[list[int]]
    redirects: dict[int, int]
    failed: int = 0  # damaged answers


def look_through(replay: Replay, pages: PageStore, each: Callable[[int, int], None] | None = None) -> Survey:
    """Read every page of a recorded web; ``each`` is told how many of how many are read."""
    urls = list(replay.urls())
    numbers = {url: number for number, url in enumerate(urls)}
    survey = Survey(urls, [], [], {})
    for number, url in enumerate(urls):
        key, links = NO_PAGE, list[int]()
        try:
            response = replay.fetch(url)
            if response.redirect is None:
                found = dict.fromkeys(link.url for link in pages.read(response).links)
                links = _recorded(found, numbers, replay)
                key = page_key(response)
            elif target := _recorded([response.redirect], numbers, replay):
                survey.redirects[number] = target[0]
        except (FetchError, PageError) as error:
            # A recorded 404, or a file that is no page, is part of a web.
            survey.failed += error.reason in _DAMAGED
        survey.keys.append(key)
        survey.links.append(links)
        if each is not None:
            each(number + 1, len(urls))
    return survey


def _recorded(links: Iterable[str], numbers: dict[str, int], replay: Replay) -> list[int]:
    found: dict[int, None] = {}
    for url in links:
        number = numbers.get(url)
        # A folder is answered without its slash as well.
        if number is None and f"{url}/" in numbers:
            with suppress(FetchError):
                number = numbers[f"{url}/"] if replay.answer(url) is not None else None
        if number is not None:
            found[number] = None
    return list(found)


def web_digest(sources: Sequence[Path], memory: Path) -> str:
    """A digest of the content of files and folders, kept in ``memory`` until they change."""
    known = read_kept(memory, dict[str, tuple[str, str]]) or {}
    digest = blake2b(digest_size=16)
    for source in sources:
        with os_errors(LabError, f"cannot read the recorded web {source}"):
            place = str(source.resolve())
            files = [source]
            if source.is_dir():
                files = sorted(path for path in source.rglob("*") if path.is_file())
            state = _digest(source, files, contents=False)
            if known.get(place, ("", ""))[0] != state:
                known[place] = (state, _digest(source, files, contents=True))
            digest.update(known[place][1].encode())
    with suppress(LabError):
        write_in_folder(memory, msgspec.json.encode(known))
    return digest.hexdigest()


def _digest(source: Path, files: Sequence[Path], *, contents: bool) -> str:
    """The names and sizes of files with their contents, or only their times of change."""
    digest = blake2b(digest_size=16)
    for file in files:
        about = file.stat()
        # In a folder names tell the URLs; a file may lie anywhere.
        digest.update(f"{file.relative_to(source)}\0{about.st_size}\0".encode())
        if not contents:
            digest.update(f"{about.st_mtime_ns}\0".encode())
            continue
        with file.open("rb") as stream:
            file_digest(stream, lambda: digest)
    return digest.hexdigest()


def open_web(source: WebSource, cache: Path, each: Callable[[int, int], None] | None = None) -> "LabWeb":
    """Open the recorded web of an experiment; the first time all is read (see `look_through`)."""
    if source.demo == bool(source.replay):
        raise LabError("[web] needs either replay = [...] or demo = true")
    make_folder(cache)
    places = [_demo(cache)] if source.demo else [Path(place) for place in source.replay]
    replay = open_replay(places)
    digest = web_digest(places, cache / "digests.json")
    pages = PageStore(cache)
    try:
        survey = _survey(replay, pages, cache / f"web-{digest}-{reader_print()}.msgpack", each)
        return LabWeb(source, digest, replay, places, pages, survey, cache)
    except BaseException:
        pages.close()
        raise


@dataclass(eq=False)
class LabWeb(Closing):
    """A recorded web within the bounds of an experiment, with back-links; see `open_web`."""

    source: WebSource
    digest: str  # of the recording, without include and exclude
    replay: Replay
    places: list[Path]
    pages: PageStore
    survey: Survey
    cache: Path

    def __post_init__(self) -> None:
        self.problems = tuple(self.replay.problems)
        if self.survey.failed:
            failed, total = f"{self.survey.failed:,}", f"{len(self.survey.urls):,}"
            self.problems += (f"{failed} of {total} recorded answers are damaged and left out",)
        self._numbers = {url: number for number, url in enumerate(self.survey.urls)}
        self.scope = Scope(self.source.include, self.source.exclude)
        read = zip(self.survey.urls, self.survey.keys, strict=True)
        # Of the pages that can be crawled: HTML, and allowed by include and exclude.
        self.urls = frozenset(url for url, key in read if key and self.scope.allows(url))
        self._counts = lru_cache(_REMEMBERED)(self.pages.terms)

    def close(self) -> None:
        """Let go of the page store's file; it is opened again when it is needed."""
        self.pages.close()

    def settings(self) -> dict[str, Any]:
        """The settings that make a crawl one of this web."""
        return {
            "replay": tuple(map(str, self.places)),
            "include": self.source.include,
            "exclude": self.source.exclude,
            "background": self._background_source,
        }

    def page(self, url: str) -> Page | None:
        """The page of a recorded URL; None where there is none, or a redirect."""
        try:
            response = self.replay.fetch(url)
            return self.pages.read(response) if response.redirect is None else None
        except (FetchError, PageError):
            return None

    def terms(self, url: str, languages: tuple[str, ...] = ("en",)) -> Mapping[str, int]:
        """How often each term occurs on the page of a URL; empty where there is none."""
        if languages != ("en",):  # only English counts are kept
            read = self.page(url)
            return read.read_in(languages).terms if read else {}
        number = self._numbers.get(url)
        if number is None or not (key := self.survey.keys[number]):
            return {}
        found = self._counts(key)
        if found is None and (page := self.page(url)):
            found = page.terms
        return found or {}

    def links(self, url: str) -> tuple[str, ...]:
        """The pages that can be crawled from a page, each once, redirects followed."""
        number = self._numbers.get(url)
        if number is None:
            return ()
        survey = self.survey
        targets = dict.fromkeys(map(self._follow, survey.links[number]))
        found = (survey.urls[target] for target in targets)
        return tuple(one for one in found if one in self.urls and one != url)

    def pairs(self, urls: Sequence[str]) -> Iterable[tuple[str, str]]:
        """The links to some URLs: page and URL."""
        wanted = frozenset(urls)
        for page in sorted(self.urls):
            yield from ((page, url) for url in self.links(page) if url in wanted)

    def landing(self, url: str) -> str:
        """Where a visitor of a URL ends up: itself, or where it redirects to."""
        number = self._numbers.get(url)
        return url if number is None else self.survey.urls[self._follow(number)]

    def first_page(self, seed: str) -> str | None:
        """The page that a seed leads to, through redirects; None where there is none."""
        with suppress(FetchError):
            for _ in range(_HOPS):
                if seed in self.urls:
                    break
                seed = self.replay.fetch(seed).redirect or ""
        return seed if seed in self.urls else None

    def reachable(self, seeds: Iterable[str], targets: Iterable[str]) -> int:
        """How many of the targets links lead to from the seeds."""
        missing = set(targets)
        wanted = len(missing)
        waiting = list(filter(None, map(self.first_page, dict.fromkeys(seeds))))
        seen = set(waiting)
        while waiting and missing:
            page = waiting.pop()
            missing.discard(page)
            fresh = set(self.links(page)) - seen
            seen |= fresh
            waiting += fresh
        return wanted - len(missing)

    def _follow(self, number: int) -> int:
        for _ in range(_HOPS):
            number = self.survey.redirects.get(number, number)
        return number

    @cached_property
    def background(self) -> Background:
        """Where idf comes from in this experiment."""
        return find_background(self._background_source)

    @cached_property
    def _background_source(self) -> str:
        """What a crawl's setting ``background`` is: the file of a table, "" for the shipped one."""
        source = self.source.background
        if source != "web":
            return "" if source == "shipped" else source
        bounds = msgspec.json.encode((self.source.include, self.source.exclude))
        name = blake2b(bounds, digest_size=6).hexdigest()
        path = self.cache / f"background-{self.digest}-{reader_print()}-{name}.tsv.gz"
        if not path.exists():
            df: Counter[str] = Counter()
            for url in sorted(self.urls):
                df.update(self.terms(url).keys())
            Background.from_counts(df, len(self.urls)).save(path)
        return str(path)


def _survey(replay: Replay, pages: PageStore, path: Path, each: Callable[[int, int], None] | None) -> Survey:
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=Survey)
    except (OSError, msgspec.MsgspecError):
        survey = look_through(replay, pages, each)
    write_in_folder(path, msgspec.msgpack.encode(survey))
    return survey


def _demo(cache: Path) -> Path:
    """The demo web, written down so that crawls can be given it as any other."""
    folder = cache / f"demo-{blake2b(FILE.read_bytes(), digest_size=8).hexdigest()}"
    if not folder.is_dir():
        with TemporaryDirectory(dir=cache, prefix="demo-", suffix=".part") as place:
            demo_web().write(Path(place) / "web")
            with suppress(OSError):  # another process was faster
                (Path(place) / "web").rename(folder)
    return folder
