"""What a run leaves behind: its visits, its sites and its requests, as they happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from semcrawl.crawl.events import CrawlStopped, PageVisited
from semcrawl.graph import SC
from semcrawl.lab.record import FoundSite, Visit
from semcrawl.site_crawl.events import SiteClosed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from semcrawl.crawl.events import Event
    from semcrawl.graph import CrawlGraph
    from semcrawl.site_crawl.events import SiteEvent
    from semcrawl.site_crawl.rivals import SiteVerdict
    from semcrawl.web import Fetcher, Response

__all__ = ["VisitLog"]

_CONCEPTS = """
SELECT ?concept WHERE { ?concept a <http://www.w3.org/2004/02/skos/core#Concept> }
ORDER BY ?concept
"""


class VisitLog:
    """Listens to a crawl and stands before its fetcher, to count what is asked for.

    Attributes:
        visits: the fetched pages, in their order.
        sites: the judged websites, in their order.
        concepts: the concepts that a page could fit best, where the judge names any.
        requests: how many URLs were asked for.
        stopped: why the crawl stopped.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        self.visits: list[Visit] = []
        self.sites: list[FoundSite] = []
        self.concepts: tuple[str, ...] = ()
        self.requests = 0
        self.stopped = ""
        self._fetcher = fetcher
        self._bytes = 0

    def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, want_any: bool = False
    ) -> Response:
        """Return the answer of the fetcher behind, and count the request."""
        self.requests += 1
        return self._fetcher.fetch(url, headers=headers, want_any=want_any)

    def close(self) -> None:
        """Do nothing: the fetcher serves other runs."""

    def take(self, event: Event | SiteEvent) -> None:
        """Note what happened in the crawl."""
        if isinstance(event, PageVisited):
            # The crawl counts bytes; what a page adds to them is its size.
            size = event.progress.bytes - self._bytes
            self._bytes = event.progress.bytes
            self.visits.append(Visit(event.url, event.relevance, event.priority, event.depth, size))
        elif isinstance(event, SiteClosed):
            if event.confidence is not None:
                after = event.progress.pages
                self.sites.append(
                    FoundSite(event.site, event.confidence, event.is_relevant, event.pages, after)
                )
        elif isinstance(event, CrawlStopped):
            self.stopped = event.reason.value

    def add_concepts(self, graph: CrawlGraph) -> None:
        """Add the concepts that the judge gave to pages, which stand in the crawl graph."""
        value = graph.store.value
        found = [value(visit.url, SC + "bestConcept") or "" for visit in self.visits]
        if any(found):
            pairs = zip(self.visits, found, strict=True)
            self.visits = [msgspec.structs.replace(visit, concept=name) for visit, name in pairs]
            self.concepts = tuple(row["concept"] for row in graph.query(_CONCEPTS))

    def add_verdicts(self, verdicts: Iterable[SiteVerdict], after: int) -> None:
        """Add sites that were classified when so many pages were fetched."""
        self.sites += [
            FoundSite(one.site, one.probability, one.is_relevant, one.pages, after)
            for one in verdicts
        ]
