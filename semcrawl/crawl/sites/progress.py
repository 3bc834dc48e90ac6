"""How far a crawl for websites has come, and how much work each relevant site is."""

import math
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct

from semcrawl.crawl.events import CrawlStopped, CrawlWarned, PageVisited, UrlDropped
from semcrawl.crawl.progress import Progress
from semcrawl.web.response import ReasonInWords


class SiteStop(ReasonInWords):
    """Why nothing more is read of a site.

    >>> SiteStop.EXHAUSTED.sentence
    'it has no more pages to read'
    """

    CLASSIFIED = "SiteClassified", "its class is sure and its links are gathered"
    PAGE_LIMIT = ("SitePageLimit", "it has given as many pages, or taken as many requests, as one site may")
    EXHAUSTED = "SiteExhausted", "it has no more pages to read"
    FAILING = "SiteFailing", "too many of its URLs failed"
    UNREACHABLE = "SiteUnreachable", "it gave no page"
    MOVED = "SiteMoved", "its homepage leads to another site"
    DOMAIN_LIMIT = "SiteDomainLimit", "its domain has as many sites as one may have"
    FRONTIER_FULL = "SiteFrontierFull", "too many better sites waited"
    OUT_OF_SCOPE = "SiteOutOfScope", "the patterns of the crawl leave it out"


@dataclass(slots=True, repr=False)
class SiteProgress(Progress):
    """The running figures of a crawl for websites, whose ``waiting`` counts sites."""

    sites: int = 0  # read and classified
    relevant_sites: int = 0
    open_sites: int = 0
    refused: Counter[str] = field(default_factory=Counter)  # closed unread, by reason

    @property
    def refused_by_limit(self) -> int:
        """Sites that a resume with higher limits would read."""
        return self.refused[SiteStop.DOMAIN_LIMIT] + self.refused[SiteStop.FRONTIER_FULL]

    @property
    def pprs(self) -> float:
        """Pages per relevant site of the whole crawl (Ester 2004, 3.3); infinite at first."""
        return self.pages / self.relevant_sites if self.relevant_sites else math.inf

    @property
    def site_harvest_rate(self) -> float:
        """The share of the sites read that are relevant (Ester 2004, section 4.2)."""
        return self.relevant_sites / self.sites if self.sites else 0.0

    @property
    def summary(self) -> str:
        """The figures in words; the reason of the stop follows."""
        figures = f"{self.relevant_sites:,} relevant of {self.sites:,} sites, {self.pages:,} pages, "
        effort = f"{self.pprs:.1f} pages for each; " if self.relevant_sites else ""
        limited = self.refused_by_limit
        return figures + effort + (f"{limited:,} sites refused by a limit; " if limited else "")

    @property
    def refused_sites(self) -> int:
        """Sites closed unread."""
        return self.refused.total()


class EffortWatch:
    """Watches the pages per relevant site among the latest ``window`` sites read (0: none).

    >>> watch = EffortWatch(window=2, rise=3.0)
    >>> for pages, relevant in ((2, True), (2, True), (4, False), (4, False)):
    ...     watch.closed(pages, is_relevant=relevant)
    >>> watch.lowest, watch.has_risen
    (2.0, True)
    """

    def __init__(self, window: int, rise: float) -> None:
        self._latest: deque[tuple[int, bool]] = deque(maxlen=window or 1)
        self._window = window
        self._rise = rise  # how many times the lowest value is too much
        self.lowest = math.inf

    def closed(self, pages: int, *, is_relevant: bool) -> None:
        """So many pages of a site were read, and it is relevant or not."""
        self._latest.append((pages, is_relevant))
        if len(self._latest) == self._window:
            self.lowest = min(self.lowest, self.pprs)

    @property
    def pprs(self) -> float:
        """Pages per relevant site among the latest; infinite where none is relevant."""
        relevant = sum(found for _, found in self._latest)
        return sum(pages for pages, _ in self._latest) / relevant if relevant else math.inf

    @property
    def has_risen(self) -> bool:
        """Whether a relevant site costs too much by now; never before one was found."""
        return not math.isinf(self.lowest) and self.pprs >= self._rise * self.lowest


class SiteTally(NamedTuple):
    """Judged sites, by what the crawler said and what is true (Ester, Kriegel, Schubert 2004)."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    refused: int = 0

    def pages_per_relevant_site(self, pages: int) -> float | None:
        """Fetched pages for each relevant site that was found: the pprs-rate (section 3.3).

        The paper takes the classifier's word; here a site must be relevant too.

        >>> SiteTally(right=4, wrong=1).pages_per_relevant_site(pages=30)
        7.5
        """
        return share(pages, self.right)

    @property
    def harvest_rate(self) -> float | None:
        """The share of relevant sites among all that were judged (section 4.2).

        >>> SiteTally(right=4, wrong=1, missed=2, refused=3).harvest_rate
        0.6
        """
        return share(self.right + self.missed, sum(self))

    @property
    def precision(self) -> float | None:
        """The share of relevant sites among those taken for relevant (table 2)."""
        return share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        """The share of those taken for relevant among the judged relevant sites (table 2)."""
        return share(self.right, self.right + self.missed)

    @property
    def f_measure(self) -> float | None:
        """The harmonic mean of precision and recall (table 2); None where no site is either.

        >>> SiteTally(right=3, wrong=1, missed=2).f_measure
        0.6666666666666666
        """
        return share(2 * self.right, 2 * self.right + self.wrong + self.missed)


def tally(judged: Iterable[tuple[bool, bool]]) -> SiteTally:
    """Return the counts of pairs (taken for relevant, is relevant).

    >>> tally([(True, True), (True, False), (False, False), (True, True)])
    SiteTally(right=2, wrong=1, missed=0, refused=1)
    """
    pairs = list(judged)
    kinds = ((True, True), (True, False), (False, True), (False, False))
    return SiteTally(*map(pairs.count, kinds))


def share(part: float, whole: float) -> float | None:
    """Return the share that a part is of the whole; None of nothing."""
    return part / whole if whole else None


class SiteClosed(Struct, frozen=True, tag="site"):
    """Nothing more is read of a site; ``confidence`` is None where it gave no page."""

    site: str
    homepage: str
    confidence: float | None
    site_class: str
    is_relevant: bool
    pages: int
    reason: SiteStop
    note: str
    progress: SiteProgress


SiteEvent = PageVisited | UrlDropped | SiteClosed | CrawlWarned | CrawlStopped
