"""Simpler ways to find websites, for comparison, as in Ester 2004, section 5.

The homepage classifier, the internal crawler without gathering links (table 2), and a focused
crawl after which the pages got of each site are classified together.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from semcrawl.crawl.crew import Outcome, Visitor
from semcrawl.crawl.events import Event, PageVisited
from semcrawl.crawl.pages.crawl import Crawl
from semcrawl.crawl.sites.belief import MeanOfWeights, SiteBelief
from semcrawl.crawl.sites.frontier import KnownSite
from semcrawl.crawl.sites.internal import ClassifierJudge, InternalCrawl, LinkSorter, PageNote, SiteJudgement
from semcrawl.crawl.sites.progress import SiteTally, tally
from semcrawl.crawl.sites.settings import SiteSettings, split_settings
from semcrawl.errors import ConfigError
from semcrawl.graph import FoundUrl
from semcrawl.models import site_training as training
from semcrawl.models.site_classifiers import PageClassifier
from semcrawl.models.training_options import SiteTrainingOptions
from semcrawl.models.training_pages import PageSource
from semcrawl.page import Page
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.strategy import Learner
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.web import Fetcher
from semcrawl.web.urls import SiteName, canonical

_HOPS = 5


class SiteVerdict(msgspec.Struct, frozen=True):
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
    languages: tuple[str, ...] = ("en",),
    **values: Any,
) -> SiteVerdict:
    """Classify one site of a recorded web by the internal crawler, until the class is sure.

    A homepage that redirects to another site stands for that one; ``languages`` are those that
    pages are read in, ``values`` settings by name.
    """
    settings, pages = split_settings({"l_threshold": 0.0, "pages_per_site": 10, **values})
    naming = settings.naming

    def begun(url: str, redirects: int = 0) -> InternalCrawl:
        name = naming.of(url)
        made = InternalCrawl(KnownSite(name, 0, url, url), settings, error=classifier.error, prior=prior)
        made.offer(FoundUrl(url, name, 1.0, 0, 0, redirects=redirects))
        return made

    site = begun(canonical(homepage))
    sorter = LinkSorter(naming, pages)
    visitor = Visitor(fetcher, ClassifierJudge(classifier), None, languages=languages)
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
            if site.knows(url):
                site.raise_or_lower(url, weight)
            elif site.has_room:
                site.offer(FoundUrl(url, site.site, weight, order, entry.depth + 1, entry.url, 0, hops), weight)
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


def classify_homepage(homepage: str, fetcher: Fetcher, classifier: PageClassifier, **values: Any) -> SiteVerdict:
    """Classify a site by its homepage alone, as `classify_site` does (Ester 2004, section 5.2)."""
    return classify_site(homepage, fetcher, classifier, **{**values, "pages_per_site": 1})


class MeanConfidence(Learner):
    """A URL is as good as the pages with a link to it are on average (Ester 2004, section 5.1).

    That is the ranking of the website crawler too (section 4.3.2). A page counts once; ``seeds``
    keep the priority that they have. What it knows is lost with the process.
    """

    def __init__(self, seeds: Iterable[str] = ()) -> None:
        self._seeds = frozenset(seeds)
        self._ranks: dict[str, MeanOfWeights] = defaultdict(MeanOfWeights)
        self._revised: dict[str, float] = {}

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """The mean confidence of the pages with each link, this page among them."""
        ranks = (self._ranks[link.url] for link in judged.page.links)
        return [(rank.total + judged.relevance) / (rank.count + 1) for rank in ranks]

    def observe(self, judged: JudgedPage) -> None:
        """Count the links of the page."""
        self._revised = {}
        for url in dict.fromkeys(link.url for link in judged.page.links):
            self._ranks[url].add(judged.relevance)
            if url not in self._seeds:
                self._revised[url] = self._ranks[url].value

    def revise(self) -> Mapping[str, float]:
        """The ranks of what the last page links to: a crawl by itself only raises priorities."""
        return self._revised


class PageCrawlResult(msgspec.Struct, frozen=True):
    """The sites that a page crawl has met, classified afterwards, in the order met.

    ``changes`` has the verdict of each site when it was first met and whenever it turned, with
    the number of pages fetched by then: what classifying afterwards would have said there.
    """

    verdicts: tuple[SiteVerdict, ...]
    pages: int
    changes: tuple[tuple[int, SiteVerdict], ...] = ()


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
    fetcher: Fetcher | None = None,
    listener: Callable[[Event], None] | None = None,
    **values: Any,
) -> PageCrawlResult:
    """Crawl for pages by settings ``values``, then classify each site by the pages got of it."""
    naming = SiteSettings(site_by=site_by).naming
    judge = _RememberingJudge(classifier)
    beliefs: dict[str, SiteBelief] = defaultdict(lambda: SiteBelief(classifier.error))
    found: dict[str, SiteVerdict] = {}
    changes: list[tuple[int, SiteVerdict]] = []
    strategy = MeanConfidence(map(canonical, seeds))
    with Crawl(topic, seeds, judge=judge, strategy=strategy, fetcher=fetcher, **values) as crawl:
        for event in crawl.visits():
            if listener is not None:
                listener(event)
            if isinstance(event, PageVisited):
                name, belief = naming.of(event.url), beliefs[naming.of(event.url)]
                if confidences := judge.seen.pop(event.url, ()):
                    belief.add(confidences)
                before = found.get(name)
                pages = before.pages + 1 if before else 1
                now = SiteVerdict(name, belief.probability, belief.is_relevant, pages)
                if before is None or before.is_relevant != now.is_relevant:
                    changes.append((event.progress.pages, now))
                found[name] = now
        return PageCrawlResult(tuple(found.values()), crawl.progress.pages, tuple(changes))


PAGES_PER_SITE = 10


class SiteValidation(msgspec.Struct, frozen=True):
    """What came of sites that were held out, by the internal crawler and by homepages alone."""

    folds: int
    several: SiteTally
    pages: float  # that the internal crawler read of a site, on average
    homepage: SiteTally


def validate_sites(
    samples: Mapping[str, Sequence[training.SiteSample]],
    fetcher: Fetcher,
    options: SiteTrainingOptions | None = None,
    *,
    background: Background | None = None,
    site_by: str = "host",
    languages: tuple[str, ...] = ("en",),
    p_threshold: float = 0.9,
) -> SiteValidation:
    """Train without a tenth of the sites of each class and classify these, ten times.

    ``samples`` are the first pages of the sites by class, the target first, ``fetcher`` the recorded web that they are
    in. As in Ester 2004, section 5.2, the internal crawler does not gather links, and the homepage classifier is
    trained with homepages only. With fewer than ten sites in the smallest class there are as many folds as it has; a
    class of one site is always trained with. Raises ConfigError: too few sites, or what cannot be trained with.
    """
    options = options or SiteTrainingOptions()
    read = [(n, one) for n, sites in enumerate(samples.values()) for one in sites if one.pages]
    sites = {one.site: (label, one) for label, one in read}
    source, name = PageSource(fetcher, languages=languages), SiteName.parse(site_by)
    front = {site: training.read_site(one.homepage, source, name, most=1) for site, (_, one) in sites.items()}
    settings: dict[str, Any] = {"site_by": site_by, "languages": languages, "p_threshold": p_threshold}
    several: dict[str, SiteVerdict] = {}
    homepage: dict[str, SiteVerdict] = {}

    def train(kept: Mapping[str, training.SiteSample]) -> PageClassifier:
        """A classifier of what is ``kept`` of each class, by the name of the site."""
        classes = {name: [kept[one.site] for one in some if one.site in kept] for name, some in samples.items()}
        return training.train_site_model(training.set_of_samples(classes), options, background=background).classifier

    parts = _parts({site: label for site, (label, _) in sites.items()}, options.seed)
    for held_out in parts:
        kept = {site: one for site, (_, one) in sites.items() if site not in held_out}
        by_pages, by_front = train(kept), train({site: front[site] for site in kept})
        for site in held_out:
            home = sites[site][1].homepage
            several[site] = classify_site(home, fetcher, by_pages, pages_per_site=PAGES_PER_SITE, **settings)
            homepage[site] = classify_homepage(home, fetcher, by_front, **settings)

    def told(verdicts: Mapping[str, SiteVerdict]) -> SiteTally:
        return tally((one.is_relevant, sites[site][0] == 0) for site, one in verdicts.items())

    pages = sum(one.pages for one in several.values()) / len(several)
    return SiteValidation(len(parts), told(several), pages, told(homepage))


def _parts(labels: Mapping[str, int], seed: int) -> list[set[str]]:
    """The sites that are held out in each fold."""
    marks = [training.LabelledPage({}, label, site) for site, label in labels.items()]
    number = Counter(labels.values())
    if number[0] < 2 or max(number[label] for label in (1, *number) if label) < 2:
        raise ConfigError(
            "sites are held out to try the classifier on: give two relevant sites and two others of one class at least"
        )
    held_out = training.folds(marks, max(number) + 1, most=training.FOLDS, seed=seed)
    return [{mark.site for mark in part} for part in held_out]
