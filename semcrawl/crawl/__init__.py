"""The crawl: the engine, the frontier, the crew, settings, resume and events."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.crawl.any_crawl import Summary
    from semcrawl.crawl.events import (
        AlarmEnded,
        AlarmRaised,
        CrawlStopped,
        CrawlWarned,
        Distilled,
        Event,
        FrontierRevised,
        PageRevisited,
        PagesRejudged,
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
    "CrawlWarned",
    "Distilled",
    "Event",
    "Frontier",
    "FrontierRevised",
    "PageRevisited",
    "PageVisited",
    "PagesRejudged",
    "PolicyRan",
    "Progress",
    "Settings",
    "StopReason",
    "Summary",
    "UrlDropped",
    "load_settings",
]

# Loaded when first used: what needs only a part, such as the settings, starts faster.
_HOMES = {
    "Crawl": "pages.crawl",
    "Frontier": "frontier",
    "Progress": "progress",
    "Settings": "settings",
    "StopReason": "progress",
    "Summary": "any_crawl",
    "load_settings": "settings",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'events')}"), name)


def __dir__() -> list[str]:
    return __all__
