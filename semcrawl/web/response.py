"""What a URL answered, its body unpacked, and why it gave no page; the `Fetcher` protocol."""

import re
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Protocol, Self, runtime_checkable

from msgspec import Struct

from semcrawl.errors import FetchError
from semcrawl.resources import facts_beside
from semcrawl.web.urls import join

MAX_BYTES = 1_000_000  # bytes of a body that are read where nothing else is set

_TYPES = facts_beside(__file__, "media_types.toml")
HTML_TYPES, RDF_TYPES, _VAGUE_TYPES = (frozenset[str](_TYPES[name]) for name in ("html", "rdf", "vague"))

# Possessive, here and below: blanks that could be shared out in many ways would take time without end.
_CHARSET = re.compile(r"""charset\s*+=\s*+["']?\s*+([^\s"';,]+)""", re.IGNORECASE)

# What browsers take for HTML when no type is declared, and what old pages start with.
_MARKUP = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->|<\?xml[^>]*\?>)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|base"
    rb"|div|p|a|table|h[1-6]|br|ul|ol|font|center|frameset|iframe)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)
_SNIFFED_BYTES = 2048


def looks_like_markup(body: bytes) -> bool:
    """Whether the first bytes of a body of undeclared type read as HTML.

    >>> looks_like_markup(b"<!-- 1996 --> <TITLE>Hello</TITLE>"), looks_like_markup(b"%PDF-1.7")
    (True, False)
    """
    return _MARKUP.match(body[:_SNIFFED_BYTES]) is not None


def media_type(headers: Mapping[str, str]) -> str:
    """Return the declared media type in lower case without parameters, "" where there is none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def combined(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return fields by their names in lower case, repeats joined with commas."""
    found: dict[str, str] = {}
    for name, value in fields:
        # Folded lines may come with their line breaks.
        text = " ".join(value.split()) if "\n" in value else value.strip()
        key = name.lower()
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


class HttpExchange(Struct, frozen=True):
    """A request and its answer as they were sent, but for chunks, which are joined."""

    url: str
    request_line: str
    request: Sequence[tuple[str, str]]
    status: int
    status_line: str  # with the version of HTTP
    headers: Sequence[tuple[str, str]]
    body: bytes  # a content coding is not undone
    began_at: float  # Unix time
    truncated: str = ""  # why the body is not whole: ``length`` or ``unspecified``


class WarcPlace(Struct, frozen=True):
    """Where a record lies: a file of an archive's folder, and the byte at which it begins."""

    file: str
    offset: int


class Response(Struct, frozen=True):
    """One answer to one request; redirects are reported, never followed."""

    url: str  # the URL asked for, canonical
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes  # with any content coding undone
    fetched_at: float  # Unix time of the answer (of the recording, in a replay)
    elapsed: float  # seconds from the request to the end of the body
    redirect: str | None = None  # canonical target of a redirect
    truncated: bool = False  # whether the body was cut at a limit or arrived incomplete
    exchange: HttpExchange | None = None  # what was sent, until an archive has taken it
    kept_at: WarcPlace | None = None  # where it is then

    @property
    def digest(self) -> str:
        """BLAKE2b of the body, 16 bytes in hexadecimal: equal digests mean equal bodies."""
        return blake2b(self.body, digest_size=16).hexdigest()

    @property
    def content_type(self) -> str:
        """The declared media type, see :func:`media_type`."""
        return media_type(self.headers)

    @property
    def charset(self) -> str | None:
        """The character encoding that the header declares, in lower case, or None."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found.group(1).lower() if found else None

    @property
    def is_html(self) -> bool:
        """Whether this is a page: declared HTML or XHTML, or undeclared and begins as markup."""
        kind = self.content_type
        return kind in HTML_TYPES or (not kind and looks_like_markup(self.body))


class Wanted(Struct, frozen=True):
    """What a fetcher asks servers for, and which bodies it reads."""

    accept: str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"
    types: frozenset[str] = HTML_TYPES | {""}
    begins: Callable[[bytes], bool] | None = None  # which files of vague types are read, too

    def takes(self, kind: str) -> bool:
        """Whether bodies of a media type are read, at least their beginning."""
        return kind in self.types or (self.begins is not None and kind in _VAGUE_TYPES)

    def takes_by_beginning(self, kind: str, head: bytes) -> bool:
        """Whether a body of such a type is read to its end."""
        return kind in self.types or self.begins is None or self.begins(head)


class ReasonInWords(StrEnum):
    """Reasons whose value is a local name in the vocabulary, each with a sentence."""

    sentence: str

    def __new__(cls, name: str, sentence: str = "") -> Self:
        """Make a member that is equal to its local name."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.sentence = sentence
        return member


