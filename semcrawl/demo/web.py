"""The demo web as a whole: its answers, where to start, and what is on which topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from types import MappingProxyType

from semcrawl.demo.oddities import files, html_response, plan_oddities, trap_response
from semcrawl.demo.pages import Sheet, Sheets, point_to, render
from semcrawl.demo.prose import MAIN, ODDITIES, SUBJECTS
from semcrawl.demo.sites import PORTAL, plan_portals, plan_sites
from semcrawl.errors import ReplayError
from semcrawl.web import Replay
from semcrawl.web.response import Response


def _link_sites(sheets: Sheets, rng: Random) -> None:
    pages = [page for page in sheets.values() if page.subject and not page.is_hub]
    for page in pages:
        kin = [p for p in pages if p.subject is page.subject and p.host != page.host]
        others = [p for p in pages if p.subject is not page.subject and p.host != page.host]
        if rng.random() < 0.25:
            page.anchors.append(point_to(rng, rng.choice(kin)))
        for target in rng.sample(others, rng.choice((0, 1, 1, 2, 2, 3))):
            # Sometimes the anchor of a link to another subject promises this one.
            decoy = page.name if rng.random() < 0.35 else ""
            page.anchors.append(point_to(rng, target, decoy=decoy))
        if rng.random() < 0.15:
            page.link("http://www.market-arcade.test/", "Sponsored", "list", nofollow=True)
    for page in [page for page in sheets.values() if page.url.endswith("/links.html")]:
        _fill_link_page(sheets, page, pages, rng)


def _fill_link_page(sheets: Sheets, page: Sheet, pages: list[Sheet], rng: Random) -> None:
    home = sheets[f"http://{page.host}/"]
    kin = [p for p in pages if p.subject is home.subject and p.host != page.host]
    friends = [p for p in pages if p.look == "homepage" and p.host != page.host]
    for target in (*rng.sample(kin, 4), *rng.sample(friends, 3)):
        page.anchors.append(point_to(rng, target, clear=0.6))
    page.link("http://www.morning-portal.test/", "where I start my day", "list")


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
    """A small web of many hosts, made by the package itself."""

    pages: Mapping[str, Response]  # by canonical URL, files and redirects included
    seeds: tuple[str, ...]
    topics: Mapping[str, DemoTopic]
    dead_links: frozenset[str]  # URLs that pages link to and nobody answers

    @property
    def main_topic(self) -> DemoTopic:
        """The topic that the demonstration crawls for."""
        return self.topics[MAIN]

    def respond(self, url: str) -> Response | None:
        """Return the page of a canonical URL in one of the endless traps, else None."""
        return trap_response(url)

    def replay(self) -> Replay:
        """Return the recorded answers as a replay in memory; the traps are not in it."""
        return Replay({url: _Kept(response) for url, response in self.pages.items()})

    def write(self, folder: str | Path) -> None:
        """Write a new folder that ``open_replay`` reads; the traps are not in it."""
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
            if any(place.iterdir()):
                raise ReplayError(f"{place} is not empty; name a new folder for the demo web")
            lines = [
                _write_page(place, number, response)
                for number, response in enumerate(self.pages.values())
            ]
            (place / "urls.tsv").write_text("".join(lines), encoding="utf-8")
        except OSError as problem:
            raise ReplayError(f"cannot write the demo web to {place}: {problem.strerror}") from None


@dataclass(frozen=True, slots=True)
class _Kept:
    response: Response

    def read(self, url: str) -> Response:  # noqa: ARG002
        return self.response


@lru_cache(maxsize=2)
def demo_web(seed: int = 1) -> DemoWeb:
    """Return the demo web, made once; the same seed gives the same bytes on every machine."""
    sheets = Sheets()
    plan_sites(sheets, seed)
    plan_portals(sheets, seed)
    _link_sites(sheets, Random(f"{seed} links"))
    plan_oddities(sheets, Random(f"{seed} oddities"))
    pages = {one.url: html_response(one.url, render(one), one.charset) for one in sheets.values()}
    pages |= files()
    topics = {name: _topic(name, sheets) for name in SUBJECTS}
    dead = frozenset(ODDITIES["dead_links"])
    return DemoWeb(MappingProxyType(pages), (PORTAL,), MappingProxyType(topics), dead)


def _topic(name: str, sheets: Sheets) -> DemoTopic:
    subject = SUBJECTS[name]
    about = sheets.about(subject)
    return DemoTopic(
        name,
        subject.spec,
        pages=frozenset(sheet.url for sheet in about),
        hubs=frozenset(sheet.url for sheet in about if sheet.is_hub),
        sites=frozenset(sheet.host for sheet in sheets.homes(subject)),
    )


def _write_page(folder: Path, number: int, response: Response) -> str:
    target = response.headers.get("location")
    if target is not None:
        return f"{response.url}\t{target}\t{response.status}\n"
    name = f"{number:04}.dat"
    (folder / name).write_bytes(response.body)
    return f"{response.url}\t{name}\t{response.status}\t{response.headers['content-type']}\n"
