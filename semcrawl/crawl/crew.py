"""The crew: workers that visit URLs, for a coordinator that hands them out."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from semcrawl.errors import FetchError, PageError
from semcrawl.page import read_page
from semcrawl.web.response import HOST_DOWN, DropReason

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.graph import FoundUrl
    from semcrawl.page import Page
    from semcrawl.relevance import Judge, Judgement
    from semcrawl.web import Fetcher, Response, Robots


class Crew(Protocol):
    """Workers that visit URLs. Used by one thread, the coordinator.

    ``start`` may be called while ``busy`` is below ``size``. Every started
    visit gives exactly one outcome, in any order.
    """

    size: int

    @property
    def busy(self) -> int:
        """How many visits have been started whose outcome was not taken yet."""
        ...

    def start(self, entry: FoundUrl) -> None:
        """Begin a visit."""
        ...

    def next(self, timeout: float) -> Outcome | None:
        """The outcome of a visit, or None where none ends within ``timeout`` seconds."""
        ...

    def close(self) -> None:
        """Let the workers go; visits under way are abandoned."""
        ...


class LoneWorker:
    """A crew of one that works in the coordinator's own thread: repeatable, no switching."""

    size = 1

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._done: deque[Outcome] = deque()

    @property
    def busy(self) -> int:
        """Visits whose outcome was not taken yet."""
        return len(self._done)

    def start(self, entry: FoundUrl) -> None:
        """Make the visit, now."""
        self._done.append(self._visitor.visit(entry))

    def next(self, timeout: float) -> Outcome | None:  # noqa: ARG002
        """The outcome of the visit made."""
        return self._done.popleft() if self._done else None

    def close(self) -> None:
        """Nothing to let go of."""


class ThreadCrew:
    """Threads that wait for servers side by side.

    They only fetch. Reading and judging is computing, which the interpreter
    does in one thread at a time anyway: many threads that compute cost a third
    more CPU than one, so the coordinator does it when it takes an outcome.
    """

    def __init__(self, visitor: Visitor, size: int) -> None:
        self.size = size
        self._busy = 0
        self._visitor = visitor
        self._tasks: queue.SimpleQueue[FoundUrl | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        for number in range(size):
            # Daemons: a server that never ends its answer must not keep the process alive.
            threading.Thread(target=self._work, name=f"crew-{number}", daemon=True).start()

    @property
    def busy(self) -> int:
        """Visits whose outcome was not taken yet."""
        return self._busy

    def _work(self) -> None:
        while (entry := self._tasks.get()) is not None:
            self._done.put(self._visitor.fetch(entry))

    def start(self, entry: FoundUrl) -> None:
        """Hand a visit to the next free thread."""
        self._busy += 1
        self._tasks.put(entry)

    def next(self, timeout: float) -> Outcome | None:
        """The outcome of a visit, or None where none ends in time."""
        try:
            outcome = self._done.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            return None
        self._busy -= 1
        return self._visitor.read(outcome)

    def close(self) -> None:
        """Tell the threads to end after the visit that they are at."""
        for _ in range(self.size):
            self._tasks.put(None)


def hire(visitor: Visitor, size: int) -> Crew:
    """A crew of that size."""
    return LoneWorker(visitor) if size == 1 else ThreadCrew(visitor, size)


# One visit: robots.txt, fetch, read, judge. What a worker does with a URL.


_HOST_FAILED = HOST_DOWN | {DropReason.ADDRESS_REFUSED}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a visit: a judged page, a redirect, or an error.

    ``bug`` holds an exception that is no one's bad page but a mistake in a
    judge or in semcrawl; the crawl ends with it.
    """

    entry: FoundUrl
    elapsed: float
    response: Response | None = None
    page: Page | None = None
    judgement: Judgement | None = None
    error: FetchError | PageError | None = None
    robots_delay: float = 0.0
    bug: Exception | None = None


class Visitor:
    """Visits URLs; several threads may do so with one visitor.

    ``reader`` makes pages of responses; it raises PageError where there is none.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        judge: Judge,
        robots: Robots | None,
        reader: Callable[[Response], Page] = read_page,
    ) -> None:
        self._fetcher = fetcher
        self._judge = judge
        self._robots = robots
        self._reader = reader

    def visit(self, entry: FoundUrl) -> Outcome:
        """Fetch, read and judge one URL; never raises."""
        return self.read(self.fetch(entry))

    def fetch(self, entry: FoundUrl) -> Outcome:
        """The first half, which mostly waits: ask robots.txt and fetch; never raises."""
        started = time.monotonic()
        response, delay = None, 0.0
        error: FetchError | None = None
        bug: Exception | None = None
        try:
            delay = self._ask_robots(entry.url)
            response = self._fetcher.fetch(entry.url, headers=_conditions(entry))
        except FetchError as failure:
            error = failure
        except Exception as mistake:  # noqa: BLE001 - handed to the coordinator, which raises it
            bug = mistake
        elapsed = time.monotonic() - started
        return Outcome(entry, elapsed, response, error=error, robots_delay=delay, bug=bug)

    def read(self, outcome: Outcome) -> Outcome:
        """The second half, which computes: read and judge what was fetched; never raises."""
        response = outcome.response
        if response is None or response.redirect is not None or is_as_before(outcome):
            return outcome
        try:
            page = self._reader(response)
            return replace(outcome, page=page, judgement=self._judge.judge(page))
        except PageError as failure:
            return replace(outcome, error=failure)
        except Exception as mistake:  # noqa: BLE001 - handed to the coordinator, which raises it
            return replace(outcome, bug=mistake)

    def _ask_robots(self, url: str) -> float:
        """The delay that the site asks for; raises FetchError where it allows no visit."""
        if self._robots is None:
            return 0.0
        rules = self._robots.rules(url)
        refusal = rules.refusal(url)
        if refusal is None:
            return rules.delay
        problem = rules.problem
        if problem is not None and problem.reason in _HOST_FAILED:
            # The page would fail as its robots.txt did: that is the reason to tell.
            raise FetchError(str(problem), reason=problem.reason, temporary=problem.temporary)
        # What could not be asked may be asked later; a refusal stays one.
        unsure = refusal == DropReason.ROBOTS_UNREACHABLE
        why = f"{refusal.explanation} {problem or ''}".strip()
        raise FetchError(f"{url}: {why}", reason=refusal, temporary=unsure)


def _conditions(entry: FoundUrl) -> dict[str, str] | None:
    """What a revisit asks for: the page only if it has changed (RFC 9110, section 13.1)."""
    known = entry.known
    if known is None:
        return None
    given = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    # A server may send what no request can carry.
    return {name: value for name, value in given.items() if value.isascii() and value} or None


def is_as_before(outcome: Outcome) -> bool:
    """Whether a revisit found the page unchanged; there is nothing to read then."""
    known, response = outcome.entry.known, outcome.response
    if known is None or response is None:
        return False
    return response.status == 304 or response.digest == known.digest
