"""The frontier: the URLs known and not visited, best first, fair and polite between hosts.

An index over the crawl graph, not a second truth: it is rebuilt from the graph
when a crawl resumes. A queue per host stands under a queue of hosts, so that a
push or a pop costs microseconds among a million URLs. Entries that changed or
left are skipped when they come up (their key no longer fits), which is cheaper
than finding them.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from semcrawl.crawl.best_queue import BestQueue
from semcrawl.crawl.hosts import HostGate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from semcrawl.graph import FoundUrl

__all__ = ["Frontier"]

_Key = tuple[float, int]


def _key(entry: FoundUrl) -> _Key:
    """Queues give the smallest first: the highest priority, then the first found."""
    return (-entry.priority, entry.order)


class Frontier:
    """URLs in the order of their priority; equals in the order in which they were found.

    Args:
        capacity: how many URLs are kept; beyond it the worst are given up.
        rotation: how many other picks lie between two picks of one host,
            where other hosts have something to offer.
    """

    def __init__(self, capacity: int = 70_000, rotation: int = 0) -> None:
        self.capacity = capacity
        self._gate = HostGate(rotation)
        self._entries: dict[str, FoundUrl] = {}
        self._queues: dict[str, BestQueue] = {}
        self._hosts = BestQueue()
        self._announced: dict[str, tuple[float, int, str]] = {}  # what still counts in _hosts
        self._later: list[tuple[float, int, FoundUrl]] = []
        self._batch: list[FoundUrl] = []
        self._aside: set[str] = set()  # waiting, but in no queue: in the batch, or for later
        self._worst: list[tuple[float, int, str]] | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, url: object) -> bool:
        return url in self._entries

    def get(self, url: str) -> FoundUrl | None:
        """The waiting entry of a URL."""
        return self._entries.get(url)

    @property
    def hosts(self) -> int:
        """How many hosts have URLs waiting."""
        return len(self._queues)

    def push(self, entry: FoundUrl, not_before: float | None = None) -> FoundUrl | None:
        """Add a URL that is not waiting yet; the URL that is given up for it, or None.

        The one given up is the worst of all, which may be the new one itself.
        """
        self._entries[entry.url] = entry
        if not_before is None:
            self._enqueue(entry)
        else:
            self._aside.add(entry.url)
            heapq.heappush(self._later, (not_before, entry.order, entry))
        if self._worst is not None:
            heapq.heappush(self._worst, (entry.priority, -entry.order, entry.url))
        return self._give_up_worst() if len(self._entries) > self.capacity else None

    def prioritise(self, url: str, priority: float) -> None:
        """Give a waiting URL another priority."""
        entry = self._entries[url]
        entry.priority = priority
        if url not in self._aside:
            self._enqueue(entry)
        if self._worst is not None:
            heapq.heappush(self._worst, (priority, -entry.order, url))

    def take(self, count: int) -> int:
        """Set the ``count`` best URLs aside as a batch that is served before anything else.

        Politeness decides only when each of them is served, not whether it is chosen.
        """
        tops = [(top, host) for host in list(self._queues) if (top := self._top(host))]
        heapq.heapify(tops)
        while tops and len(self._batch) < count:
            (_, _, url), host = heapq.heappop(tops)
            self._queues[host].pop()
            self._batch.append(self._entries[url])
            self._aside.add(url)
            if top := self._top(host):
                heapq.heappush(tops, (top, host))
        return len(self._batch)

    @property
    def batch_is_served(self) -> bool:
        """Whether nothing is left of the batch that was set aside."""
        return not self._batch

    def pop(self, now: float) -> FoundUrl | None:
        """The best URL of a host that may be asked now; its host is busy until released."""
        self._catch_up(now)
        entry = self._pop_batch() if self._batch else self._pop_best()
        if entry is not None:
            del self._entries[entry.url]
            self._gate.pick(entry.host)
        return entry

    def release(self, host: str, ready_at: float) -> None:
        """The visit to a host has ended; the next may begin at ``ready_at``."""
        self._gate.release(host, ready_at)

    def next_due(self) -> float | None:
        """When something that has to wait may be popped, or None where nothing waits for time."""
        times = [self._later[0][0]] if self._later else []
        if (host_time := self._gate.next_due()) is not None:
            times.append(host_time)
        return min(times, default=None)

    def remove_host(self, host: str) -> list[FoundUrl]:
        """Take out all URLs of a host."""
        gone = [entry for entry in self._entries.values() if entry.host == host]
        for entry in gone:
            del self._entries[entry.url]
            self._aside.discard(entry.url)
        self._queues.pop(host, None)
        self._batch = [entry for entry in self._batch if entry.host != host]
        return gone

    def entries(self) -> Iterable[FoundUrl]:
        """All waiting URLs, in no particular order."""
        return self._entries.values()

    def _enqueue(self, entry: FoundUrl) -> None:
        host = entry.host
        queue = self._queues.get(host)
        if queue is None:
            queue = self._queues[host] = BestQueue()
        item = (-entry.priority, entry.order, entry.url)
        if queue.push(item) and self._gate.is_free(host):
            self._announce(host, item)

    def _holds(self, item: tuple[float, int, str]) -> bool:
        """Whether an item of a queue still stands for a waiting URL."""
        entry = self._entries.get(item[2])
        return entry is not None and entry.order == item[1] and entry.priority == -item[0]

    def _top(self, host: str) -> tuple[float, int, str] | None:
        """The first item of the host's queue that still holds, None where there is none."""
        queue = self._queues.get(host)
        while queue:
            item = queue.peek()
            if self._holds(item):
                return item
            queue.pop()
        self._queues.pop(host, None)
        return None

    def _announce(self, host: str, first: tuple[float, int, str]) -> None:
        """Let a free host compete with the first item of its queue, in place of an earlier one.

        Whether the item still holds is looked up only when it wins: its entry
        lies somewhere in a large memory, and most would be looked up twice.
        """
        item = self._announced[host] = (first[0], first[1], host)
        self._hosts.push(item)

    def _announce_first(self, host: str) -> None:
        queue = self._queues.get(host)
        if queue:
            self._announce(host, queue.peek())

    def _catch_up(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            entry = heapq.heappop(self._later)[2]
            self._aside.discard(entry.url)
            if self._entries.get(entry.url) is entry:
                self._enqueue(entry)
        for host in self._gate.due(now):
            self._announce_first(host)

    def _pop_best(self) -> FoundUrl | None:
        while True:
            while self._hosts:
                item = self._hosts.pop()
                host = item[2]
                if self._announced.get(host) is item and self._gate.is_free(host):
                    entry = self._pop_host(host, item)
                    if entry is not None:
                        return entry
            rested = self._gate.wake_longest_resting()
            if rested is None:
                return None
            self._announce_first(rested)

    def _pop_host(self, host: str, announced: tuple[float, int, str]) -> FoundUrl | None:
        """The host's best URL if it is as good as announced; else announce what it has."""
        top = self._top(host)
        if top is None:
            del self._announced[host]
            return None
        if top[:2] != announced[:2]:
            self._announce(host, top)
            return None
        self._queues[host].pop()
        return self._entries[top[2]]

    def _pop_batch(self) -> FoundUrl | None:
        for index, entry in enumerate(self._batch):
            if self._gate.is_free(entry.host):
                self._aside.discard(entry.url)
                return self._batch.pop(index)
        rested = self._gate.wake_longest_resting()
        return self._pop_batch() if rested is not None else None

    def admits(self, priority: float) -> bool:
        """Whether a URL of that priority, found now, would stay in the frontier."""
        if len(self._entries) < self.capacity:
            return True
        worst = self._find_worst()
        return worst is not None and priority > worst.priority

    def _find_worst(self) -> FoundUrl | None:
        if self._worst is None or len(self._worst) > 4 * self.capacity:
            self._worst = [(e.priority, -e.order, e.url) for e in self._entries.values()]
            heapq.heapify(self._worst)
        while self._worst:
            priority, order, url = self._worst[0]
            entry = self._entries.get(url)
            if (
                entry is not None
                and (entry.priority, -entry.order) == (priority, order)
                and url not in self._aside
            ):
                return entry
            heapq.heappop(self._worst)
        return None

    def _give_up_worst(self) -> FoundUrl | None:
        worst = self._find_worst()
        if worst is not None:
            del self._entries[worst.url]
        return worst
