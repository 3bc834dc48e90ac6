"""A shard of a crawl: an ordinary crawl that visits what it may, and trades links with others.

Links to URLs of other shards are written into ``sc:outbox`` of their page, in the transaction of
the page, and removed when all receivers have recorded them. A receiver takes a batch in one
transaction; taking it twice changes nothing.
"""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec
import pyoxigraph as ox

from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.events import CrawlStopped, CrawlWarned, Event
from semcrawl.crawl.pages.crawl import Crawl
from semcrawl.crawl.pages.page_kind import PageKind, Ranked
from semcrawl.crawl.pages.priorities import BELOW_POLICIES
from semcrawl.crawl.pages.state import PageState
from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.crawl.shards.layout import owner_of
from semcrawl.crawl.shards.messages import MOST_TOPS, LinkBatch, LinkedPage, Orders, ShardReport
from semcrawl.errors import StoreError
from semcrawl.graph import SC, Changes, CrawlGraph, FoundUrl
from semcrawl.graph.changes import Way
from semcrawl.graph.columns import PAGE
from semcrawl.models.adaptive_judge import OTHERS
from semcrawl.models.crawl_memory import pack_sums, unpack_sums
from semcrawl.relevance.judges import BaseJudge
from semcrawl.steering import Policy
from semcrawl.strategies.strategy import BaseStrategy
from semcrawl.whole_files import write_whole

_OUTBOX, _MEMO = ox.NamedNode(SC + "outbox"), SC + "memo"
_MOST_PAGES = 200  # in a batch
_MOST_BATCHES = 4  # on their way to one shard
_TELL_EVERY = 0.1  # seconds, where there are no orders
_MOST_EVENTS = 5_000  # that wait to be told; later ones are left out

Outgoing = tuple[str, str]
"""A page, and the text of an outbox of it."""


class Outbox:
    """What of the outboxes in the graph was sent to whom."""

    def __init__(self, graph: CrawlGraph, number: int, count: int) -> None:
        self._graph = graph
        self._number = number
        self._count = count
        self._receivers: dict[Outgoing, set[int]] = {}  # that have not recorded it
        self._waiting: dict[int, deque[Outgoing]] = {}  # by receiver: not sent
        self._sent: dict[int, tuple[int, list[Outgoing]]] = {}  # by number of the batch
        # Numbers are never used again, also after a kill.
        self._next = time.time_ns()
        self._take(graph.store.raw.quads_for_pattern(None, _OUTBOX, None, ox.DefaultGraph()))

    def __len__(self) -> int:
        return len(self._receivers)

    def posted(self, pages: Iterable[str]) -> None:
        """These pages have new links to other shards, which are recorded."""
        find = self._graph.store.raw.quads_for_pattern
        for page in pages:
            self._take(find(ox.NamedNode(page), _OUTBOX, None, ox.DefaultGraph()))

    def _take(self, quads: Iterable[ox.Quad]) -> None:
        for quad in quads:
            assert isinstance(quad.object, ox.Literal)
            assert isinstance(quad.subject, ox.NamedNode)
            key = quad.subject.value, quad.object.value
            if key not in self._receivers:
                owners = {owner_of(url, self._count) for url in _links(key)} - {self._number}
                self._receivers[key] = owners
                for owner in owners:
                    self._waiting.setdefault(owner, deque()).append(key)

    def batches(
        self, down: frozenset[int], page: Callable[[str, dict[str, Way]], LinkedPage]
    ) -> Iterator[LinkBatch]:
        """Make batches of what waits; ``page`` says what another shard is told of a page."""
        on_the_way = Counter(receiver for receiver, _ in self._sent.values())
        for receiver, keys in self._waiting.items():
            while keys and receiver not in down and on_the_way[receiver] < _MOST_BATCHES:
                chosen = [keys.popleft() for _ in range(min(len(keys), _MOST_PAGES))]
                told = [page(key[0], self._links_to(receiver, key)) for key in chosen]
                self._next += 1
                on_the_way[receiver] += 1
                self._sent[self._next] = receiver, chosen
                yield LinkBatch(self._number, receiver, self._next, msgspec.msgpack.encode(told))

    def _links_to(self, receiver: int, key: Outgoing) -> dict[str, Way]:
        links = _links(key)
        return {url: way for url, way in links.items() if owner_of(url, self._count) == receiver}

    def recorded(self, numbers: Iterable[int]) -> None:
        """Receivers have recorded these batches: what all have recorded leaves the graph."""
        changes = Changes()
        for number in numbers:
            receiver, keys = self._sent.pop(number, (-1, []))
            for key in keys:
                self._receivers[key].discard(receiver)
                if not self._receivers[key]:
                    del self._receivers[key]
                    changes.delivered(*key)
        self._graph.apply(changes)

    def send_again(self, receivers: set[int]) -> None:
        """What is on its way to these shards may be lost."""
        for number, (receiver, keys) in list(self._sent.items()):
            if receiver in receivers:
                del self._sent[number]
                self._waiting[receiver].extend(keys)


