"""What a running crawl tells its listeners."""

from dataclasses import dataclass, field

from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.steering.alarms import Alarm


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all: something has happened, and these are the figures then."""

    progress: Progress = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class PageVisited(Event):
    """A page was fetched, judged and recorded."""

    step: int
    url: str
    title: str
    relevance: float
    is_relevant: bool
    priority: float
    depth: int


@dataclass(frozen=True, slots=True)
class UrlDropped(Event):
    """A URL was tried and given up."""

    url: str
    reason: str
    note: str


@dataclass(frozen=True, slots=True)
class PageRevisited(Event):
    """A page was asked for again; ``changed`` where it gave other content than before."""

    url: str
    changed: bool
    relevance: float


@dataclass(frozen=True, slots=True)
class AlarmRaised(Event):
    """The crawl goes wrong from this page on: it stagnates or diffuses."""

    alarm: Alarm


@dataclass(frozen=True, slots=True)
class AlarmEnded(Event):
    """The crawl has recovered from an alarm; ``alarm.ended`` is the step of this page."""

    alarm: Alarm


@dataclass(frozen=True, slots=True)
class PolicyRan(Event):
    """A policy has revised the frontier, or failed and was skipped; it counts URLs."""

    name: str
    changed: int
    dropped: int
    revisits: int
    seconds: float
    error: str  # what went wrong, "" where nothing did


@dataclass(frozen=True, slots=True)
class PagesRejudged(Event):
    """The judge has learnt, and so many pages have another relevance; some cross the threshold."""

    count: int
    relevant_gained: int
    relevant_lost: int


@dataclass(frozen=True, slots=True)
class FrontierRevised(Event):
    """The strategy has learnt, and so many waiting URLs have other priorities now."""

    changed: int


@dataclass(frozen=True, slots=True)
class Distilled(Event):
    """Hubs and authorities were found, so many of each, and their scores recorded."""

    hubs: int
    authorities: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CrawlWarned(Event):
    """The topic's lens is weak, or sees nothing on a seed page; the note says what to do."""

    note: str


@dataclass(frozen=True, slots=True)
class CrawlStopped(Event):
    """The crawl has stopped; everything is recorded."""

    reason: StopReason
