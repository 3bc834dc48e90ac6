"""Why a URL gave no page: the drop reasons of the vocabulary."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

__all__ = ["HOST_DOWN", "DropReason"]


class DropReason(StrEnum):
    """The local name of an ``sc:DropReason``, with a sentence that explains it.

    >>> DropReason.TIMED_OUT == "TimedOut"
    True
    >>> DropReason("TimedOut").explanation
    'The server did not finish its answer within the time allowed.'
    """

    explanation: str

    def __new__(cls, name: str, explanation: str = "") -> Self:
        """Make a member that is equal to its local name."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.explanation = explanation
        return member

    ROBOTS_DISALLOW = "RobotsDisallow", "The site's robots.txt does not allow this URL."
    ROBOTS_UNREACHABLE = (
        "RobotsUnreachable",
        "The site's robots.txt could not be fetched, so nothing there may be.",
    )
    NOFOLLOW = "Nofollow", "The page that links here asks robots not to follow its links."
    ADDRESS_REFUSED = (
        "AddressRefused",
        "The host is a private, local or reserved network address, which a crawl may not visit.",
    )
    DNS_FAILED = "DnsFailed", "The name of the host could not be resolved."
    CONNECT_FAILED = "ConnectFailed", "No connection to the host could be made."
    TLS_FAILED = "TlsFailed", "The host's certificate or encryption was not acceptable."
    TIMED_OUT = "TimedOut", "The server did not finish its answer within the time allowed."
    HTTP_ERROR = "HttpError", "The server answered with an error status."
    TOO_MANY_REDIRECTS = (
        "TooManyRedirects",
        "A chain of redirects was too long or circular.",
    )
    BAD_RESPONSE = "BadResponse", "The server's answer was not valid HTTP, or broke off."
    BAD_ENCODING = "BadEncoding", "The content coding of the answer is unknown or damaged."
    TOO_LARGE = "TooLarge", "The answer was larger than the limit."
    NOT_HTML = "NotHtml", "The answer is not an HTML page."
    EMPTY_PAGE = "EmptyPage", "The page has no title, no text and no links."
    UNREADABLE = "Unreadable", "The answer says that it is HTML but no page could be read from it."
    TRAP_SUSPECTED = "TrapSuspected", "The URL has the shape of an endless series of URLs."
    HOST_LIMIT = "HostLimit", "The host has already given as many pages as one host may."
    FRONTIER_FULL = "FrontierFull", "The frontier was full of URLs with a higher priority."
    OUT_OF_SCOPE = "OutOfScope", "The URL lies outside of the hosts or paths of this crawl."
    DROPPED_BY_POLICY = "DroppedByPolicy", "A policy of the crawl dropped the URL."
    TOO_DEEP = "TooDeep", "The URL is more links away from the seeds than the crawl goes."
    DUPLICATE = "Duplicate", "The page repeats the content of one already visited."
    NOT_IN_REPLAY = "NotInReplay", "The recorded web does not hold this URL."
    BAD_URL = "BadUrl", "The text is not a URL that a crawler can fetch."


HOST_DOWN = frozenset(
    {DropReason.CONNECT_FAILED, DropReason.DNS_FAILED, DropReason.TIMED_OUT, DropReason.TLS_FAILED}
)
"""Reasons that say something of the host, not of the one URL that was asked for."""