def _links(key: Outgoing) -> dict[str, Way]:
    try:
        return msgspec.json.decode(key[1], type=dict[str, Way])
    except msgspec.MsgspecError as error:
        raise StoreError(f"the outbox of {key[0]} cannot be read: {error}") from error


class Mailbox:
    """Where the thread of a shard and that of its host leave things for each other."""

    def __init__(self, number: int) -> None:
        self.lock = threading.Lock()
        self.has_orders = threading.Event()
        self.needs_visits = threading.Event()  # half of what it may start is started
        self._orders: list[Orders] = []
        self._report = ShardReport(number, Progress())
        self._heard = time.monotonic()

    def order(self, orders: Orders) -> None:
        """Leave orders."""
        with self.lock:
            self._orders.append(orders)
        self.has_orders.set()

    def orders(self) -> list[Orders]:
        """Take the orders that were left."""
        with self.lock:
            found, self._orders = self._orders, []
        return found

    def tell(self, report: ShardReport) -> None:
        """Leave a report; what earlier ones told beside figures stays until it is collected."""
        with self.lock:
            before, self._report = self._report, report
            report.batches = before.batches + report.batches
            report.recorded = before.recorded + report.recorded
            report.events = before.events
            report.sums = report.sums or before.sums
            self._heard = time.monotonic()

    def happened(self, event: Event | CrawlWarned | CrawlStopped) -> None:
        """Leave an event; its figures are those of the report."""
        with self.lock:
            if len(self._report.events) < _MOST_EVENTS:
                self._report.events.append(replace(event, progress=_NO_FIGURES))

    def ended(self, reason: StopReason | None, failure: str = "") -> None:
        """The shard has stopped, or failed."""
        with self.lock:
            self._report.ended, self._report.failed = reason, failure
            self._report.visits = self._report.busy = 0
            self._report.tops = []
        self.needs_visits.set()

    def collect(self) -> ShardReport:
        """Take what was told since the last time."""
        with self.lock:
            found = self._report
            self._report = replace(found, batches=[], recorded=[], events=[], sums=None)
            found.silent = time.monotonic() - self._heard
            return found


_NO_FIGURES = Progress()


