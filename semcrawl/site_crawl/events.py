"""What a crawl for websites tells its listeners, beside the events of a page crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.crawl.events import CrawlStopped, PageVisited, UrlDropped

if TYPE_CHECKING:
    from semcrawl.site_crawl.progress import SiteProgress
    from semcrawl.site_crawl.site_stop import SiteStop

__all__ = ["SiteClosed", "SiteEvent"]


@dataclass(frozen=True, slots=True)
class SiteClosed:
    """Nothing more is read of a site; ``confidence`` is None where it gave no page."""

    site: str
    homepage: str
    confidence: float | None
    site_class: str
    is_relevant: bool
    pages: int
    reason: SiteStop
    note: str
    progress: SiteProgress


SiteEvent = PageVisited | UrlDropped | SiteClosed | CrawlStopped
