"""A shard of a crawl: an ordinary crawl that visits what it may, and trades links with others.

Links to URLs of other shards are written into ``sc:outbox`` of their page, in the transaction of
the page. From there they are handed over in batches, as files in the ``inbox`` of the receiver's
folder; only then they leave the outbox. The receiver removes a file when what is in it is
recorded. After a kill a batch may come twice: taking it again changes nothing.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from queue import Empty

import msgspec
import pyoxigraph as ox

from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.events import CrawlStopped, Event
from semcrawl.crawl.pages.crawl import Crawl
from semcrawl.crawl.pages.page_kind import PageKind, Ranked
from semcrawl.crawl.pages.priorities import BELOW_POLICIES
from semcrawl.crawl.pages.state import PageState
from semcrawl.crawl.progress import StopReason
from semcrawl.crawl.shards.layout import LINKS, ShardedFolder
from semcrawl.crawl.shards.messages import Mailbox, Orders, ShardReport, taken
from semcrawl.errors import StoreError, told_as
from semcrawl.graph import SC, Changes, CrawlGraph, FoundUrl
from semcrawl.graph.changes import Iri, Way
from semcrawl.graph.columns import PAGE
from semcrawl.graph.crawl_folder import INBOX, require_plain
from semcrawl.models.crawl_memory import added_sums
from semcrawl.relevance.judges import BaseJudge, PageEvidence
from semcrawl.steering import Policy
from semcrawl.strategies.strategy import BaseStrategy
from semcrawl.whole_files import whole_file, write_whole

_OUTBOX, _MEMO = ox.NamedNode(SC + "outbox"), SC + "memo"
_SUMS = "sums"  # the file in which a shard tells the others what it has learnt
_MOST_TOPS = 32  # waiting URLs that it tells the priorities of
_TELL_EVERY = 0.1  # seconds, where there are no orders
_PAGES_AT_ONCE, _LINKS_EVERY = 16, 0.5  # links are handed over after so many pages or seconds, or where none is visited
_MOST_BATCHES, _MOST_BYTES = 256, 1 << 25  # that are taken in one transaction
_PAGES_A_FILE, _LARGEST = 16, 1 << 26  # bytes of a file in an inbox, far more than pages can say
_MERGED_FIRST, _MERGED_AGAIN = 4, 1.5  # pages of a shard before it learns from others, and growth


class LinkedPage(msgspec.Struct, array_like=True):
    """A page with links to another shard, as that shard is told of it."""

    url: Iri
    ways: dict[Iri, Way]
    memo: str = ""
    evidence: PageEvidence | None = None


class Links:
    """Links that a shard has for others, and that others have for it."""

    def __init__(self, graph: CrawlGraph, whole: ShardedFolder, number: int) -> None:
        self._graph, self._whole, self._number = graph, whole, number
        self._inbox = whole.shard(number) / INBOX
        self._inbox.mkdir(mode=0o755, exist_ok=True)
        self.bytes_sent = self.batches_sent = 0
        self.hand_over({}, [None])

    def hand_over(self, known: Mapping[str, tuple[str, str]], others: Iterable[str | None]) -> None:
        """Hand over recorded links of pages: by outbox and memo, or by what the graph has of them; None: of all."""
        changes, batches = Changes(), dict[int, list[LinkedPage]]()
        asked = chain.from_iterable(map(self._outboxes, others))
        for page, text, memo in chain(((page, *both) for page, both in known.items()), asked):
            changes.delivered(page, text)
            self._sort(page, text, memo, batches)
        for receiver, told in batches.items():
            self.bytes_sent += _send(self._whole, self._number, receiver, told)
            self.batches_sent += 1
        self._graph.apply(changes)

    def _outboxes(self, page: str | None) -> Iterator[tuple[str, str, str]]:
        store, subject = self._graph.store, page and ox.NamedNode(page)
        for found, _, text, _ in store.raw.quads_for_pattern(subject or None, _OUTBOX, None, ox.DefaultGraph()):
            yield found.value, text.value, store.value(found.value, _MEMO) or ""

    def _sort(self, page: str, outbox: str, memo: str, batches: dict[int, list[LinkedPage]]) -> None:
        with told_as(StoreError, f"the outbox of {page} cannot be read", msgspec.MsgspecError, RecursionError):
            ways, evidence = msgspec.json.decode(outbox, type=tuple[dict[Iri, Way], PageEvidence | None])
        told = dict[int, LinkedPage]()
        for url, way in ways.items():
            owner = self._whole.owner(url)
            if owner not in told:
                about = evidence and msgspec.structs.replace(evidence, links=[])
                told[owner] = LinkedPage(page, {}, memo, about)
                batches.setdefault(owner, []).append(told[owner])
            told[owner].ways[url] = way
        for link in evidence.links if evidence else ():
            if (there := told.get(self._whole.owner(link[1]))) and there.evidence:
                there.evidence.links.append(link)

    def arrived(self) -> Iterator[tuple[Path, list[LinkedPage]]]:
        """Yield what other shards have sent, with the file that it is in, as much as is taken at once."""
        room = _MOST_BYTES
        for path in islice(sorted(self._inbox.glob(LINKS)), _MOST_BATCHES):
            data = _read(path)
            room -= len(data)
            damages = msgspec.MsgspecError, UnicodeDecodeError, RecursionError
            with told_as(StoreError, f"{path} holds no links of a shard", *damages):
                yield path, msgspec.msgpack.decode(data, type=list[LinkedPage])
            if room < 0:
                break


def _read(path: Path) -> bytes:
    """Return a file of an inbox, which a stranger may have made."""
    require_plain(path)
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise StoreError(f"{path} is too large for a file of a shard: remove it")
    return data


def _send(whole: ShardedFolder, sender: int, receiver: int, pages: list[LinkedPage]) -> int:
    """Leave pages with links in the inbox of another shard; return how many bytes these are."""
    inbox, sent = whole.shard(receiver) / INBOX, 0
    inbox.mkdir(mode=0o755, exist_ok=True)
    for first in range(0, len(pages), _PAGES_A_FILE):
        data = msgspec.msgpack.encode(pages[first : first + _PAGES_A_FILE])
        # Numbers in the order of time, and no two the same.
        name = LINKS.replace("*", f"{time.time_ns():020}-{sender}")
        with whole_file(inbox / name) as place, place.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        sent += len(data)
    return sent


def send_again(whole: ShardedFolder, receiver: int) -> None:
    """Send a shard that was brought back from a copy what it does not know of links that others have recorded."""
    with CrawlGraph.read(whole.shard(receiver)) as graph:
        known = {getattr(quad.subject, "value", "") for quad in graph.store.quads_with(SC + "order")}
    for sender, place in enumerate(whole.folders):
        if sender == receiver:
            continue
        pages: dict[str, LinkedPage] = {}
        with CrawlGraph.read(place) as graph:
            value = graph.store.value
            for is_redirect, name in enumerate(("linksTo", "redirectsTo")):
                for quad in graph.store.quads_with(SC + name):
                    page, url = (getattr(term, "value", "") for term in (quad.subject, quad.object))
                    if whole.owner(url) == receiver and url not in known:
                        depth = (value(page, SC + "depth") or 0) + 1 - is_redirect
                        way = value(page, SC + "relevance") or 0.0, depth, is_redirect
                        pages.setdefault(page, LinkedPage(page, {})).ways[url] = way
        if pages:
            _send(whole, sender, receiver, list(pages.values()))


class ShardKind(PageKind):
    """Visits as many pages as it may, and waits for orders instead of ending."""

    def __init__(self, state: PageState, strategy: BaseStrategy, judge: BaseJudge, policies: Sequence[Policy]) -> None:
        super().__init__(state, strategy, judge, policies)
        assert state.shard is not None
        assert state.sharing is not None
        assert state.graph.folder is not None
        self._number, self._sharing = state.shard.number, state.sharing
        self._whole = ShardedFolder.open(state.graph.folder.parent)
        self.mailbox = Mailbox(ShardReport(self._number), threading.Event())
        self._orders: list[Orders] = []
        self._outboxes = dict[str, tuple[str, str]]()  # with memos, of pages with new links to other shards
        self._links = Links(state.graph, self._whole, self._number)
        self._merge_at = max(_MERGED_FIRST, state.progress.pages)
        self._opened = time.time_ns()
        self._given = self._visits = 0  # visits that were allowed, and may still be started
        self._few, self._started, self._ended = -1, 0, 0
        self._stop: StopReason | None = None
        # Where no host rests, several URLs of one are near.
        settings = state.settings
        self._per_host = 8 if settings.replay or not settings.delay else 1
        self._told = self._handed_over = 0.0  # when a report was last left, and links were sent
        self._told_idle: tuple[int, ...] = ()  # what a shard that has nothing to do has told

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

    def wait(self, seconds: float, told_to_stop: threading.Event) -> None:  # noqa: ARG002
        """Wait for orders."""
        with suppress(Empty):
            self._orders.append(self.mailbox.orders.get(timeout=seconds))

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
        if self._visits <= self._few:
            self.tell()

    def between_visits(self, is_told_to_stop: Callable[[], bool]) -> Iterator[Event]:
        """Obey orders, take and send links, beside what every crawl does."""
        orders, self._orders = [*self._orders, *taken(self.mailbox.orders)], []
        for order in orders:
            self._obey(order)
        posted, is_idle = self._state.posted, not self._visits and self._started == self._ended
        is_due = bool(orders) or (is_idle and not self._told_idle) or time.monotonic() >= self._told + _TELL_EVERY
        is_full = (
            len(posted) + len(self._outboxes) >= _PAGES_AT_ONCE or time.monotonic() > self._handed_over + _LINKS_EVERY
        )
        if is_due and (is_idle or is_full):
            self._handed_over = time.monotonic()
            self._links.hand_over(self._outboxes, posted)
            posted.clear()
            self._outboxes.clear()
        if is_due and self._take_links() | self._merge():
            yield from self._learn()
        yield from super().between_visits(is_told_to_stop)
        if is_due:
            self.tell()

    def _obey(self, orders: Orders) -> None:
        if orders.takes_back:
            self._visits = 0
        if orders.opened == self._opened:
            self._visits += orders.visits
            self._given += orders.visits
        self._few = self._visits // 2 if self._visits else -1
        self._stop = orders.stop or self._stop

    def _merge(self) -> bool:
        """Tell the other shards what was learnt, and learn from them; whether it was time."""
        if self._whole.count == 1 or self._progress.pages < self._merge_at:
            return False
        self._merge_at = max(int(self._progress.pages * _MERGED_AGAIN), self._merge_at + 1)
        if own := self._sharing.sums():
            write_whole(self._whole.shard(self._number) / INBOX / _SUMS, own)
        others = [place / INBOX / _SUMS for place in self._whole.folders]
        del others[self._number]
        known = [_read(path) for path in others if path.is_file()]
        if known:
            self._sharing.learn_from_others(added_sums(known) if len(known) > 1 else known[0])
        return bool(known)

    def tell(self) -> None:
        """Leave a report."""
        frontier, now, progress = self._picked_from, time.monotonic(), self._progress
        self._told, due = now, frontier.next_due()
        self.mailbox.report = report = ShardReport(
            self._number,
            replace(progress, dropped=progress.dropped.copy()),
            self._opened,
            self._given,
            self._visits,
            self._started - self._ended,
            frontier.best(now, _MOST_TOPS, self._per_host),
            None if due is None else max(due - now, 0.0),
            self.steering.is_busy or bool(self._state.posted or self._outboxes),
            self._links.bytes_sent,
            self._links.batches_sent,
            progress.pages_per_second,
        )
        # A shard that has nothing to do is heard at once when it could visit something else than before.
        idle = () if report.visits or report.busy else (len(report.tops), progress.pages, report.is_busy)
        if self._visits <= self._few or (idle and idle != self._told_idle):
            self._few = -1
            self.mailbox.news.set()
        self._told_idle = idle

    def _take(self, changes: Changes, outcome: Outcome, links: Ranked) -> Iterator[Event]:
        self._ended += 1
        yield from super()._take(changes, outcome, links)
        page = outcome.entry.url
        if outcome.judgement and not outcome.entry.known and (text := changes.outboxes.get(page)):
            self._outboxes[page] = text, links.memo  # else the graph knows its memo
            self._state.posted.discard(page)

    def _take_links(self) -> bool:
        """Record the links of other shards' pages in one transaction; whether there are."""
        arrived = list(self._links.arrived())
        if not arrived:
            return False
        changes, pages = Changes(), [page for _, pages in arrived for page in pages]
        told = self._sharing.take_evidence({page.url: page.evidence for page in pages if page.evidence})
        for page in pages:
            self._take_page(changes, page, told)
        self._progress.waiting = len(self._frontier)
        self._graph.apply(changes)
        # They must outlive a loss of power.
        if not self._settings.replay:
            self._graph.sync()
        for path, _ in arrived:
            path.unlink(missing_ok=True)
        return True

    def _take_page(self, changes: Changes, page: LinkedPage, told: Mapping[str, float]) -> None:
        if page.memo and self._graph.store.value(page.url, _MEMO) is None:
            changes.state(f"<{page.url}> {PAGE.write(memo=page.memo)}")
        for url, (before, depth, redirects) in page.ways.items():
            priority = min(round(told.get(url, before), 6), BELOW_POLICIES)
            self._intake.offer(changes, url, priority, depth=depth, found_on=page.url, redirects=redirects)


class ShardCrawl(Crawl):
    """One shard; resumed from its folder, told by a mailbox."""

    _kind = ShardKind

    def work(self, mailbox: Mailbox) -> StopReason:
        """Crawl until told to stop; events and figures are left in the mailbox."""
        kind = self._engine.kind
        assert isinstance(kind, ShardKind)
        kind.mailbox = mailbox
        for event in self.visits():
            mailbox.events.put(event)
        kind.tell()
        assert isinstance(event, CrawlStopped)
        return event.reason
