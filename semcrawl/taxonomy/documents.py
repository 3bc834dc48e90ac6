"""Reading documents to learn from or to classify: files, recorded webs, the web itself."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from semcrawl.errors import FetchError, PageError, UrlError
from semcrawl.page import read_page
from semcrawl.page.charset import decode
from semcrawl.taxonomy.reading import is_url
from semcrawl.text.terms import count_terms
from semcrawl.web import HttpFetcher, Politeness, Response, Robots, canonical, host_of, user_agent
from semcrawl.web.response import looks_like_markup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from semcrawl.web import Fetcher

__all__ = ["DocumentReader"]

_LARGEST = 16 * 1024 * 1024
_MAX_REDIRECTS = 5
_HTML_NAMES = (".html", ".htm", ".xhtml", ".shtml")
_SAMPLE = 4096


class DocumentReader:
    """Counts the terms of documents, each named by a path or a URL.

    A file is read as HTML where its name or its beginning says so, else as plain
    text. A URL is looked up in the recorded web where one is given; otherwise it
    is fetched as a crawl would: robots.txt is asked, one host gets one request
    at a time with a pause between, and private addresses are refused.

    Args:
        fetcher: a recorded web (``open_replay``); None for the network.
        allow_private: whether private and local addresses may be visited.
        contact: a URL or mail address that servers are told.
        delay: seconds between two requests to one host.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        fetcher: Fetcher | None = None,
        *,
        allow_private: bool = False,
        contact: str = "",
        delay: float = 1.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        agent = user_agent(contact or None)
        recorded = fetcher is not None
        self._fetcher = fetcher or HttpFetcher(agent, allow_private=allow_private)
        self._robots = None if recorded else Robots(self._fetcher, agent)
        self._politeness = Politeness(delay=0.0 if recorded else delay)
        self._sleep = sleep

    def close(self) -> None:
        """Let go of connections."""
        self._fetcher.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def terms(self, place: str) -> dict[str, int]:
        """How often each term occurs in a document.

        Raises:
            FetchError: a URL that cannot be had.
            PageError: a document that cannot be read, or has no words.
            UrlError: what looks like a URL and is none.
        """
        found = self._fetched(canonical(place)) if is_url(place) else _file_terms(Path(place))
        if not found:
            raise PageError(f"{place} holds no words to learn from", reason="EmptyPage")
        return found

    def read(
        self, places: Iterable[str], skipped: Callable[[str, str], None]
    ) -> Iterable[tuple[str, dict[str, int]]]:
        """Yield the documents that can be read; ``skipped`` is told of the others, and why."""
        for place in places:
            try:
                yield place, self.terms(place)
            except (FetchError, PageError, UrlError) as error:
                skipped(place, str(error))

    def _fetched(self, url: str) -> dict[str, int]:
        for _ in range(_MAX_REDIRECTS + 1):
            response = self._ask(url)
            if response.redirect is None:
                return read_page(response).terms
            url = response.redirect
        raise FetchError(f"{url}: too many redirects", reason="HttpError")

    def _ask(self, url: str) -> Response:
        delay = self._allowed(url)
        host = host_of(url)
        pause = self._politeness.ready_at(host) - time.monotonic()
        if pause > 0:
            self._sleep(pause)
        self._politeness.started(host)
        began = time.monotonic()
        status: int | None = None
        problem: FetchError | None = None
        try:
            response = self._fetcher.fetch(url)
            status = response.status
        except FetchError as error:
            problem = error
            raise
        finally:
            self._politeness.finished(
                host,
                time.monotonic() - began,
                status=problem.status if problem else status,
                error=problem.reason if problem else None,
                retry_after=problem.retry_after if problem else None,
                robots_delay=delay,
            )
        return response

    def _allowed(self, url: str) -> float:
        """The delay that the site asks for; FetchError where its robots.txt allows no visit."""
        if self._robots is None:
            return 0.0
        rules = self._robots.rules(url)
        refusal = rules.refusal(url)
        if refusal is not None:
            why = rules.problem or refusal.explanation
            raise FetchError(f"{url}: {why}", reason=refusal)
        return rules.delay


def _file_terms(path: Path) -> dict[str, int]:
    try:
        if not path.is_file():
            kind = "is a folder" if path.is_dir() else "is not there"
            raise PageError(f"{path} {kind}; give a file or a URL with http://", reason="NotHtml")
        with path.open("rb") as file:
            body = file.read(_LARGEST)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise PageError(f"cannot read {path}: {why}", reason="Unreadable") from error
    if path.name.lower().endswith(_HTML_NAMES) or looks_like_markup(body):
        declared = {"content-type": "text/html"}
        return read_page(Response(f"file:{path}", 200, declared, body, 0.0, 0.0)).terms
    if b"\0" in body[:_SAMPLE]:
        raise PageError(f"{path} is neither HTML nor text", reason="NotHtml")
    return count_terms(decode(body)[0])
