"""The crawl: the engine, the frontier, the crew, settings, resume and events."""

from __future__ import annotations

from semcrawl.crawl.any_crawl import Summary
from semcrawl.crawl.events import (
    AlarmEnded,
    AlarmRaised,
    CrawlStopped,
    Distilled,
    Event,
    FrontierRevised,
    PageRevisited,
    PageVisited,
    PolicyRan,
    UrlDropped,
)
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.pages.crawl import Crawl
from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.crawl.settings import Settings, load_settings

__all__ = [
    "AlarmEnded",
    "AlarmRaised",
    "Crawl",
    "CrawlStopped",
    "Distilled",
    "Event",
    "Frontier",
    "FrontierRevised",
    "PageRevisited",
    "PageVisited",
    "PolicyRan",
    "Progress",
    "Settings",
    "StopReason",
    "Summary",
    "UrlDropped",
    "load_settings",
]
