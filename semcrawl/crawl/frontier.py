"""The frontier: the URLs known and not visited, best first, fair and polite between hosts.

An index over the crawl graph, not a second truth: it is rebuilt from the graph
when a crawl resumes. A queue per host stands under a queue of hosts, in which
every free host competes with its front, its best item. Items whose URL changed
or left are skipped when they come up (their key no longer fits), which is
cheaper than finding them.

Among a million URLs a push or a pop waits for memory more than it computes. So
an item is looked at when it becomes a front and its entry when it wins, once
each, and all URLs of a host share one string for its name.
"""

from __future__ import annotations

import heapq
import sys
from typing import TYPE_CHECKING

from semcrawl.crawl.best_queue import BestQueue
from semcrawl.crawl.hosts import HostGate
from semcrawl.crawl.ordering import FoundOrder
from semcrawl.crawl.worst import Worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from semcrawl.crawl.ordering import Item, Ordering
    from semcrawl.graph import FoundUrl

__all__ = ["Frontier"]


class Frontier:
    """URLs in the order of their priority; equals as the ordering says.

    Args:
        capacity: how many URLs are kept; beyond it the worst are given up.
        rotation: how many other picks lie between two picks of one host,
            where other hosts have something to offer.
        ordering: how URLs are compared; in the order found where none is given.
    """

    def __init__(
        self, capacity: int = 70_000, rotation: int = 0, ordering: Ordering | None = None
    ) -> None:
        self.capacity = capacity
        self._ordering: Ordering = ordering or FoundOrder()
        self._gate = HostGate(rotation)
        self._entries: dict[str, FoundUrl] = {}
        self._queues: dict[str, BestQueue] = {}
        self._fronts: dict[str, tuple[Item, Item]] = {}  # by host: what is in _hosts, its item
        self._hosts = BestQueue()
        self._later: list[tuple[float, int, FoundUrl]] = []
        self._batch: list[FoundUrl] = []
        self._aside: set[str] = set()  # waiting, but in no queue: in the batch, or for later
        self._worst = Worst(self._entries, self._aside, capacity)

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
        return len(self._queues.keys() | self._fronts.keys())

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
        self._worst.note(entry)
        # A revisit takes no room from what waits for its first visit.
        is_over = len(self._entries) > self.capacity and entry.known is None
        return self._give_up_worst() if is_over else None

    def prioritise(self, url: str, priority: float) -> None:
        """Give a waiting URL another priority."""
        entry = self._entries[url]
        entry.priority = priority
        if url not in self._aside:
            self._enqueue(entry)
        self._worst.note(entry)

    def restore_load(self, pages_by_host: Mapping[str, int]) -> None:
        """What hosts have given in an earlier run; to be told before anything is pushed."""
        for host, pages in pages_by_host.items():
            self._ordering.picked(host, pages)

    def set_factor(self, host: str, factor: float) -> None:
        """Multiply the priorities of all URLs of a host, waiting now or found later."""
        self._ordering.factors[host] = factor
        if host in self._fronts:
            self._announce(host)

    def take(self, count: int) -> int:
        """Set the ``count`` best URLs aside as a batch that is served before anything else.

        Politeness decides only when each of them is served, not whether it is chosen.
        """
        for host in list(self._fronts):
            self._put_back_front(host)
        self._hosts = BestQueue()
        front = self._ordering.front
        tops = [front(top, host) for host in list(self._queues) if (top := self._top(host))]
        heapq.heapify(tops)
        while tops and len(self._batch) < count:
            host = heapq.heappop(tops)[2]
            url = self._queues[host].pop()[2]
            self._batch.append(self._entries[url])
            self._aside.add(url)
            self._ordering.picked(host)
            if top := self._top(host):
                heapq.heappush(tops, front(top, host))
        for host in list(self._queues):
            if self._gate.is_free(host):
                self._announce(host)
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

    def remove(self, url: str) -> FoundUrl | None:
        """Take out one URL; None where it does not wait."""
        entry = self._entries.pop(url, None)
        if entry is not None and url in self._aside:
            self._aside.discard(url)
            self._batch = [other for other in self._batch if other.url != url]
        return entry

    def remove_host(self, host: str) -> list[FoundUrl]:
        """Take out all URLs of a host."""
        gone = [entry for entry in self._entries.values() if entry.host == host]
        for entry in gone:
            del self._entries[entry.url]
            self._aside.discard(entry.url)
        self._queues.pop(host, None)
        self._fronts.pop(host, None)
        self._batch = [entry for entry in self._batch if entry.host != host]
        return gone

    def entries(self) -> Iterable[FoundUrl]:
        """All waiting URLs, in no particular order."""
        return self._entries.values()

    def _enqueue(self, entry: FoundUrl) -> None:
        host = entry.host = sys.intern(entry.host)
        item = self._ordering.item(entry)
        front = self._fronts.get(host)
        if front is None and not self._gate.is_free(host):
            self._queue(host).push(item)
        elif front is None or item < front[1]:
            self._put_back_front(host)
            self._set_front(host, item)
        else:
            self._queue(host).push(item)

    def _queue(self, host: str) -> BestQueue:
        queue = self._queues.get(host)
        if queue is None:
            queue = self._queues[host] = BestQueue()
        return queue

    def _set_front(self, host: str, item: Item) -> None:
        front = self._ordering.front(item, host)
        self._fronts[host] = front, item
        self._hosts.push(front)

    def _put_back_front(self, host: str) -> None:
        front = self._fronts.pop(host, None)
        if front is not None:
            self._queue(host).push(front[1])

    def _announce(self, host: str) -> None:
        """Let a host that has become free compete with its best item.

        Whether the item still holds is found out when it wins.
        """
        self._put_back_front(host)
        queue = self._queues.get(host)
        if queue is not None:
            self._set_front(host, queue.pop())
            if not queue:
                del self._queues[host]

    def _entry(self, item: Item) -> FoundUrl | None:
        """The waiting URL that an item stands for, None where it no longer holds."""
        entry = self._entries.get(item[2])
        if entry is None or not self._ordering.holds(item, entry):
            return None
        # A priority that was changed and changed back leaves a second item behind.
        return None if item[2] in self._aside else entry

    def _top(self, host: str) -> Item | None:
        """The first item of the host's queue that still holds, None where there is none."""
        queue = self._queues.get(host)
        while queue:
            item = queue.peek()
            if self._entry(item) is not None:
                return item
            queue.pop()
        self._queues.pop(host, None)
        return None

    def _catch_up(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            entry = heapq.heappop(self._later)[2]
            self._aside.discard(entry.url)
            if self._entries.get(entry.url) is entry:
                self._enqueue(entry)
        for host in self._gate.due(now):
            self._announce(host)

    def _pop_best(self) -> FoundUrl | None:
        while True:
            while self._hosts:
                item = self._hosts.pop()
                host = item[2]
                front = self._fronts.get(host)
                # Another front has taken its place, or the host was asked from a batch.
                if front is None or front[0] is not item or not self._gate.is_free(host):
                    continue
                del self._fronts[host]
                entry = self._entry(front[1])
                if entry is not None:
                    self._ordering.picked(host)
                    return entry
                self._announce(host)
            rested = self._gate.wake_longest_resting()
            if rested is None:
                return None
            self._announce(rested)

    def _pop_batch(self) -> FoundUrl | None:
        for index, entry in enumerate(self._batch):
            if self._gate.is_free(entry.host):
                self._aside.discard(entry.url)
                return self._batch.pop(index)
        rested = self._gate.wake_longest_resting()
        if rested is None:
            return None
        self._announce(rested)
        return self._pop_batch()

    def admits(self, priority: float) -> bool:
        """Whether a URL of that priority, found now, would stay in the frontier."""
        if len(self._entries) < self.capacity:
            return True
        worst = self._worst.find()
        return worst is not None and priority > worst.priority

    def _give_up_worst(self) -> FoundUrl | None:
        worst = self._worst.find()
        if worst is not None:
            del self._entries[worst.url]
        return worst
