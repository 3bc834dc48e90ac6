"""Augmented seeds: pages that link to several seeds are good places to begin as well."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

import msgspec

from semcrawl.errors import ConfigError, UntrustedError
from semcrawl.graph import CrawlGraph
from semcrawl.page.read import page_at
from semcrawl.text.terms import count_terms
from semcrawl.text.text_files import numbered_lines, read_text
from semcrawl.text.vectors import cosine
from semcrawl.web import Replay, open_replay
from semcrawl.web.urls import canonical, canonical_at

_REDIRECTS = 4


class Hub(msgspec.Struct, frozen=True):
    """A page, and how many of the seeds it links to."""

    url: str
    seeds: int


def is_mirror_of(page: Mapping[str, int], text: Mapping[str, int], limit: float) -> bool:
    """Whether a page holds a text, whatever it has beside it (Pant, Menczer 2003, section 6).

    The cosine is of term frequencies, over the terms of the text only.

    >>> text = {"asthma": 1, "lung": 2}
    >>> is_mirror_of({"asthma": 2, "lung": 4, "advert": 9}, text, 0.9)
    True
    >>> is_mirror_of({"asthma": 3}, text, 0.9)
    False
    """
    return cosine({term: page[term] for term in text if term in page}, text) > limit


def find_seeds(
    seeds: Sequence[str],
    back_links: "BackLinks",
    *,
    least: int = 2,
    best: int = 10,
    mirrors: float = 0.9,
    unlike: Sequence[str] = (),
) -> list[Hub]:
    """The pages that link to most seeds, best first (Pant, Menczer 2003, section 6).

    At most ``best`` hubs link to at least ``least`` seeds each. Mirrors of better pages (a cosine above ``mirrors``)
    are left out, and pages that hold a text of ``unlike``, such as the list that the seeds were taken from. Raises
    ConfigError: fewer seeds than a hub must link to, or a number out of bounds; UrlError: a seed that is no URL.
    """
    own = list(dict.fromkeys(map(canonical, seeds)))
    if least < 1 or best < 1 or not 0.0 <= mirrors <= 1.0:
        raise ConfigError(
            f"least={least}, best={best}, mirrors={mirrors:g}: least and best must be 1 or more, mirrors from 0 to 1"
        )
    if len(own) < least:
        given = "1 seed was" if len(own) == 1 else f"{len(own)} seeds were"
        raise ConfigError(f"{given} given, and a hub must link to {least}: give more seeds")
    counts = Counter(page for page, _ in set(back_links.pairs(own)) if page not in own)
    found = [Hub(page, count) for page, count in counts.items() if count >= least]
    ordered = sorted(found, key=lambda hub: (-hub.seeds, hub.url))
    kept = _without_mirrors(ordered, back_links, mirrors, list(map(count_terms, unlike)))
    return list(islice(kept, best))


def _without_mirrors(
    hubs: Sequence[Hub], back_links: "BackLinks", limit: float, unlike: Sequence[Mapping[str, int]]
) -> Iterator[Hub]:
    kept: list[Mapping[str, int]] = []
    for hub in hubs:
        terms = back_links.terms(hub.url)
        if terms:
            if any(is_mirror_of(terms, text, limit) for text in unlike):
                continue
            if any(cosine(terms, other) > limit for other in kept):
                continue
            kept.append(terms)
        yield hub


class BackLinks(Protocol):
    """Knows which pages link to a URL, and perhaps what they say."""

    def pairs(self, urls: Sequence[str]) -> Iterable[tuple[str, str]]:
        """The links to some URLs: page and URL; a link may come twice."""

    def terms(self, page: str) -> Mapping[str, int] | None:
        """The term counts of a page, None where its text cannot be had."""


class KnownBackLinks(msgspec.Struct, frozen=True):
    """Back-links as ``find`` finds them; texts are those of a recorded web, if any."""

    find: Callable[[Sequence[str]], Iterable[tuple[str, str]]]
    pages: Replay | None

    def pairs(self, urls: Sequence[str]) -> Iterable[tuple[str, str]]:
        """The links to some URLs."""
        return self.find(urls)

    def terms(self, page: str) -> Mapping[str, int] | None:
        """The term counts of a recorded page."""
        found = page_at(self.pages, page, redirects=_REDIRECTS) if self.pages else None
        return found.terms if found else None


def replay_back_links(replay: Replay, each: Callable[[int], None] | None = None) -> KnownBackLinks:
    """The links of all pages of a recorded web; ``each`` is called per page with their number."""

    def find(urls: Sequence[str]) -> Iterator[tuple[str, str]]:
        wanted, recorded = frozenset(urls), list(replay.urls())
        for url in recorded:
            page = page_at(replay, url, redirects=_REDIRECTS)
            # A redirect leads to a page that is recorded under its own URL.
            if page is not None and page.url == url:
                yield from ((url, link.url) for link in page.links if link.url in wanted)
            if each is not None:
                each(len(recorded))

    return KnownBackLinks(find, replay)


class _Recorded(msgspec.Struct):
    replay: tuple[str, ...] = ()


def crawl_back_links(folder: Path, pages: Replay | None = None, *, trust: bool = False) -> KnownBackLinks:
    """The links of a crawl; texts are those of ``pages``, else of the recording it crawled."""

    def find(urls: Sequence[str]) -> Iterator[tuple[str, str]]:
        with CrawlGraph.read(folder) as graph:
            for url in urls:
                for row in graph.query("analyse/backlinks-of", url=url, limit=100_000):
                    yield row["page"], url

    return KnownBackLinks(find, pages or _crawled_recording(folder, trust=trust))


def file_back_links(path: Path, pages: Replay | None = None) -> KnownBackLinks:
    """The links of a file, a page, a tab and a URL a line; ConfigError if it cannot be read."""
    text = read_text(
        path,
        "; give the folder of a crawl, a recorded web, or a file with a page, a tab and a URL "
        "that it links to on each line",
    )
    links = [_link(line, f"{path}, line {n}") for n, line in numbered_lines(text)]
    return KnownBackLinks(lambda urls: (link for link in links if link[1] in urls), pages)


def open_back_links(
    source: str | Path, pages: Replay | None = None, each: Callable[[int], None] | None = None, *, trust: bool = False
) -> BackLinks:
    """The back-links of a crawl's folder, a recorded web or a file of links, whichever it is.

    ``pages`` has the texts that the source does not have; ``each`` as in `replay_back_links`. Raises
    ConfigError, ReplayError or StoreError where it cannot be read.
    """
    place = Path(source).expanduser()
    if (place / "graph" / "CURRENT").is_file():
        return crawl_back_links(place, pages, trust=trust)
    if place.is_dir() or place.name.endswith((".warc", ".warc.gz")):
        return replay_back_links(open_replay(place), each)
    return file_back_links(place, pages)


def _crawled_recording(folder: Path, *, trust: bool) -> Replay | None:
    """The recording that a crawl went over, None for the network or where it is gone."""
    with CrawlGraph.read(folder, trust=trust) as graph:
        named = msgspec.json.decode(graph.describe().settings, type=_Recorded).replay
        if named and not graph.is_trusted:
            raise UntrustedError(
                f"{folder} was not made by you on this machine, so the recorded web that it names "
                f"is not read: {named[0][:100]!r}; give it with --pages, or say --trust"
            )
    sources = [path for path in named if Path(path).expanduser().exists()]
    return open_replay(sources) if sources else None


def _link(line: str, where: str) -> tuple[str, str]:
    page, tab, target = line.partition("\t")
    if not tab or "\t" in target:
        raise ConfigError(f"{where}: write a page, a tab, and the URL that it links to")
    return canonical_at(where, page.strip()), canonical_at(where, target.strip())
