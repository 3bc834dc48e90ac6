"""The demo web: its recorded answers, where to start, and what is on which topic.

It is shipped as a file, which ``python -m scripts.demo_web`` makes from WordNet.
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from semcrawl.demo.traps import trap_response
from semcrawl.errors import ReplayError, os_errors
from semcrawl.web import Replay
from semcrawl.web.response import Response

FILE = Path(__file__).with_name("web.msgpack.gz")  # a `DemoWeb`

_MAIN = "breathing"  # the topic that `semcrawl demo` crawls for: it has a site more than the others


@dataclass(frozen=True, slots=True)
class DemoTopic:
    """A topic of the demo web, with what is really about it."""

    name: str
    spec: str  # as a crawl takes it
    pages: frozenset[str]  # that a polite crawler can reach
    hubs: frozenset[str]  # those of the pages that are lists of links
    sites: frozenset[str]  # the hosts that are on the topic as a whole


@dataclass(frozen=True, slots=True)
class DemoWeb:
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
        return trap_response(url)

    def replay(self) -> Replay:
        """Return the recorded answers as a replay in memory; the traps are not in it."""
        return Replay({url: _Kept(response) for url, response in self.pages.items()})

    def write(self, folder: str | Path) -> None:
        """Write a new folder that ``open_replay`` reads; the traps are not in it."""
        place = Path(folder)
        with os_errors(ReplayError, f"cannot write the demo web to {place}"):
            place.mkdir(parents=True, exist_ok=True)
            if any(place.iterdir()):
                raise ReplayError(f"{place} is not empty; name a new folder for the demo web")
            lines = [
                _write_page(place, number, response)
                for number, response in enumerate(self.pages.values())
            ]
            (place / "urls.tsv").write_text("".join(lines), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Kept:
    response: Response

    def read(self, url: str) -> Response:  # noqa: ARG002
        return self.response


@cache
def demo_web() -> DemoWeb:
    """Return the demo web, read once."""
    return msgspec.msgpack.decode(gzip.decompress(FILE.read_bytes()), type=DemoWeb)


def _write_page(folder: Path, number: int, response: Response) -> str:
    target = response.headers.get("location")
    if target is not None:
        return f"{response.url}\t{target}\t{response.status}\n"
    name = f"{number:04}.dat"
    (folder / name).write_bytes(response.body)
    return f"{response.url}\t{name}\t{response.status}\t{response.headers['content-type']}\n"
