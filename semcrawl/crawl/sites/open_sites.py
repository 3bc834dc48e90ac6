"""The external crawler (Ester 2004, section 4.2): opens the next site, closes those done."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from semcrawl.crawl.kind import CrawlState
from semcrawl.crawl.sites.belief import edge_weight, running_prior
from semcrawl.crawl.sites.frontier import ExternalFrontier, KnownSite
from semcrawl.crawl.sites.internal import InternalCrawl, LinkSorter
from semcrawl.crawl.sites.progress import EffortWatch, SiteClosed, SiteProgress, SiteStop
from semcrawl.crawl.sites.settings import SiteSettings
from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.vocabulary import site_iri
from semcrawl.models.site_classifiers import PageClassifier


@dataclass(slots=True, kw_only=True)
class SiteState(CrawlState):
    """The state of a crawl for websites."""

    site_settings: SiteSettings
    progress: SiteProgress = field(default_factory=SiteProgress)
    frontier: ExternalFrontier
    sorter: LinkSorter
    watch: EffortWatch


class OpenSites:
    """Opens and closes sites, and keeps the edges between them."""

    def __init__(self, state: SiteState, classifier: PageClassifier) -> None:
        self.open: dict[str, InternalCrawl] = {}  # being read, in the order of opening
        self.order = 0  # the number of the URL found last
        self.opened = self.closed = 0
        self._state = state
        self._frontier = state.frontier
        self._progress = state.progress
        self._sorter = state.sorter
        self._classifier = classifier

    def next_order(self) -> int:
        """The number of a URL that is found now."""
        self.order += 1
        return self.order

    def open_next(self) -> Iterator[SiteClosed]:
        """Open the best site that may be read; those that may not are closed unread."""
        while (known := self._frontier.take()) is not None:
            changes = Changes()
            reason = SiteStop.DOMAIN_LIMIT
            if not self.may_open(known):
                reason = SiteStop.OUT_OF_SCOPE
            elif not self._frontier.is_over_limit(known):
                self._open(changes, known)
                self._state.graph.apply(changes)
                return
            closed = self.close_unread(changes, known, reason)
            self._state.graph.apply(changes)
            yield closed

    def may_open(self, known: KnownSite) -> bool:
        """Whether some URL that the site can be read from lies within the crawl's scope."""
        allows = self._sorter.allows
        return bool(known.starts) or allows(known.homepage) or allows(known.entry)

    def _open(self, changes: Changes, known: KnownSite) -> None:
        prior = round(running_prior(self._progress.relevant_sites, self._progress.sites), 6)
        site = self.reopen(known, prior)
        self.opened += 1
        changes.site_states(
            known.name,
            opening_number=self.opened,
            opened_at_step=self._progress.pages,
            opening_rank=known.priority,
            site_prior=prior,
        )
        # A homepage out of the crawl's scope is not asked for.
        first = known.homepage if self._sorter.allows(known.homepage) else known.entry
        for entry in known.starts or [self._start(changes, known, first)]:
            site.offer(entry)
        self._count()

    def reopen(self, known: KnownSite, prior: float) -> InternalCrawl:
        """An internal crawler for a site, before any page."""
        settings, error = self._state.site_settings, self._classifier.error
        site = self.open[known.name] = InternalCrawl(known, settings, error=error, prior=prior)
        return site

    def _start(self, changes: Changes, known: KnownSite, url: str) -> FoundUrl:
        entry = FoundUrl(url, known.name, known.priority, self.next_order(), known.depth, known.found_on)
        changes.found(entry)
        return entry

    def reason_to_close(self, changes: Changes, site: InternalCrawl) -> SiteStop | None:
        """Why to read no more of a site, or None; without pages its entry page is tried first."""
        reason = site.reason_to_stop()
        if reason is not SiteStop.UNREACHABLE:
            return reason
        # Where the homepage gave nothing, it begins with the URL that led to the site instead.
        known = site.known
        if not site.knows(known.entry) and self._sorter.allows(known.entry):
            site.offer(self._start(changes, known, known.entry))
            return None
        return SiteStop.MOVED if site.out.moved_to else reason

    def close(self, changes: Changes, site: InternalCrawl, reason: SiteStop) -> SiteClosed:
        """Nothing more is read of a site: its edges count from now on, its URLs wait no more."""
        known = site.known
        del self.open[site.site]
        for entry in site.waiting:
            changes.left_frontier(entry)
        if reason is SiteStop.MOVED and site.out.moved_to:
            changes.site_states(site.site, moved_to=site_iri(site.out.moved_to))
        self._link(changes, site)
        note = site.first_failure if reason in (SiteStop.UNREACHABLE, SiteStop.FAILING) else ""
        name = site.class_name(self._classifier.classes) if site.pages else ""
        self.closed += 1
        changes.site_states(
            site.site,
            site_stopped_because=reason,
            closed_at_step=self._progress.pages,
            closing_number=self.closed,
            site_class=name,
        )
        if site.pages:
            self.count_closed(site.pages, is_relevant=site.is_relevant)
        else:
            self._frontier.give_back(known)
        self._count()
        return SiteClosed(
            site.site,
            known.homepage,
            site.confidence if site.pages else None,
            name,
            site.is_relevant,
            site.pages,
            reason,
            note,
            self._progress,
        )

    def count_closed(self, pages: int, *, is_relevant: bool) -> None:
        """Count a site that was classified."""
        self._state.watch.closed(pages, is_relevant=is_relevant)
        self._progress.sites += 1
        self._progress.relevant_sites += is_relevant

    def close_unread(self, changes: Changes, known: KnownSite, reason: SiteStop) -> SiteClosed:
        """Close a site that waits no more, unread."""
        self._progress.refused[reason] += 1
        for entry in known.starts:
            changes.left_frontier(entry)
        changes.site_states(known.name, site_stopped_because=reason, closed_at_step=self._progress.pages)
        return SiteClosed(known.name, known.homepage, None, "", False, 0, reason, "", self._progress)

    def _link(self, changes: Changes, site: InternalCrawl) -> None:
        for target, edge in sorted(site.out.all().items()):
            # Where a site that gave no page redirects to inherits its rank.
            weight = mean = edge.confidences.value
            if site.pages:
                weight = edge_weight(self._state.site_settings.weights, site.confidence, mean)
            weight = round(weight, 6)
            if not self._frontier.was_taken(target):
                if not self._frontier.waits(target):
                    number, homepage = self._frontier.next_number, self._sorter.naming.homepage_for(edge.entry)
                    self.enter(changes, KnownSite(target, number, homepage, edge.entry, edge.depth, edge.found_on))
                self._frontier.linked(target, weight)
            changes.site_linked(site.site, target, weight=weight, pages=edge.confidences.count)
            self.give_up_worst(changes)

    def give_up_worst(self, changes: Changes) -> None:
        """Close the sites that there is no room for among those that wait."""
        for lost in self._frontier.give_up_worst():
            self.close_unread(changes, lost, SiteStop.FRONTIER_FULL)

    def enter(self, changes: Changes, known: KnownSite) -> None:
        """Let a site wait that is known from now on, with the URLs to begin with."""
        changes.site_found(
            known.name,
            site_number=known.number,
            depth=known.depth,
            homepage=known.homepage,
            entry_page=known.entry,
            found_on=known.found_on,
        )
        for entry in known.starts:
            changes.found(entry)
        self._frontier.add(known)

    def _count(self) -> None:
        self._progress.open_sites = len(self.open)
        self._progress.waiting = len(self._frontier)
