"""A crawl for websites: made from a topic and seeds, run, resumed."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import msgspec

from semcrawl.crawl.any_crawl import AnyCrawl
from semcrawl.crawl.lens_watch import LensWatch
from semcrawl.crawl.parts import canonical_seeds, fetcher_for, graph_for, record_start, require_same
from semcrawl.crawl.sites.frontier import ExternalFrontier, KnownSite
from semcrawl.crawl.sites.internal import ClassifierJudge, LinkSorter
from semcrawl.crawl.sites.open_sites import OpenSites, SiteState
from semcrawl.crawl.sites.progress import EffortWatch, SiteEvent, SiteProgress
from semcrawl.crawl.sites.resume import rebuild_sites
from semcrawl.crawl.sites.settings import (
    SiteSettings,
    StoredSiteSettings,
    choose_classifier,
    for_recorded_web,
    require_model_file,
    require_same_classifier,
    split_settings,
    stored_settings,
)
from semcrawl.crawl.sites.site_kind import SiteKind
from semcrawl.crawl.trust import FETCHING
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.models.site_classifiers import PageClassifier
from semcrawl.page import Page
from semcrawl.page.background import find_background
from semcrawl.topics import Topic
from semcrawl.web import Fetcher, Replay, Response


class SiteCrawl(AnyCrawl[SiteEvent, SiteProgress]):
    """A crawl for websites (Ester, Kriegel, Schubert 2004); ``values`` as for `split_settings`.

    Args:
        topic: a Topic, or a text such as ``wordnet:asthma``.
        seeds: URLs of sites to start from, beside those of the topic.
        folder: a new folder for the crawl graph; without one it is kept in memory only.
        classifier: a page classifier as an object, in place of the settings' model or lens.
        fetcher: in place of the network; a ``Replay`` counts as one that the settings name.
        reader: what makes pages of responses, in place of `semcrawl.page.read.read_page`.

    Raises:
        SemcrawlError: bad input; no folder is made then.
    """

    site_settings: SiteSettings

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
        self._set_up(folder, starts, classifier, fetcher, reader)

    @classmethod
    def resume(
        cls,
        folder: str | Path,
        *,
        classifier: PageClassifier | None = None,
        fetcher: Fetcher | None = None,
        reader: Callable[[Response], Page] | None = None,
        trust: bool = False,
        **values: Any,
    ) -> Self:
        """Go on with the crawl of a folder, from its graph alone; settings can be changed by name.

        ``trust`` as in `Crawl.resume`.

        Raises:
            UntrustedError: it names files or addresses, and another made it.
            ConfigError: the folder holds a crawl for pages, or a setting must stay as it is.
            NotACrawlError: the folder holds no crawl.
            CrawlLockedError: another process has it open.
        """
        # The judge and the strategy of its page settings are not used.
        named = {*values, "judge", "strategy", *(FETCHING if fetcher else ())}
        if classifier is not None:
            named |= {"model", "lens"}
        with cls._reopened(folder, named, trust=trust) as (crawl, graph):
            before, pages_before = stored_settings(graph)
            crawl.site_settings, crawl.settings = split_settings(values, before, pages_before)
            for name in ("site_by", "lens"):
                was, now = getattr(before, name), getattr(crawl.site_settings, name)
                require_same(name, was, now, "it has read")
            if classifier is None:
                if not crawl.site_settings.model:
                    # A lens weighs words by their document frequencies; a model has its own.
                    was, now = pages_before.background, crawl.settings.background
                    require_same("the background", was, now, "its lens has seen", "shipped")
                require_model_file(before, crawl.site_settings)
            crawl._set_up(graph, (), classifier, fetcher, reader, before)
        return crawl

    def _set_up(
        self,
        place: CrawlGraph | str | Path | None,
        seeds: Sequence[str],
        classifier: PageClassifier | None,
        fetcher: Fetcher | None,
        reader: Callable[[Response], Page] | None,
        before: StoredSiteSettings | None = None,
    ) -> None:
        settings = self.settings
        with ExitStack() as undo:
            by_lens = classifier is None and not self.site_settings.model
            background = find_background(settings.background, self.topic) if by_lens else None
            self.classifier, judged_by = choose_classifier(
                self.topic, self.site_settings, background, classifier
            )
            if before is not None:
                require_same_classifier(before, self.site_settings, judged_by)
            # The mark of the first classifier stays.
            marked = {"judged_by": judged_by, **msgspec.structs.asdict(self.site_settings)}
            self.site_settings = StoredSiteSettings(**marked)
            judge = ClassifierJudge(self.classifier)
            watch = self._lens_watch(seeds) if before is None else None
            if isinstance(fetcher, Replay):
                # What is recorded stays as it is: the crawl may go on over the network.
                settings = for_recorded_web(settings)
            fetcher = fetcher_for(undo, settings, fetcher)
            graph = graph_for(undo, place)
            site_settings = self.site_settings
            state = SiteState(
                settings=settings,
                site_settings=site_settings,
                graph=graph,
                threshold=judge.threshold,
                frontier=ExternalFrontier(settings.frontier_size, site_settings.sites_per_domain),
                sorter=LinkSorter(site_settings.naming, settings),
                watch=EffortWatch(site_settings.pprs_window, site_settings.pprs_rise),
                lens_watch=watch,
            )
            sites = OpenSites(state, self.classifier)
            if graph is place:
                rebuild_sites(state, sites)
            else:
                changes = _enter_seeds(state, sites, seeds)
                stored = site_settings.to_json()
                record_start(state, self.settings, self.topic, judge, changes, stored)
            if background is not None:
                state.count_pages(background, self.topic)
            self.progress = state.progress
            self._connect(state, SiteKind(state, sites), fetcher, judge, reader)
            undo.pop_all()

    def _lens_watch(self, seeds: Sequence[str]) -> LensWatch | None:
        from semcrawl.models.site_classifiers import LensClassifier  # needs numpy: loaded late

        if not isinstance(self.classifier, LensClassifier):
            return None
        return LensWatch(self.topic, self.classifier.similarity, seeds)

    def _note_start(self) -> None:
        settings, site_settings = self._lasting.to_json(), self.site_settings.to_json()
        self.graph.note_start(settings, self.threshold, site_settings)


def _enter_seeds(state: SiteState, sites: OpenSites, seeds: Sequence[str]) -> Changes:
    """Let the sites of the seeds wait, to be read from homepage and seed; return the changes."""
    naming, known = state.site_settings.naming, dict[str, KnownSite]()
    for seed in seeds:
        name, homepage = naming.of(seed), naming.homepage_for(seed)
        site = known.setdefault(name, KnownSite(name, len(known) + 1, homepage, seed))
        waiting = {entry.url for entry in site.starts}
        for url in dict.fromkeys((site.homepage, seed)):
            if url not in waiting and state.sorter.allows(url):
                site.starts.append(FoundUrl(url, name, 1.0, sites.next_order(), 0))
    changes = Changes()
    for site in known.values():
        sites.enter(changes, site)
    state.progress.waiting = len(state.frontier)
    return changes
