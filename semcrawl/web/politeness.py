"""Politeness: robots.txt by RFC 9309, and when a host may be asked again.

A missing robots.txt (4xx) allows everything; an unreachable one forbids everything until it is asked for again, but
rules known from before stay valid. A host has one request at a time, then a pause, longer after trouble.
"""

import math
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
from semcrawl.web.urls import domain_of, hostname_of, join, origin_of

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
_TURN_PAUSE = 1.0  # seconds; else many hosts could have one asked by all workers at a time
_MAX_SITEMAPS = 20


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What the robots.txt of one host means for this crawler."""

    url: str  # where the file is asked for
    state: Literal["found", "absent", "unreachable"]  # absent allows all, unreachable nothing
    delay: float = 0.0  # seconds between requests that the site asks for, 0 where it asks for none
    problem: FetchError | None = None  # why the file is ``unreachable``
    sitemaps: tuple[str, ...] = ()  # those that the file names
    size: int = 0  # its bytes
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
    room: int = 5_000_000  # bytes of their files, each of which takes thirty times as much memory
    ttl: float = 24 * 3600.0  # seconds that rules are valid
    retry: float = 600.0  # seconds after which an unreachable file is asked for again
    clock: Callable[[], float] = time.monotonic  # tells the time in seconds
    heard: Callable[[str, Response | FetchError], object] | None = None  # is told of all answers

    def __post_init__(self) -> None:
        self._agent = _token(self.user_agent)
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._led_to: dict[str, float] = {}  # until when files of other hosts lead there no more
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
        with self._lock:
            left = self.room
            for origin, one in reversed([*self._entries.items()]):
                left -= one.rules.size if one.rules else 0
                if left < 0 and one is not entry:
                    del self._entries[origin]

    def _ask(self, url: str) -> RobotsRules:
        place = url
        try:
            for _ in range(_MAX_REDIRECTS + 1):
                response = self.fetcher.fetch(place, want_any=True)
                if self.heard is not None:
                    self.heard(place, response)
                if response.redirect is None:
                    return self._parse(url, response.body)
                self._check_turn(place, response.redirect)
                place = response.redirect
        except FetchError as problem:
            if self.heard is not None:
                self.heard(place, problem)
            if not _means_absent(problem):
                return RobotsRules(url, "unreachable", problem=problem)
        # RFC 9309, 2.3.1.2: more than five redirects count as no file.
        return RobotsRules(url, "absent")

    def _check_turn(self, place: str, target: str) -> None:
        """Raise FetchError where files of other hosts led to a host of another domain within the last second."""
        host, now = hostname_of(target), self.clock()
        if domain_of(target) == domain_of(place):
            return
        with self._lock:
            self._led_to = {one: until for one, until in self._led_to.items() if until > now}
            if host in self._led_to:
                raise FetchError(f"{place} leads to {host}, as others do", reason=DropReason.ROBOTS_UNREACHABLE)
            self._led_to[host] = now + _TURN_PAUSE

    def _parse(self, url: str, body: bytes) -> RobotsRules:
        lines = (_for_agent(line, self._agent) for line in _text(body).splitlines())
        parsed = Protego.parse("\n".join(filter(None, lines)))
        delay = min(self._asked_delay(parsed), self.cap)
        sitemaps = tuple(filter(None, (join(url, text) for text in islice(parsed.sitemaps, _MAX_SITEMAPS))))
        return RobotsRules(url, "found", delay, sitemaps=sitemaps, size=len(body), _agent=self._agent, _parsed=parsed)

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


MAX_RETRY_AFTER = 86_400.0  # the longest Retry-After that is obeyed, in seconds
_OVERLOAD = frozenset({429, 503})
_TROUBLE = frozenset({DropReason.TIMED_OUT, DropReason.CONNECT_FAILED})
_SMOOTHING = 0.3
_FIRST_SWEEP = 10_000


@dataclass(slots=True)
class _Host:
    busy: bool = False
    ready_at: float = 0.0
    latency: float = 0.0
    backoff: float = 0.0


@dataclass(eq=False)
class Politeness:
    """Keeps the pauses between requests to every host; safe between threads."""

    # seconds between an answer and the next request; 0 also ignores how slow a host is,
    # but not trouble and robots.txt
    delay: float = 1.0
    max_delay: float = 60.0  # the longest pause that this adapts to by itself
    _: KW_ONLY
    latency_factor: float = 2.0  # a pause is at least this many times the usual answer time
    max_retry_after: float = MAX_RETRY_AFTER
    clock: Callable[[], float] = time.monotonic  # tells the time in seconds

    def __post_init__(self) -> None:
        if not 0 <= self.delay <= self.max_delay:
            raise ConfigError(f"the delay must lie between 0 and max_delay ({self.max_delay:g}), not {self.delay:g}")
        self._factor = self.latency_factor if self.delay > 0 else 0.0
        self._first_backoff = max(1.0, 2 * self.delay)
        self._hosts: dict[str, _Host] = {}
        self._sweep_at = _FIRST_SWEEP
        self._lock = threading.Lock()

    def ready_at(self, host: str) -> float:
        """Return the time from which a host may be asked: infinite while it is being asked."""
        state = self._hosts.get(host)
        if state is None:
            return 0.0
        return math.inf if state.busy else state.ready_at

    def started(self, host: str) -> None:
        """Say that a request to a host begins."""
        with self._lock:
            self._hosts.setdefault(host, _Host()).busy = True
            if len(self._hosts) > self._sweep_at:
                self._sweep()

    def finished(
        self,
        host: str,
        elapsed: float = 0.0,
        *,
        status: int | None = None,
        error: str | None = None,
        retry_after: float | None = None,
        robots_delay: float = 0.0,
    ) -> float:
        """Say that a request has ended; return the time from which the next may begin.

        ``elapsed`` is the seconds of the answer, ``error`` its `DropReason`; ``retry_after``
        and ``robots_delay`` are the seconds that the host and its robots.txt ask for.
        """
        with self._lock:
            state = self._hosts.setdefault(host, _Host())
            state.busy = False
            state.latency += _SMOOTHING * (max(0.0, elapsed) - state.latency)
            if status in _OVERLOAD or error in _TROUBLE:
                state.backoff = min(max(2 * state.backoff, self._first_backoff), self.max_delay)
            elif state.backoff:
                state.backoff = state.backoff / 2 if state.backoff > self._first_backoff else 0.0
            now = self.clock()
            pause = self._pause(state, robots_delay, retry_after)
            if pause == 0:
                del self._hosts[host]
                return now
            state.ready_at = now + pause
            return state.ready_at

    def _pause(self, state: _Host, robots_delay: float, retry_after: float | None) -> float:
        adapted = min(max(self._factor * state.latency, state.backoff), self.max_delay)
        asked = min(retry_after or 0.0, self.max_retry_after)
        return max(self.delay, robots_delay, adapted, asked)

    def _sweep(self) -> None:
        now = self.clock()
        forgiven = now - 10 * self.max_delay
        self._hosts = {
            host: state
            for host, state in self._hosts.items()
            if state.busy or state.ready_at > (forgiven if state.backoff else now)
        }
        # Twice what is left, so that sweeping stays cheap per request.
        self._sweep_at = max(_FIRST_SWEEP, 2 * len(self._hosts))

    def __len__(self) -> int:
        return len(self._hosts)
