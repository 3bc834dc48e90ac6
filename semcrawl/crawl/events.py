"""What a running crawl tells its listeners."""

from msgspec import Struct

from semcrawl.crawl.progress import Progress, StopReason
from semcrawl.steering.alarms import Alarm


class Event(Struct, frozen=True, kw_only=True):
    """Something has happened; the figures are the crawl's own, and go on. The tag is the name in a line of JSON."""

    progress: Progress


class PageVisited(Event, frozen=True, tag="page"):
    """A page was fetched, judged and recorded."""

    step: int
    url: str
    title: str
    relevance: float
    is_relevant: bool
    priority: float
    depth: int


class UrlDropped(Event, frozen=True, tag="dropped"):
    """A URL was tried and given up."""

    url: str
    reason: str
    note: str


class PageRevisited(Event, frozen=True, tag="revisited"):
    """A page was asked for again; ``changed`` where it gave other content than before."""

    url: str
    changed: bool
    relevance: float


class AlarmRaised(Event, frozen=True, tag="alarm"):
    """The crawl goes wrong from this page on: it stagnates or diffuses."""

    alarm: Alarm


class AlarmEnded(Event, frozen=True, tag="alarm_over"):
    """The crawl has recovered from an alarm; ``alarm.ended`` is the step of this page."""

    alarm: Alarm


class PolicyRan(Event, frozen=True, tag="policy"):
    """A policy has revised the frontier, or failed and was skipped; it counts URLs."""

    name: str
    changed: int
    dropped: int
    revisits: int
    seconds: float
    error: str  # what went wrong, "" where nothing did


class PagesRejudged(Event, frozen=True, tag="rejudged"):
    """The judge has learnt, and so many pages have another relevance; some cross the threshold."""

    count: int
    relevant_gained: int
    relevant_lost: int


class FrontierRevised(Event, frozen=True, tag="revised"):
    """The strategy has learnt, and so many waiting URLs have other priorities now."""

    changed: int


class Distilled(Event, frozen=True, tag="distilled"):
    """Hubs and authorities were found, so many of each, and their scores recorded."""

    hubs: int
    authorities: int
    seconds: float


class CrawlWarned(Event, frozen=True, tag="warning"):
    """The topic's lens is weak, or sees nothing on a seed page; the note says what to do."""

    note: str


class CrawlStopped(Event, frozen=True, tag="stopped"):
    """The crawl has stopped; everything is recorded."""

    reason: StopReason
