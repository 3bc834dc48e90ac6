"""The recorded web of an experiment: its answers, its pages, and how they hang together."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

import msgspec

from semcrawl.crawl.scope import Scope
from semcrawl.errors import FetchError, LabError, PageError
from semcrawl.lab.page_store import PageStore, reader_print
from semcrawl.lab.survey import Survey, look_through
from semcrawl.lab.web_digest import web_digest
from semcrawl.lab.whole_files import write_whole
from semcrawl.page.background import find_background
from semcrawl.text.background import Background
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from semcrawl.lab.experiment import WebSource
    from semcrawl.page import Page
    from semcrawl.web import Replay, Response

__all__ = ["LabWeb", "open_web"]

_HOPS = 5
_REMEMBERED = 1_000


def open_web(
    source: WebSource, cache: Path, each: Callable[[int, int], None] | None = None
) -> LabWeb:
    """Open the recorded web of an experiment; the first time every page of it is read.

    Args:
        source: the web, as the experiment says it.
        cache: the folder for what is worked out once: pages, digests, backgrounds.
        each: told of every page that is read the first time: how many, of how many.

    Raises:
        LabError: no web is named, or the folder cannot be used.
        ReplayError: a recorded web that cannot be read.
    """
    if source.demo == bool(source.replay):
        raise LabError("[web] needs either replay = [...] or demo = true")
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"cannot make the folder {cache}: {error.strerror}") from error
    places = [_demo(cache)] if source.demo else [Path(place) for place in source.replay]
    replay = open_replay(places)
    digest = web_digest(places, cache / "digests.json")
    pages = PageStore(cache)
    try:
        survey = _survey(replay, pages, cache / f"web-{digest}-{reader_print()}.msgpack", each)
        return LabWeb(source, places, replay, digest, pages, survey, cache)
    except BaseException:
        pages.close()
        raise


class LabWeb:
    """A recorded web within the bounds of an experiment. A ``Fetcher``, too.

    Use `open_web`. It is closed by ``close`` or at the end of a ``with`` block.

    Attributes:
        source: what the experiment says of it.
        digest: of the content of the recording; ``include`` and ``exclude`` do not enter.
        replay: the recording, as a fetcher for crawls.
        problems: what a reader of results must know of the recording, a sentence each.
    """

    def __init__(
        self,
        source: WebSource,
        places: list[Path],
        replay: Replay,
        digest: str,
        pages: PageStore,
        survey: Survey,
        cache: Path,
    ) -> None:
        self.source = source
        self.digest = digest
        self.replay = replay
        self.problems = _problems(replay, survey)
        self._places = places
        self._pages = pages
        self._survey = survey
        self._cache = cache
        self._numbers = {url: number for number, url in enumerate(survey.urls)}
        scope = Scope(source.include, source.exclude)
        self._urls = frozenset(
            url
            for url, key in zip(survey.urls, survey.keys, strict=True)
            if key and scope.allows(url)
        )
        self._counts = lru_cache(_REMEMBERED)(pages.terms)

    def urls(self) -> frozenset[str]:
        """The URLs of the pages that can be crawled: HTML, and allowed by include and exclude."""
        return self._urls

    # Answers

    def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, want_any: bool = False
    ) -> Response:
        """Return the recorded answer, or raise ``FetchError``."""
        return self.replay.fetch(url, headers=headers, want_any=want_any)

    def close(self) -> None:
        """Let go of the page store's file; it is opened again when it is needed."""
        self._pages.close()

    def reader(self, response: Response) -> Page:
        """The page of a response, for crawls: as `read_page`, but each is parsed only once.

        Raises:
            PageError: the response holds no page.
        """
        return self._pages.read(response)

    def settings(self) -> dict[str, Any]:
        """The settings that make a crawl one of this web."""
        return {
            "replay": tuple(map(str, self._places)),
            "include": self.source.include,
            "exclude": self.source.exclude,
            "background": self._background_source,
        }

    # Pages

    def page(self, url: str) -> Page | None:
        """The page of a recorded URL; None where there is none, or a redirect."""
        try:
            response = self.replay.fetch(url)
            return self.reader(response) if response.redirect is None else None
        except (FetchError, PageError):
            return None

    def terms(self, url: str) -> Mapping[str, int]:
        """How often each term occurs on the page of a URL; empty where there is none."""
        number = self._numbers.get(url)
        if number is None or not (key := self._survey.keys[number]):
            return {}
        found = self._counts(key)
        if found is None:
            page = self.page(url)
            found = page.terms if page else {}
        return found

    def links(self, url: str) -> tuple[str, ...]:
        """The pages that can be crawled from a page, each once, redirects followed."""
        number = self._numbers.get(url)
        if number is None:
            return ()
        survey = self._survey
        targets = dict.fromkeys(map(self._follow, survey.links[number]))
        found = (survey.urls[target] for target in targets)
        return tuple(one for one in found if one in self._urls and one != url)

    def landing(self, url: str) -> str:
        """Where a visitor of a URL ends up: itself, or where it redirects to."""
        number = self._numbers.get(url)
        return url if number is None else self._survey.urls[self._follow(number)]

    def _follow(self, number: int) -> int:
        for _ in range(_HOPS):
            if number not in self._survey.redirects:
                break
            number = self._survey.redirects[number]
        return number

    # Background

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
        path = self._cache / f"background-{self.digest}-{reader_print()}-{name}.tsv.gz"
        if not path.exists():
            self._count().save(path)
        return str(path)

    def _count(self) -> Background:
        df: Counter[str] = Counter()
        for url in sorted(self._urls):
            df.update(self.terms(url).keys())
        return Background.from_counts(df, len(self._urls))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _problems(replay: Replay, survey: Survey) -> tuple[str, ...]:
    found = list(replay.problems)
    if survey.failed:
        found.append(
            f"{survey.failed:,} of {len(survey.urls):,} recorded answers are damaged and left out"
        )
    return tuple(found)


def _survey(
    replay: Replay, pages: PageStore, path: Path, each: Callable[[int, int], None] | None
) -> Survey:
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=Survey)
    except (OSError, msgspec.MsgspecError):
        survey = look_through(replay, pages, each)
    write_whole(path, msgspec.msgpack.encode(survey))
    return survey


def _demo(cache: Path) -> Path:
    """The demo web, written down so that crawls can be given it as any other."""
    from semcrawl.demo import demo_web

    web = demo_web()
    digest = blake2b(digest_size=8)
    for url, response in web.pages.items():
        digest.update(url.encode())
        digest.update(response.body)
    folder = cache / f"demo-{digest.hexdigest()}"
    if not folder.is_dir():
        with TemporaryDirectory(dir=cache, prefix="demo-", suffix=".part") as place:
            web.write(Path(place) / "web")
            with suppress(OSError):  # another process was faster
                (Path(place) / "web").rename(folder)
    return folder