class DropReason(ReasonInWords):
    """Why a URL gave no page: the local name of an ``sc:DropReason``.

    >>> DropReason("TimedOut").sentence
    'The server did not finish its answer within the time allowed.'
    """

    ROBOTS_DISALLOW = "RobotsDisallow", "The site's robots.txt does not allow this URL."
    ROBOTS_UNREACHABLE = ("RobotsUnreachable", "The site's robots.txt could not be fetched, so nothing there may be.")
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
    TOO_MANY_REDIRECTS = "TooManyRedirects", "A chain of redirects was too long or circular."
    BAD_RESPONSE = "BadResponse", "The server's answer was not valid HTTP, or broke off."
    BAD_ENCODING = "BadEncoding", "The content coding of the answer is unknown or damaged."
    TOO_LARGE = "TooLarge", "The answer was larger than the limit."
    NOT_HTML = "NotHtml", "The answer is not an HTML page."
    NOT_RDF = "NotRdf", "The answer is not an RDF document, and the crawl is for these only."
    LINK_LIST = "LinkList", "It is a sitemap or feed: its links were taken, it is no page."
    EMPTY_PAGE = "EmptyPage", "The page has no title, no text and no links."
    UNREADABLE = "Unreadable", "No page could be read from the answer, whatever it says that it is."
    TRAP_SUSPECTED = "TrapSuspected", "The URL has the shape of an endless series of URLs."
    HOST_LIMIT = "HostLimit", "The host has given as many pages as one host may, or its domain as many hosts."
    FRONTIER_FULL = "FrontierFull", "The frontier was full of URLs with a higher priority."
    OUT_OF_SCOPE = "OutOfScope", "The URL lies outside of the hosts or paths of this crawl."
    DROPPED_BY_POLICY = "DroppedByPolicy", "A policy of the crawl dropped the URL."
    TOO_DEEP = "TooDeep", "The URL is more links away from the seeds than the crawl goes."
    DUPLICATE = "Duplicate", "The page repeats the content of one already visited."
    NOT_IN_REPLAY = "NotInReplay", "The recorded web does not hold this URL."
    BAD_URL = "BadUrl", "The text is not a URL that a crawler can fetch."


HOST_DOWN = frozenset(  # reasons that concern the host, not the one URL that was asked for
    {DropReason.CONNECT_FAILED, DropReason.DNS_FAILED, DropReason.TIMED_OUT, DropReason.TLS_FAILED}
)

_REDIRECTS = frozenset({300, 301, 302, 303, 307, 308})
_TEMPORARY = frozenset({408, 425, 429})
_LONGEST_WAIT = 365 * 24 * 3600.0
_YEAR_1, _YEAR_9999_ENDS = -62_135_596_800, 253_402_300_799
_DIGITS = re.compile(r"[0-9]{1,10}(?:\.[0-9]*)?", re.ASCII)


def raise_for_status(url: str, status: int, headers: Mapping[str, str]) -> None:
    """Raise ``FetchError`` (HttpError) for a status of 400 or more, or below 200."""
    if status < 200:
        raise FetchError(
            f"status {status} from {url} is not the end of an answer", reason=DropReason.BAD_RESPONSE, status=status
        )
    if status >= 400:
        raise FetchError(
            f"status {status} from {url}",
            reason=DropReason.HTTP_ERROR,
            temporary=status in _TEMPORARY or status >= 500,
            status=status,
            retry_after=seconds_to_wait(headers.get("retry-after")),
        )


def redirect_target(url: str, status: int, headers: Mapping[str, str]) -> str | None:
    """Return the canonical target of a redirect, None for what is none; BadResponse without target.

    >>> redirect_target("http://example.org/a/", 301, {"location": "../b"})
    'http://example.org/b'
    """
    if status not in _REDIRECTS:
        return None
    location = headers.get("location")
    target = join(url, _as_utf8(location)) if location else None
    if target is None and status != 300:
        raise FetchError(
            f"redirect {status} from {url} leads to no URL that can be fetched: {location!r:.200}",
            reason=DropReason.BAD_RESPONSE,
            status=status,
        )
    return target


