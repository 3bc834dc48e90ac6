"""The external frontier: the sites known and not read, best first, each taken once.

A site's rank is the mean weight of the known edges to it (Ester 2004, section 4.2); equals
are taken in the order in which they were found.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from semcrawl.crawl.sites.belief import MeanOfWeights
from semcrawl.graph import FoundUrl
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.web.urls import domain_of

_GIVEN_UP = 0.1


class KnownSite(Struct):
    """A site that waits."""

    name: str
    number: int
    homepage: str
    entry: str  # the URL that led there
    depth: int = 0
    found_on: str | None = None  # None for the site of a seed
    rank: MeanOfWeights = field(default_factory=MeanOfWeights)
    starts: list[FoundUrl] = []  # of a seed's site

    @property
    def priority(self) -> float:
        """The rank, with six places; 1 for seeds."""
        return 1.0 if self.found_on is None else round(self.rank.value, 6)


class ExternalFrontier:
    """Sites in the order of their rank; beyond ``capacity`` the worst tenth is given up."""

    def __init__(self, capacity: int = 70_000, per_domain: int = 0) -> None:
        self.capacity = capacity
        self.per_domain = per_domain  # sites of a registered domain, if not folders; 0: all
        self._waiting: dict[str, KnownSite] = {}
        self._queue: list[tuple[float, int, str]] = []
        self._taken: set[str] = set()
        self._by_domain: Counter[str] = Counter()
        self.next_number = 1

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[KnownSite]:
        return iter(list(self._waiting.values()))

    def waits(self, name: str) -> bool:
        """Whether the site is known and not yet taken."""
        return name in self._waiting

    def was_taken(self, name: str) -> bool:
        """Whether the site was read, is being read, or was given up."""
        return name in self._taken

    def add(self, site: KnownSite) -> None:
        """Let a site wait that is not known yet."""
        self._waiting[site.name] = site
        self.next_number = max(self.next_number, site.number + 1)
        self._announce(site)

    def linked(self, name: str, weight: float) -> None:
        """One more edge leads to a site that waits."""
        site = self._waiting[name]
        site.rank.add(weight)
        self._announce(site)

    def settle(self, name: str, homepage: str, *, was_read: bool) -> None:
        """The site need not be taken (any more); ``was_read`` counts it for its domain."""
        self._waiting.pop(name, None)
        self._taken.add(name)
        if was_read and not _is_folder(name):
            self._by_domain[domain_of(homepage)] += 1

    def take(self) -> KnownSite | None:
        """Take the best site."""
        while self._queue:
            priority, number, name = heapq.heappop(self._queue)
            site = self._waiting.get(name)
            # An item whose rank has changed since has a newer one in the queue.
            if site is not None and (-site.priority, site.number) == (priority, number):
                del self._waiting[name]
                self._taken.add(name)
                return site
        return None

    def is_over_limit(self, site: KnownSite) -> bool:
        """Whether its domain has given as many sites as one may; if not, count it."""
        if _is_folder(site.name):
            return False
        domain = domain_of(site.homepage)
        if self.per_domain and self._by_domain[domain] >= self.per_domain:
            return True
        self._by_domain[domain] += 1
        return False

    def give_back(self, site: KnownSite) -> None:
        """A site that was taken has given no page: it does not count for its domain."""
        if not _is_folder(site.name):
            self._by_domain[domain_of(site.homepage)] -= 1

    def give_up_worst(self) -> Iterable[KnownSite]:
        """Take out the sites for which there is no room."""
        if len(self._waiting) <= self.capacity:
            return ()
        ranked = sorted(self._waiting.values(), key=lambda site: (-site.priority, site.number))
        gone = ranked[self.capacity - int(self.capacity * _GIVEN_UP) :]
        for site in gone:
            self.settle(site.name, site.homepage, was_read=False)
        return gone

    def _announce(self, site: KnownSite) -> None:
        heapq.heappush(self._queue, (-site.priority, site.number, site.name))


def site_name(iri: str) -> str:
    """Return the name of a site from its IRI in the graph."""
    return host_of_site(iri) or iri


def _is_folder(name: str) -> bool:
    return "/" in name


class OutEdge(Struct):
    """What leads from a site to another; ``entry`` is the first link, ``depth`` the target's."""

    entry: str
    found_on: str
    depth: int
    confidences: MeanOfWeights = field(default_factory=MeanOfWeights)
    pages: set[str] = set()

    def add(self, page: str, confidence: float) -> None:
        """Count a page with such a link; each counts once."""
        if page not in self.pages:
            self.pages.add(page)
            self.confidences.add(confidence)


_Speaker = tuple[str, float]  # the page that a link or redirect counts for, and its confidence


class OutEdges:
    """One edge to each other site that a site leads to, by links and redirects (section 4.2).

    A redirect counts for the page that linked to it; at the site's first URL it weighs ``rank``.
    """

    def __init__(self, rank: float) -> None:
        self._rank = rank
        self._links: list[tuple[_Speaker, int, Mapping[str, str]]] = []
        self._departures: dict[str, tuple[FoundUrl, str, str]] = {}
        self._speakers: dict[str, _Speaker] = {}

    def read(self, url: str, depth: int, confidence: float, others: Mapping[str, str]) -> None:
        """A page was read that links to ``others``: sites, with a link to each."""
        speaker = self._speakers[url] = url, confidence
        self._links.append((speaker, depth, others))

    def turned(self, entry: FoundUrl) -> None:
        """A URL redirects to another one of the site."""
        self._speakers[entry.url] = self._speaker(entry)

    def left(self, entry: FoundUrl, site: str, target: str) -> None:
        """A URL redirects to another site."""
        self._departures[entry.url] = entry, site, target

    def leads_away_to(self, site: str) -> bool:
        """Whether some URL redirects to this site."""
        return any(name == site for _, name, _ in self._departures.values())

    @property
    def moved_to(self) -> str | None:
        """The site that the URL found first redirects to, of those that leave; None for none."""
        return next((site for _, site, _ in self._in_order()), None)

    def all(self) -> dict[str, OutEdge]:
        """The edges by the name of the other site; redirects come after the links of pages."""
        edges: dict[str, OutEdge] = {}
        for speaker, depth, others in self._links:
            for site, entry in others.items():
                edges.setdefault(site, OutEdge(entry, speaker[0], depth + 1)).add(*speaker)
        for found, site, target in self._in_order():
            edges.setdefault(site, OutEdge(target, found.url, found.depth)).add(*self._speaker(found))
        return edges

    def _in_order(self) -> list[tuple[FoundUrl, str, str]]:
        # The graph does not tell when a URL redirected, but when it was found.
        return sorted(self._departures.values(), key=lambda one: one[0].order)

    def _speaker(self, entry: FoundUrl) -> _Speaker:
        return self._speakers.get(entry.found_on or "", (entry.url, self._rank))
