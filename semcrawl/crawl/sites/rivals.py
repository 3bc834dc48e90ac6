"""Simpler ways to find websites, for comparison, as in Ester 2004, section 5.

The homepage classifier, the internal crawler without gathering links (table 2), and a focused
crawl after which the pages got of each site are classified together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from semcrawl.crawl.crew import Visitor
from semcrawl.crawl.events import PageVisited
from semcrawl.crawl.pages.crawl import Crawl
from semcrawl.crawl.sites.belief import SiteBelief
from semcrawl.crawl.sites.internal import (
    ClassifierJudge,
    InternalCrawl,
    LinkSorter,
    PageNote,
    SiteJudgement,
)
from semcrawl.crawl.sites.settings import SiteSettings, split_settings
from semcrawl.graph import FoundUrl
from semcrawl.strategies.strategy import BaseStrategy
from semcrawl.web import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.events import Event
    from semcrawl.models.site_classifiers import PageClassifier
    from semcrawl.page import Page
    from semcrawl.strategies import JudgedPage
    from semcrawl.topics import Topic
    from semcrawl.web import Fetcher

_HOPS = 5


@dataclass(frozen=True, slots=True)
class SiteVerdict:
    """What a site was taken for, by so many of its pages."""

    site: str
    probability: float
    is_relevant: bool
    pages: int


def classify_site(
    homepage: str,
    fetcher: Fetcher,
    classifier: PageClassifier,
    *,
    prior: float = 0.5,
    **values: Any,
) -> SiteVerdict:
    """Classify one site of a recorded web by the internal crawler, until the class is sure.

    A homepage that redirects to another site stands for that one. ``values`` are settings by name.
    """
    settings, pages = split_settings({"l_threshold": 0.0, "pages_per_site": 10, **values})
    naming = settings.naming

    def begun(url: str, redirects: int = 0) -> InternalCrawl:
        name = naming.of(url)
        made = InternalCrawl(name, 1.0, settings, error=classifier.error, prior=prior)
        made.offer(FoundUrl(url, name, 1.0, 0, 0, redirects=redirects))
        return made

    site = begun(canonical(homepage))
    sorter = LinkSorter(naming, pages)
    visitor = Visitor(fetcher, ClassifierJudge(classifier), None)
    order = 0
    while site.reason_to_stop() is None and (entry := site.pick(math.inf, lambda _: True)):
        outcome = visitor.visit(entry)
        target = _redirect(outcome)
        if target and not site.pages and naming.of(target) != site.site:
            site = begun(target, entry.redirects + 1)
            continue
        for url, weight in _taken(site, sorter, outcome).items():
            order += 1
            hops = entry.redirects + 1 if target else 0
            found = FoundUrl(url, site.site, weight, order, entry.depth + 1, entry.url, 0, hops)
            if site.knows(url):
                site.raise_or_lower(url, weight)
            elif site.has_room:
                site.offer(found, weight)
    return SiteVerdict(site.site, site.confidence, site.is_relevant, site.pages)


def _redirect(outcome: Outcome) -> str | None:
    """Where a visit was sent on to, unless it was sent on too often."""
    response = outcome.response
    return response.redirect if response and outcome.entry.redirects < _HOPS else None


def _taken(site: InternalCrawl, sorter: LinkSorter, outcome: Outcome) -> dict[str, float]:
    """Tell the site what came of a visit; return the URLs of it that it led to, with weights."""
    if outcome.bug is not None:
        raise outcome.bug
    entry = outcome.entry
    if outcome.page is not None and isinstance(outcome.judgement, SiteJudgement):
        note = PageNote(outcome.judgement.confidences)
        links = sorter.sort(site.site, (link.url for link in outcome.page.links))
        weight = site.read(note, links.others, entry.url, entry.depth)
        return dict.fromkeys(links.inside, weight)
    if target := _redirect(outcome):
        return dict.fromkeys(sorter.sort(site.site, [target]).inside, entry.priority)
    site.failed(str(outcome.error))
    return {}


def classify_homepage(
    homepage: str, fetcher: Fetcher, classifier: PageClassifier, *, prior: float = 0.5
) -> SiteVerdict:
    """Classify one site by its homepage alone."""
    return classify_site(homepage, fetcher, classifier, prior=prior, pages_per_site=1)


class PageConfidence(BaseStrategy):
    """A link is as good as the best page with it; the paper takes the mean of the pages."""

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """The confidence of the page for each of its links."""
        return [judged.relevance] * len(judged.page.links)


@dataclass(frozen=True, slots=True)
class PageCrawlResult:
    """The sites that a page crawl has met, classified afterwards, in the order met."""

    verdicts: tuple[SiteVerdict, ...]
    pages: int

    @property
    def pprs(self) -> float:
        """Pages per relevant site; infinite where none is."""
        relevant = sum(verdict.is_relevant for verdict in self.verdicts)
        return self.pages / relevant if relevant else math.inf


class _RememberingJudge(ClassifierJudge):
    def __init__(self, classifier: PageClassifier) -> None:
        super().__init__(classifier)
        self.seen: dict[str, tuple[float, ...]] = {}

    def judge(self, page: Page) -> SiteJudgement:
        judgement = super().judge(page)
        self.seen[page.url] = judgement.confidences
        return judgement


def crawl_pages_for_sites(
    topic: Topic | str,
    seeds: Sequence[str],
    classifier: PageClassifier,
    *,
    site_by: str = "host",
    prior: float = 0.5,
    fetcher: Fetcher | None = None,
    listener: Callable[[Event], None] | None = None,
    **values: Any,
) -> PageCrawlResult:
    """Crawl for pages by settings ``values``, then classify each site by the pages got of it."""
    naming = SiteSettings(site_by=site_by).naming
    judge = _RememberingJudge(classifier)
    sites: dict[str, SiteBelief] = defaultdict(lambda: SiteBelief(classifier.error, prior))
    counts: dict[str, int] = defaultdict(int)
    with Crawl(
        topic, seeds, judge=judge, strategy=PageConfidence(), fetcher=fetcher, **values
    ) as crawl:
        for event in crawl.visits():
            if listener is not None:
                listener(event)
            if isinstance(event, PageVisited):
                name = naming.of(event.url)
                counts[name] += 1
                if confidences := judge.seen.pop(event.url, ()):
                    sites[name].add(confidences)
        pages = crawl.progress.pages
    verdicts = tuple(
        SiteVerdict(name, sites[name].probability, sites[name].is_relevant, count)
        for name, count in counts.items()
    )
    return PageCrawlResult(verdicts, pages)
