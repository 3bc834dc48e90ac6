"""The frontier: the URLs known and not visited, best first, fair and polite between hosts.

A queue per host stands under a queue of hosts, in which every free host competes with its best
item. Items whose URL changed or left are skipped when they come up. With a million URLs memory is
slower than computing: so only the best thousands have items in queues, all others lie in a tail.
"""

import heapq
import math
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from operator import attrgetter
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


def _in_order(heap: Sequence[Item]) -> Iterator[Item]:
    """Yield the items of a heap, which stay, the first first."""
    near = [(item, 0) for item in heap[:1]]
    while near:
        item, place = heapq.heappop(near)
        yield item
        for child in range(2 * place + 1, min(2 * place + 3, len(heap))):
            heapq.heappush(near, (heap[child], child))


_TRY = 1e6  # what one failed try counts against a priority: more than any priority can make good


class FoundOrder:
    """Best priority first, equals in the order in which they were found.

    Factors of hosts count only where hosts compete: within one they change no order.
    """

    def __init__(self) -> None:
        self.factors: dict[str, float] = {}
        self.rating: Callable[[FoundUrl], float] = attrgetter("priority")
        """How good a URL is beside those of all hosts: minus the first that its host would compete with."""

    def set_factor(self, host: str, factor: float) -> None:
        """From now on the priorities of a host are multiplied by this."""
        self.factors[host] = factor
        self.rating = self._rate

    def _rate(self, entry: FoundUrl) -> float:
        return entry.priority * self.factors.get(entry.host, 1.0)

    def item(self, entry: FoundUrl) -> Item:
        """Return the place of a URL among those of its host."""
        return (-entry.priority, entry.order, entry.url)

    def front(self, item: Item, host: str) -> Item:
        """Return what a host competes with when this is its best item."""
        return (item[0] * self.factors.get(host, 1.0), item[1], host)

    def picked(self, host: str, pages: int = 1) -> None:
        """URLs of the host were chosen, so many."""


class LeastLoaded(FoundOrder):
    """The order of the soft-focused crawler (Chakrabarti et al. 1999, section 4.2).

    Fewest tries, best priority, fewest pages of the server, then a hash of the URL for chance.
    """

    def __init__(self) -> None:
        super().__init__()
        self._load: Counter[str] = Counter()
        self.rating = self._rate

    def _rate(self, entry: FoundUrl) -> float:
        return -self._key(entry.tries * _TRY - entry.priority, entry.host)

    def _key(self, key: float, host: str) -> float:
        tries = math.ceil(key / _TRY) * _TRY
        return tries - (tries - key) * self.factors.get(host, 1.0)

    def item(self, entry: FoundUrl) -> Item:
        """Tries and negative priority as one number, then the hash."""
        return (entry.tries * _TRY - entry.priority, crc32(entry.url.encode()), entry.url)

    def front(self, item: Item, host: str) -> Item:
        """Tries and priority times the factor of the host, then its load, then the hash."""
        return (self._key(item[0], host), (self._load[host] << 32) + item[1], host)

    def picked(self, host: str, pages: int = 1) -> None:
        """So many pages more were taken from the host."""
        self._load[host] += pages


_MUCH_BETTER = 2.0  # times the priority
_LIKELY = 0.25  # the priority from which on a URL is worth a visit whatever else there is
_MOST_STALE = 1000
"""Items that no longer hold, beside one for each URL, before the queues are made anew."""


_PORT_PAUSE = 1.0  # seconds from a request to a machine to the next at another port


def _machine(host: str) -> str:
    """Return what hosts at other ports share; no host is named so."""
    return f"{host.partition(']' if host.startswith('[') else ':')[0]}:"


