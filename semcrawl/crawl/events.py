"""What a running crawl tells its listeners."""

from dataclasses import dataclass

from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.steering.alarms import Alarm


@dataclass(frozen=True, slots=True)
class PageVisited:
    """A page was fetched, judged and recorded."""

    step: int
    url: str
    title: str
    relevance: float
    is_relevant: bool
    priority: float
    depth: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class UrlDropped:
    """A URL was tried and given up."""

    url: str
    reason: str
    note: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class PageRevisited:
    """A page was asked for again; ``changed`` where it gave other content than before."""

    url: str
    changed: bool
    relevance: float
    progress: Progress


@dataclass(frozen=True, slots=True)
class AlarmRaised:
    """The crawl goes wrong from this page on: it stagnates or diffuses."""

    alarm: Alarm
    progress: Progress


@dataclass(frozen=True, slots=True)
class AlarmEnded:
    """The crawl has recovered from an alarm; ``alarm.ended`` is the step of this page."""

    alarm: Alarm
    progress: Progress


@dataclass(frozen=True, slots=True)
class PolicyRan:
    """A policy has revised the frontier, or failed and was skipped; it counts URLs."""

    name: str
    changed: int
    dropped: int
    revisits: int
    seconds: float
    error: str  # what went wrong, "" where nothing did
    progress: Progress


@dataclass(frozen=True, slots=True)
class PagesRejudged:
    """The judge has learnt, and so many pages have another relevance; some cross the threshold."""

    count: int
    relevant_gained: int
    relevant_lost: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class FrontierRevised:
    """The strategy has learnt, and so many waiting URLs have other priorities now."""

    changed: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class Distilled:
    """Hubs and authorities were found, so many of each, and their scores recorded."""

    hubs: int
    authorities: int
    seconds: float
    progress: Progress


@dataclass(frozen=True, slots=True)
class CrawlWarned:
    """The topic's lens is weak, or sees nothing on a seed page; the note says what to do."""

    note: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class CrawlStopped:
    """The crawl has stopped; everything is recorded."""

    reason: StopReason
    progress: Progress


Event = (
    PageVisited
    | UrlDropped
    | PageRevisited
    | AlarmRaised
    | AlarmEnded
    | PolicyRan
    | PagesRejudged
    | FrontierRevised
    | Distilled
    | CrawlWarned
    | CrawlStopped
)
