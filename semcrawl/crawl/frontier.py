"""The frontier: the URLs known and not visited, best first, fair and polite between hosts.

A queue per host stands under a queue of hosts, in which every free host competes with its front,
its best item. Items whose URL changed or left are skipped when they come up. With a million URLs
memory is slower than computing, so items and entries are looked at once, and hosts share a name.
"""

import heapq
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from zlib import crc32

from semcrawl.graph import FoundUrl


class Worst:
    """Finds the waiting URL of lowest priority, of equals the latest, and none of ``aside``."""

    def __init__(self, entries: Mapping[str, FoundUrl], aside: Container[str], capacity: int) -> None:
        self._entries = entries
        self._aside = aside
        self._capacity = capacity
        # Built when first asked for: most crawls never fill their frontier.
        self._heap: list[tuple[float, int, str]] | None = None

    def note(self, entry: FoundUrl) -> None:
        """A URL came, or has another priority."""
        if self._heap is not None:
            heapq.heappush(self._heap, (entry.priority, -entry.order, entry.url))

    def forget(self) -> None:
        """Many URLs have other priorities: look at all when asked again."""
        self._heap = None

    def find(self) -> FoundUrl | None:
        """The worst URL, None where nothing can be given up."""
        heap = self._heap
        if heap is None or len(heap) > 4 * self._capacity:
            heap = [(e.priority, -e.order, e.url) for e in self._entries.values()]
            heapq.heapify(heap)
            self._heap = heap
        while heap:
            priority, order, url = heap[0]
            entry = self._entries.get(url)
            if entry is not None and (entry.priority, -entry.order) == (priority, order) and url not in self._aside:
                return entry
            heapq.heappop(heap)
        return None


Item = tuple[float, int, str]  # key, tie, URL or host: the smallest is the best
_SMALL, _LARGE = 32, 8192


class BestQueue:
    """A priority queue of items ``(-priority, order, name)``, smallest first.

    A pop touches one item, the last of a sorted run; the newest are in a small heap, merged later.

    >>> queue = BestQueue()
    >>> for item in [(-0.2, 1, "b"), (-0.9, 2, "a")]:
    ...     _ = queue.push(item)
    >>> queue.pop()
    (-0.9, 2, 'a')
    """

    __slots__ = ("_fresh", "_run")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._run: list[Item] = sorted(items, reverse=True)
        self._fresh: list[Item] = []

    def __len__(self) -> int:
        return len(self._run) + len(self._fresh)

    def push(self, item: Item) -> bool:
        """Add an item; whether it is now the first."""
        fresh = self._fresh
        heapq.heappush(fresh, item)
        if len(fresh) > _SMALL and len(fresh) > min(len(self._run) >> 3, _LARGE):
            self._run += fresh
            # Nearly sorted already: the sort finds the long run and merges, in linear time.
            self._run.sort(reverse=True)
            self._fresh = []
            return self._run[-1] is item
        return fresh[0] is item and (not self._run or item < self._run[-1])

    def peek(self) -> Item:
        """The first item; IndexError for an empty queue."""
        if self._fresh and (not self._run or self._fresh[0] < self._run[-1]):
            return self._fresh[0]
        return self._run[-1]

    def first(self, count: int) -> list[Item]:
        """The first items, which stay."""
        return heapq.nsmallest(count, (*self._run[-count:], *self._fresh)) if count > 0 else []

    def pop(self) -> Item:
        """Take the first item out."""
        if self._fresh and (not self._run or self._fresh[0] < self._run[-1]):
            return heapq.heappop(self._fresh)
        return self._run.pop()


_TRY = 1e6  # what one failed try counts against a priority: more than any priority can make good


class FoundOrder:
    """Best priority first, equals in the order in which they were found.

    Factors of hosts count only where hosts compete: within one they change no order.
    """

    def __init__(self) -> None:
        self.factors: dict[str, float] = {}

    def item(self, entry: FoundUrl) -> Item:
        """Return the place of a URL among those of its host."""
        return (-entry.priority, entry.order, entry.url)

    def front(self, item: Item, host: str) -> Item:
        """Return what a host competes with when this is its best item."""
        # The sum makes a copy of the number, so that those which hosts compete
        # with lie close together in memory.
        return (item[0] * self.factors.get(host, 1.0) + 0.0, item[1], host)

    def picked(self, host: str, pages: int = 1) -> None:
        """URLs of the host were chosen, so many."""


