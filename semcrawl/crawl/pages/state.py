"""What a crawl for pages remembers, and how that is rebuilt from its graph alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.kind import CrawlState
from semcrawl.crawl.progress import NOT_TRIED
from semcrawl.crawl.shards.layout import ShardPlace
from semcrawl.garbage_collection import no_garbage_collection
from semcrawl.graph import SC, Changes, CrawlGraph, FoundUrl
from semcrawl.graph.answers import python_value
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.relevance.judges import SharesLearning
from semcrawl.web.response import DropReason
from semcrawl.web.urls import host_of

_ROBOTS = (DropReason.ROBOTS_DISALLOW, DropReason.ROBOTS_UNREACHABLE)

SECOND_CHANCE = frozenset({DropReason.DROPPED_BY_POLICY, DropReason.FRONTIER_FULL, DropReason.TOO_DEEP})
"""Reasons that a better link to the same URL can undo."""


@dataclass(slots=True)
class KnownUrls:
    """What is known of URLs that do not wait; ``refused`` are those of SECOND_CHANCE."""

    settled: set[str] = field(default_factory=set)  # no visit is needed, or it is under way
    refused: dict[str, tuple[str, FoundUrl | None]] = field(default_factory=dict)
    pages_by_host: Counter[str] = field(default_factory=Counter)
    failures_by_host: Counter[str] = field(default_factory=Counter)  # redirects among them
    last_picks: dict[str, int] = field(default_factory=dict)  # by host, as the graph has them
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

    def refuse(self, changes: Changes, url: str, reason: str, entry: FoundUrl | None) -> None:
        """Give a URL up until a better link leads to it; ``entry`` is that with which it waited."""
        if entry is not None:
            changes.left_frontier(entry)
            # What a better link must beat is the priority that links gave it.
            entry.priority, entry.factor = round(entry.priority / entry.factor, 6), 1.0
        self.known.refused[url] = (reason, entry)
        self.drop(changes, url, reason, to_beat=priority_to_beat(reason, entry))


def priority_to_beat(reason: str, entry: FoundUrl | None) -> float | None:
    """Return the priority that a link must exceed to bring back a refused URL; None for any."""
    by_policy = reason == DropReason.DROPPED_BY_POLICY
    return entry.priority if by_policy and entry is not None else None


def rebuild(state: PageState) -> None:
    """Fill a new state from its graph, which holds visits under way as waiting URLs."""
    with no_garbage_collection():
        _rebuild(state, _found(state.graph))


def _rebuild(state: PageState, found: dict[str, dict[str, float]]) -> None:
    graph, known = state.graph, state.known
    _settle(state, found)
    state.frontier.restore_load(known.pages_by_host)
    for row in graph.query("frontier/last-picks"):
        if (host := host_of_site(row["site"])) is not None:
            known.last_picks[host] = row["pick"]
    state.frontier.restore_picks(known.last_picks)
    changes = Changes()
    # In the order in which they were found, as the guard met them before.
    for url, properties in sorted(found.items(), key=lambda item: item[1].get("order", 0)):
        if properties.get("depth"):
            state.guard.check(url)
        known.next_order = max(known.next_order, int(properties.get("order", 0)) + 1)
        if "priority" in properties and (loser := state.frontier.push(_entry(url, properties))):
            # The frontier was made smaller since.
            state.refuse(changes, loser.url, DropReason.FRONTIER_FULL, loser)
    graph.apply(changes)
    state.count_recorded()
    state.progress.waiting = len(state.frontier)


def _found(graph: CrawlGraph) -> dict[str, dict[str, float]]:
    """Return what is known of every URL that was found, by property: one with a priority waits."""
    found: dict[str, dict[str, float]] = {}
    # Without a query, which takes twice as long for a million URLs.
    for name in ("priority", "order", "depth", "tries", "redirects", "factor", "priorityToBeat"):
        for quad in graph.store.quads_with(SC + name):
            url = getattr(quad.subject, "value", "")
            if name != "factor" or host_of_site(url) is None:  # a factor can be that of a site
                found.setdefault(url, {})[name] = python_value(quad.object)
    return found


def _settle(state: PageState, found: dict[str, dict[str, float]]) -> None:
    known = state.known
    for row in state.graph.query("frontier/known"):
        url, kind = row["url"], row["kind"]
        if kind == "visited":
            known.pages_by_host[host_of(url)] += 1
        elif kind == "redirected":
            known.failures_by_host[host_of(url)] += not state.settings.replay
        elif kind == "dropped":
            reason = row["reason"].removeprefix(SC)
            known.failures_by_host[host_of(url)] += state.was_asked_for(reason)
            state.progress.dropped[reason] += 1
            if reason in SECOND_CHANCE:
                entry = _entry(url, found[url]) if "order" in found.get(url, {}) else None
                known.refused[url] = (reason, entry)
                continue
        known.settled.add(url)


def _entry(url: str, properties: dict[str, float]) -> FoundUrl:
    tries, redirects, depth, order = (int(properties.get(name, 0)) for name in ("tries", "redirects", "depth", "order"))
    # Where it was found is in the graph already and not needed in memory.
    return FoundUrl(
        url,
        host_of(url),
        properties.get("priority", properties.get("priorityToBeat", 0.0)),
        order,
        depth,
        found_on=url,
        tries=tries,
        redirects=redirects,
        factor=properties.get("factor", 1.0),
    )
