"""The crew: workers that fetch URLs for the engine; and the visitor, who fetches, reads, judges."""

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct

from semcrawl.errors import FetchError, PageError, VisitError
from semcrawl.garbage_collection import give_back_large_texts
from semcrawl.graph import FoundUrl
from semcrawl.page import Page, read_page
from semcrawl.page.link_lists import LinkList, read_link_list
from semcrawl.relevance import Judge, Judgement
from semcrawl.web import Fetcher, Response, Robots
from semcrawl.web.response import HOST_DOWN, DropReason

_HOST_FAILED = HOST_DOWN | {DropReason.ADDRESS_REFUSED}


class Outcome(Struct):
    """What came of a visit: a judged page, a redirect, or an error."""

    entry: FoundUrl
    elapsed: float = 0.0
    response: Response | None = None
    page: Page | None = None
    judgement: Judgement | None = None
    error: VisitError | None = None
    robots_delay: float = 0.0
    listed: LinkList | None = None  # where it is a sitemap or feed
    sitemaps: tuple[str, ...] = ()  # those that the site's robots.txt names
    bug: Exception | None = None  # an exception that no bad page explains; it ends the crawl

    @property
    def is_as_before(self) -> bool:
        """Whether a revisit found the page unchanged; there is nothing to read then."""
        known, response = self.entry.known, self.response
        if known is None or response is None:
            return False
        return response.status == 304 or response.digest == known.digest


@dataclass(eq=False)
class Visitor:
    """Visits URLs; several threads may fetch with one."""

    fetcher: Fetcher
    judge: Judge
    robots: Robots | None
    reader: Callable[[Response], Page] = read_page  # may raise PageError
    languages: tuple[str, ...] = ("en",)
    reads_lists: bool = False
    keep: Callable[[Outcome], None] | None = None  # writes answers down, and may raise StoreError

    def visit(self, entry: FoundUrl) -> Outcome:
        """Fetch, read and judge one URL."""
        outcome = self.fetch(entry)
        self.read(outcome)
        return outcome

    def fetch(self, entry: FoundUrl) -> Outcome:
        """Ask robots.txt and fetch, which is mostly waiting; never raises."""
        outcome, started = Outcome(entry), time.monotonic()
        try:
            try:
                self._ask_robots(outcome)
                outcome.response = self.fetcher.fetch(entry.url, headers=_conditions(entry))
            except FetchError as failure:
                outcome.error = failure
            outcome.elapsed = time.monotonic() - started
            if self.keep is not None:
                self.keep(outcome)
        except Exception as mistake:  # noqa: BLE001 - handed to the engine, which raises it
            outcome.bug = mistake
        return outcome

    def read(self, outcome: Outcome) -> None:
        """Make a page, or a list of links, of what was fetched, where it is one, and judge it."""
        response = outcome.response
        if response is None or response.redirect is not None or outcome.is_as_before:
            return
        try:
            is_new = outcome.entry.known is None
            if self.reads_lists and is_new and (listed := read_link_list(response)) is not None:
                outcome.listed, page = listed, listed.page
            else:
                page = outcome.page = self.reader(response).read_in(self.languages)
            outcome.judgement = self.judge.judge(page)
        except PageError as failure:
            outcome.page, outcome.error = None, failure

    def _ask_robots(self, outcome: Outcome) -> None:
        """Note the site's delay and sitemaps; raise FetchError where it allows no visit."""
        if self.robots is None:
            return
        url = outcome.entry.url
        rules = self.robots.rules(url)
        outcome.robots_delay, outcome.sitemaps = rules.delay, rules.sitemaps
        refusal = rules.refusal(url)
        if refusal is None:
            return
        problem = rules.problem
        if problem is not None and problem.reason in _HOST_FAILED:
            # The page would fail as its robots.txt did: that is the reason to tell.
            raise FetchError(str(problem), reason=problem.reason, temporary=problem.temporary)
        # What could not be asked may be asked later; a refusal stays one.
        unsure = refusal == DropReason.ROBOTS_UNREACHABLE
        why = f"{refusal.sentence} {problem or ''}".strip()
        raise FetchError(f"{url}: {why}", reason=refusal, temporary=unsure)


def _conditions(entry: FoundUrl) -> dict[str, str] | None:
    """Return what a revisit asks: the page only if it has changed (RFC 9110, section 13.1)."""
    known = entry.known
    if known is None:
        return None
    given = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    # A server may send what no request can carry.
    return {name: value for name, value in given.items() if value and value.isascii() and value.isprintable()} or None


class Crew:
    """Workers that fetch URLs; every started visit gives one outcome, in any order.

    Only the engine's thread uses a crew, and starts a visit only while ``busy`` is below ``size``.
    A crew of one fetches in that thread: repeatable, no switching. Larger ones are threads that
    only fetch: reading and judging in many costs a third more CPU than in one.
    """

    def __init__(self, fetch: Callable[[FoundUrl], Outcome], size: int) -> None:
        self.size = size
        self.busy = 0  # visits that have been started and whose outcome was not taken yet
        self._fetch = fetch
        self._tasks: queue.SimpleQueue[FoundUrl | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        if size > 1:
            give_back_large_texts()
            for number in range(size):
                # Daemons: a server that never ends its answer must not keep the process alive.
                threading.Thread(target=self._work, name=f"crew-{number}", daemon=True).start()

    def _work(self) -> None:
        while (entry := self._tasks.get()) is not None:
            self._done.put(self._fetch(entry))

    def start(self, entry: FoundUrl) -> None:
        """Hand a visit to the next free thread; a crew of one makes it now."""
        if self.size > 1:
            self._tasks.put(entry)
        else:
            self._done.put(self._fetch(entry))
        self.busy += 1

    def next(self, timeout: float) -> Outcome | None:
        """Return the outcome of a visit, None where none ends within ``timeout`` seconds."""
        try:
            outcome = self._done.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            return None
        self.busy -= 1
        return outcome

    def close(self) -> None:
        """Tell the threads to end after the visit that they are at."""
        for _ in range(self.size):
            self._tasks.put(None)
