"""Seeds: where a crawl begins, and finding better places to begin.

- ``augment``: pages that link to several seeds, as seeds of their own
- ``back_links``: where it is known which pages link to a seed: a crawl, a recorded web, a file
"""

from __future__ import annotations

from semcrawl.seeds.augment import Hub, augment
from semcrawl.seeds.back_links import (
    BackLinks,
    CrawlBackLinks,
    FileBackLinks,
    ReplayBackLinks,
    open_back_links,
)

__all__ = [
    "BackLinks",
    "CrawlBackLinks",
    "FileBackLinks",
    "Hub",
    "ReplayBackLinks",
    "augment",
    "open_back_links",
]
