"""Crawling for whole websites, on two levels (Ester, Kriegel, Schubert 2004).

- ``site_crawl``: a crawl as a person meets it; ``assembly`` and ``planting`` put
  it together, ``resume`` does so from its graph
- ``directing``, ``external``: the external crawler, whose frontier holds sites
- ``internal``, ``evidence``, ``page_links``: the internal crawlers, one for each site
- ``loop``, ``recorder``: visits, recorded in one transaction each
- ``settings``, ``site_stop``, ``progress``, ``events``: what it is told and tells
- ``classifying``: which classifier a crawl has, and that it stays the same
- ``listing``: the sites found, as a list; ``explaining``: why a page was judged so
- ``rivals``: simpler ways, to compare with
"""

from __future__ import annotations

from semcrawl.site_crawl.events import SiteClosed, SiteEvent
from semcrawl.site_crawl.progress import SiteProgress
from semcrawl.site_crawl.settings import SiteSettings
from semcrawl.site_crawl.site_crawl import SiteCrawl, SiteSummary
from semcrawl.site_crawl.site_stop import SiteStop

__all__ = [
    "SiteClosed",
    "SiteCrawl",
    "SiteEvent",
    "SiteProgress",
    "SiteSettings",
    "SiteStop",
    "SiteSummary",
]
