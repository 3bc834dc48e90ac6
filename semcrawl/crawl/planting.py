"""The beginning of a crawl: its seeds, its topic and the concepts that belong to it, recorded."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from semcrawl.crawl.intake import KnownUrls
from semcrawl.crawl.scope import Scope
from semcrawl.errors import ConfigError
from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.concept_changes import concept_noted
from semcrawl.web.urls import canonical, host_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.crawl.equipment import Equipment
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import CrawlGraph
    from semcrawl.topics import Topic

__all__ = ["canonical_seeds", "plant"]


def canonical_seeds(seeds: Sequence[str], settings: Settings) -> list[str]:
    """The seeds in the form in which URLs are compared, each once.

    Raises:
        ConfigError: there is none, or one that the crawl may not visit.
        UrlError: one that is no URL.
    """
    if not seeds:
        raise ConfigError("a crawl needs at least one seed: give --seed URL, or seeds in the topic")
    scope = Scope(settings.include, settings.exclude)
    starts = list(dict.fromkeys(canonical(seed) for seed in seeds))
    for url in starts:
        if not scope.allows(url):
            raise ConfigError(f"the seed {url} is shut out by the include or exclude patterns")
    return starts


def plant(
    graph: CrawlGraph, topic: Topic, settings: Settings, seeds: Sequence[str], parts: Equipment
) -> tuple[KnownUrls, list[FoundUrl]]:
    """Record the crawl, its seeds and its concepts in one transaction."""
    entries = [FoundUrl(url, host_of(url), 1.0, n, 0) for n, url in enumerate(seeds, 1)]
    changes = Changes()
    for entry in entries:
        changes.found(entry)
    for note in parts.outline:
        concept_noted(changes, note.iri, note.label, note.broader, good=note.good)
    try:
        graph.begin(
            changes,
            name=topic.name,
            topic=topic.to_toml(absolute=True),
            topic_turtle=topic.to_turtle(absolute=True),
            settings=settings.to_json(),
            threshold=parts.threshold,
            now=time.time(),
        )
    except BaseException:
        graph.discard()
        raise
    return KnownUrls(next_order=len(entries) + 1), entries
