"""The internal crawler: reads one site from its homepage on, until it knows what it is about.

Ester 2004, section 4.3. It knows neither network nor graph: it is offered
URLs, says which is next, is told what was read, and says when it is done.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from semcrawl.crawl.kind import HOST_FAILURES
from semcrawl.crawl.settings import Scope, Settings
from semcrawl.crawl.sites.belief import LinkRank, MeanOfWeights, SiteBelief, internal_weight
from semcrawl.crawl.sites.frontier import KnownSite, OutEdges
from semcrawl.crawl.sites.progress import SiteStop
from semcrawl.crawl.sites.settings import SiteSettings
from semcrawl.graph import FoundUrl
from semcrawl.models.site_classifiers import PageClassifier
from semcrawl.page import Page
from semcrawl.relevance import Judgement
from semcrawl.relevance.judges import BaseJudge
from semcrawl.web.urls import SiteName

WAITING_LIMIT = 1000  # so many URLs of one site wait at most; what is found beyond is passed over
_REQUESTS_PER_PAGE = 4


class Detour(msgspec.Struct, frozen=True):
    """A way through other sites; ``start`` counts as waiting until its end is known."""

    start: FoundUrl
    status: int


class InternalCrawl:
    """The state of reading one site."""

    def __init__(self, known: KnownSite, settings: SiteSettings, *, error: float, prior: float) -> None:
        self.known = known
        self.site = known.name
        self.priority = known.priority  # the rank that it was chosen with
        self.belief = SiteBelief(error, prior)
        self.out = OutEdges(known.priority)
        self.pages = 0
        self.requests = 0  # URLs picked, whatever came of them
        self.judged: tuple[float, int] | None = None  # confidence and pages as last recorded
        self.under_way: FoundUrl | None = None
        self.first_failure = ""
        self.failures = 0  # URLs given up
        self.down_in_a_row = 0  # connections failed since its last answer
        self._settings = settings
        self._links = LinkRank(prior)
        self._sums: list[float] = []
        self._waiting: dict[str, tuple[FoundUrl, MeanOfWeights]] = {}
        self._not_before: dict[str, float] = {}
        self._seen: set[str] = set()
        self.detours: dict[str, Detour] = {}
        self._rank_under_way = MeanOfWeights()

    def knows(self, url: str) -> bool:
        """Whether the URL was visited, dropped, or waits."""
        return url in self._seen or url in self._waiting

    @property
    def has_room(self) -> bool:
        """Whether another URL may wait."""
        return len(self._waiting) < WAITING_LIMIT

    @property
    def waiting(self) -> Iterator[FoundUrl]:
        """The URLs that wait; for the next stop of a detour the URL where it began."""
        for entry, _ in self._waiting.values():
            detour = self.detours.get(entry.url)
            yield detour.start if detour else entry

    def offer(self, entry: FoundUrl, *weights: float) -> None:
        """Let a new URL wait, found by links of these weights; without any its priority stays."""
        rank = MeanOfWeights()
        for weight in weights:
            rank.add(weight)
        self._waiting[entry.url] = entry, rank

    def offer_later(self, entry: FoundUrl, not_before: float) -> None:
        """The URL that was picked last waits for another try, not before its time."""
        self._seen.discard(entry.url)
        self._waiting[entry.url] = entry, self._rank_under_way
        self._not_before[entry.url] = not_before

    def raise_or_lower(self, url: str, weight: float) -> tuple[float, float] | None:
        """One more page links to a URL: its rank before and now, None if it has none."""
        waits = self._waiting.get(url)
        if waits is None or not waits[1].count:
            return None
        entry, rank = waits
        rank.add(weight)
        before, entry.priority = entry.priority, round(rank.value, 6)
        return before, entry.priority

    def settle(self, url: str) -> None:
        """A URL need not be visited any more."""
        self._seen.add(url)

    def withdraw(self, url: str) -> None:
        """A URL that waits is not to be visited."""
        self._waiting.pop(url)
        self._not_before.pop(url, None)
        self._seen.add(url)

    def follow(self, detour: Detour, stop: FoundUrl) -> None:
        """Let a URL of another site wait, to see where it leads."""
        self.detours[stop.url] = detour
        self.offer(stop)

    def pick(self, now: float, is_free: Callable[[str], bool]) -> FoundUrl | None:
        """Take the best URL whose time has come and that may be asked for now."""
        ready = [
            entry
            for entry, _ in self._waiting.values()
            if self._not_before.get(entry.url, now) <= now and is_free(entry.url)
        ]
        if not ready:
            return None
        best = min(ready, key=lambda entry: (-entry.priority, entry.order))
        _, self._rank_under_way = self._waiting.pop(best.url)
        self._not_before.pop(best.url, None)
        self._seen.add(best.url)
        self.under_way = best
        self.requests += best.url not in self.detours
        return best

    def next_due(self, after: float) -> float | None:
        """When the next URL may be tried again after this time, None for never."""
        return min((when for when in self._not_before.values() if when > after), default=None)

    def read(self, note: "PageNote", others: Mapping[str, str], url: str, depth: int) -> float:
        """Count a page that links to ``others``; return the weight of the links on it."""
        self.pages += 1
        self.down_in_a_row = 0
        if note.confidences:
            self.belief.add(note.confidences)
            sums = self._sums or [0.0] * len(note.confidences)
            self._sums = [a + b for a, b in zip(sums, note.confidences, strict=True)]
        self._links.add(note.confidence, len(others), self._settings.link_constant)
        self._links.probability = self.belief.probability
        self.out.read(url, depth, note.confidence, others)
        return round(internal_weight(note.confidences), 6)

    def failed(self, why: str, *, host_down: bool = False) -> None:
        """A URL of the site was given up."""
        self.first_failure = self.first_failure or why
        self.failures += 1
        self.down_in_a_row = self.down_in_a_row + 1 if host_down else 0

    @property
    def link_rank(self) -> float:
        """The LinkRank of what was read (section 4.3.4)."""
        return self._links.value

    @property
    def confidence(self) -> float:
        """Pr[target | pages so far], with six places."""
        return round(self.belief.probability, 6)

    @property
    def is_relevant(self) -> bool:
        """Whether the target class is the more probable one; no page, no relevance."""
        return self.pages > 0 and self.belief.is_relevant

    def class_name(self, classes: tuple[str, ...]) -> str:
        """The target class where the site is relevant, else the other that its pages fit best."""
        if self.is_relevant or len(classes) < 2:
            return classes[0] if self.is_relevant else "other"
        if not self._sums:
            return classes[1]
        return classes[max(range(1, len(classes)), key=lambda k: self._sums[k])]

    def reason_to_stop(self) -> SiteStop | None:
        """Why nothing more is to be read now, or None."""
        settings = self._settings
        sure = self.belief.verdict(settings.p_threshold) is not None
        if sure and self.link_rank >= settings.l_threshold:
            return SiteStop.CLASSIFIED
        if self.pages >= settings.pages_per_site:
            return SiteStop.PAGE_LIMIT
        if self.down_in_a_row >= HOST_FAILURES or self.failures >= settings.pages_per_site:
            return SiteStop.FAILING if self.pages else SiteStop.UNREACHABLE
        # Redirects are neither pages nor failures, and may go on for ever.
        if self.requests >= _REQUESTS_PER_PAGE * settings.pages_per_site:
            return SiteStop.PAGE_LIMIT if self.pages else SiteStop.UNREACHABLE
        if not self._waiting:
            return SiteStop.EXHAUSTED if self.pages else SiteStop.UNREACHABLE
        return None


@dataclass(frozen=True, slots=True)
class SiteJudgement(Judgement):
    """A judgement with the confidence for every class; of a page without text it has none."""

    confidences: tuple[float, ...] = ()


class ClassifierJudge(BaseJudge):
    """A page classifier as a judge: the relevance is the confidence for the target class.

    A page without any text (frames, pictures) says nothing for or against a class.
    """

    threshold = 0.5

    def __init__(self, classifier: PageClassifier) -> None:
        self.classifier = classifier

    def judge(self, page: Page) -> SiteJudgement:
        """The confidences of a page, with six places as in the graph."""
        if not page.terms:
            return SiteJudgement(0.0)
        confidences = tuple(round(float(value), 6) for value in self.classifier.confidences(page.terms, page))
        return SiteJudgement(confidences[0], confidences=confidences)


class PageNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is noted with a page, as JSON, so that a resume can count it again."""

    confidences: tuple[float, ...] = ()
    ignored: tuple[str, ...] = ()  # links not to be followed by robots

    @property
    def confidence(self) -> float:
        """The confidence for the target class, 0 for a page without text."""
        return self.confidences[0] if self.confidences else 0.0


