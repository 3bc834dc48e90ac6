"""The crawl: the loop, the frontier, the crew, settings, resume and events."""

from __future__ import annotations

from semcrawl.crawl.alarms import Alarm, AlarmKind, AlarmWatch
from semcrawl.crawl.crawl import Crawl, Summary
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
from semcrawl.crawl.progress import Progress
from semcrawl.crawl.settings import Settings, load_settings
from semcrawl.crawl.stopping import StopReason

__all__ = [
    "Alarm",
    "AlarmEnded",
    "AlarmKind",
    "AlarmRaised",
    "AlarmWatch",
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
