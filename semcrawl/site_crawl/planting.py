"""The beginning of a crawl for websites: the sites of its seeds and its topic, recorded."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.concept_changes import concept_noted
from semcrawl.graph.site_changes import site_found, site_settings_noted
from semcrawl.site_crawl.external import KnownSite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import CrawlGraph
    from semcrawl.site_crawl.assembly import SiteMachine
    from semcrawl.site_crawl.settings import SiteSettings
    from semcrawl.topics import Topic
    from semcrawl.topics.outline import ConceptNote

__all__ = ["plant_sites"]


def plant_sites(
    graph: CrawlGraph,
    topic: Topic,
    seeds: Sequence[str],
    outline: Sequence[ConceptNote],
    *,
    settings: Settings,
    site_settings: SiteSettings,
    machine: SiteMachine,
) -> None:
    """Record the crawl, the sites of its seeds and its concepts in one transaction.

    A site is read from its homepage on; a seed that is another page of it is read too.
    """
    changes = Changes()
    for site in _seed_sites(seeds, site_settings, machine):
        site_found(
            changes,
            site.name,
            number=site.number,
            homepage=site.homepage,
            entry=site.entry,
            depth=0,
        )
        for entry in site.starts:
            changes.found(entry)
        machine.frontier.add(site)
    site_settings_noted(changes, site_settings.to_json())
    for note in outline:
        concept_noted(changes, note.iri, note.label, note.broader, good=note.good)
    graph.begin(
        changes,
        name=topic.name,
        topic=topic.to_toml(absolute=True),
        topic_turtle=topic.to_turtle(absolute=True),
        settings=settings.to_json(),
        threshold=machine.director.threshold,
        now=time.time(),
    )
    machine.progress.waiting = len(machine.frontier)


def _seed_sites(
    seeds: Sequence[str], settings: SiteSettings, machine: SiteMachine
) -> list[KnownSite]:
    naming = settings.naming
    sites: dict[str, KnownSite] = {}
    for seed in seeds:
        name, homepage = naming.of(seed), naming.homepage_for(seed)
        site = sites.setdefault(name, KnownSite(name, len(sites) + 1, homepage, seed))
        known = {entry.url for entry in site.starts}
        for url in dict.fromkeys((site.homepage, seed)):
            if url not in known and machine.sorter.allows(url):
                order = machine.director.next_order()
                site.starts.append(FoundUrl(url, name, 1.0, order, 0))
    return list(sites.values())
