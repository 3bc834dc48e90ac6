"""The crawl: the engine, the frontier, the crew, settings, resume and events."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.crawl.events import AlarmEnded as AlarmEnded
    from semcrawl.crawl.events import AlarmRaised as AlarmRaised
    from semcrawl.crawl.events import CrawlStopped as CrawlStopped
    from semcrawl.crawl.events import CrawlWarned as CrawlWarned
    from semcrawl.crawl.events import Distilled as Distilled
    from semcrawl.crawl.events import Event as Event
    from semcrawl.crawl.events import FrontierRevised as FrontierRevised
    from semcrawl.crawl.events import PageRevisited as PageRevisited
    from semcrawl.crawl.events import PagesRejudged as PagesRejudged
    from semcrawl.crawl.events import PageVisited as PageVisited
    from semcrawl.crawl.events import PolicyRan as PolicyRan
    from semcrawl.crawl.events import UrlDropped as UrlDropped
    from semcrawl.crawl.pages.crawl import Crawl as Crawl
    from semcrawl.crawl.progress import StopReason as StopReason
    from semcrawl.crawl.settings import Settings as Settings

# Loaded when first used: what needs only a part, such as the settings, starts faster.
_NAMES = {
    "events": (
        "AlarmEnded",
        "AlarmRaised",
        "CrawlStopped",
        "CrawlWarned",
        "Distilled",
        "Event",
        "FrontierRevised",
        "PageRevisited",
        "PagesRejudged",
        "PageVisited",
        "PolicyRan",
        "UrlDropped",
    ),
    "pages.crawl": ("Crawl",),
    "progress": ("StopReason",),
    "settings": ("Settings",),
}
_HOMES = dict(sorted((name, module) for module, names in _NAMES.items() for name in names))

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
