"""Crawler traps: sites that make up URLs without end.

Some show by their shape, others by the number of such URLs: days of a calendar, combinations
of a search form. Numbered pages (``/p/5000.html``) are no trap.
"""

import re
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from semcrawl.web.urls import domain_of, host_of

# With a month in two digits: "/1234/5" is more often a thread than a date.
_DATE = re.compile(r"(?<![0-9])([0-9]{4})([-/_.])(0[1-9]|1[0-2])(?:\2(0[1-9]|[12][0-9]|3[01]))?(?![0-9])")
_YEAR_FIELD = re.compile(r"(?<=[?&])(?:[a-z_]*year|yr)=([0-9]{1,6})(?![^&])", re.IGNORECASE)
_MONTH_FIELD = re.compile(r"(?<=[?&])(?:[a-z_]*(?:month|day|week)|mo)=[0-9]{1,2}(?![^&])", re.IGNORECASE)
_FEWEST_VARYING = 3
_SHAPES_PER_HOST = 256


def may_be_of_series(url: str) -> bool:
    """Return whether a guard remembers such a URL: no other changes what it says later."""
    return "?" in url or _DATE.search(url) is not None


class HostsOfDomains:
    """Which registered domains make up hosts without end: those of which ``most`` have answered."""

    most = 1_000

    def __init__(self) -> None:
        self._hosts: set[str] = set()
        self._new: list[str] = []  # not counted yet: a list of suffixes is read for it
        self._counts: Counter[str] = Counter()

    def answered(self, host: str) -> bool:
        """A host has answered; whether its domain may have no other from now on."""
        if host in self._hosts:
            return False
        self._hosts.add(host)
        self._new.append(host)
        return self._count(host) == self.most

    def is_full(self, host: str) -> bool:
        """Whether this would be one host too many of its domain."""
        return host not in self._hosts and self._count(host) >= self.most

    def _count(self, host: str) -> int:
        if len(self._hosts) < self.most:
            return 0
        while self._new:
            self._counts[domain_of(f"//{self._new.pop()}")] += 1
        return self._counts[domain_of(f"//{host}")]


@dataclass(slots=True)
class _Series:
    seen: set[int] = field(default_factory=set)
    first: dict[str, str] = field(default_factory=dict)
    varying: set[str] = field(default_factory=set)


@dataclass(eq=False, kw_only=True)
class TrapGuard:
    """Says which URLs look like part of an endless series; safe between threads.

    A URL that was let through once is let through always while its host is remembered.
    """

    max_length: int = 1024  # the most characters of a URL
    max_segments: int = 20  # the most segments of a path
    max_repeats: int = 3  # how often a segment may occur in a path; a group of them, in a row, less
    max_parameters: int = 12  # the most parameters of a query
    # how many queries one path of a host may have, once three or more of its parameters vary
    max_queries: int = 1000
    max_dates: int = 1000  # how many URLs may differ from one another by their date alone
    years_ahead: int = 2  # how many years in the future a date may lie
    earliest_year: int = 1600  # the year before which a date is not believed
    remembered: int = 500_000  # how many URLs of such series are remembered in all
    clock: Callable[[], float] = time.time  # tells the Unix time

    def __post_init__(self) -> None:
        self._latest_year = time.gmtime(self.clock()).tm_year + self.years_ahead
        self._hosts: OrderedDict[str, OrderedDict[str, _Series]] = OrderedDict()
        self.size = 0  # URLs and shapes that are remembered
        self._lock = threading.Lock()

    def check(self, url: str) -> str | None:
        """Return why a canonical URL is suspected, None if it is not."""
        if len(url) > self.max_length:
            return f"the URL is longer than {self.max_length} characters"
        address, _, query = url.partition("?")
        return (
            self._check_path(address)
            or (self._check_query(url, address, query) if query else None)
            or self._check_dates(url, query)
        )

    def _check_path(self, address: str) -> str | None:
        count = address.count("/") - 2
        if count <= self.max_repeats:
            return None
        if count > self.max_segments:
            return f"the path has more than {self.max_segments} segments"
        segments = [segment for segment in address.split("/")[3:] if segment]
        segment, times = Counter(segments).most_common(1)[0] if segments else ("", 0)
        if times > self.max_repeats:
            return f"the path has the segment {segment!r:.60} {times} times"
        if times >= self.max_repeats and _follows_itself(segments, self.max_repeats):
            return "the path repeats a group of segments"
        return None

    def _check_query(self, url: str, address: str, query: str) -> str | None:
        pairs = query.split("&")
        if len(pairs) > self.max_parameters:
            return f"the query has more than {self.max_parameters} parameters"
        with self._lock:
            series = self._series(host_of(url), address)
            _note_varying(series, pairs)
            limit = self.max_queries if len(series.varying) >= _FEWEST_VARYING else None
            if self._admits(series, url, limit):
                return None
        return f"more than {self.max_queries} combinations of parameters on one path"

    def _check_dates(self, url: str, query: str) -> str | None:
        if found := _DATE.search(url, len(host_of(url)) + 7):
            # "/2345/11" may be the eleventh page of a thread; "/2345/06" is a date.
            sure = found.group(4) is not None or found.group(3).startswith("0")
            return self._check_date(url, found, sure=sure)
        year = _YEAR_FIELD.search(url) if query else None
        return self._check_date(url, year, sure=True) if year and _MONTH_FIELD.search(url) else None

    def _check_date(self, url: str, found: re.Match[str], *, sure: bool) -> str | None:
        if sure and not self.earliest_year <= int(found.group(1)) <= self._latest_year:
            return f"the date {found.group()!r} is too far away"
        shape = _MONTH_FIELD.sub("#", url[: found.start()] + "#" + url[found.end() :])
        with self._lock:
            if self._admits(self._series(host_of(url), shape), url, self.max_dates):
                return None
        return f"more than {self.max_dates} URLs that differ by their date alone"

    def _series(self, host: str, shape: str) -> _Series:
        shapes = self._hosts.setdefault(host, OrderedDict())
        self._hosts.move_to_end(host)
        if shape not in shapes:
            shapes[shape] = _Series()
            self.size += 1
            if len(shapes) > _SHAPES_PER_HOST:
                self.size -= 1 + len(shapes.popitem(last=False)[1].seen)
        shapes.move_to_end(shape)
        return shapes[shape]

    def _admits(self, series: _Series, url: str, limit: int | None) -> bool:
        key = hash(url)
        if key in series.seen:
            return True
        if limit is not None and len(series.seen) >= limit:
            return False
        # Beyond the limits there is nothing to learn from counting on.
        if len(series.seen) < max(self.max_queries, self.max_dates):
            series.seen.add(key)
            self.size += 1
        while self.size > self.remembered and len(self._hosts) > 1:
            _, shapes = self._hosts.popitem(last=False)
            self.size -= sum(1 + len(one.seen) for one in shapes.values())
        return True


def _follows_itself(segments: list[str], times: int) -> bool:
    return any(
        segments[start : start + size * times] == segments[start : start + size] * times
        for size in range(2, len(segments) // times + 1)
        for start in range(len(segments) - size * times + 1)
    )


def _note_varying(series: _Series, pairs: list[str]) -> None:
    values = dict(pair.partition("=")[::2] for pair in pairs)
    if not series.first:
        series.first = values
    elif len(series.varying) < _FEWEST_VARYING:
        names = values.keys() | series.first.keys()
        series.varying |= {name for name in names if values.get(name) != series.first.get(name)}