class PageLinks(msgspec.Struct, frozen=True):
    """The links of a page: URLs inside its site, and other sites with one link to each."""

    inside: tuple[str, ...]
    others: dict[str, str]


class LinkSorter:
    """Sorts the links of pages. Links out of the crawl's scope lead to no other site."""

    def __init__(self, naming: SiteName, settings: Settings) -> None:
        self.naming = naming
        self.allows = Scope(settings.include, settings.exclude).allows
        self._obeys = settings.obeys_nofollow

    def ignored(self, page: Page) -> tuple[str, ...]:
        """The links that are not followed because the page asks so."""
        if not self._obeys:
            return ()
        followed = () if page.nofollow else (one.url for one in page.links if not one.nofollow)
        return tuple(sorted({one.url for one in page.links}.difference(followed)))

    def sort(self, site: str, links: Iterable[str], ignored: Collection[str] = ()) -> PageLinks:
        """Sort the links of a page of ``site``; frames are links as any other."""
        inside: list[str] = []
        others: dict[str, str] = {}
        shut = set(ignored)
        for url in dict.fromkeys(links):
            if url in shut:
                continue
            name = self.naming.of(url)
            if name == site:
                inside.append(url)
            # The graph keeps no order of links: a resume must find the same one.
            elif self.allows(url) and url < others.get(name, url + "~"):
                others[name] = url
        return PageLinks(tuple(inside), dict(sorted(others.items())))
