"""semcrawl: a focused web crawler for people who think in concepts.

>>> from semcrawl import Topic
>>> Topic.parse("wordnet:asthma").name
'asthma'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semcrawl.crawl import Crawl, Settings
    from semcrawl.crawl.deposit import write_crate
    from semcrawl.crawl.explain import explain
    from semcrawl.crawl.marks import mark_pages
    from semcrawl.crawl.pages.policy_dry_run import try_policy
    from semcrawl.crawl.shards.gathering import gather
    from semcrawl.crawl.shards.reading import read_crawl
    from semcrawl.crawl.sites import SiteCrawl
    from semcrawl.crawl.sites.listing import list_sites
    from semcrawl.demo import demo_web
    from semcrawl.errors import SemcrawlError
    from semcrawl.graph import CrawlGraph, export
    from semcrawl.graph.validation import validate
    from semcrawl.lab import Lab
    from semcrawl.models.taxonomy import Taxonomy
    from semcrawl.steering import distill, find_seeds, open_back_links
    from semcrawl.topics import Topic
    from semcrawl.version import VERSION as __version__  # noqa: N811
    from semcrawl.web import open_replay

__all__ = [
    "Crawl",
    "CrawlGraph",
    "Lab",
    "SemcrawlError",
    "Settings",
    "SiteCrawl",
    "Taxonomy",
    "Topic",
    "__version__",
    "demo_web",
    "distill",
    "explain",
    "export",
    "find_seeds",
    "gather",
    "list_sites",
    "mark_pages",
    "open_back_links",
    "open_replay",
    "read_crawl",
    "try_policy",
    "validate",
    "write_crate",
]

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
    "demo_web": "semcrawl.demo",
    "distill": "semcrawl.steering",
    "explain": "semcrawl.crawl.explain",
    "export": "semcrawl.graph",
    "find_seeds": "semcrawl.steering",
    "gather": "semcrawl.crawl.shards.gathering",
    "list_sites": "semcrawl.crawl.sites.listing",
    "mark_pages": "semcrawl.crawl.marks",
    "open_back_links": "semcrawl.steering",
    "open_replay": "semcrawl.web",
    "read_crawl": "semcrawl.crawl.shards.reading",
    "try_policy": "semcrawl.crawl.pages.policy_dry_run",
    "validate": "semcrawl.graph.validation",
    "write_crate": "semcrawl.crawl.deposit",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("semcrawl.version").VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'semcrawl' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