def _as_utf8(value: str) -> str:
    # Header bytes arrive as Latin-1; servers that send raw letters mean UTF-8.
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def seconds_to_wait(value: str | None, now: float | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for, None where it says nothing usable.

    >>> seconds_to_wait("120"), seconds_to_wait("Thu, 01 Jan 1970 00:01:00 GMT", now=30.0)
    (120.0, 30.0)
    """
    if not value:
        return None
    text = value.strip()
    if _DIGITS.fullmatch(text):
        return min(float(text), _LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return min(max(0.0, moment - (time.time() if now is None else now)), _LONGEST_WAIT)


def unix_time(text: str) -> float | None:
    """Return the Unix time of a date in ISO 8601, in UTC where no zone is told; None for no date.

    >>> unix_time("1970-01-01T01:00:00+01:00"), unix_time("1970-01-02"), unix_time("soon")
    (0.0, 86400.0, None)
    """
    try:
        moment = datetime.fromisoformat(text)
        found = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    # In UTC, or rounded, the last moments of 9999 are of a year that no date has.
    return found if _YEAR_1 <= found < _YEAR_9999_ENDS else None


@runtime_checkable
class Fetcher(Protocol):
    """Answers canonical URLs, also from several threads: ``HttpFetcher`` or ``Replay``."""

    def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, want_any: bool = False) -> Response:
        """Return the answer to one GET request, or raise ``FetchError``, also for status 400 up.

        A redirect is not followed: its target has its own robots.txt, politeness and address checks. ``headers`` are
        more request headers. ``want_any`` reads the body whatever its media type, and cuts it at the size limit rather
        than refuse it; otherwise a body that is no HTML comes back empty.
        """
        ...

    def close(self) -> None:
        """Release connections and files; the fetcher is not used again."""
        ...


ACCEPTED = "gzip, deflate"  # codings whose output can be bounded while it is made

_IDENTITY = frozenset({"", "identity", "none", "utf-8"})
_GZIP = frozenset({"gzip", "x-gzip"})
_MOST_MEMBERS = 10_000  # of gzip in a row: empty ones take time, and come to nothing


class Inflater:
    """Collects a body from coded pieces, never more than `limit` bytes; else raises BadEncoding."""

    def __init__(self, coding: str, limit: int, url: str = "") -> None:
        self._coding = coding.strip().lower()
        self._url = url
        self._limit = limit
        self._out = bytearray()
        self.wire_bytes = 0
        self._unused = self._members = 0
        self.overflow = False
        self._stream = self._start()

    def _start(self) -> "zlib._Decompress | None":
        if self._coding in _IDENTITY:
            return None
        if self._coding in _GZIP:
            return zlib.decompressobj(16 + zlib.MAX_WBITS)
        if self._coding == "deflate":
            return zlib.decompressobj()
        raise self._error(f"unknown content coding {self._coding!r:.60}")

    def _error(self, text: str) -> FetchError:
        return FetchError(f"{text} from {self._url}", reason=DropReason.BAD_ENCODING)

    def feed(self, piece: bytes) -> None:
        """Take the next piece as it came over the wire."""
        first = self.wire_bytes == 0
        self.wire_bytes += len(piece)
        if self._stream is None:
            self._take(piece)
            return
        # Half of the servers that say deflate leave the zlib wrapping out.
        is_wrapped = len(piece) < 2 or (piece[0] & 0x0F == 8 and (piece[0] << 8 | piece[1]) % 31 == 0)
        if first and self._coding == "deflate" and not is_wrapped:
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
        self._inflate(piece)

    def _inflate(self, piece: bytes) -> None:
        stream = self._stream
        while stream is not None and piece and not self.overflow:
            try:
                # One byte more than there is room for tells "just full" from "too much".
                self._take(stream.decompress(piece, self._limit - len(self._out) + 1))
            except zlib.error as problem:
                raise self._error(f"damaged {self._coding} data ({problem})") from None
            piece = stream.unconsumed_tail
            self._unused = len(piece)
            if stream.eof:
                piece = stream.unused_data
                if self._coding not in _GZIP or not piece.startswith(b"\x1f\x8b"):
                    return
                # A gzip body may be several members in a row.
                self._members += 1
                if self._members > _MOST_MEMBERS:
                    raise self._error(f"more than {_MOST_MEMBERS:,} members of gzip")
                self._stream = stream = self._start()

    def _take(self, data: bytes) -> None:
        room = self._limit - len(self._out)
        self.overflow |= len(data) > room
        self._out += data[:room]

    @property
    def complete(self) -> bool:
        """Whether the coded stream came to its own end within the limit."""
        return not self.overflow and (self._stream is None or self._stream.eof or not self.wire_bytes)

    @property
    def ratio(self) -> float:
        """How many bytes each byte on the wire became."""
        return len(self._out) / max(1, self.wire_bytes - self._unused)

    @property
    def body(self) -> bytes:
        """What came out so far."""
        return bytes(self._out)


def decode(body: bytes, coding: str, limit: int, url: str = "") -> tuple[bytes, bool]:
    """Return at most `limit` bytes of a coded body, and whether that is all of it.

    >>> import gzip
    >>> decode(gzip.compress(b"x" * 10_000), "gzip", 4)
    (b'xxxx', False)
    """
    inflater = Inflater(coding, limit, url)
    for start in range(0, len(body), 1 << 16):  # in pieces: whatever follows a member is copied
        inflater.feed(body[start : start + (1 << 16)])
    return inflater.body, inflater.complete