class LeastLoaded(FoundOrder):
    """The order of the soft-focused crawler (Chakrabarti et al. 1999, section 4.2).

    Fewest tries, best priority, fewest pages of the server, then a hash of the URL for chance.
    """

    def __init__(self) -> None:
        super().__init__()
        self._load: Counter[str] = Counter()

    def item(self, entry: FoundUrl) -> Item:
        """Tries and negative priority as one number, then the hash."""
        return (entry.tries * _TRY - entry.priority, crc32(entry.url.encode()), entry.url)

    def front(self, item: Item, host: str) -> Item:
        """Tries and priority times the factor of the host, then its load, then the hash."""
        tries = math.ceil(item[0] / _TRY)
        priority = tries * _TRY - item[0]
        key = tries * _TRY - priority * self.factors.get(host, 1.0)
        return (key, (self._load[host] << 32) + item[1], host)

    def picked(self, host: str, pages: int = 1) -> None:
        """So many pages more were taken from the host."""
        self._load[host] += pages


_MUCH_BETTER = 2.0  # times the priority
_LIKELY = 0.25  # the priority from which on a URL is worth a visit whatever else there is
_MOST_STALE = 1000
"""Items that no longer hold, beside one for each URL, before the queues are made anew."""


class HostGate:
    """Which hosts may be asked now: one request at a time each, not before their time.

    A host rests until ``rotation`` picks lie between two of it, as long as others have URLs: of
    so many URLs picked each is of another host (Pant, Menczer 2003, section 4.1: D = 50). Rests
    follow from the latest picks alone, so that a resumed crawl can go on with them.
    """

    def __init__(self, rotation: int = 0) -> None:
        self._rotation = rotation
        self._busy: dict[str, float] = {}  # since when
        self._ready_at: dict[str, float] = {}
        self._waiting: list[tuple[float, str]] = []
        self._picks = 0
        self._last_pick: dict[str, int] = {}  # of hosts that rest, in the order of their picks

    def is_free(self, host: str) -> bool:
        """Whether the host may be asked at the time last told to :meth:`due`."""
        return host not in self._busy and host not in self._ready_at and host not in self._last_pick

    def pick(self, host: str, now: float) -> int:
        """A request to the host begins; return its number."""
        self._picks += 1
        self._busy[host] = now
        if self._rotation:
            self._last_pick.pop(host, None)
            self._last_pick[host] = self._picks
        return self._picks

    def restore(self, last_picks: Mapping[str, int]) -> None:
        """Take over the number of each host's last pick, from an earlier run."""
        self._picks = max(last_picks.values(), default=0)
        first = self._picks - self._rotation
        latest = sorted((pick, host) for host, pick in last_picks.items() if pick > first)
        self._last_pick = {host: pick for pick, host in latest}

    def release(self, host: str, ready_at: float) -> None:
        """The request has ended; the next may begin at ``ready_at``."""
        self._busy.pop(host, None)
        self._ready_at[host] = ready_at
        heapq.heappush(self._waiting, (ready_at, host))

    def due(self, now: float) -> Iterator[str]:
        """The hosts that have become free by now, each once."""
        while self._waiting and self._waiting[0][0] <= now:
            ready_at, host = heapq.heappop(self._waiting)
            if self._ready_at.get(host) == ready_at:
                del self._ready_at[host]
                if self.is_free(host):
                    yield host
        # One pick ends at most one rest.
        while self._last_pick:
            host, pick = next(iter(self._last_pick.items()))
            if self._picks - pick < self._rotation:
                break
            del self._last_pick[host]
            if self.is_free(host):
                yield host

    def resting(self) -> Iterator[str]:
        """The hosts that could be asked but for their rest, the one picked longest ago first."""
        for host in self._last_pick:
            if host not in self._busy and host not in self._ready_at:
                yield host

    def soon(self, now: float, seconds: float) -> Iterator[str]:
        """The hosts that are not free but will be within so many seconds; who is asked for longer may hang."""
        yield from (host for host, since in self._busy.items() if now - since < seconds)
        yield from (host for host, ready_at in self._ready_at.items() if ready_at - now < seconds)

    def next_due(self) -> float | None:
        """When the next waiting host becomes free, or None where none waits."""
        while self._waiting and self._ready_at.get(self._waiting[0][1]) != self._waiting[0][0]:
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else None


