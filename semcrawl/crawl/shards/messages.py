"""What the driver of a crawl in shards tells a shard, and what a shard tells the driver."""

from dataclasses import dataclass, field

import msgspec

from semcrawl.crawl.events import CrawlStopped, CrawlWarned, Event
from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.graph.changes import Way

MOST_TOPS = 32
"""Waiting URLs that a shard tells the priorities of."""


class LinkedPage(msgspec.Struct, array_like=True):
    """A page with links to another shard, as that shard is told of it.

    ``evidence`` is what judge and strategy know of the page.
    """

    url: str
    links: dict[str, Way]
    memo: str = ""
    evidence: tuple[bytes, bytes] = (b"", b"")


@dataclass(frozen=True, slots=True)
class LinkBatch:
    """Pages with links from one shard to another, packed."""

    sender: int
    receiver: int
    number: int
    pages: bytes

    @property
    def name(self) -> tuple[int, int, int]:
        """What the batch is acknowledged by."""
        return self.sender, self.receiver, self.number


@dataclass(slots=True)
class Orders:
    """What a shard is told in a turn."""

    visits: int = 0  # that it may start, beside those that it may already
    takes_back: bool = False  # what it has not started it may no longer start
    batches: list[LinkBatch] = field(default_factory=list)
    recorded: list[int] = field(default_factory=list)  # numbers of its batches
    unheard: set[int] = field(default_factory=set)  # shards that may have lost batches
    down: frozenset[int] = frozenset()  # shards that nothing is sent to
    wants_sums: bool = False
    sums: bytes | None = None  # of all other shards
    stop: StopReason | None = None


@dataclass(slots=True)
class ShardReport:
    """What a shard tells in a turn; the figures are of one moment."""

    number: int
    progress: Progress
    given: int = 0  # visits that it was allowed, of which it has heard
    visits: int = 0  # that it may still start
    busy: int = 0  # visits under way
    tops: list[float] = field(default_factory=list)  # priorities of what it could visit now
    pause: float | None = None  # seconds until a host may be asked again
    unsent: int = 0  # pages whose links are not recorded elsewhere yet
    is_steered: bool = False  # a policy runs
    batches: list[LinkBatch] = field(default_factory=list)
    recorded: list[LinkBatch] = field(default_factory=list)
    events: list[Event | CrawlWarned | CrawlStopped] = field(default_factory=list)
    sums: bytes | None = None
    silent: float = 0.0  # seconds since it last did anything
    ended: StopReason | None = None
    failed: str = ""  # why it does not run, where it should
