"""semcrawl: a focused web crawler for people who think in concepts.

>>> from semcrawl.topics import Topic
>>> Topic.parse("wordnet:asthma").name
'asthma'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semcrawl.crawl import Crawl, Settings
    from semcrawl.errors import SemcrawlError
    from semcrawl.graph import CrawlGraph, export
    from semcrawl.topics import Topic
    from semcrawl.version import VERSION as __version__  # noqa: N811

__all__ = ["Crawl", "CrawlGraph", "SemcrawlError", "Settings", "Topic", "__version__", "export"]

# Loaded when first used: a command that needs only a part starts faster.
_HOMES = {
    "Crawl": ("semcrawl.crawl", "Crawl"),
    "CrawlGraph": ("semcrawl.graph", "CrawlGraph"),
    "SemcrawlError": ("semcrawl.errors", "SemcrawlError"),
    "Settings": ("semcrawl.crawl", "Settings"),
    "Topic": ("semcrawl.topics", "Topic"),
    "__version__": ("semcrawl.version", "VERSION"),
    "export": ("semcrawl.graph", "export"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'semcrawl' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return __all__
