"""robots.txt by RFC 9309: what a site allows, and how fast it wants to be asked.

A missing file (4xx) allows everything; an unreachable one forbids everything until it is
asked for again, but rules known from before stay valid.
"""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from itertools import islice
from typing import Literal

from protego import Protego

from semcrawl.errors import ConfigError, FetchError
from semcrawl.web.response import DropReason, Fetcher, Response
from semcrawl.web.urls import join, origin_of

PRODUCT = "semcrawl"  # the product token that robots.txt files address

_CONTACT = re.compile(r"[!-'*-\[\]-~](?:[ -'*-\[\]-~]*[!-'*-\[\]-~])?")
_CONTACT_LENGTH = 200
# What Protego reads, misspellings included; any other line must not end a group.
_KNOWN = re.compile(
    r"\s*(?:(?P<agent>user[- ]?agent\b\s*:?)|(?:allow|dis\w*|diasllow|crawl|request|sitemap)\b)", re.IGNORECASE
)
_TOKEN = re.compile(r"\*(?=\s|$)|[A-Za-z_-]*")
_NOT_US = "(other)"
_MAX_PARSED = 500 * 1024
_MAX_REDIRECTS = 5
_MAX_SITEMAPS = 20


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What the robots.txt of one host means for this crawler."""

    url: str  # where the file is asked for
    state: Literal["found", "absent", "unreachable"]  # absent allows all, unreachable nothing
    delay: float = 0.0  # seconds between requests that the site asks for, 0 where it asks for none
    problem: FetchError | None = None  # why the file is ``unreachable``
    sitemaps: tuple[str, ...] = ()  # those that the file names
    _agent: str = ""
    _parsed: Protego | None = field(default=None, repr=False)

    def allows(self, url: str) -> bool:
        """Whether a URL of this host may be fetched."""
        if self._parsed is None:
            return self.state == "absent"
        return bool(self._parsed.can_fetch(url, self._agent))

    def refusal(self, url: str) -> DropReason | None:
        """Return the reason why a URL may not be fetched, None if it may."""
        if self.allows(url):
            return None
        if self.state == "unreachable":
            return DropReason.ROBOTS_UNREACHABLE
        return DropReason.ROBOTS_DISALLOW


@dataclass(slots=True)
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    rules: RobotsRules | None = None
    until: float = 0.0


@dataclass(eq=False)
class Robots:
    """The rules of every host met, each asked for once a day; safe between threads."""

    fetcher: Fetcher  # answers for the robots.txt files, redirects included
    user_agent: str  # the crawler's User-Agent; its product token is what rules address
    _: KW_ONLY
    # the longest Crawl-delay or Request-rate interval that is honoured, in seconds
    cap: float = 30.0
    keep: int = 4096  # how many hosts are remembered
    ttl: float = 24 * 3600.0  # seconds that rules are valid
    retry: float = 600.0  # seconds after which an unreachable file is asked for again
    clock: Callable[[], float] = time.monotonic  # tells the time in seconds
    heard: Callable[[str, Response | FetchError], object] | None = None  # is told of all answers

    def __post_init__(self) -> None:
        self._agent = _token(self.user_agent)
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def rules(self, url: str) -> RobotsRules:
        """Return the rules for the host (scheme, name and port) of a canonical URL."""
        origin = origin_of(url)
        entry = self._entry(origin)
        if entry.rules is not None and self.clock() < entry.until:
            return entry.rules
        with entry.lock:
            if entry.rules is None or self.clock() >= entry.until:
                self._renew(entry, f"{origin}/robots.txt")
            return entry.rules or RobotsRules(f"{origin}/robots.txt", "unreachable")

    def known(self, url: str) -> RobotsRules | None:
        """Return the rules if they are at hand and valid, without asking for them."""
        with self._lock:
            entry = self._entries.get(origin_of(url))
        return entry.rules if entry is not None and self.clock() < entry.until else None

    def _entry(self, origin: str) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(origin, _Entry())
            self._entries.move_to_end(origin)
            if len(self._entries) > self.keep:
                self._entries.popitem(last=False)
            return entry

    def _renew(self, entry: _Entry, url: str) -> None:
        rules = self._ask(url)
        reachable = rules.state != "unreachable"
        if reachable or entry.rules is None:
            entry.rules = rules
        entry.until = self.clock() + (self.ttl if reachable else self.retry)

    def _ask(self, url: str) -> RobotsRules:
        place = url
        try:
            for _ in range(_MAX_REDIRECTS + 1):
                response = self.fetcher.fetch(place, want_any=True)
                if self.heard is not None:
                    self.heard(place, response)
                if response.redirect is None:
                    return self._parse(url, response.body)
                place = response.redirect
        except FetchError as problem:
            if self.heard is not None:
                self.heard(place, problem)
            if not _means_absent(problem):
                return RobotsRules(url, "unreachable", problem=problem)
        # RFC 9309, 2.3.1.2: more than five redirects count as no file.
        return RobotsRules(url, "absent")

    def _parse(self, url: str, body: bytes) -> RobotsRules:
        lines = (_for_agent(line, self._agent) for line in _text(body).splitlines())
        parsed = Protego.parse("\n".join(filter(None, lines)))
        delay = min(self._asked_delay(parsed), self.cap)
        named = (join(url, text) for text in islice(parsed.sitemaps, _MAX_SITEMAPS))
        sitemaps = tuple(filter(None, named))
        return RobotsRules(url, "found", delay, sitemaps=sitemaps, _agent=self._agent, _parsed=parsed)

    def _asked_delay(self, parsed: Protego) -> float:
        rate = parsed.request_rate(self._agent)
        # Compared as integers first: a file may hold numbers that no float does.
        interval = min(rate.seconds, 10**6) / rate.requests if rate else 0.0
        return max(float(parsed.crawl_delay(self._agent) or 0.0), interval)


def _means_absent(problem: FetchError) -> bool:
    if problem.reason == DropReason.NOT_IN_REPLAY:
        return True
    # 429 says "too fast", which is no permission to go on.
    status = problem.status or 0
    return problem.reason == DropReason.HTTP_ERROR and 400 <= status < 500 and status != 429


def _token(agent: str) -> str:
    """Return the product token at the beginning of a name (RFC 9309, 2.2.1), or ``*``."""
    found = _TOKEN.match(agent.strip())
    return found[0].lower() if found else ""


def _for_agent(line: str, agent: str) -> str:
    """Return a line as Protego shall read it: agents are compared whole, unknown rules go.

    >>> _for_agent("User-agent: semcrawl/0.1 (x)", "semcrawl"), _for_agent("Noindex: /", "semcrawl")
    ('User-agent: semcrawl', '')
    """
    known = _KNOWN.match(line)
    if known is None:
        return ""
    said = line[known.end() :].partition("#")[0].strip()
    if known["agent"] is None or not said:
        return line
    token = _token(said)
    return f"User-agent: {token if token in ('*', agent) else _NOT_US}"


def _text(body: bytes) -> str:
    if len(body) > _MAX_PARSED:
        body = body[:_MAX_PARSED].rpartition(b"\n")[0]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    return body.decode("utf-8-sig", "replace")


def user_agent(contact: str | None = None) -> str:
    """Return the User-Agent, with a URL or mail address where the user gave one.

    >>> user_agent("https://example.org/crawl.html").endswith("(+https://example.org/crawl.html)")
    True
    """
    # Reading the version takes a while: only for those who fetch.
    from semcrawl.version import VERSION

    product = f"{PRODUCT}/{VERSION}"
    if contact is None or not contact.strip():
        return product
    text = contact.strip()
    if len(text) > _CONTACT_LENGTH or not _CONTACT.fullmatch(text):
        raise ConfigError(
            f"cannot use the contact {contact!r:.100}; give a URL or a mail address: plain "
            f"letters, no brackets or line breaks, at most {_CONTACT_LENGTH} characters"
        )
    return f"{product} (+{text})"
