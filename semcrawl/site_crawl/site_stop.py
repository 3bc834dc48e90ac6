"""Why an internal crawler is done with a site."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["SiteStop"]


class SiteStop(StrEnum):
    """Why nothing more is read of a site; the value is the local name in the vocabulary."""

    CLASSIFIED = "SiteClassified"
    PAGE_LIMIT = "SitePageLimit"
    EXHAUSTED = "SiteExhausted"
    FAILING = "SiteFailing"
    UNREACHABLE = "SiteUnreachable"
    MOVED = "SiteMoved"
    DOMAIN_LIMIT = "SiteDomainLimit"
    FRONTIER_FULL = "SiteFrontierFull"
    OUT_OF_SCOPE = "SiteOutOfScope"

    @property
    def sentence(self) -> str:
        """The reason in words.

        >>> SiteStop.EXHAUSTED.sentence
        'it has no more pages to read'
        """
        return _SENTENCES[self]


_SENTENCES = {
    SiteStop.CLASSIFIED: "its class is sure and its links are gathered",
    SiteStop.PAGE_LIMIT: "it has given as many pages, or taken as many requests, as one site may",
    SiteStop.EXHAUSTED: "it has no more pages to read",
    SiteStop.FAILING: "too many of its URLs failed",
    SiteStop.UNREACHABLE: "it gave no page",
    SiteStop.MOVED: "its homepage leads to another site",
    SiteStop.DOMAIN_LIMIT: "its domain has as many sites as one may have",
    SiteStop.FRONTIER_FULL: "too many better sites waited",
    SiteStop.OUT_OF_SCOPE: "the patterns of the crawl leave it out",
}
