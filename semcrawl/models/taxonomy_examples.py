"""The examples of the categories: how often each term occurs in each."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.closing import Closing
from semcrawl.errors import FetchError, PageError, UrlError
from semcrawl.models.taxonomy_tree import is_url
from semcrawl.page import read_page
from semcrawl.page.charset import decode
from semcrawl.text.terms import count_terms
from semcrawl.web import HttpFetcher, Politeness, Response, Robots, canonical, host_of, user_agent
from semcrawl.web.response import looks_like_markup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from semcrawl.web import Fetcher


@dataclass(frozen=True, slots=True)
class Example:
    """One example: where it came from, its category, and its term counts in two arrays.

    The terms are numbers in the vocabulary of the :class:`ExampleSet`.
    """

    source: str
    category: str
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class CountedExamples:
    """All examples as a matrix, in an order that does not depend on when they were added.

    Attributes:
        terms: the term of each column, sorted.
        categories: the category of each row.
        counts: rows of term counts.
    """

    terms: list[str]
    categories: list[str]
    counts: csr_matrix


class ExampleSet:
    """Examples by source and category; a document may be an example of several categories.

    >>> examples = ExampleSet()
    >>> examples.add("a.html", "ex:cats", {"cat": 2, "purr": 1})
    True
    >>> examples.number("ex:cats"), examples.categories_of("a.html")
    (1, ['ex:cats'])
    """

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._rows: dict[tuple[str, str], Example] = {}

    def __len__(self) -> int:
        """The number of examples."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Example]:
        """The examples, in the order in which they were added."""
        return iter(self._rows.values())

    @property
    def vocabulary(self) -> list[str]:
        """The terms by their numbers."""
        return list(self._vocabulary)

    def add(self, source: str, category: str, counts: Mapping[str, int]) -> bool:
        """Add an example, or replace it; return whether it is new to the category."""
        numbers = self._vocabulary
        terms = np.fromiter(
            (numbers.setdefault(term, len(numbers)) for term in counts), np.int32, len(counts)
        )
        values = np.fromiter(counts.values(), np.int32, len(counts))
        return self.put(Example(source, category, terms, values))

    def put(self, example: Example) -> bool:
        """Add an example whose terms are numbers of this vocabulary already."""
        key = (example.source, example.category)
        new = key not in self._rows
        self._rows[key] = example
        return new

    def learn(self, terms: list[str]) -> None:
        """Take a vocabulary over; only into an empty set."""
        self._vocabulary = {term: number for number, term in enumerate(terms)}

    def move(self, source: str, category: str, to: str) -> None:
        """Make an example of one category one of another."""
        row = self._rows.pop((source, category))
        self.put(Example(source, to, row.terms, row.counts))

    def remove(self, source: str, category: str) -> None:
        """Take an example out of a category."""
        del self._rows[source, category]

    def sources(self) -> list[str]:
        """Where the examples came from."""
        return list(dict.fromkeys(source for source, _ in self._rows))

    def categories_of(self, source: str) -> list[str]:
        """The categories that a document is an example of."""
        return [category for one, category in self._rows if one == source]

    def of(self, category: str) -> list[Example]:
        """The examples of one category itself, without those under it."""
        return [row for row in self._rows.values() if row.category == category]

    def number(self, category: str) -> int:
        """How many examples a category itself has."""
        return len(self.of(category))

    def numbers(self) -> dict[str, int]:
        """How many examples each category itself has."""
        found: dict[str, int] = {}
        for row in self._rows.values():
            found[row.category] = found.get(row.category, 0) + 1
        return found

    def matrix(self) -> CountedExamples:
        """The examples as a matrix; sorted, so that the same examples give the same numbers."""
        from scipy.sparse import csr_matrix

        rows = sorted(self._rows.values(), key=lambda row: (row.source, row.category))
        used, columns = np.unique(
            np.concatenate([row.terms for row in rows] or [np.empty(0, np.int32)]),
            return_inverse=True,
        )
        words = self.vocabulary
        named = [words[number] for number in used.tolist()]
        order = sorted(range(len(named)), key=named.__getitem__)
        place = np.empty(len(named), np.int64)
        place[order] = np.arange(len(named))
        start = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row.terms) for row in rows], out=start[1:])
        values = np.concatenate([row.counts for row in rows] or [np.empty(0, np.int32)])
        counts = csr_matrix(
            (values.astype(np.float64), place[columns], start), shape=(len(rows), len(named))
        )
        return CountedExamples(
            [named[number] for number in order], [row.category for row in rows], counts
        )


# Reading documents to learn from or to classify: files, recorded webs, the web itself.


_LARGEST = 16 * 1024 * 1024
_MAX_REDIRECTS = 5
_HTML_NAMES = (".html", ".htm", ".xhtml", ".shtml")
_SAMPLE = 4096


class DocumentReader(Closing):
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