class HostGate:
    """Which hosts may be asked now: one request at a time each, not before their time.

    A host rests until ``rotation`` picks lie between two of it, as long as others have URLs: of
    so many URLs picked each is of another host (Pant, Menczer 2003, section 4.1: D = 50). Rests
    follow from the latest picks alone, so that a resumed crawl can go on with them.

    Each port of a machine is a host. They share one request at a time, and one a second where each pauses that long.
    """

    def __init__(self, rotation: int = 0) -> None:
        self._rotation = rotation
        self._busy: dict[str, float] = {}  # since when
        self._ready_at: dict[str, float] = {}
        self._waiting: list[tuple[float, str]] = []
        self._picks = 0
        self._last_pick: dict[str, int] = {}  # of hosts that rest, in the order of their picks
        # Machines that are asked at one of their ports: the hosts at others that were not free for it.
        self._shut: dict[str, set[str]] = {}

    def is_free(self, host: str) -> bool:
        """Whether the host may be asked at the time last told to :meth:`due`."""
        if host in self._busy or host in self._ready_at or host in self._last_pick:
            return False
        if (others := self._shut.get(_machine(host))) is not None:
            others.add(host)
        return others is None

    def pick(self, host: str, now: float) -> int:
        """A request to the host begins; return its number."""
        self._picks += 1
        self._busy[host] = now
        self._shut[_machine(host)] = set()
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
        open_at = min(ready_at, self._busy.pop(host, ready_at) + _PORT_PAUSE)
        for name, when in ((host, ready_at), (_machine(host), open_at)):
            self._ready_at[name] = when
            heapq.heappush(self._waiting, (when, name))

    def due(self, now: float) -> Iterator[str]:
        """The hosts that have become free by now, each once."""
        while self._waiting and self._waiting[0][0] <= now:
            ready_at, name = heapq.heappop(self._waiting)
            if self._ready_at.get(name) == ready_at:
                del self._ready_at[name]
                yield from filter(self.is_free, self._shut.pop(name, {name}))
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
        return (
            host
            for host in self._last_pick
            if host not in self._busy and host not in self._ready_at and _machine(host) not in self._shut
        )

    def soon(self, now: float, seconds: float) -> Iterator[str]:
        """The hosts that are not free but will be within so many seconds; who is asked for longer may hang."""
        yield from (host for host, since in self._busy.items() if now - since < seconds)
        yield from (host for host, ready_at in self._ready_at.items() if ready_at - now < seconds)

    def next_due(self) -> float | None:
        """When the next waiting host becomes free, or None where none waits."""
        while self._waiting and self._ready_at.get(self._waiting[0][1]) != self._waiting[0][0]:
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else None


_FEW = 16_384  # items in queues for which no tail is made
_PART = 512  # URLs that come from the tail into the queues together


