"""A large crawl in a folder, made up instead of crawled: a minute for 50,000 pages.

It says what a crawl for ``wordnet:asthma`` with a semantic judge says of its
pages, of links within and between hosts, of URLs that wait and that were
dropped, of hubs and authorities, in the words of the vocabulary.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyoxigraph as ox

from semcrawl.crawl.settings import Settings
from semcrawl.graph import SC, CrawlGraph
from semcrawl.graph.changes import Changes, concept_noted
from semcrawl.graph.vocabulary import DCTERMS, PREFIXES, XSD, site_iri
from semcrawl.topics import Topic
from semcrawl.topics.topic import outline

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["CrawlSize", "make_crawl"]

TOPIC = "wordnet:respiratory_disease.n.01"
WORDS = (
    *("asthma", "lung", "breath", "clinic", "garden", "kitchen", "history", "river", "music"),
    *("travel", "air", "health", "inhaler", "school", "bridge", "winter", "market", "letter"),
    *("engine", "paper", "cough", "wheeze", "allergy", "pollen", "exercise"),
)
BEST = 1_000
"""Pages with a hub score, and as many with one as authority, as the distiller writes them."""

BANDS = 8
BEGAN = 1_760_000_000


@dataclass(frozen=True)
class CrawlSize:
    """How much is made up."""

    pages: int = 50_000
    links: int = 24
    hosts: int = 2_000
    waiting: int = 300_000
    dropped: int = 30_000

    def over(self, divisor: int) -> CrawlSize:
        """A smaller one."""
        return CrawlSize(
            self.pages // divisor, self.links, self.hosts // divisor, self.waiting // divisor, self.dropped // divisor
        )


def make_crawl(folder: Path, size: CrawlSize) -> None:
    """Write a finished crawl of that size to a new folder."""
    topic = Topic.parse(TOPIC)
    notes = outline(topic)
    with CrawlGraph.create(folder) as graph:
        settings = Settings(judge="ehrig").to_json()
        changes = Changes()
        for note in notes:
            concept_noted(changes, note.iri, note.label, note.broader)
        graph.begin(
            changes,
            title=topic.name,
            topic_file=topic.to_toml(),
            topic_turtle=topic.to_turtle(),
            settings=settings,
            threshold=0.3,
            started_at=BEGAN,
        )
        triples = folder / "made-up.nt"
        with triples.open("w", encoding="utf-8") as file:
            _Writer(file, size, [note.iri for note in notes]).write()
        graph.store.raw.bulk_load(path=str(triples), format=ox.RdfFormat.N_TRIPLES)
        triples.unlink()
        graph.note_stop("PagesReached", time.time(), settings)
        graph.claim()


class _Writer:
    """Writes the triples of a crawl."""

    def __init__(self, file: Any, size: CrawlSize, concepts: list[str]) -> None:
        self._file, self._size, self._concepts = file, size, concepts
        self._chance = np.random.default_rng(3)
        known = size.pages + size.waiting + size.dropped
        # A few hosts have many pages.
        self._hosts = (size.hosts * self._chance.random(known) ** 2).astype(np.int64)

    def write(self) -> None:
        size = self._size
        relevance = self._chance.beta(0.3, 2.0, size.pages)
        targets = self._targets()
        for number in range(size.pages):
            self._page(number, float(relevance[number]), targets[number])
        first_dropped = size.pages + size.waiting
        priorities = self._chance.random(size.waiting)
        for number in range(size.pages, first_dropped):
            self._found(number)
            self._say(number, "priority", _number(f"{priorities[number - size.pages]:.6f}"))
        for number in range(first_dropped, first_dropped + size.dropped):
            self._found(number)
            reason = ("HttpError", "TimedOut", "NotHtml", "RobotsDisallow")[number % 4]
            self._say(number, "droppedBecause", f"<{SC}{reason}>")
            self._say(number, "note", f'"the server said {400 + number % 20}"')
        scores = self._chance.random((2, size.pages))
        for name, column in zip(("hubScore", "authorityScore"), scores, strict=True):
            for number in self._chance.choice(size.pages, min(BEST, size.pages), replace=False):
                score = f'"{column[number] / size.pages:.16e}"^^<{XSD}double>'
                self._say(int(number), name, score)

    def _targets(self) -> NDArray[np.int64]:
        """The links: half of them to pages, of those rather to the first."""
        size = self._size
        shape = size.pages, size.links
        far = (size.pages * self._chance.random(shape) ** 2).astype(np.int64)
        waiting = self._chance.integers(size.pages, len(self._hosts), shape)
        return np.where(self._chance.random(shape) < 0.5, far, waiting)

    def _page(self, number: int, relevance: float, targets: NDArray[np.int64]) -> None:
        words = [WORDS[i] for i in self._chance.integers(0, len(WORDS), 5)]
        title = f'"{" ".join(words).capitalize()} {number}"'
        self._found(number)
        self._file.write(
            f"{self._url(number)} <{PREFIXES['rdf']}type> <{SC}Page> .\n"
            f"{self._url(number)} <{DCTERMS}title> {title} .\n"
            f"{self._url(number)} <{DCTERMS}description> {title} .\n"
            f'{self._url(number)} <{DCTERMS}language> "en" .\n'
        )
        fetched = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(BEGAN + number / 20))
        for name, value in {
            "relevance": _number(f"{relevance:.6f}"),
            "step": _whole(number + 1),
            "fetchPriority": _number(f"{relevance:.6f}"),
            "status": _whole(200),
            "size": _whole(5_000 + number % 20_000),
            "fetchedAt": f'"{fetched}"^^<{XSD}dateTime>',
            "digest": f'"{number:032x}"',
        }.items():
            self._say(number, name, value)
        for band in range(BANDS):
            self._say(number, "band", f'"{band}:{number * BANDS + band:x}"')
        if relevance > 0.01:
            self._say(number, "bestConcept", f"<{self._concepts[number % len(self._concepts)]}>")
        for target in dict.fromkeys(targets.tolist()):
            self._say(number, "linksTo", self._url(target))

    def _found(self, number: int) -> None:
        self._say(number, "order", _whole(number))
        self._say(number, "site", f"<{site_iri(self._host(number))}>")
        depth = 0
        if number:
            self._say(number, "foundOn", self._url(number // 20))
            depth = len(f"{number:b}") // 4 + 1
        self._say(number, "depth", _whole(depth))

    def _say(self, number: int, name: str, value: str) -> None:
        self._file.write(f"{self._url(number)} <{SC}{name}> {value} .\n")

    def _host(self, number: int) -> str:
        return f"www.site{self._hosts[number]}.test"

    def _url(self, number: int) -> str:
        word = WORDS[number % len(WORDS)]
        return f"<http://{self._host(number)}/{word}/articles/page-{number}.html>"


def _number(text: str) -> str:
    return f'"{text}"^^<{XSD}decimal>'


def _whole(number: int) -> str:
    return f'"{number}"^^<{XSD}integer>'
