"""Distilling a large crawl graph on disk; and a tenth of it, beside rdflib's own engine.

The graph is made up: pages on many hosts, most of them of little relevance,
links within the host and to popular pages elsewhere, all between visited
pages, which is the most that there can be to do. Timed is everything: the
queries, the iteration, and writing the best scores back; the best of three
rounds counts.

rdflib gets the same triples in memory and the texts of the same two queries,
followed by the same iteration; it runs in a process of its own and is stopped
after a while; CPU is compared with CPU. Because it suffers from the VALUES
line that holds a parameter, it is also given the edges' query with the number
written into the filter.

    python -m benchmarks distillation
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyoxigraph as ox
import scipy.sparse  # noqa: F401 - imported when first used otherwise, and then timed

from benchmarks.checks import Check
from semcrawl.graph import SC, CrawlGraph
from semcrawl.graph.queries import find_query
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES, XSD, site_iri
from semcrawl.steering import distill, record
from semcrawl.steering.distiller import edge_weights, find_rho, iterate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["run"]

PAGES, LINKS, HOSTS = 50_000, 1_200_000, 2_000
SECONDS = 15.0
TIMES_RDFLIB = 50.0
ROUNDS = 3
PATIENCE = 120.0
"""Seconds after which rdflib is stopped."""


@dataclass(frozen=True)
class Size:
    """How much is made up."""

    pages: int
    links: int
    hosts: int

    def over(self, divisor: int) -> Size:
        return Size(self.pages // divisor, self.links // divisor, self.hosts // divisor)


def run(*, quick: bool) -> list[Check]:
    """Distill the whole graph on disk, then a tenth of it here and with rdflib."""
    size = Size(PAGES, LINKS, HOSTS).over(10 if quick else 1)
    with tempfile.TemporaryDirectory() as folder:
        seconds, _ = _distill(Path(folder) / "whole", size)
        _, cpu = _distill(Path(folder) / "tenth", size.over(10))
        triples = Path(folder) / "tenth.nt"
        same, is_done = _rdflib(triples, "as it is")
        suited, suited_is_done = _rdflib(triples, "as suits rdflib")
    for name, taken, done in (("the same texts", same, is_done), ("ρ in the filter", suited, suited_is_done)):
        least = "" if done else "stopped after "
        print(f"  rdflib, {name}: {least}{taken:.2f} s of CPU, {taken / cpu:.0f} times ours")
    return [
        Check("distillation in all", seconds, "at most", SECONDS, " s"),
        Check("rdflib's CPU as a multiple of ours", same / cpu, "at least", TIMES_RDFLIB),
    ]


def _distill(place: Path, size: Size) -> tuple[float, float]:
    """Seconds by the clock and of CPU that distilling and writing back take at best."""
    triples = place.with_suffix(".nt")
    with triples.open("w", encoding="utf-8") as file:
        links = _write(file, size)
    store = OxigraphStore(place)
    store.raw.bulk_load(path=str(triples), format=ox.RdfFormat.N_TRIPLES)
    store.flush()
    graph = CrawlGraph(store)
    print(f"{size.pages:,} pages, {links:,} links, {size.hosts:,} hosts on disk")
    rounds = [_one_round(graph) for _ in range(ROUNDS)]
    graph.close()
    return min(seconds for seconds, _ in rounds), min(cpu for _, cpu in rounds)


def _one_round(graph: CrawlGraph) -> tuple[float, float]:
    start, start_cpu = time.perf_counter(), time.process_time()
    found = distill(graph)
    middle, middle_cpu = time.perf_counter(), time.process_time()
    written = record(graph, found)
    end, end_cpu = time.perf_counter(), time.process_time()
    print(
        f"  {found.edges:,} edges, {found.rounds} rounds, in all {end - start:.2f} s "
        f"({end_cpu - start_cpu:.2f} s of CPU); of that writing {written:,} scores "
        f"{(end - middle) * 1e3:.0f} ms ({(end_cpu - middle_cpu) * 1e3:.0f} ms of CPU)"
    )
    return end - start, end_cpu - start_cpu


def _write(file: Any, size: Size) -> int:
    """Write the triples of a made-up crawl; the number of different links."""
    chance = np.random.default_rng(3)
    hosts = (size.hosts * chance.random(size.pages) ** 2).astype(np.int64)
    relevance = chance.beta(0.3, 2.0, size.pages)
    urls = [
        f"<http://www.site{host}.test/articles/{number % 97}/page-{number}.html>" for number, host in enumerate(hosts)
    ]
    for number, url in enumerate(urls):
        file.write(
            f'{url} <{SC}relevance> "{relevance[number]:.6f}"^^<{XSD}decimal> .\n'
            f'{url} <{SC}step> "{number + 1}"^^<{XSD}integer> .\n'
            f"{url} <{SC}site> <{site_iri(f'www.site{hosts[number]}.test')}> .\n"
        )
    links = _links(size, hosts, chance)
    file.writelines(f"{urls[u]} <{SC}linksTo> {urls[v]} .\n" for u, v in links)
    return len(links)


def _links(size: Size, hosts: NDArray[np.int64], chance: np.random.Generator) -> list[tuple[int, int]]:
    """Different links: two of five within the host, the others rather to popular pages."""
    wanted = size.links
    popular = chance.permutation(size.pages)
    by_host = np.argsort(hosts, kind="stable")
    first = np.searchsorted(hosts[by_host], np.arange(size.hosts))
    counts = np.bincount(hosts, minlength=size.hosts)
    found: dict[tuple[int, int], None] = {}
    while len(found) < wanted:
        sources = chance.integers(0, size.pages, wanted)
        near = first[hosts[sources]] + (chance.random(wanted) * counts[hosts[sources]]).astype(int)
        far = (size.pages * chance.random(wanted) ** 2).astype(int)
        targets = np.where(chance.random(wanted) < 0.4, by_host[near], popular[far])
        found.update(dict.fromkeys(zip(sources.tolist(), targets.tolist(), strict=True)))
    return list(found)[:wanted]


def _rdflib(triples: Path, form: str) -> tuple[float, bool]:
    """Seconds of CPU that rdflib takes, and whether it came to an end."""
    command = [sys.executable, "-m", "benchmarks.distillation", str(triples), form]
    before = _cpu_of_children()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        loading = float(process.stdout.readline())
        try:
            told, _ = process.communicate(timeout=PATIENCE)
            return float(told) - loading, True
        except subprocess.TimeoutExpired:
            process.kill()
    return _cpu_of_children() - before - loading, False


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _with_rdflib(triples: str, form: str) -> None:
    """In a process of its own: load, compute, and say after each how much CPU it took so far."""
    import rdflib

    graph = rdflib.Graph().parse(triples, format="nt")
    print(time.process_time(), flush=True)
    rows: list[Any] = list(graph.query(find_query("judged-pages").bind(), initNs=PREFIXES))
    numbers = {row[0]: number for number, row in enumerate(rows)}
    relevance = np.array([float(row[1]) for row in rows])
    _, sites = np.unique(np.array([str(row[2]) for row in rows]), return_inverse=True)
    text = find_query("distill/edges").bind({"rho": find_rho(relevance, 0.15)})
    if form != "as it is":
        text = _constant(text)
    edges = list(_numbered(graph.query(text, initNs=PREFIXES), numbers))
    sources, targets = np.array(edges, dtype=np.int64).T
    crossing = sites[sources] != sites[targets]
    kept = sources[crossing], targets[crossing]
    iterate(kept, edge_weights(kept, relevance, sites), len(rows), 50)
    print(time.process_time())


def _constant(text: str) -> str:
    """The query with the number of its VALUES line in the filter instead."""
    number = re.search(r"VALUES \?rho \{ (\S+) \}\n", text)
    assert number
    return text.replace(number[0], "\n").replace("> ?rho", f"> {number[1]}")


def _numbered(answer: Any, numbers: dict[Any, int]) -> Iterator[tuple[int, int]]:
    for source, target in answer:
        yield numbers[source], numbers[target]


if __name__ == "__main__":
    _with_rdflib(*sys.argv[1:])