class Tail:
    """Waiting URLs that need no place in a queue yet: all in queues are better.

    They lie in parts, the best last, unsorted: memory is touched when a URL comes, and when its part is the best. What
    has another rating by then is left out; who gave it that put it where it belongs.
    """

    def __init__(self, ordering: FoundOrder) -> None:
        self._ordering = ordering
        self._parts: list[list[FoundUrl]] = []
        self.limits: list[float] = []  # of each part: what its ratings are below; those of the next are not
        self.hosts: set[str] = set()  # of these URLs, perhaps more

    def takes(self, entry: FoundUrl) -> bool:
        """Keep a URL, unless it is as good as those in queues."""
        place = bisect_right(self.limits, self._ordering.rating(entry))
        if place == len(self.limits):
            return False
        self._parts[place].append(entry)
        self.hosts.add(entry.host)
        return True

    def put_on_top(self, entries: list[FoundUrl], limit: float = math.inf) -> None:
        """Add URLs that are better than all that are here; the best part is to be taken out then."""
        rating = self._ordering.rating
        entries.sort(key=rating)
        self.hosts.update(entry.host for entry in entries)
        size = len(entries) // (len(entries) // _PART + 1) + 1
        start = 0
        while start < len(entries):
            end = start + size
            if end < len(entries):
                # Equals stay together.
                end = bisect_left(entries, rating(entries[end]), start, key=rating)
            if end == start:
                end = bisect_right(entries, rating(entries[end]), start, key=rating)
            self._parts.append(entries[start:end])
            self.limits.append(rating(entries[end]) if end < len(entries) else limit)
            start = end

    def pop(self) -> Collection[FoundUrl]:
        """Take out the best part, of one with very many URLs the best of these."""
        part, limit = self._pop()
        if len(part) > 2 * _PART:
            self.put_on_top(part, limit)
            part, limit = self._pop()
        if not self.limits:
            self.hosts.clear()
        # One that had several priorities may lie there several times.
        return {id(entry): entry for entry in part}.values()

    def _pop(self) -> tuple[list[FoundUrl], float]:
        limit, rating = self.limits.pop(), self._ordering.rating
        least = self.limits[-1] if self.limits else -math.inf
        return [entry for entry in self._parts.pop() if least <= rating(entry) < limit], limit


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
        # Heaps: by host the items of its best URLs, and what hosts compete with or did, each free one with its best.
        self._queues: defaultdict[str, list[Item]] = defaultdict(list)
        self._hosts: list[Item] = []
        self._tail = Tail(self._ordering)
        self._held, self._most = 0, _FEW  # items in queues, and how many may be there until some go into the tail
        self._is_outdated = False  # whether hosts in the tail have other factors than when it was made
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
        self._ordering.set_factor(host, factor)
        if self._tail.limits:
            self._is_outdated = True
        elif self._gate.is_free(host):
            self._announce(host)

    def take(self, count: int) -> int:
        """Set the ``count`` best URLs aside as a batch that is served before anything else."""
        if self._is_outdated:
            self._make_anew()
        self._take_from_queues(count)
        while len(self._batch) < count and self._lower():
            self._take_from_queues(count)
        self._hosts.clear()
        for host in self._queues:
            if self._gate.is_free(host):
                self._announce(host)
        return len(self._batch)

    def _take_from_queues(self, count: int) -> None:
        front = self._ordering.front
        tops = [front(top, host) for host in list(self._queues) if (top := self._top(host))]
        heapq.heapify(tops)
        while tops and len(self._batch) < count:
            host = heapq.heappop(tops)[2]
            url = self._pop_item(host)[2]
            self._batch.append(self._entries[url])
            self._aside.add(url)
            self._ordering.picked(host)
            if top := self._top(host):
                heapq.heappush(tops, front(top, host))

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
        while self._tail.limits and self._tail.limits[-1] > -least and self._lower():
            pass
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
        if self._batch:
            found = [entry.priority for entry in self._batch]
        else:
            while len(found := self._free_tops(count, per_host)) < count and self._lower_for_free(per_host):
                pass
        front = self._ordering.front
        for host in () if found else self._gate.resting():
            if top := self._top_of_all(host):
                found.append(-front(top, host)[0])
        return sorted(found, reverse=True)[:count]

    def _free_tops(self, count: int, per_host: int) -> list[float]:
        """The same of what is in queues, and more."""
        found: list[float] = []
        # A host may compete twice with the same.
        fronts = filter(self._holds, (first for first, _ in groupby(_in_order(self._hosts))))
        for place, (_, _, host) in enumerate(islice(fronts, count)):
            items = islice(_in_order(self._queues[host]), per_host if place < per_host else 1)
            found += (-self._ordering.front(item, host)[0] for item in items)
        return found

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
            self._held -= len(self._queues.pop(entry.host, ()))
            self._tail.hosts.discard(entry.host)
        self._stale += len(gone)
        self._batch = [entry for entry in self._batch if not is_gone(entry.host)]
        return gone

    def _enqueue(self, entry: FoundUrl) -> None:
        host = entry.host = sys.intern(entry.host)
        if self._tail.limits and self._tail.takes(entry):
            return
        item = self._ordering.item(entry)
        queue = self._queues[host]
        heapq.heappush(queue, item)
        if queue[0] == item and self._gate.is_free(host):
            heapq.heappush(self._hosts, self._ordering.front(item, host))
        self._held += 1
        if self._held > self._most:
            entries = map(self._entry, chain.from_iterable(self._queues.values()))
            self._distribute([waiting for waiting in entries if waiting is not None])

    def _announce(self, host: str) -> None:
        """Let a free host compete with its best item, which is checked when it wins."""
        if host in self._queues:
            heapq.heappush(self._hosts, self._ordering.front(self._queues[host][0], host))

    def _holds(self, first: Item) -> bool:
        """Whether a host is free and still competes with this."""
        host = first[2]
        is_free = host in self._queues and self._gate.is_free(host)
        return is_free and self._ordering.front(self._queues[host][0], host) == first

    def _pop_item(self, host: str) -> Item:
        queue = self._queues[host]
        item = heapq.heappop(queue)
        self._held -= 1
        if not queue:
            del self._queues[host]
        return item

    def _count_stale(self) -> None:
        self._stale += 1
        if self._stale > len(self._entries) + _MOST_STALE:
            self._make_anew()

    def _make_anew(self) -> None:
        """Make queues and tail from what waits, without the items that no longer hold."""
        self._tail = Tail(self._ordering)
        self._worst.forget()
        self._stale = 0
        self._is_outdated = False
        self._distribute([entry for url, entry in self._entries.items() if url not in self._aside])

    def _distribute(self, entries: list[FoundUrl]) -> None:
        """Let the best of what is better than the tail be in queues, and no others."""
        self._queues.clear()
        self._hosts.clear()
        self._held = 0
        self._tail.put_on_top(entries)
        self._lower()

    def _lower(self) -> bool:
        """Let the best part of the tail into the queues; whether there was one."""
        if not self._tail.limits:
            return False
        queues, item, come = self._queues, self._ordering.item, []
        part = self._tail.pop()
        for entry in part:
            queue = queues[entry.host]
            if not queue:
                come.append(entry.host)
            heapq.heappush(queue, item(entry))
        self._held += len(part)
        for host in come:
            if self._gate.is_free(host):
                self._announce(host)
        self._most = max(_FEW, 2 * self._held)
        return True

    def _lower_for_free(self, per_host: int = 1) -> bool:
        """The same, if that may bring items to a free host that has fewer in its queue."""
        queues, is_free = self._queues, self._gate.is_free
        hosts = self._tail.hosts
        return any(is_free(host) and len(queues.get(host, ())) < per_host for host in hosts) and self._lower()

    def _entry(self, item: Item) -> FoundUrl | None:
        """The waiting URL that an item stands for, None where it no longer holds."""
        entry = self._entries.get(item[2])
        if entry is None or self._ordering.item(entry) != item:
            return None
        # A priority that was changed and changed back leaves a second item behind.
        return None if item[2] in self._aside else entry

    def _top(self, host: str) -> Item | None:
        """The first item of the host's queue that still holds, None where there is none."""
        while host in self._queues:
            item = self._queues[host][0]
            if self._entry(item) is not None:
                return item
            self._pop_item(host)
        return None

    def _top_of_all(self, host: str) -> Item | None:
        """The same, where the tail may have it."""
        while (top := self._top(host)) is None and host in self._tail.hosts:
            self._lower()
        return top

    def _catch_up(self, now: float) -> None:
        if self._is_outdated:
            self._make_anew()
        while self._later and self._later[0][0] <= now:
            entry = heapq.heappop(self._later)[2]
            self._aside.discard(entry.url)
            if self._entries.get(entry.url) is entry:
                self._enqueue(entry)
                self._worst.note(entry)
        for host in self._gate.due(now):
            self._announce(host)

    def _pop_best(self) -> FoundUrl | None:
        while self._hosts or self._lower_for_free():
            if not self._hosts:
                continue
            first = heapq.heappop(self._hosts)
            # Its best item may be another by now, or the host was asked from a batch.
            if not self._holds(first):
                continue
            entry = self._entry(self._pop_item(first[2]))
            if entry is not None:
                return entry
            self._announce(first[2])
        for host in self._gate.resting():
            if self._top_of_all(host) is not None:
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
