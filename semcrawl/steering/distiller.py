"""Hubs and authorities of a crawl: read from its graph, computed, and written back as scores.

They are weighted by relevance (Chakrabarti et al. 1999, section 3.2).

The edges are the links, between different sites only, from any page to one whose relevance R
exceeds ρ. With h'(u, v), how many pages on the server of u point to v, and a'(u, v), how many
pages on the server of v u points to, a server has one vote::

    a[v] ← Σ h[u] · R[u] / h'(u, v)
    h[u] ← Σ a[v] · R[u] / a'(u, v)

again and again, each scaled to add up to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import ceil

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from semcrawl.arrays import Floats, Ints
from semcrawl.errors import ConfigError, QueryError
from semcrawl.graph import Answer, Changes, CrawlGraph, require_graph
from semcrawl.graph.columns import CRAWL, PAGE
from semcrawl.graph.vocabulary import iri

DAMPING = 0.85
TOLERANCE = 1e-9  # a round whose scores differ less in all from those before is the last

METHODS = ("hits", "pagerank", "in-degree")

ACROSS = ("hosts", "pages")  # which links count: those between hosts, or all between pages


class Distillation(Struct, frozen=True):
    """Scores of pages, best first.

    Scores other than in-degrees add up to one. PageRank and in-degree know no hubs. Pages with
    less than a millionth of the best score are left out: such scores fade with every round.
    """

    method: str = "hits"
    hubs: dict[str, float] = {}
    authorities: dict[str, float] = {}
    rho: float = 0.0  # the relevance that authorities exceed (hits only)
    pages: int = 0
    edges: int = 0
    rounds: int = 0
    converged: bool = True
    step: int = 0  # of the latest page

    def best(self, count: int) -> Distillation:
        """The same with only the best hubs and authorities.

        >>> Distillation(hubs={"http://a/": 0.75, "http://b/": 0.25}).best(1).hubs
        {'http://a/': 0.75}
        """
        return replace(
            self, hubs=dict(islice(self.hubs.items(), count)), authorities=dict(islice(self.authorities.items(), count))
        )

    def __bool__(self) -> bool:
        return bool(self.hubs or self.authorities)


def distill(
    graph: CrawlGraph, method: str = "hits", share: float = 0.15, rounds: int = 50, across: str = "hosts"
) -> Distillation:
    """Find the best hubs and authorities among the visited pages; nothing is written.

    ``hits`` is weighted by relevance (Chakrabarti et al. 1999, section 3.2): the ``share`` of the pages, most relevant
    first, can be authorities. ``across`` tells which links count. Raises ConfigError: an unknown method or kind of
    link, a share that is not above 0 and at most 1, less than one round.
    """
    require_graph(graph)
    for name, value, known in (("method", method, METHODS), ("across", across, ACROSS)):
        if value not in known:
            raise ConfigError(f"{name} {value!r} is unknown: choose one of {', '.join(known)}")
    if not 0 < share <= 1:
        raise ConfigError(f"share {share} is out of range: give a number above 0 and at most 1")
    if rounds < 1:
        raise ConfigError(f"rounds {rounds} is out of range: give at least 1")
    pages = read_pages(graph)
    if not len(pages):
        return Distillation(method)
    if method == "hits":
        rho = find_rho(pages.relevance, share)
        found = hits(pages, read_links(graph, pages, "distill/edges", rho=rho), rho, rounds, across)
    else:
        links = read_links(graph, pages, "distill/page-links")
        scores, computed, converged = np.bincount(links[1], minlength=len(pages)).astype(np.float64), 0, True
        if method == "pagerank":
            scores, computed, converged = page_rank(links, len(pages), rounds)
        best = pages.ranked(scores)
        found = Distillation(method, authorities=best, edges=len(links[0]), rounds=computed, converged=converged)
    step = max(part.query("distill/last-step").value() or 0 for part in graph.parts)
    return replace(found, pages=len(pages), step=step)


def hits(pages: JudgedPages, links: Links, rho: float, rounds: int, across: str) -> Distillation:
    """Return hubs and authorities of some pages by the links to those more relevant than rho."""
    sources, targets = links
    sites = pages.sites if across == "hosts" else np.arange(len(pages))
    crossing = sites[sources] != sites[targets]
    edges = sources[crossing], targets[crossing]
    scores, computed, converged = iterate(edges, edge_weights(edges, pages.relevance, sites), len(pages), rounds)
    hubs, authorities = map(pages.ranked, scores)
    return Distillation("hits", hubs, authorities, rho, edges=len(edges[0]), rounds=computed, converged=converged)


def record(graph: CrawlGraph, distillation: Distillation, best: int = 1000) -> int:
    """Write the ``best`` scores (0: all), in place of earlier ones of the method; how many."""
    kept = distillation.best(best) if best else distillation
    scores = {
        "hits": {"hub_score": kept.hubs, "authority_score": kept.authorities},
        "pagerank": {"page_rank": kept.authorities},
        "in-degree": {"in_degree": kept.authorities},
    }[kept.method]
    changes = Changes()
    for name, by_url in scores.items():
        column = PAGE[name]
        number = int if column.datatype == "integer" else float
        changes.take_out(quad.triple for quad in graph.store.quads_with(column.iri))
        for url, score in by_url.items():
            changes.state(f"{iri(url)} {column.predicate} {column.term(number(score))}")
    for row in graph.query("SELECT ?id { ?id a sc:Crawl }") if kept.method == "hits" else ():
        changes.remove(row["id"], CRAWL["distilled_at_step"].predicate)
        changes.state(f"{iri(row['id'])} {CRAWL.write(distilled_at_step=kept.step)}")
    graph.apply(changes)
    return sum(map(len, scores.values()))


Links = tuple["Ints", "Ints"]
"""Sources and targets, as numbers of pages; one pair a link."""


class JudgedPages(Struct, frozen=True):
    """The visited pages, numbered: URL, relevance, and the number of the site of each."""

    urls: list[str]
    relevance: Floats
    sites: Ints
    numbers: dict[str, int]

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[str, float, str]]) -> JudgedPages:
        """Number the pages of rows with URL, relevance and site; what comes twice counts once."""
        numbers: dict[str, int] = {}
        sites: dict[str, int] = {}
        judged: list[tuple[float, int]] = []
        for url, relevance, site in rows:
            if numbers.setdefault(url, len(judged)) == len(judged):
                judged.append((relevance, sites.setdefault(site, len(sites))))
        return cls(
            list(numbers),
            np.array([page[0] for page in judged], dtype=np.float64),
            np.array([page[1] for page in judged], dtype=np.int64),
            numbers,
        )

    def __len__(self) -> int:
        return len(self.urls)

    def ranked(self, scores: Floats) -> dict[str, float]:
        """The scores by URL, best first, equal ones in the order of their URLs; without 0."""
        least = 1e-6 * scores.max(initial=0.0)
        kept = np.flatnonzero((scores > 0) & (scores >= least))
        found = [(-float(scores[n]), self.urls[n]) for n in kept]
        return {url: -negative for negative, url in sorted(found)}


def read_pages(graph: CrawlGraph) -> JudgedPages:
    """All visited pages, by ``distill/judged-pages``."""
    return JudgedPages.of_rows(row for part in graph.parts for row in _judged(part))


def _judged(graph: CrawlGraph) -> Iterator[tuple[str, float, str]]:
    answer = graph.query("distill/judged-pages")
    url, relevance, site = _places(answer, "url", "relevance", "site")
    for row in answer.rows:
        yield _text(row[url]), _number(row[relevance]), _text(row[site])


def read_links(graph: CrawlGraph, pages: JudgedPages, query: str, **values: float) -> Links:
    """The links that a query finds between visited pages, each once."""
    if len(graph.parts) == 1:
        return np.divmod(np.unique(_link_keys(graph, pages, query, **values)), max(len(pages), 1))
    # A shard does not know the pages of others: all links are read, one shard after the other.
    keys = [_link_keys(part, pages, "distill/all-links") for part in graph.parts]
    sources, targets = np.divmod(np.unique(np.concatenate(keys)), max(len(pages), 1))
    kept = (pages.relevance[targets] > values.get("rho", -1.0)) & (sources != targets)
    return sources[kept], targets[kept]


def _link_keys(graph: CrawlGraph, pages: JudgedPages, query: str, **values: object) -> Ints:
    answer = graph.query(query, **values)
    source, target = _places(answer, "source", "target")
    number = pages.numbers.get
    pairs = ((number(_text(row[source]), -1), number(_text(row[target]), -1)) for row in answer.rows)
    # One number a link: the store gives a link once, a query of the user's own perhaps not.
    keys = [u * len(pages) + v for u, v in pairs if u >= 0 and v >= 0]
    return np.array(keys, dtype=np.int64)


def _places(answer: Answer, *names: str) -> Sequence[int]:
    if missing := [name for name in names if name not in answer.variables]:
        needed = ", ".join(f"?{name}" for name in names)
        raise QueryError(f"the query of the distiller gives no ?{missing[0]}: it must give {needed}")
    return [answer.variables.index(name) for name in names]


def _text(term: object) -> str:
    return str(getattr(term, "value", term))


def _number(term: object) -> float:
    try:
        return float(_text(term))
    except ValueError:
        raise QueryError(
            f"the relevance of a page is {_text(term)!r}, which is no number: "
            "the distiller needs a number for every page"
        ) from None


def find_rho(relevance: Floats, share: float) -> float:
    """The threshold ρ that a share of the pages exceeds (Chakrabarti et al. 1999, section 3.2).

    Pages that are equally relevant pass together. A page of relevance 0 never passes.

    >>> find_rho(np.array([0.9, 0.5, 0.4, 0.3, 0.2, 0.1]), 0.3)
    0.4
    >>> find_rho(np.array([1.0, 1.0, 1.0, 0.2]), 0.25)
    0.2
    """
    if not relevance.size:
        return 0.0
    # Shares such as 0.07 are not exact: 0.07 of 100 pages are 7, not 8.
    wanted = min(max(ceil(share * relevance.size - 1e-9), 1), relevance.size)
    last = np.sort(relevance)[relevance.size - wanted]
    below = relevance[relevance < last]
    return max(float(below.max()), 0.0) if below.size else 0.0


def edge_weights(edges: Links, relevance: Floats, sites: Ints) -> tuple[Floats, Floats]:
    """R[u]/h'(u, v) and R[u]/a'(u, v) of every edge (Chakrabarti et al. 1999, section 3.2).

    Pages 0 and 1 stand on one site and both point to page 2, alone on its own:

    >>> edges = np.array([0, 1]), np.array([2, 2])
    >>> edge_weights(edges, np.array([0.5, 0.25, 1.0]), np.array([0, 0, 1]))
    (array([0.25 , 0.125]), array([0.5 , 0.25]))
    """
    sources, targets = edges
    pages, servers = len(relevance), int(sites.max(initial=0)) + 1
    pointing = _how_many_alike(sites[sources] * pages + targets)
    pointed_at = _how_many_alike(sources * servers + sites[targets])
    return relevance[sources] / pointing, relevance[sources] / pointed_at


def iterate(edges: Links, weights: tuple[Floats, Floats], pages: int, rounds: int) -> tuple[Floats, int, bool]:
    """Hub and authority scores, the rounds computed, at most ``rounds``, and whether they converged (1999, 3.2).

    >>> edges = np.array([0, 1]), np.array([2, 2])
    >>> scores, *_ = iterate(edges, (np.array([0.75, 0.25]), np.array([0.75, 0.25])), 3, 50)
    >>> scores
    array([[0.75, 0.25, 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    from scipy.sparse import csr_array

    sources, targets = edges
    to_authorities = csr_array((weights[0], (targets, sources)), shape=(pages, pages))
    to_hubs = csr_array((weights[1], (sources, targets)), shape=(pages, pages))

    def step(scores: Floats) -> Floats:
        authorities = _scaled(to_authorities @ scores[0])
        return np.stack([_scaled(to_hubs @ authorities), authorities])

    start = np.zeros((2, pages))
    start[0, sources] = 1.0
    start[0] = _scaled(start[0])
    return _repeated(step, start, rounds)


def _repeated(step: Callable[[Floats], Floats], scores: Floats, rounds: int) -> tuple[Floats, int, bool]:
    """The scores after at most ``rounds``, how many were computed, and whether they converged."""
    for number in range(1, rounds + 1):
        before, scores = scores, step(scores)
        if np.abs(scores - before).sum() < TOLERANCE:
            return scores, number, True
    return scores, rounds, False


def _how_many_alike(keys: Ints) -> Ints:
    _, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return counts[places]


def _scaled(scores: Floats) -> Floats:
    total = scores.sum()
    return scores / total if total > 0 else scores


def page_rank(links: Links, pages: int, rounds: int) -> tuple[Floats, int, bool]:
    """Scores that add up to one, the rounds computed, and whether they converged (Page 1997).

    A walker follows a random link with probability 0.85 and otherwise, or from a page without
    links, goes to any page. Pages 0 and 1 point to each other, so neither is better:

    >>> page_rank((np.array([0, 1]), np.array([1, 0])), 2, 50)
    (array([0.5, 0.5]), 1, True)
    """
    from scipy.sparse import csr_array

    sources, targets = links
    if not pages:
        return np.zeros(0), 0, True
    out = np.bincount(sources, minlength=pages)
    step = csr_array((1.0 / out[sources], (targets, sources)), shape=(pages, pages))

    def walk(scores: Floats) -> Floats:
        spread = (1.0 - DAMPING + DAMPING * scores[out == 0].sum()) / pages
        return np.asarray(DAMPING * (step @ scores) + spread)

    return _repeated(walk, np.full(pages, 1.0 / pages), rounds)
