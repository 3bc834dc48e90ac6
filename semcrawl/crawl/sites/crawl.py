"""A crawl for websites, as a person meets it: made from a topic and seeds, run, resumed."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from semcrawl.crawl.crew import Visitor, hire
from semcrawl.crawl.events import CrawlStopped
from semcrawl.crawl.pages.crawl import canonical_seeds, equip
from semcrawl.crawl.pages.steering import give_functions
from semcrawl.crawl.progress import Steerable, StopReason, interruptible
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.sites.director import SiteDirector
from semcrawl.crawl.sites.frontier import ExternalFrontier, KnownSite
from semcrawl.crawl.sites.internal import ClassifierJudge, LinkSorter
from semcrawl.crawl.sites.loop import SiteLoop
from semcrawl.crawl.sites.progress import EffortWatch, SiteProgress
from semcrawl.crawl.sites.recorder import SiteRecorder
from semcrawl.crawl.sites.resume import rebuild_sites
from semcrawl.crawl.sites.settings import (
    SiteSettings,
    StoredSiteSettings,
    choose_classifier,
    for_recorded_web,
    require_model_file,
    require_same_classifier,
    split_settings,
)
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.graph.changes import concept_noted
from semcrawl.graph.site_changes import site_found, site_settings_changed, site_settings_noted
from semcrawl.topics import Topic
from semcrawl.web import Replay, TrapGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from semcrawl.crawl.crew import Crew
    from semcrawl.crawl.pages.crawl import Equipment
    from semcrawl.crawl.progress import Loop
    from semcrawl.crawl.sites.progress import SiteEvent
    from semcrawl.graph import Answer
    from semcrawl.models.site_classifiers import PageClassifier
    from semcrawl.page import Page
    from semcrawl.topics.topic import ConceptNote
    from semcrawl.web import Fetcher, Response

# Putting a crawl for websites together: its parts around one graph.


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


# The beginning of a crawl for websites: the sites of its seeds and its topic, recorded.


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


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """How a run of a crawl for websites ended."""

    reason: StopReason
    progress: SiteProgress

    def __str__(self) -> str:
        p = self.progress
        effort = f"{p.pprs:.1f} pages for each; " if p.relevant_sites else ""
        refused = f"{p.refused_by_limit:,} sites refused by a limit; " if p.refused_by_limit else ""
        return (
            f"{p.relevant_sites:,} relevant of {p.sites:,} sites, {p.pages:,} pages, "
            f"{effort}{refused}stopped because {self.reason.sentence}"
        )


class SiteCrawl(Steerable):
    """A crawl for websites (Ester, Kriegel, Schubert 2004).

    Args:
        topic: a Topic, or a text such as ``wordnet:asthma``.
        seeds: URLs of sites to start from, beside those of the topic.
        folder: a new folder for the crawl graph; without one it is kept in memory only.
        classifier: a page classifier as an object, in place of the settings' model or lens.
        fetcher: what answers URLs, in place of the network or the replay of the settings;
            a ``Replay`` is treated as one that the settings name.
        reader: what makes pages of responses, in place of `semcrawl.page.read.read_page`.
        values: settings by name, of `SiteSettings` or of fetching (`PAGE_SETTINGS`).

    Raises:
        SemcrawlError: bad input; no folder is made then.

    A crawl is closed by ``close`` or at the end of a ``with`` block.
    """

    def __init__(
        self,
        topic: Topic | str,
        seeds: Sequence[str] = (),
        folder: str | Path | None = None,
        *,
        classifier: PageClassifier | None = None,
        fetcher: Fetcher | None = None,
        reader: Callable[[Response], Page] | None = None,
        **values: Any,
    ) -> None:
        self.topic = Topic.parse(topic) if isinstance(topic, str) else topic
        self.site_settings, self.settings = split_settings(values)
        starts = canonical_seeds([*seeds, *self.topic.seeds], self.settings)
        parts = self._equip(starts, classifier, fetcher, reader=reader)
        self.graph = CrawlGraph.create(Path(folder) if folder is not None else None)
        try:
            self._assemble(parts)
            plant_sites(
                self.graph,
                self.topic,
                starts,
                parts.outline,
                settings=self.settings,
                site_settings=self.site_settings,
                machine=self._machine,
            )
        except BaseException:
            self.graph.discard()
            raise

    @classmethod
    def resume(
        cls,
        folder: str | Path,
        *,
        classifier: PageClassifier | None = None,
        fetcher: Fetcher | None = None,
        **values: Any,
    ) -> Self:
        """Go on with the crawl of a folder, from its graph alone; settings can be changed by name.

        Raises:
            ConfigError: the folder holds a crawl for pages, or a setting must stay as it is.
            NotACrawlError: the folder holds no crawl.
            CrawlLockedError: another process has it open.
        """
        crawl = cls.__new__(cls)
        crawl.graph = CrawlGraph.open(Path(folder))
        try:
            before, pages_before = stored_settings(crawl.graph)
            crawl.topic = Topic.from_toml(crawl.graph.describe().topic)
            crawl.site_settings, crawl.settings = split_settings(values, before, pages_before)
            _require_same(before, crawl.site_settings)
            if not crawl.site_settings.model and classifier is None:
                _require_same_background(pages_before.background, crawl.settings.background)
            if classifier is None:
                require_model_file(before, crawl.site_settings)
            seeds = [row["url"] for row in crawl.graph.query("frontier/seeds")]
            parts = crawl._equip(seeds, classifier, fetcher, before)
            crawl._assemble(parts)
            rebuild_sites(crawl.graph, crawl._machine)
        except BaseException:
            crawl.graph.close()
            raise
        return crawl

    def _equip(
        self,
        seeds: Sequence[str],
        classifier: PageClassifier | None,
        fetcher: Fetcher | None,
        before: StoredSiteSettings | None = None,
        reader: Callable[[Response], Page] | None = None,
    ) -> Equipment:
        self.classifier, judged_by = choose_classifier(
            self.topic, self.site_settings, self.settings.background, classifier
        )
        if before is not None:
            require_same_classifier(before, self.site_settings, judged_by)
        self.site_settings = StoredSiteSettings.of(self.site_settings, judged_by)
        # The settings that are recorded stay as they are: the crawl may go on over the network.
        is_recorded = isinstance(fetcher, Replay)
        self._fetching = for_recorded_web(self.settings) if is_recorded else self.settings
        judge = ClassifierJudge(self.classifier)
        return equip(self._fetching, self.topic, seeds, judge=judge, fetcher=fetcher, reader=reader)

    def _assemble(self, parts: Equipment) -> None:
        self._fetcher = parts.fetcher
        give_functions(self.graph)
        self._machine = assemble_sites(
            self._fetching, self.site_settings, self.graph, parts, self.classifier
        )
        self.progress = self._machine.progress

    # Running

    def run(self, listener: Callable[[SiteEvent], None] | None = None) -> SiteSummary:
        """Crawl until a stop rule is met, telling ``listener`` of every event.

        An interrupt (Ctrl-C) stops the crawl after the visits under way, a
        second one at once; nothing recorded is lost either way.
        """
        with interruptible(self.stop):
            for event in self.visits():
                if listener is not None:
                    listener(event)
        assert isinstance(event, CrawlStopped)
        return SiteSummary(event.reason, self.progress)

    def visits(self) -> Iterator[SiteEvent]:
        """The same, step by step: an event for each page and site, a CrawlStopped at the end."""
        reason = StopReason.FAILED
        self.graph.note_start(self.settings.to_json(), self._machine.director.threshold)
        site_settings_changed(self.graph.store, self.site_settings.to_json())
        try:
            reason = yield from self._machine.loop.run()
        except (KeyboardInterrupt, GeneratorExit):
            reason = StopReason.INTERRUPTED
            raise
        finally:
            # What failed may well be the store: the first error is the one to tell.
            with suppress(SemcrawlError):
                self.graph.note_stop(reason, time.time(), self.settings.to_json())
        yield CrawlStopped(reason, self.progress)

    @property
    def _loop(self) -> Loop:
        return self._machine.loop

    # Asking and closing

    def query(self, query: str, **parameters: object) -> Answer:
        """Answer a named query with its parameters, or a SPARQL text, over the crawl graph."""
        return self.graph.query(query, **parameters)

    def close(self) -> None:
        """Let go of workers, connections and files; closing twice is fine."""
        self._machine.crew.close()
        self._fetcher.close()
        self.graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def stored_settings(graph: CrawlGraph) -> tuple[StoredSiteSettings, Settings]:
    """The settings of a crawl for websites, from its graph.

    Raises:
        ConfigError: it is a crawl for pages.
    """
    about = graph.describe()
    row = next(iter(graph.query("sites/site-settings")), None)
    if row is None:
        raise ConfigError(
            f"{graph.folder} holds a crawl for pages, not for websites: "
            f"go on with 'semcrawl resume {graph.folder}'"
        )
    return StoredSiteSettings.from_json(row["settings"]), Settings.from_json(about.settings)


def _require_same(before: SiteSettings, now: SiteSettings) -> None:
    """Confidences of two lenses, or sites of two kinds, could not be compared."""
    for name in ("site_by", "lens"):
        was, wanted = getattr(before, name), getattr(now, name)
        if was != wanted:
            raise ConfigError(
                f"the crawl began with {name} {was!r}, and what it has read cannot be compared "
                f"with {wanted!r}: start a new crawl for it"
            )


def _require_same_background(was: str, wanted: str) -> None:
    """A lens weighs words by their document frequencies; a model has its own."""
    if was != wanted:
        raise ConfigError(
            f"the crawl began with the background {was or 'shipped'!r}, and what its lens has seen "
            f"cannot be compared with {wanted or 'shipped'!r}: start a new crawl for it"
        )
