"""What a running crawl tells its listeners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.stopping import StopReason

__all__ = ["CrawlStopped", "Event", "PageVisited", "UrlDropped"]


@dataclass(frozen=True, slots=True)
class PageVisited:
    """A page was fetched, judged and recorded."""

    step: int
    url: str
    title: str
    relevance: float
    is_relevant: bool
    priority: float
    depth: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class UrlDropped:
    """A URL was tried and given up."""

    url: str
    reason: str
    note: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class CrawlStopped:
    """The crawl has stopped; everything is recorded."""

    reason: StopReason
    progress: Progress


Event = PageVisited | UrlDropped | CrawlStopped
