"""A crawl for websites, as a person meets it: made from a topic and seeds, run, resumed."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from semcrawl.crawl.equipment import equip
from semcrawl.crawl.events import CrawlStopped
from semcrawl.crawl.interrupt import interruptible
from semcrawl.crawl.pausing import Steerable
from semcrawl.crawl.planting import canonical_seeds
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.stopping import StopReason
from semcrawl.crawl.viewing import give_functions
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.site_changes import site_settings_changed
from semcrawl.site_crawl.assembly import assemble_sites
from semcrawl.site_crawl.classifying import (
    choose_classifier,
    require_model_file,
    require_same_classifier,
)
from semcrawl.site_crawl.evidence import ClassifierJudge
from semcrawl.site_crawl.planting import plant_sites
from semcrawl.site_crawl.resume import rebuild_sites
from semcrawl.site_crawl.settings import (
    SiteSettings,
    StoredSiteSettings,
    for_recorded_web,
    split_settings,
)
from semcrawl.topics import Topic
from semcrawl.web import Replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from semcrawl.crawl.equipment import Equipment
    from semcrawl.crawl.pausing import Loop
    from semcrawl.graph import Answer
    from semcrawl.page import Page
    from semcrawl.site_crawl.events import SiteEvent
    from semcrawl.site_crawl.progress import SiteProgress
    from semcrawl.sites.classifier import PageClassifier
    from semcrawl.web import Fetcher, Response

__all__ = ["SiteCrawl", "SiteSummary", "stored_settings"]


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
        reader: what makes pages of responses, in place of `semcrawl.page.read_page`.
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
