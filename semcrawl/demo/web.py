"""The demo web: its recorded answers and endless traps, where to start, what is on which topic.

It is shipped as a file, which ``python -m scripts.demo_web`` makes from WordNet.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from semcrawl.errors import ReplayError, os_errors
from semcrawl.resources import facts_beside
from semcrawl.web import Replay
from semcrawl.web.response import Response

FILE = Path(__file__).with_name("web.msgpack.gz")  # a `DemoWeb`

_MAIN = "breathing"  # the topic that `semcrawl demo` crawls for: it has a site more than the others


class DemoTopic(msgspec.Struct, frozen=True):
    """A topic of the demo web, with what is really about it."""

    name: str
    spec: str  # as a crawl takes it
    pages: frozenset[str]  # that a polite crawler can reach
    hubs: frozenset[str]  # those of the pages that are lists of links
    sites: frozenset[str]  # the hosts that are on the topic as a whole


class DemoWeb(msgspec.Struct, frozen=True):
    """A small web of many hosts."""

    pages: Mapping[str, Response]  # by canonical URL, files and redirects included
    seeds: tuple[str, ...]
    topics: Mapping[str, DemoTopic]
    dead_links: frozenset[str]  # URLs that pages link to and nobody answers

    @property
    def main_topic(self) -> DemoTopic:
        """The topic that the demonstration crawls for."""
        return self.topics[_MAIN]

    def respond(self, url: str) -> Response | None:
        """Return the page of a canonical URL in one of the endless traps, else None."""
        if month := _MONTH.fullmatch(url):
            return html_response(url, _calendar_page(int(month[1]), int(month[2])).encode())
        if visit := _VISIT.fullmatch(url):
            return html_response(url, _catalogue_page(visit[1], visit[2] or "").encode())
        return None

    def replay(self) -> Replay:
        """Return the recorded answers as a replay in memory; the traps are not in it."""
        return Replay({url: _Kept(response) for url, response in self.pages.items()})

    def write(self, folder: str | Path) -> None:
        """Write a folder that ``open_replay`` reads, without the traps; ReplayError where it holds anything else."""
        place, files = Path(folder), self._files()
        with os_errors(ReplayError, f"cannot write the demo web to {place}"):
            place.mkdir(parents=True, exist_ok=True)
            held = {path.name for path in place.iterdir()}
            if held and (held != files.keys() or any((place / name).read_bytes() != files[name] for name in files)):
                raise ReplayError(f"{place} is not empty; name a new folder for the demo web")
            for name in () if held else files:
                (place / name).write_bytes(files[name])

    def _files(self) -> dict[str, bytes]:
        files, lines = {}, []
        for number, response in enumerate(self.pages.values()):
            target, kind = response.headers.get("location"), ""
            if target is None:
                target, kind = f"{number:04}.dat", f"\t{response.headers['content-type']}"
                files[target] = response.body
            lines.append(f"{response.url}\t{target}\t{response.status}{kind}\n")
        return files | {"urls.tsv": "".join(lines).encode()}


class _Kept(msgspec.Struct, frozen=True):
    response: Response

    def read(self, url: str) -> Response:  # noqa: ARG002
        return self.response


@cache
def demo_web() -> DemoWeb:
    """Return the demo web, read once."""
    return msgspec.msgpack.decode(gzip.decompress(FILE.read_bytes()), type=DemoWeb)


RECORDED_AT = 1_000_000_000.0

_CALENDAR = "http://www.town-of-millbrook.test/calendar/"
_CATALOGUE = "http://www.market-arcade.test/catalogue"
CALENDAR_START = f"{_CALENDAR}2001/09/"
CATALOGUE_START = f"{_CATALOGUE}?visit=start"

_MONTH = re.compile(rf"{re.escape(_CALENDAR)}([0-9]{{1,1000}})/(0[1-9]|1[0-2])/")
_VISIT = re.compile(rf"{re.escape(_CATALOGUE)}\?visit=([0-9a-z]{{1,40}})(?:&item=([0-9]{{1,3}}))?")
_TEXTS = facts_beside(__file__, "traps.toml")


def html_response(url: str, html: bytes, charset: str = "utf-8") -> Response:
    """Return an answer that is a page."""
    headers = {"content-type": f"text/html; charset={charset}"}
    return Response(url, 200, headers, html, RECORDED_AT, 0.0)


def _calendar_page(year: int, month: int) -> str:
    past, future = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
    events = _TEXTS["events"]
    days = "".join(
        f"<tr><td>{day}</td><td>{events[(year + month + day) % len(events)]}</td></tr>" for day in range(3, 28, 5)
    )
    earlier = f'<a href="{_month_url(*past)}">previous month</a>' if past[0] > 0 else ""
    later = _month_url(*future)
    return str(_TEXTS["calendar"].format(month=month, year=year, days=days, earlier=earlier, later=later))


def _month_url(year: int, month: int) -> str:
    return f"{_CALENDAR}{year}/{month + 1:02}/"


def _catalogue_page(visit: str, item: str) -> str:
    visits = (hashlib.sha256(f"{visit} {n}".encode()).hexdigest()[:12] for n in range(1, 7))
    links = "".join(
        f'<li><a href="/catalogue?visit={other}&amp;item={n}">article {n}</a></li>'
        for n, other in enumerate(visits, start=1)
    )
    heading = f"Article {item}" if item else "Catalogue"
    return str(_TEXTS["catalogue"].format(heading=heading, links=links))
