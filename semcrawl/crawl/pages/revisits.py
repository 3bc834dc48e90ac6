"""Pages that wait for another visit, and their share of a crawl's visits."""

import heapq

from semcrawl.crawl.kind import CrawlState
from semcrawl.graph import SC, Changes, FoundUrl
from semcrawl.graph.changes import KnownPage
from semcrawl.web.urls import host_of

_AHEAD = 1e6  # the priority of a revisit in the frontier, which it enters when its turn has come


class Revisits:
    """Chooses when pages are visited again; ``sc:revisitPriority`` marks those that wait."""

    def __init__(self, state: CrawlState) -> None:
        self._share = state.settings.revisit_share
        self._graph = state.graph
        self._wanted: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []
        self._under_way: set[str] = set()
        self._visits = 0
        self._revisits = 0
        if state.is_resumed:
            for row in self._graph.query("frontier/revisits"):
                self._put(row["url"], row["priority"])

    def want(self, changes: Changes, url: str, priority: float) -> bool:
        """Let a visited page wait for another visit; whether that changes anything."""
        before = self._wanted.get(url)
        if url in self._under_way or before == priority:
            return False
        if before is None and self._graph.store.value(url, SC + "step") is None:
            return False
        changes.revisit_wanted(url, before, priority)
        self._put(url, priority)
        return True

    def _put(self, url: str, priority: float) -> None:
        self._wanted[url] = priority
        heapq.heappush(self._heap, (-priority, url))

    def visit_started(self, entry: FoundUrl) -> None:
        """Count a visit, of whichever kind."""
        self._visits += 1
        self._revisits += entry.known is not None

    def next(self) -> FoundUrl | None:
        """Return the page whose turn it is, None where none waits or the share is used up."""
        pending = self._revisits + len(self._under_way)
        if self._share < 1.0 and pending + 1 > self._share * (self._visits + 1):
            return None
        while self._heap:
            priority, url = heapq.heappop(self._heap)
            if self._wanted.get(url) != -priority:
                continue
            del self._wanted[url]
            entry = self._entry(url)
            if entry is not None:
                self._under_way.add(url)
                return entry
        return None

    def _entry(self, url: str) -> FoundUrl | None:
        row = next(iter(self._graph.query("frontier/known-page", url=url)), None)
        if row is None:
            return None
        order, depth = row.pop("order"), row.pop("depth")
        known = KnownPage(**{name: value for name, value in row.items() if value is not None})
        return FoundUrl(url, host_of(url), _AHEAD, order, depth, found_on=url, known=known)

    def done(self, url: str) -> None:
        """The revisit of a page has ended."""
        self._under_way.discard(url)
