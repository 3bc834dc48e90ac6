"""What a kind of crawl gives the engine: a frontier, ranking, and recording of outcomes."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.events import PageVisited
from semcrawl.crawl.lens_watch import LensWatch
from semcrawl.crawl.page_counts import PageCounts
from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.crawl.settings import Settings
from semcrawl.errors import VisitError
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.graph.changes import concept_noted
from semcrawl.graph.columns import PAGE
from semcrawl.graph.vocabulary import PREFIXES
from semcrawl.page.embedded.statements import PageStatements
from semcrawl.text.background import Background, grows
from semcrawl.text.vectors import bands
from semcrawl.topics import Topic
from semcrawl.topics.topic import label_in
from semcrawl.web.politeness import MAX_RETRY_AFTER
from semcrawl.web.traps import TrapGuard

EventT = TypeVar("EventT")
LinksT = TypeVar("LinksT")

FLUSH_EVERY = 500  # pages between two flushes: reopening after a crash replays at most so many
SYNC_EVERY = 10  # pages that a loss of power can cost; in a replay as many as above
_LABEL = PREFIXES["skos"] + "prefLabel"
HOST_FAILURES = 5  # failed connections in a row after which a host is given up


class PageVisit:
    """A judged page as it is recorded: what the columns of a page are read from.

    ``memo`` is what the strategy notes with it, ``first_relevance`` what a judge that learns says
    at first. ``source`` of a column in graph/columns.toml names an attribute.
    """

    def __init__(self, outcome: Outcome, step: int, state: "CrawlState", memo: str = "") -> None:
        settings, response = state.settings, outcome.response
        page, judgement = outcome.page, outcome.judgement
        assert response is not None
        assert page is not None
        assert judgement is not None
        self.entry = outcome.entry
        self.response = response
        self.page = page
        self.judgement = judgement
        self.size = len(response.body)
        self.etag = response.headers.get("etag")
        self.last_modified = response.headers.get("last-modified")
        self.warc_file = response.kept_at and response.kept_at.file
        self.warc_offset = response.kept_at and response.kept_at.offset
        self.links = dict.fromkeys(link.url for link in page.links)
        self.step = step
        self.memo = memo
        self.first_relevance = judgement.relevance if state.judge_learns else None
        self.bands = bands(page.words) if settings.sketches else ()
        is_off = settings.linked_data == "off"
        self.statements = PageStatements() if is_off else page.statements


@dataclass(slots=True, kw_only=True)
class CrawlState:
    """The settings and the memory of a crawl; each kind of crawl adds its frontier."""

    settings: Settings
    graph: CrawlGraph
    threshold: float  # the least relevance of a relevant page
    progress: Progress = field(default_factory=Progress)
    guard: TrapGuard = field(default_factory=TrapGuard)
    judge_learns: bool = False  # and may judge pages again
    is_resumed: bool = False  # the graph holds earlier pages
    page_counts: PageCounts | None = None  # where a background grows with the pages
    lens_watch: LensWatch | None = None  # of a new crawl
    topic: Topic | None = None  # where pages are visited
    labelled: set[str] = field(default_factory=set)  # concepts whose label the graph has, as far as was looked

    @property
    def step(self) -> int:
        """The step of the latest page."""
        return self.progress.pages

    def label_concept(self, changes: Changes, concept: str | None) -> None:
        """Write down the label of a concept that a page fits best: it may be near the topic and not below it."""
        if concept is None or self.topic is None or concept in self.labelled:
            return
        self.labelled.add(concept)
        if self.graph.store.value(concept, _LABEL) is None and (label := label_in(self.topic, concept)):
            concept_noted(changes, concept, label)

    def count_pages(self, background: Background, topic: Topic) -> None:
        """Let a background that is not fixed grow with the pages, from those recorded on."""
        if grows(background, topic.languages):
            self.page_counts = PageCounts(self.graph, background, is_resumed=self.is_resumed)

    def count_recorded(self) -> None:
        """Take over the figures of earlier runs from the graph."""
        count_recorded(self.progress, self.graph, self.threshold)
        self.is_resumed = True

    def drop(self, changes: Changes, url: str, reason: str, note: str = "", to_beat: float | None = None) -> None:
        """Count and write down that a URL is given up; ``to_beat``: until a link has more."""
        self.progress.dropped[reason] += 1
        changes.dropped(url, reason, note, to_beat)


def count_recorded(progress: Progress, graph: CrawlGraph, threshold: float) -> None:
    """Take over the figures of earlier runs from a graph."""
    row = next(iter(graph.query("monitor/progress", threshold=threshold)))
    progress.pages = progress.pages_before = row["pages"]
    progress.relevant, progress.waiting, progress.hosts = row["relevant"], row["waiting"], row["hosts"]


def limit_reached(settings: Settings, progress: Progress) -> StopReason | None:
    """Return which limit of pages, relevant pages or time is reached, None for none."""
    if not settings.is_maintenance:
        if settings.pages and progress.pages >= settings.pages:
            return StopReason.PAGES_REACHED
        if settings.relevant and progress.relevant >= settings.relevant:
            return StopReason.RELEVANT_REACHED
    if settings.seconds and progress.seconds >= settings.seconds:
        return StopReason.TIME_OVER
    return None


class CrawlKind(ABC, Generic[EventT, LinksT]):
    """What is crawled for: frontier, ranking and recording, all in the engine's thread."""

    def __init__(self, state: CrawlState) -> None:
        self._crawl_state = state
        self._settings = state.settings
        self._graph = state.graph
        self._progress = state.progress
        self._threshold = state.threshold

    @property
    @abstractmethod
    def is_empty(self) -> bool:
        """Whether nothing is left to visit once no visit is under way."""

    @abstractmethod
    def picks(self, now: float, busy: int) -> Iterator[FoundUrl]:
        """Take the URLs that may be visited now, best first; ``busy`` visits are under way."""

    @abstractmethod
    def next_due(self) -> float | None:
        """Return when something that waits for its time may be visited, None for nothing."""

    @abstractmethod
    def release(self, host: str, ready_at: float) -> None:
        """A visit to a host has ended; the next may begin at ``ready_at``."""

    @abstractmethod
    def rank(self, outcome: Outcome) -> LinksT:
        """Return which links of a judged page are followed, and with what priority."""

    def host_of(self, entry: FoundUrl) -> str:
        """Return the host that a visit asks."""
        return entry.host

    def begin(self) -> Iterator[EventT]:
        """Do what is to be done before the first visit."""
        yield from ()

    def between_visits(self, is_told_to_stop: Callable[[], bool]) -> Iterator[EventT]:  # noqa: ARG002
        """Do what is due beside the visits; called again and again."""
        yield from ()

    def reason_to_stop(self) -> StopReason | None:
        """Return the stop rule that is met now, None for none."""
        return limit_reached(self._settings, self._progress)

    def wait(self, seconds: float, told_to_stop: threading.Event) -> None:
        """Wait while no visit is under way, but hear a call to stop."""
        told_to_stop.wait(seconds)

    def finish(self) -> Iterator[EventT]:
        """Do what is to be done after the last visit."""
        yield from ()

    def close(self) -> None:
        """Release what the kind holds."""

    def record(self, outcome: Outcome, links: LinksT) -> Iterator[EventT]:
        """Record an outcome wholly or not at all; yield the events when it is recorded."""
        changes = Changes()
        events = list(self._take(changes, outcome, links))
        self._graph.apply(changes)
        if events and isinstance(events[0], PageVisited):
            step = self._progress.pages
            if not step % (FLUSH_EVERY if self._settings.replay else SYNC_EVERY):
                self._graph.sync()
            if not step % FLUSH_EVERY:
                self._graph.store.flush()
        yield from events

    @abstractmethod
    def _take(self, changes: Changes, outcome: Outcome, links: LinksT) -> Iterator[EventT]:
        """Collect the changes that an outcome makes, and change the frontier."""

    def _page_visited(self, changes: Changes, outcome: Outcome, memo: str) -> PageVisited:
        """Count and write down a page; its links are not looked at."""
        progress = self._progress
        progress.pages += 1
        visit = PageVisit(outcome, self._crawl_state.step, self._crawl_state, memo)
        entry, page, relevance = visit.entry, visit.page, visit.judgement.relevance
        progress.bytes += len(visit.response.body)
        relevant = relevance >= self._threshold
        progress.relevant += relevant
        if self._crawl_state.page_counts is not None:
            self._crawl_state.page_counts.count(entry.url, page, relevant=relevant)
        changes.left_frontier(entry)
        self._crawl_state.label_concept(changes, visit.judgement.concept)
        changes.visited(entry.url, statements=visit.statements.triples, **PAGE.read(visit))
        return PageVisited(
            visit.step, entry.url, page.title, relevance, relevant, entry.priority, entry.depth, progress=progress
        )

    def _next_try(self, changes: Changes, entry: FoundUrl, error: VisitError) -> float | None:
        """Count a failed try; return when the next may be made, None if none is left."""
        settings = self._settings
        entry.tries += 1
        if not error.temporary or entry.tries >= settings.tries:
            return None
        wait = settings.retry_delay * 2.0 ** (entry.tries - 1)
        changes.tried(entry)
        self._progress.retries += 1
        return time.monotonic() + max(wait, min(error.retry_after or 0.0, MAX_RETRY_AFTER))

    def _redirected_too_often(self, entry: FoundUrl) -> str:
        """Return what is wrong with one more redirect, an empty text if nothing is."""
        most = self._settings.max_redirects
        return f"more than {most} redirects in a row" if entry.redirects >= most else ""