class Frontier:
    """URLs in the order of their priority; beyond ``capacity`` the worst are given up.

    With ``patience`` a URL of low priority waits for a host with a much better one that is free in so many seconds.
    """

    def __init__(
        self, capacity: int = 70_000, rotation: int = 0, ordering: FoundOrder | None = None, patience: float = 0.0
    ) -> None:
        self.capacity = capacity
        self.rotation = rotation
        self._patience = patience
        self._ordering = ordering or FoundOrder()
        self._gate = HostGate(rotation)
        self._entries: dict[str, FoundUrl] = {}
        self._queues: defaultdict[str, BestQueue] = defaultdict(BestQueue)
        self._fronts: dict[str, tuple[Item, Item]] = {}  # by host: what is in _hosts, its item
        self._hosts = BestQueue()
        self._later: list[tuple[float, int, FoundUrl]] = []
        self._batch: list[FoundUrl] = []
        self._aside: set[str] = set()  # waiting, but in no queue: in the batch, or for later
        self._stale = 0  # items in queues that no longer hold, at most
        self._worst = Worst(self._entries, self._aside, capacity)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, url: object) -> bool:
        return url in self._entries

    def get(self, url: str) -> FoundUrl | None:
        """The waiting entry of a URL."""
        return self._entries.get(url)

    def push(self, entry: FoundUrl, not_before: float | None = None) -> FoundUrl | None:
        """Add a URL that is not waiting yet; return the URL given up for it, perhaps itself."""
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

    def fill(self, entries: Iterable[FoundUrl]) -> list[FoundUrl]:
        """Add many URLs that wait for their first visit; return those for which there is no room."""
        for entry in entries:
            self._entries[entry.url] = entry
        self._make_anew()
        return [loser for _ in range(len(self) - self.capacity) if (loser := self._give_up_worst())]

    def prioritise(self, url: str, priority: float) -> None:
        """Give a waiting URL another priority."""
        entry = self._entries[url]
        entry.priority = priority
        if url not in self._aside:
            self._enqueue(entry)
            self._count_stale()
        self._worst.note(entry)

    def prioritise_all(self, priorities: Mapping[str, float]) -> None:
        """Give waiting URLs other priorities; of very many all queues are made anew."""
        if len(priorities) < len(self._entries) >> 2:
            for url, priority in priorities.items():
                self.prioritise(url, priority)
            return
        for url, priority in priorities.items():
            self._entries[url].priority = priority
        self._make_anew()

    def restore(self, pages_by_host: Mapping[str, int], last_picks: Mapping[str, int]) -> None:
        """What hosts have given in an earlier run and when they were last picked; told before anything is pushed."""
        for host, pages in pages_by_host.items():
            self._ordering.picked(host, pages)
        self._gate.restore(last_picks)

    def set_factor(self, host: str, factor: float) -> None:
        """Multiply the priorities of all URLs of a host, waiting now or found later."""
        self._ordering.factors[host] = factor
        if host in self._fronts:
            self._announce(host)

    def take(self, count: int) -> int:
        """Set the ``count`` best URLs aside as a batch that is served before anything else."""
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
        if self._batch:
            entry = self._pop_batch()
        elif (entry := self._pop_best()) is not None:
            if self._patience and self._is_better_soon(entry, now):
                return None
            self._ordering.picked(entry.host)
        if entry is None:
            return None
        del self._entries[entry.url]
        entry.pick = self._gate.pick(entry.host, now)
        return entry

    def _is_better_soon(self, entry: FoundUrl, now: float) -> bool:
        """Whether to wait for another host; what was popped is put back then."""
        front = self._ordering.front
        least = _MUCH_BETTER * front(self._ordering.item(entry), entry.host)[0]
        if least < -_MUCH_BETTER * _LIKELY:
            return False
        tops = ((host, self._top(host)) for host in list(self._gate.soon(now, self._patience)))
        is_better = any(top is not None and front(top, host)[0] < least for host, top in tops)
        if is_better:
            self._enqueue(entry)
        return is_better

    def best(self, now: float, count: int, per_host: int = 1) -> list[float]:
        """The priorities, times the factors of hosts, of what could be popped now, best first.

        Of as many hosts, the best, ``per_host`` count, of others one. What no longer holds may be among them.
        """
        self._catch_up(now)
        found: list[float] = []
        for place, (key, _, host) in enumerate(self._hosts.first(count)):
            front = self._fronts.get(host)
            if front is None or front[0][0] != key or not self._gate.is_free(host):
                continue
            queue = self._queues.get(host) if place < per_host > 1 else None
            behind = queue.first(per_host - 1) if queue else []
            found += (-self._ordering.front(item, host)[0] for item in (front[1], *behind))
        found = [entry.priority for entry in self._batch] or found
        for host in () if found else self._gate.resting():
            if top := self._top(host):
                found.append(-self._ordering.front(top, host)[0])
        return sorted(found, reverse=True)[:count]

    def release(self, host: str, ready_at: float) -> None:
        """The visit to a host has ended; the next may begin at ``ready_at``."""
        self._gate.release(host, ready_at)

    def next_due(self) -> float | None:
        """When something that has to wait may be popped, or None where nothing waits for time."""
        times = (self._later[0][0] if self._later else None, self._gate.next_due())
        return min((when for when in times if when is not None), default=None)

    def remove(self, url: str) -> FoundUrl | None:
        """Take out one URL; None where it does not wait."""
        entry = self._entries.pop(url, None)
        if entry is not None and url in self._aside:
            self._aside.discard(url)
            self._batch = [other for other in self._batch if other.url != url]
        self._count_stale()
        return entry

    def remove_hosts(self, is_gone: Callable[[str], bool]) -> list[FoundUrl]:
        """Take out all URLs of such hosts."""
        gone = [entry for entry in self._entries.values() if is_gone(entry.host)]
        for entry in gone:
            del self._entries[entry.url]
            self._aside.discard(entry.url)
            self._queues.pop(entry.host, None)
            self._fronts.pop(entry.host, None)
        self._batch = [entry for entry in self._batch if not is_gone(entry.host)]
        return gone

    def _enqueue(self, entry: FoundUrl) -> None:
        host = entry.host = sys.intern(entry.host)
        item = self._ordering.item(entry)
        front = self._fronts.get(host)
        if self._gate.is_free(host) if front is None else item < front[1]:
            self._put_back_front(host)
            self._set_front(host, item)
        else:
            self._queues[host].push(item)

    def _set_front(self, host: str, item: Item) -> None:
        front = self._ordering.front(item, host)
        self._fronts[host] = front, item
        self._hosts.push(front)

    def _put_back_front(self, host: str) -> None:
        front = self._fronts.pop(host, None)
        if front is not None:
            self._queues[host].push(front[1])

    def _announce(self, host: str) -> None:
        """Let a free host compete with its best item, which is checked when it wins."""
        self._put_back_front(host)
        if host in self._queues:
            self._set_front(host, self._pop_item(host))

    def _pop_item(self, host: str) -> Item:
        queue = self._queues[host]
        item = queue.pop()
        if not queue:
            del self._queues[host]
        return item

    def _count_stale(self) -> None:
        self._stale += 1
        if self._stale > len(self._entries) + _MOST_STALE:
            self._make_anew()

    def _make_anew(self) -> None:
        """Make all queues from what waits, without the items that no longer hold."""
        by_host: dict[str, list[Item]] = {}
        item, aside = self._ordering.item, self._aside
        for url, entry in self._entries.items():
            if url not in aside:
                by_host.setdefault(entry.host, []).append(item(entry))
        self._queues = defaultdict(BestQueue, ((host, BestQueue(items)) for host, items in by_host.items()))
        self._fronts.clear()
        self._worst.forget()
        self._hosts = BestQueue()
        self._stale = 0
        for host in by_host:
            if self._gate.is_free(host):
                self._announce(host)

    def _entry(self, item: Item) -> FoundUrl | None:
        """The waiting URL that an item stands for, None where it no longer holds."""
        entry = self._entries.get(item[2])
        if entry is None or self._ordering.item(entry) != item:
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
                self._worst.note(entry)
        for host in self._gate.due(now):
            self._announce(host)

    def _pop_best(self) -> FoundUrl | None:
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
                return entry
            self._announce(host)
        for host in self._gate.resting():
            self._put_back_front(host)
            if self._top(host) is not None:
                return self._entry(self._pop_item(host))
        return None

    def _pop_batch(self) -> FoundUrl | None:
        batch, gate = self._batch, self._gate
        places = [number for number, entry in enumerate(batch) if gate.is_free(entry.host)]
        if not places:
            hosts = [entry.host for entry in batch]
            places = [hosts.index(host) for host in gate.resting() if host in hosts]
        if not places:
            return None
        self._aside.discard(batch[places[0]].url)
        return batch.pop(places[0])

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
            self._count_stale()
        return worst
