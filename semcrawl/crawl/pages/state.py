"""What a crawl for pages remembers, and how that is rebuilt from its graph alone."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from sys import intern
from typing import Any

from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.kind import CrawlState
from semcrawl.crawl.progress import NOT_TRIED
from semcrawl.crawl.shards.layout import ShardPlace
from semcrawl.garbage_collection import give_back_memory, no_garbage_collection
from semcrawl.graph import SC, Changes, CrawlGraph, FoundUrl
from semcrawl.graph.answers import python_value
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.relevance.judges import SharesLearning
from semcrawl.web.response import HOST_DOWN, DropReason
from semcrawl.web.traps import HostsOfDomains, may_be_of_series
from semcrawl.web.urls import host_of

_ROBOTS = (DropReason.ROBOTS_DISALLOW, DropReason.ROBOTS_UNREACHABLE)

SECOND_CHANCE = frozenset({DropReason.DROPPED_BY_POLICY, DropReason.FRONTIER_FULL, DropReason.TOO_DEEP})
"""Reasons that a better link to the same URL can undo."""
MOST_NOTED = 75_000_000  # characters of URLs that were dropped; beyond it those that need no visit are not noted
OF_EACH = 100  # characters whose memory a URL takes beside its own


@dataclass(slots=True)
class KnownUrls:
    """What is known of URLs that do not wait; ``refused`` are those of SECOND_CHANCE."""

    settled: set[str] = field(default_factory=set)  # no visit is needed, or it is under way
    refused: dict[str, tuple[str, FoundUrl | None]] = field(default_factory=dict)
    pages_by_host: Counter[str] = field(default_factory=Counter)
    failures_by_host: Counter[str] = field(default_factory=Counter)  # redirects among them
    domains: HostsOfDomains = field(default_factory=HostsOfDomains)
    last_picks: dict[str, int] = field(default_factory=dict)  # by host, as the graph has them
    noted: int = 0  # characters of the URLs that were dropped
    next_order: int = 1

    def asked_of(self, host: str) -> int:
        """How many URLs of a host were asked for, each once; in a replay, how many pages."""
        return self.pages_by_host[host] + self.failures_by_host[host]


@dataclass(slots=True, kw_only=True)
class PageState(CrawlState):
    """The state of a crawl for pages."""

    frontier: Frontier
    known: KnownUrls = field(default_factory=KnownUrls)
    shard: ShardPlace | None = None  # where the crawl is a shard
    sharing: SharesLearning | None = None  # what tells other shards of pages, there
    posted: set[str] = field(default_factory=set)  # pages with new links to other shards

    @property
    def step(self) -> int:
        """The step of the latest page; no two shards of a crawl have the same."""
        return self.progress.pages if self.shard is None else self.shard.step(self.progress.pages)

    def enter_seeds(self, seeds: Sequence[str]) -> Changes:
        """Let the seeds wait; return what that changes in the graph."""
        changes = Changes()
        for number, url in enumerate(seeds, 1):
            entry = FoundUrl(url, host_of(url), 1.0, number, 0)
            changes.found(entry)
            self.frontier.push(entry)
        self.known.next_order = len(seeds) + 1
        self.progress.waiting = len(self.frontier)
        return changes

    def was_asked_for(self, reason: str) -> bool:
        """Whether a host was asked for a URL that was dropped; in a replay none is."""
        return not self.settings.replay and reason not in (*NOT_TRIED, *_ROBOTS)

    def count_failure(self, host: str, reason: str = "") -> bool:
        """Count a URL that gave no page for its host; whether other hosts of its domain are done by it."""
        if not self.was_asked_for(reason):
            return False
        self.known.failures_by_host[host] += 1
        return reason not in HOST_DOWN and self.known.domains.answered(host)

    def refuse(self, changes: Changes, url: str, reason: str, entry: FoundUrl | None) -> None:
        """Give a URL up until a better link leads to it; ``entry`` is that with which it waited."""
        if entry is not None:
            changes.left_frontier(entry)
            # What a better link must beat is the priority that links gave it.
            entry.priority, entry.factor = round(entry.priority / entry.factor, 6), 1.0
        self.known.refused[url] = (reason, entry)
        self.known.noted += len(url) + OF_EACH
        self.drop(changes, url, reason, to_beat=priority_to_beat(reason, entry))


def priority_to_beat(reason: str, entry: FoundUrl | None) -> float | None:
    """Return the priority that a link must exceed to bring back a refused URL; None for any."""
    by_policy = reason == DropReason.DROPPED_BY_POLICY
    return entry.priority if by_policy and entry is not None else None


@no_garbage_collection()
def rebuild(state: PageState) -> None:
    """Fill a new state from its graph, which holds visits under way as waiting URLs."""
    graph, known = state.graph, state.known
    waiting, others = _found(graph)
    _settle(state, others)
    picks = graph.query("frontier/last-picks")
    known.last_picks.update((host, row["pick"]) for row in picks if (host := host_of_site(row["site"])))
    state.frontier.restore(known.pages_by_host, known.last_picks)
    found = (*waiting, *others.values())
    # In the order in which they were found, as the guard met them before.
    for entry in sorted((one for one in found if one.depth and may_be_of_series(one.url)), key=attrgetter("order")):
        state.guard.check(entry.url)
    known.next_order = max((one.order + 1 for one in found), default=1)
    changes = Changes()
    for loser in state.frontier.fill(waiting):
        # The frontier was made smaller since.
        state.refuse(changes, loser.url, DropReason.FRONTIER_FULL, loser)
    graph.apply(changes)
    state.count_recorded()
    state.progress.waiting = len(state.frontier)
    give_back_memory()


def _found(graph: CrawlGraph) -> tuple[list[FoundUrl], dict[str, FoundUrl]]:
    """Return the URLs that wait, and by URL all others that were found."""
    rare: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name in ("tries", "redirects", "factor", "priorityToBeat"):
        for quad in graph.store.quads_with(SC + name):
            rare[getattr(quad.subject, "value", "")][name] = python_value(quad.object)
    waiting: list[FoundUrl] = []
    others: dict[str, FoundUrl] = {}
    # As they are found: an Answer would hold all rows at once.
    rows: Any = graph.store.raw.query(graph.named_query("frontier/found").bind({}))
    for node, priority, order, depth in rows:
        url = node.value
        more = rare.get(url, {})
        to_beat = more.pop("priorityToBeat", 0.0)
        # Where it was found is in the graph already and not needed in memory; URLs share the name of their host.
        place = int(order.value) if order else 0, int(depth.value) if depth else 0, url
        entry = FoundUrl(url, intern(host_of(url)), float(priority.value) if priority else to_beat, *place, **more)
        if priority:
            waiting.append(entry)
        elif order:
            others[url] = entry
    return waiting, others


def _settle(state: PageState, found: dict[str, FoundUrl]) -> None:
    known = state.known
    for row in state.graph.query("frontier/known"):
        url, kind = row["url"], row["kind"]
        if kind == "visited":
            known.pages_by_host[host_of(url)] += 1
            known.domains.answered(host_of(url))
        elif kind == "redirected":
            state.count_failure(host_of(url))
        elif kind == "dropped":
            reason = row["reason"].removeprefix(SC)
            state.count_failure(host_of(url), reason)
            state.progress.dropped[reason] += 1
            known.noted += len(url) + OF_EACH
            if reason in SECOND_CHANCE:
                known.refused[url] = (reason, found.get(url))
                continue
        known.settled.add(url)
