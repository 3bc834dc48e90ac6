"""Recording pages in the crawl graph on disk, beside a bare store that is given the same triples.

A page has 40 links, 12 of them to URLs not seen before. It is recorded as the
crawl loop does it: changes collected, written as one transaction, flushed now
and then. The bare store gets the same triples as prepared quads, one
``extend`` a page.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from benchmarks.checks import Check, spread
from semcrawl.crawl.kind import FLUSH_EVERY
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["run"]

LINKS, NEW_LINKS, HOSTS = 40, 12, 500
BATCH = FLUSH_EVERY  # what is put into tables together
PAGES_PER_SECOND = 900.0

_Page = tuple[FoundUrl, dict[str, Any], list[FoundUrl]]
_Rates = list[tuple[float, float]]
"""Of every batch: pages per second by the clock, and milliseconds of CPU per page."""


def run(*, quick: bool) -> list[Check]:
    """Record batches of pages in turn into the crawl graph and into a bare store."""
    count = 1_000 if quick else 5_000
    pages = list(made_up_pages(count))
    ours: _Rates = []
    bare: _Rates = []
    with tempfile.TemporaryDirectory() as folder, CrawlGraph.create(Path(folder) / "crawl") as graph:
        store = ox.Store(f"{folder}/bare")
        for start in range(0, count, BATCH):
            batch = pages[start : start + BATCH]
            quads = [_quads(page) for page in batch]
            ours.append(_rate(partial(_record, graph, batch)))
            bare.append(_rate(partial(_extend, store, quads)))
    print(f"{count:,} pages of {LINKS} links, {NEW_LINKS} of them new, in batches of {BATCH}")
    print(f"  crawl graph: {_told(ours)}")
    print(f"  bare extend: {_told(bare)}")
    ratio = statistics.median(a / b for (_, a), (_, b) in zip(ours, bare, strict=True))
    print(f"  ratio of CPU, crawl graph to bare extend: {ratio:.2f}")
    rate = statistics.median(pages_per_second for pages_per_second, _ in ours)
    return [Check("pages recorded per second", rate, "at least", PAGES_PER_SECOND)]


def _told(rates: _Rates) -> str:
    speeds, costs = zip(*rates, strict=True)
    return f"{spread(speeds, 0)} pages/s, {spread(costs)} ms of CPU per page"


def _rate(work: Callable[[], None]) -> tuple[float, float]:
    cpu, clock = time.process_time(), time.perf_counter()
    work()
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    return BATCH / clock, cpu * 1000 / BATCH


def _record(graph: CrawlGraph, pages: Sequence[_Page]) -> None:
    for page in pages:
        graph.apply(changes_of(page))
    graph.store.flush()


def _extend(store: ox.Store, pages: Sequence[list[ox.Quad]]) -> None:
    for quads in pages:
        store.extend(quads)
    store.flush()


def changes_of(page: _Page) -> Changes:
    entry, visited, new = page
    changes = Changes()
    changes.left_frontier(entry)
    changes.visited(entry.url, **visited)
    for url in new:
        changes.found(url)
    return changes


def _quads(page: _Page) -> list[ox.Quad]:
    """The statements that the changes insert; what they delete has no part in an extend."""
    _, _, body = changes_of(page).text(OxigraphStore()).partition("INSERT DATA {")
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    turtle = prefixes + body.rstrip().removesuffix("}") + "."
    return [ox.Quad(quad.subject, quad.predicate, quad.object) for quad in ox.parse(turtle, format=ox.RdfFormat.TURTLE)]


def made_up_pages(count: int) -> Iterator[_Page]:
    """Pages in the order of a crawl: each was found on an earlier one."""
    rng = random.Random(4)
    waiting = [_found(0, rng, None)]
    known = [waiting[0].url]
    for step in range(1, count + 1):
        entry = waiting.pop(rng.randrange(len(waiting)))
        new = [_found(len(known) + n, rng, entry.url) for n in range(NEW_LINKS)]
        known += [found.url for found in new]
        waiting += new
        old = rng.choices(known, k=LINKS - NEW_LINKS)
        links = dict.fromkeys([*old, *(found.url for found in new)])
        yield entry, _visited(entry, step, rng, list(links)), new


def _found(number: int, rng: random.Random, found_on: str | None) -> FoundUrl:
    host = f"www.site{number % HOSTS}.test"
    url = f"http://{host}/articles/{number % 97}/page-{number}.html"
    return FoundUrl(url, host, round(rng.random(), 6), number, 1, found_on)


def _visited(entry: FoundUrl, step: int, rng: random.Random, links: list[str]) -> dict[str, Any]:
    return {
        "step": step,
        "relevance": round(rng.random(), 6),
        "fetch_priority": entry.priority,
        "status": 200,
        "fetched_at": 1.7e9 + step,
        "size": 24_000,
        "title": f"Page {step} about something or other",
        "language": "en",
        "description": f"What is said on page {step}, in a sentence of the usual length.",
        "digest": f"{rng.getrandbits(128):032x}",
        "links": links,
    }