class ShardKind(PageKind):
    """Visits as many pages as it may, and waits for orders instead of ending."""

    def __init__(
        self, state: PageState, strategy: BaseStrategy, judge: BaseJudge, policies: Sequence[Policy]
    ) -> None:
        super().__init__(state, strategy, judge, policies)
        assert state.shard is not None
        self._place = state.shard
        self._judge = judge
        self._strategy = strategy
        self.mailbox = Mailbox(self._place.number)
        self._outbox = Outbox(state.graph, self._place.number, self._place.count)
        self._given = self._visits = 0  # visits that were allowed, and may still be started
        self._low = -1  # how many are few
        self._started = self._ended = 0
        self._down: frozenset[int] = frozenset()
        self._stop: StopReason | None = None
        # Where no host rests, several URLs of one are near.
        settings = state.settings
        self._per_host = 8 if settings.replay or not settings.delay else 1
        folder = state.graph.memory_folder("judge")
        self._sums_file = folder and folder / OTHERS
        if self._sums_file is not None and self._sums_file.is_file():  # the judge has read it
            strategy.learn_from_others(unpack_sums(self._sums_file.read_bytes()))
        self._told = 0.0  # when a report was last left
        self._tell()

    @property
    def is_empty(self) -> bool:
        """False: another shard may still send links."""
        return False

    def reason_to_stop(self) -> StopReason | None:
        """Return what the driver says."""
        return self._stop

    def next_due(self) -> float | None:
        """Return when to look again; None where nothing may be visited anyway."""
        due = super().next_due() if self._visits else None
        return None if due is None else min(due, time.monotonic() + 1.0)

    def wait(self, seconds: float, told_to_stop: threading.Event) -> None:
        """Wait for orders."""
        if not told_to_stop.is_set():
            self.mailbox.has_orders.wait(seconds)

    def picks(self, now: float, busy: int) -> Iterator[FoundUrl]:
        """Yield the best URLs, as many as may be visited."""
        if not self._visits:
            return
        before = self._started
        for entry in super().picks(now, busy):
            self._visits -= 1
            self._started += 1
            yield entry
            if not self._visits:
                break
        if self._started == before and not busy:
            self._visits = 0  # others may have something that need not wait
        if self._visits <= self._low:
            self._tell()

    def between_visits(self, is_told_to_stop: Callable[[], bool]) -> Iterator[Event]:
        """Obey orders, take and send links, beside what every crawl does."""
        self.mailbox.has_orders.clear()
        orders = self.mailbox.orders()
        recorded = self._take_links([batch for order in orders for batch in order.batches])
        sums = None
        for order in orders:
            sums = self._obey(order) or sums
        if recorded or any(order.sums for order in orders):
            yield from self._learn()
        yield from super().between_visits(is_told_to_stop)
        if orders or time.monotonic() >= self._told + _TELL_EVERY:
            self._tell(recorded, sums)

    def _obey(self, orders: Orders) -> bytes | None:
        if orders.takes_back:
            self._visits = 0
        self._visits += orders.visits
        self._given += orders.visits
        self._low = self._visits // 2 if self._visits else -1
        self._down = orders.down
        self._stop = orders.stop or self._stop
        self._outbox.recorded(orders.recorded)
        self._outbox.send_again(orders.unheard)
        if orders.sums is not None:
            if self._sums_file is not None:
                write_whole(self._sums_file, orders.sums)
            sums = unpack_sums(orders.sums)
            self._judge.learn_from_others(sums)
            self._strategy.learn_from_others(sums)
        if orders.wants_sums:
            return pack_sums({**self._judge.sums(), **self._strategy.sums()})
        return None

    def _tell(self, recorded: Sequence[LinkBatch] = (), sums: bytes | None = None) -> None:
        frontier, now, progress = self._picked_from, time.monotonic(), self._progress
        self._told = now
        self._outbox.posted(self._state.posted)
        self._state.posted.clear()
        due = frontier.next_due()
        report = ShardReport(
            self._place.number,
            replace(progress, dropped=progress.dropped.copy()),
            self._given,
            self._visits,
            self._started - self._ended,
            frontier.best(now, MOST_TOPS, self._per_host),
            None if due is None else max(due - now, 0.0),
            len(self._outbox),
            self.steering.is_busy,
            list(self._outbox.batches(self._down, self._linked_page)),
            [replace(batch, pages=b"") for batch in recorded],
            sums=sums,
        )
        self.mailbox.tell(report)
        if self._visits <= self._low:
            self._low = -1
            self.mailbox.needs_visits.set()

    def _take(self, changes: Changes, outcome: Outcome, links: Ranked) -> Iterator[Event]:
        self._ended += 1
        yield from super()._take(changes, outcome, links)

    def _linked_page(self, url: str, links: dict[str, Way]) -> LinkedPage:
        evidence = self._judge.evidence(url, links), self._strategy.evidence(url, links)
        return LinkedPage(url, links, self._graph.store.value(url, _MEMO) or "", evidence)

    def _take_links(self, batches: Sequence[LinkBatch]) -> list[LinkBatch]:
        """Record the links of other shards' pages, a batch in a transaction."""
        for batch in batches:
            changes = Changes()
            for page in msgspec.msgpack.decode(batch.pages, type=list[LinkedPage]):
                self._take_page(changes, page)
            self._progress.waiting = len(self._frontier)
            self._graph.apply(changes)
        # The sender forgets them: they must outlive a loss of power here.
        if batches and not self._settings.replay:
            self._graph.sync()
        return list(batches)

    def _take_page(self, changes: Changes, page: LinkedPage) -> None:
        priorities = {url: way[0] for url, way in page.links.items()}
        for learner, evidence in zip((self._judge, self._strategy), page.evidence, strict=True):
            if evidence:
                learner.take_evidence(evidence)
        if any(page.evidence):
            priorities |= self._strategy.rank_evidence(page.url, priorities)
        if page.memo and self._graph.store.value(page.url, _MEMO) is None:
            changes.state(f"<{page.url}> {PAGE.write(memo=page.memo)}")
        for url, (_, depth, redirects) in page.links.items():
            priority = min(round(priorities[url], 6), BELOW_POLICIES)
            self._intake.offer(
                changes, url, priority, depth=depth, found_on=page.url, redirects=redirects
            )


class ShardCrawl(Crawl):
    """One shard, in a thread of its own; resumed from its folder, told by its mailbox."""

    _kind = ShardKind

    @property
    def mailbox(self) -> Mailbox:
        """Where orders are left and reports are found."""
        kind = self._engine.kind
        assert isinstance(kind, ShardKind)
        return kind.mailbox

    def work(self) -> None:
        """Crawl until told to stop; events and figures are left in the mailbox."""
        for event in self.visits():
            self.mailbox.happened(event)
            if isinstance(event, CrawlStopped):
                self.mailbox.ended(event.reason)

    def stop(self) -> None:
        """Ask it to stop after the visits under way, without a word of the driver."""
        super().stop()
        self.mailbox.has_orders.set()
