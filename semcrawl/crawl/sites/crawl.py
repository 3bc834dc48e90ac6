"""A crawl for websites: made from a topic and seeds, run, resumed from its graph alone."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import dropwhile
from pathlib import Path
from typing import Any, Self

import msgspec

from semcrawl.crawl.any_crawl import AnyCrawl
from semcrawl.crawl.lens_watch import LensWatch
from semcrawl.crawl.parts import canonical_seeds, fetcher_for, graph_for, record_start, require_same
from semcrawl.crawl.sites.frontier import ExternalFrontier, KnownSite, site_name
from semcrawl.crawl.sites.internal import ClassifierJudge, InternalCrawl, LinkSorter, PageNote
from semcrawl.crawl.sites.progress import EffortWatch, SiteEvent, SiteProgress, SiteStop
from semcrawl.crawl.sites.settings import (
    SiteSettings,
    StoredSiteSettings,
    choose_classifier,
    require_model_file,
    require_same_classifier,
    split_settings,
    stored_settings,
)
from semcrawl.crawl.sites.site_kind import OpenSites, SiteKind, SiteState
from semcrawl.crawl.trust import FETCHING
from semcrawl.graph import SC, Changes, CrawlGraph, FoundUrl
from semcrawl.graph.vocabulary import site_iri
from semcrawl.models.site_classifiers import LensClassifier, PageClassifier
from semcrawl.page import Page
from semcrawl.page.background import find_background
from semcrawl.topics import Topic
from semcrawl.web import Fetcher, Replay, Response
from semcrawl.web.response import DropReason


class SiteCrawl(AnyCrawl[SiteEvent, SiteProgress]):
    """A crawl for websites (Ester, Kriegel, Schubert 2004); ``values`` as for `split_settings`.

    Args:
        topic: a Topic, or a text such as ``wordnet:asthma``.
        seeds: URLs of sites to start from, beside those of the topic.
        folder: a new folder for the crawl graph; without one it is kept in memory only.
        classifier: a page classifier as an object, in place of the settings' model or lens.
        fetcher: in place of the network; a ``Replay`` counts as one that the settings name.
        reader: what makes pages of responses, in place of `semcrawl.page.read.read_page`.

    Raises SemcrawlError: bad input; no folder is made then.
    """

    site_settings: SiteSettings

    def __init__(
        self,
        topic: Topic | str,
        seeds: str | Sequence[str] = (),
        folder: str | Path | None = None,
        *,
        classifier: PageClassifier | None = None,
        fetcher: Fetcher | None = None,
        reader: Callable[[Response], Page] | None = None,
        **values: Any,
    ) -> None:
        self.topic = Topic.parse(topic) if isinstance(topic, str) else topic
        self.site_settings, self.settings = split_settings(values)
        self._set_up(folder, canonical_seeds(seeds, self.topic, self.settings), classifier, fetcher, reader)

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

        ``trust`` as in `Crawl.resume`. Raises UntrustedError: it names files or addresses, and another made it;
        ConfigError: the folder holds a crawl for pages, or a setting must stay as it is; NotACrawlError: the folder
        holds no crawl; CrawlLockedError: another process has it open.
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
            self.classifier, judged_by = choose_classifier(self.topic, self.site_settings, background, classifier)
            if before is not None:
                require_same_classifier(before, self.site_settings, judged_by)
            # The mark of the first classifier stays.
            marked = {"judged_by": judged_by, **msgspec.structs.asdict(self.site_settings)}
            self.site_settings = site_settings = StoredSiteSettings(**marked)
            judge = ClassifierJudge(self.classifier)
            watch = None
            if before is None and isinstance(self.classifier, LensClassifier):
                watch = LensWatch(self.topic, self.classifier.similarity, seeds)
            if isinstance(fetcher, Replay):
                # What is recorded stays as it is: the crawl may go on over the network.
                by_replay = {"robots": False, "nofollow": False, "delay": 0.0, "workers": settings.workers or 1}
                settings = settings.changed(by_replay)
            fetcher = fetcher_for(undo, settings, fetcher)
            graph = graph_for(undo, place)
            state = SiteState(
                settings=settings,
                topic=self.topic,
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
                record_start(state, self.settings, self.topic, judge, changes, site_settings.to_json())
            if background is not None:
                state.count_pages(background, self.topic)
            self.progress = state.progress
            self._connect(state, SiteKind(state, sites), fetcher, judge, reader)
            undo.pop_all()


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


Known = dict[str, dict[str, Any]]
"""What the graph says of sites: properties by the name of the site."""

_ALL = 10**9


def rebuild_sites(state: SiteState, sites: OpenSites) -> None:
    """Fill a new state from its graph, as the settings now are."""
    graph, frontier = state.graph, state.frontier
    known = _known(graph)
    _wait_again(state, known)
    waiting = _waiting(graph)
    found = {
        name: KnownSite(
            name, said["siteNumber"], said["homepage"], said["entryPage"], said["depth"], said.get("foundOn")
        )
        for name, said in known.items()
    }
    _rank(graph, known, found)
    for name, said in sorted(known.items(), key=lambda item: item[1]["siteNumber"]):
        site = found[name]
        frontier.add(site)
        if "openedAtStep" in said or "siteStoppedBecause" in said:
            # One that is being read holds a place of its domain, a closed one if it gave a page.
            was_read = bool(said.get("pagesRead")) or "siteStoppedBecause" not in said
            frontier.settle(name, site.homepage, was_read=was_read)
        else:
            site.starts = sorted(waiting[name], key=lambda entry: entry.order)
    for said in sorted(known.values(), key=lambda one: one.get("openingNumber", 0)):
        if "openedAtStep" in said and "siteStoppedBecause" not in said:
            name = said["name"]
            _reopen(state, sites, found[name], said, waiting[name])
    _count_closed(state, sites, known)
    for row in graph.query("sites/checked-urls"):
        state.guard.check(row["url"])
    _settle(state, sites, known)
    state.count_recorded()
    state.progress.open_sites = len(sites.open)
    sites.order = next(iter(graph.query("sites/last-order")))["order"] or 0
    _leave_out(state, sites)
    state.progress.waiting = len(frontier)


def _rank(graph: CrawlGraph, known: Known, sites: dict[str, KnownSite]) -> None:
    """Give every site its rank; one that was opened keeps that with which it was chosen."""
    edges = []
    for row in graph.query("sites/site-edges", limit=_ALL):
        closed = known[site_name(row["source"])].get("closingNumber", 0)
        edges.append((closed, site_name(row["target"]), row["weight"]))
    # In the order in which they came to count, so that their sum is the same to the last digit.
    for _, target, weight in sorted(edges):
        if "openingRank" not in known[target]:
            sites[target].rank.add(weight)
    for name, said in known.items():
        if "openingRank" in said:
            sites[name].rank.add(said["openingRank"])


def _count_closed(state: SiteState, sites: OpenSites, known: Known) -> None:
    for said in sorted(known.values(), key=lambda one: one.get("closingNumber", 0)):
        sites.closed = max(sites.closed, said.get("closingNumber", 0))
        if "siteStoppedBecause" not in said:
            continue
        if said.get("pagesRead"):
            sites.count_closed(said["pagesRead"], is_relevant=said["siteConfidence"] > state.threshold)
        elif "openedAtStep" not in said:
            state.progress.refused[SiteStop(said["siteStoppedBecause"].removeprefix(SC))] += 1


def _known(graph: CrawlGraph) -> Known:
    known: Known = {}
    for row in graph.query("sites/known-sites"):
        name = site_name(row["site"])
        known.setdefault(name, {"name": name})[row["property"].removeprefix(SC)] = row["value"]
    return known


def _waiting(graph: CrawlGraph) -> dict[str, list[FoundUrl]]:
    found: dict[str, list[FoundUrl]] = defaultdict(list)
    for row in graph.query("sites/waiting-urls"):
        name = site_name(row["site"])
        entry = FoundUrl(row["url"], name, row["priority"], row["order"], row["depth"], row["found_on"])
        entry.tries, entry.redirects = row["tries"] or 0, row["redirects"] or 0
        found[name].append(entry)
    return found


def _reopen(
    state: SiteState, sites: OpenSites, known: KnownSite, said: dict[str, Any], waiting: list[FoundUrl]
) -> None:
    graph = state.graph
    site = sites.reopen(known, said["sitePrior"])
    iri = site_iri(known.name)
    links: dict[str, list[str]] = defaultdict(list)
    for row in graph.query("sites/site-page-links", site=iri):
        links[row["url"]].append(row["link"])
    # By target, what its rank is made of: the weights of pages, in the order they were read.
    weights: dict[str, dict[str, float]] = defaultdict(dict)
    for row in graph.query("sites/site-pages", site=iri):
        url, note = row["url"], msgspec.json.decode(row["memo"], type=PageNote)
        site.settle(url)
        sorted_links = state.sorter.sort(known.name, links[url], note.ignored)
        weight = site.read(note, sorted_links.others, url, row["depth"])
        for target in sorted_links.inside:
            weights[target][url] = weight
    _redirect(state, site)
    if "pagesRead" in said:
        site.judged = said["siteConfidence"], said["pagesRead"]
    for entry in sorted(waiting, key=lambda entry: entry.order):
        site.offer(entry, *_counted(entry, weights[entry.url]))


def _redirect(state: SiteState, site: InternalCrawl) -> None:
    for row in state.graph.query("sites/site-redirects", site=site_iri(site.site)):
        url, target = row["url"], row["target"]
        entry = FoundUrl(url, site.site, 0.0, row["order"], row["depth"], row["found_on"])
        name = state.sorter.naming.of(target)
        if name == site.site:
            site.out.turned(entry)
        elif state.sorter.allows(target):
            site.out.left(entry, name, target)


def _counted(entry: FoundUrl, weights: dict[str, float]) -> list[float]:
    """The weights that count for a URL: those since it was found, for before it had no room."""
    return [weights[page] for page in dropwhile(lambda page: page != entry.found_on, weights)]


def _settle(state: SiteState, sites: OpenSites, known: Known) -> None:
    """Nothing that was asked for is asked for again; what failed or redirected is counted."""
    graph = state.graph
    tries = {site_name(row["site"]): row["tries"] for row in graph.query("sites/site-tries")}
    for name, site in sites.open.items():
        site.requests = site.pages + tries.get(name, 0)
        site.first_failure = known[name].get("note", "")
        site.down_in_a_row = known[name].get("failuresInARow", 0)
    for row in graph.query("frontier/known"):
        asked = sites.open.get(state.sorter.naming.of(row["url"]))
        if asked is not None:
            asked.settle(row["url"])
            asked.requests += row["kind"] == "redirected"
        if row["kind"] == "dropped":
            reason = row["reason"].removeprefix(SC)
            state.progress.dropped[reason] += 1
            if asked is not None and reason not in ("OutOfScope", "TrapSuspected"):
                asked.failures += 1
                asked.requests += 1


def _wait_again(state: SiteState, known: Known) -> None:
    """Let sites wait that were closed unread for a reason that new settings have removed."""
    changes = Changes()
    gone = _reasons_gone(state)
    for name, said in known.items():
        reason = said.get("siteStoppedBecause", "").removeprefix(SC)
        if reason == SiteStop.OUT_OF_SCOPE:
            is_gone = any(map(state.sorter.allows, (said["homepage"], said["entryPage"])))
        else:
            is_gone = reason in gone
        if is_gone:
            changes.site_replaced(name, "site_stopped_because", reason, None)
            changes.site_replaced(name, "closed_at_step", said["closedAtStep"], None)
            del said["siteStoppedBecause"], said["closedAtStep"]
    _enter_seeds_again(state, known, changes)
    state.graph.apply(changes)


def _reasons_gone(state: SiteState) -> set[SiteStop]:
    """Return the limits that are higher now than in the last run."""
    before, pages_before = stored_settings(state.graph)
    was, now = before.sites_per_domain, state.frontier.per_domain
    gone = set()
    if was and (now > was or not now):
        gone.add(SiteStop.DOMAIN_LIMIT)
    if state.frontier.capacity > pages_before.frontier_size:
        gone.add(SiteStop.FRONTIER_FULL)
    return gone


def _enter_seeds_again(state: SiteState, known: Known, changes: Changes) -> None:
    """Let the seeds of waiting sites wait, where the patterns allow it."""
    for row in state.graph.query("sites/idle-seeds"):
        name = site_name(row["site"])
        said = known[name]
        if "openedAtStep" in said or "siteStoppedBecause" in said or not state.sorter.allows(row["url"]):
            continue
        if row["reason"]:
            changes.taken_back(row["url"], row["reason"].removeprefix(SC))
        changes.entered_again(FoundUrl(row["url"], name, 1.0, row["order"], row["depth"]))


def _leave_out(state: SiteState, sites: OpenSites) -> None:
    """Drop the URLs and close the sites that wait and that the patterns now leave out."""
    changes, allows = Changes(), state.sorter.allows
    for site in sites.open.values():
        for entry in list(site.waiting):
            if not allows(entry.url):
                site.withdraw(entry.url)
                _drop(changes, state, entry)
    for known in state.frontier:
        for entry in known.starts:
            if not allows(entry.url):
                _drop(changes, state, entry)
        known.starts = [one for one in known.starts if allows(one.url)]
        if not sites.may_open(known):
            state.frontier.settle(known.name, known.homepage, was_read=False)
            sites.close_unread(changes, known, SiteStop.OUT_OF_SCOPE)
    sites.give_up_worst(changes)
    state.graph.apply(changes)


def _drop(changes: Changes, state: SiteState, entry: FoundUrl) -> None:
    changes.left_frontier(entry)
    state.drop(changes, entry.url, DropReason.OUT_OF_SCOPE)
