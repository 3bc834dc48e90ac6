"""The pages that a model is trained with: from a recorded web, or fetched with good manners."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError, FetchError, PageError, UrlError
from semcrawl.page import read_page
from semcrawl.web.response import DropReason
from semcrawl.web.urls import canonical, host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from semcrawl.page import Page
    from semcrawl.relevance import Judge
    from semcrawl.web import Fetcher, Politeness, Response, Robots

_MAX_REDIRECTS = 5


@dataclass(slots=True)
class TrainingPages:
    """What was read of the pages of a training set.

    Attributes:
        terms: the term counts of each page, by the URL that was asked for.
        missing: why there is no page, by URL.
        relevance: what a judge said of each page, where one was asked.
    """

    terms: dict[str, dict[str, int]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    relevance: dict[str, float] = field(default_factory=dict)


class PageSource:
    """Gives the page of a URL, through redirects.

    Args:
        fetcher: the network, or a recorded web.
        robots: asked before every request; None for a recorded web.
        politeness: the pauses between the requests to a host; None for no pauses.
        sleep: waits so many seconds.
        reader: what makes pages of responses.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        robots: Robots | None = None,
        politeness: Politeness | None = None,
        sleep: Callable[[float], None] = time.sleep,
        reader: Callable[[Response], Page] = read_page,
    ) -> None:
        self._fetcher = fetcher
        self._robots = robots
        self._politeness = politeness
        self._sleep = sleep
        self._reader = reader

    def page(self, url: str) -> Page:
        """The page at a URL.

        Raises:
            FetchError, PageError: there is none.
        """
        target = url
        for _ in range(_MAX_REDIRECTS + 1):
            response = self._fetch(target)
            if response.redirect is None:
                return self._reader(response)
            target = response.redirect
        raise FetchError(
            f"{url} leads from redirect to redirect", reason=DropReason.TOO_MANY_REDIRECTS
        )

    def _fetch(self, url: str) -> Response:
        delay = self._permission(url)
        if self._politeness is None:
            return self._fetcher.fetch(url)
        host = host_of(url)
        self._sleep(max(0.0, self._politeness.ready_at(host) - time.monotonic()))
        self._politeness.started(host)
        began, status, reason, asked = time.monotonic(), None, None, None
        try:
            response = self._fetcher.fetch(url)
            status = response.status
            return response
        except FetchError as error:
            status, reason, asked = error.status, error.reason, error.retry_after
            raise
        finally:
            self._politeness.finished(
                host,
                time.monotonic() - began,
                status=status,
                error=reason,
                retry_after=asked,
                robots_delay=delay,
            )

    def _permission(self, url: str) -> float:
        """The pause that the site asks for; FetchError where it allows no visit."""
        if self._robots is None:
            return 0.0
        rules = self._robots.rules(url)
        refusal = rules.refusal(url)
        if refusal is not None:
            raise FetchError(f"{url} is closed by {rules.url}", reason=refusal)
        return rules.delay


def read_training_pages(
    urls: Iterable[str],
    source: PageSource,
    *,
    judge: Judge | None = None,
    each: Callable[[str], None] | None = None,
) -> TrainingPages:
    """Read pages and count their terms; pages that are not there are noted with the reason.

    Args:
        urls: the pages to read.
        source: where they come from.
        judge: asked for the relevance of each page, if given.
        each: told every URL when it is done.
    """
    pages = TrainingPages()
    for url in urls:
        try:
            page = source.page(url)
            if not page.terms:
                raise PageError(f"{url} has no words", reason=DropReason.EMPTY_PAGE)
            pages.terms[url] = page.terms
            if judge is not None:
                pages.relevance[url] = judge.judge(page).relevance
        except (FetchError, PageError) as error:
            pages.missing[url] = str(error.reason)
        if each is not None:
            each(url)
    return pages


# Sets of pages that a crawl is confined to: from a list of URLs, or from an earlier crawl.


_PAGES = """SELECT DISTINCT ?url WHERE {
  { ?url sc:relevance ?relevance } UNION { ?url sc:redirectsTo ?target }
}"""


def read_page_set(source: str | Path) -> frozenset[str]:
    """The URLs of a file, or of the pages that an earlier crawl has visited.

    A file has a URL a line, as the first of its columns if it is a table with
    tabs; lines that begin with ``#`` are comments. What redirected in the
    earlier crawl belongs to its pages.

    Raises:
        ConfigError: there is no such file or crawl, a line is no URL, or there is none at all.
    """
    path = Path(source).expanduser()
    urls = _of_crawl(path) if path.is_dir() else _of_file(path)
    if not urls:
        raise ConfigError(f"{path} names no page: a crawl confined to it would fetch nothing")
    return urls


def _of_crawl(folder: Path) -> frozenset[str]:
    from semcrawl.graph import CrawlGraph

    with CrawlGraph.read(folder) as graph:
        return frozenset(row["url"] for row in graph.query(_PAGES))


def _of_file(path: Path) -> frozenset[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigError(
            f"cannot read the pages of {path}: {error.strerror}; give a file of URLs, or the "
            "folder of a crawl"
        ) from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no list of URLs: it is not UTF-8 text") from None
    urls = set()
    for number, line in enumerate(lines, start=1):
        address = line.partition("\t")[0].strip()
        if address and not address.startswith("#"):
            try:
                urls.add(canonical(address))
            except UrlError as error:
                raise ConfigError(f"line {number} of {path}: {error}") from None
    return frozenset(urls)
