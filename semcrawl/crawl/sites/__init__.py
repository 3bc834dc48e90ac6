"""Crawling for whole websites, on two levels (Ester, Kriegel, Schubert 2004)."""

from semcrawl.crawl.sites.crawl import SiteCrawl
from semcrawl.crawl.sites.progress import SiteClosed, SiteEvent, SiteProgress, SiteStop
from semcrawl.crawl.sites.settings import SiteSettings

__all__ = ["SiteClosed", "SiteCrawl", "SiteEvent", "SiteProgress", "SiteSettings", "SiteStop"]
