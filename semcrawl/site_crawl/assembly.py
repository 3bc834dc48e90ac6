"""Putting a crawl for websites together: its parts around one graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.crawl.crew import hire
from semcrawl.crawl.visit import Visitor
from semcrawl.site_crawl.directing import SiteDirector
from semcrawl.site_crawl.external import ExternalFrontier
from semcrawl.site_crawl.loop import SiteLoop
from semcrawl.site_crawl.page_links import LinkSorter
from semcrawl.site_crawl.progress import EffortWatch, SiteProgress
from semcrawl.site_crawl.recorder import SiteRecorder
from semcrawl.web import TrapGuard

if TYPE_CHECKING:
    from semcrawl.crawl.crew import Crew
    from semcrawl.crawl.equipment import Equipment
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import CrawlGraph
    from semcrawl.site_crawl.settings import SiteSettings
    from semcrawl.sites.classifier import PageClassifier

__all__ = ["SiteMachine", "assemble_sites"]


@dataclass(frozen=True, slots=True)
class SiteMachine:
    """A crawl for websites that can be run once its frontier is filled."""

    frontier: ExternalFrontier
    director: SiteDirector
    sorter: LinkSorter
    guard: TrapGuard
    progress: SiteProgress
    crew: Crew
    loop: SiteLoop


def assemble_sites(
    settings: Settings,
    site_settings: SiteSettings,
    graph: CrawlGraph,
    parts: Equipment,
    classifier: PageClassifier,
) -> SiteMachine:
    """Connect the parts; nothing is known yet."""
    frontier = ExternalFrontier(settings.frontier_size, site_settings.sites_per_domain)
    progress = SiteProgress()
    watch = EffortWatch(site_settings.pprs_window, site_settings.pprs_rise)
    guard = TrapGuard()
    sorter = LinkSorter(site_settings.naming, settings)
    director = SiteDirector(
        settings=site_settings,
        graph=graph,
        frontier=frontier,
        classifier=classifier,
        sorter=sorter,
        progress=progress,
        watch=watch,
    )
    recorder = SiteRecorder(
        settings=settings,
        graph=graph,
        director=director,
        sorter=sorter,
        guard=guard,
        progress=progress,
    )
    visitor = Visitor(parts.fetcher, parts.judge, parts.robots, parts.reader)
    crew = hire(visitor, parts.workers)
    loop = SiteLoop(
        settings=settings,
        site_settings=site_settings,
        graph=graph,
        director=director,
        recorder=recorder,
        crew=crew,
        at_once=site_settings.sites_at_once or parts.workers,
        politeness=parts.politeness,
        progress=progress,
        watch=watch,
    )
    return SiteMachine(frontier, director, sorter, guard, progress, crew, loop)
