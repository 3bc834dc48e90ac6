"""semcrawl: a focused web crawler for people who think in concepts.

>>> from semcrawl import Topic
>>> Topic.parse("wordnet:asthma").name
'asthma'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semcrawl.crawl import Crawl as Crawl
    from semcrawl.crawl import Settings as Settings
    from semcrawl.crawl.deposit import write_crate as write_crate
    from semcrawl.crawl.explain import explain as explain
    from semcrawl.crawl.marks import mark_pages as mark_pages
    from semcrawl.crawl.pages.steering import try_policy as try_policy
    from semcrawl.crawl.shards.gathering import gather as gather
    from semcrawl.crawl.shards.reading import read_crawl as read_crawl
    from semcrawl.crawl.sites import SiteCrawl as SiteCrawl
    from semcrawl.crawl.sites.listing import list_sites as list_sites
    from semcrawl.demo import demo_web as demo_web
    from semcrawl.errors import SemcrawlError as SemcrawlError
    from semcrawl.graph import CrawlGraph as CrawlGraph
    from semcrawl.graph import export as export
    from semcrawl.graph.validation import validate as validate
    from semcrawl.lab import Lab as Lab
    from semcrawl.models.taxonomy import Taxonomy as Taxonomy
    from semcrawl.steering import distill as distill
    from semcrawl.steering.seeds import find_seeds as find_seeds
    from semcrawl.steering.seeds import open_back_links as open_back_links
    from semcrawl.topics import Topic as Topic
    from semcrawl.version import __version__ as __version__
    from semcrawl.web import open_replay as open_replay

# Loaded when first used: a command that needs only a part starts faster.
_HOMES = {
    "Crawl": "semcrawl.crawl",
    "CrawlGraph": "semcrawl.graph",
    "Lab": "semcrawl.lab",
    "SemcrawlError": "semcrawl.errors",
    "Settings": "semcrawl.crawl",
    "SiteCrawl": "semcrawl.crawl.sites",
    "Taxonomy": "semcrawl.models.taxonomy",
    "Topic": "semcrawl.topics",
    "__version__": "semcrawl.version",
    "demo_web": "semcrawl.demo",
    "distill": "semcrawl.steering",
    "explain": "semcrawl.crawl.explain",
    "export": "semcrawl.graph",
    "find_seeds": "semcrawl.steering.seeds",
    "gather": "semcrawl.crawl.shards.gathering",
    "list_sites": "semcrawl.crawl.sites.listing",
    "mark_pages": "semcrawl.crawl.marks",
    "open_back_links": "semcrawl.steering.seeds",
    "open_replay": "semcrawl.web",
    "read_crawl": "semcrawl.crawl.shards.reading",
    "try_policy": "semcrawl.crawl.pages.steering",
    "validate": "semcrawl.graph.validation",
    "write_crate": "semcrawl.crawl.deposit",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'semcrawl' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
