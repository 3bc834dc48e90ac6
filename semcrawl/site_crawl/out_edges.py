"""Where a site leads to: one edge to each other site, by links of its pages and by redirects.

Ester 2004, section 4.2. A redirect that leaves the site counts as a link of the
page that linked to the redirecting URL. Nobody inside links to where a site
begins, so that a redirect from there counts with the rank of the site, which
those who link to it gave it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.sites.ranks import MeanOfWeights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.graph import FoundUrl

__all__ = ["OutEdge", "OutEdges"]


@dataclass(slots=True)
class OutEdge:
    """What leads from a site to another: the confidences of the pages that link there.

    ``entry`` is the first such link, ``found_on`` its page, ``depth`` the target's.
    """

    entry: str
    found_on: str
    depth: int
    confidences: MeanOfWeights = field(default_factory=MeanOfWeights)
    pages: set[str] = field(default_factory=set)

    def add(self, page: str, confidence: float) -> None:
        """Count a page with such a link; each counts once."""
        if page not in self.pages:
            self.pages.add(page)
            self.confidences.add(confidence)


@dataclass(frozen=True, slots=True)
class _Speaker:
    """The page that a link or redirect counts for, and its confidence."""

    page: str
    confidence: float


class OutEdges:
    """The edges of one site, gathered while it is read.

    Args:
        rank: the rank of the site, for redirects from where it begins.
    """

    def __init__(self, rank: float) -> None:
        self._rank = rank
        self._links: list[tuple[_Speaker, int, Mapping[str, str]]] = []
        self._departures: dict[str, tuple[FoundUrl, str, str]] = {}
        self._speakers: dict[str, _Speaker] = {}

    def read(self, url: str, depth: int, confidence: float, others: Mapping[str, str]) -> None:
        """A page was read that links to ``others``: sites, with a link to each."""
        speaker = self._speakers[url] = _Speaker(url, confidence)
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
                edge = edges.setdefault(site, OutEdge(entry, speaker.page, depth + 1))
                edge.add(speaker.page, speaker.confidence)
        for found, site, target in self._in_order():
            speaker = self._speaker(found)
            edge = edges.setdefault(site, OutEdge(target, found.url, found.depth))
            edge.add(speaker.page, speaker.confidence)
        return edges

    def _in_order(self) -> list[tuple[FoundUrl, str, str]]:
        # The graph does not tell when a URL redirected, but when it was found.
        return sorted(self._departures.values(), key=lambda one: one[0].order)

    def _speaker(self, entry: FoundUrl) -> _Speaker:
        start = _Speaker(entry.url, self._rank)
        return self._speakers.get(entry.found_on, start) if entry.found_on else start
