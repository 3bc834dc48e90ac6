"""Rows of named queries as plain data, for jobs."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pyoxigraph as ox

from semcrawl.errors import QueryError, StoreError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.answers import python_value
from semcrawl.graph.vocabulary import SC, iri
from semcrawl.serve.worker import plain

LONGEST_TITLE = 300
_AT_ONCE = 500
_SENSE = re.compile(r"(?P<lemma>.+)\.[nvasr]\.[0-9]{1,3}")


def cut_title(title: str) -> str:
    """Return a title of at most `LONGEST_TITLE` characters; one that was cut ends with "…".

    >>> cut_title("Asthma"), len(cut_title("a" * 1000))
    ('Asthma', 300)
    """
    return title[: LONGEST_TITLE - 1].rstrip() + "…" if len(title) > LONGEST_TITLE else title


def rows_of(graph: CrawlGraph, query: str, **parameters: object) -> list[dict[str, Any]]:
    """The rows of a named query, titles cut to what the server sends of them; a concept has a label."""
    rows = [{name: plain(value) for name, value in row.items()} for row in graph.query(query, **parameters)]
    for row in rows:
        if isinstance(title := row.get("title"), str):
            row["title"] = cut_title(title)
        if row.get("concept") and "label" in row:
            row["label"] = label_of(row["label"], row["concept"])
    return rows


def by_url(graph: CrawlGraph, query: str, urls: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The rows of a query with a parameter ``url``, for many URLs; the first row of each."""
    found: dict[str, dict[str, Any]] = {}
    for part in _parts(urls):
        for row in rows_of(graph, query, url=part):
            found.setdefault(row["url"], row)
    return found


def targets_of(graph: CrawlGraph, urls: Sequence[str]) -> dict[str, list[str]]:
    """What each of some pages links to; a link that it has twice, twice."""
    found: dict[str, list[str]] = {}
    for part in _parts(urls):
        for url, target in graph.query("serve/targets", url=part).rows:
            found.setdefault(python_value(url), []).append(python_value(target))
    return found


def _parts(urls: Sequence[str]) -> Iterator[list[str]]:
    """The URLs that a query can name, a few hundred at a time."""
    fit = [url for url in urls if is_writable(url)]
    for start in range(0, len(fit), _AT_ONCE):
        yield fit[start : start + _AT_ONCE]


def is_writable(url: str) -> bool:
    """Whether a query can name a URL."""
    try:
        iri(url)
    except QueryError:
        return False
    return True


def url_at_step(graph: CrawlGraph, step: int) -> str | None:
    """The URL of the page of a step, None where there is none (any more)."""
    pattern = None, ox.NamedNode(SC + "step"), ox.Literal(step), ox.DefaultGraph()
    quad = next(iter(graph.store.raw.quads_for_pattern(*pattern)), None)
    return None if quad is None else getattr(quad.subject, "value", None)


def later_pages(graph: CrawlGraph, after: int) -> Iterator[tuple[int, str]]:
    """The steps after a step with their pages, looked up one by one."""
    step, missing = after + 1, 0
    while missing < 20:  # pages that are gone leave gaps
        url = url_at_step(graph, step)
        missing = missing + 1 if url is None else 0
        if url is not None:
            yield step, url
        step += 1


def steps_to_last(found: Collection[int], after: int = 0) -> range:
    """All steps behind one, up to the last that is found; StoreError where that was forged."""
    last = max(found, default=after)
    if last - after > 1000 + 100 * len(found):  # a step is a page, and few are ever taken out
        raise StoreError(f"the graph was not written by a crawl: it has a page with step {last}")
    return range(after + 1, last + 1)


def local_name(iri: str) -> str:
    """The last part of an IRI.

    >>> local_name("https://w3id.org/semcrawl/ns#HttpError")
    'HttpError'
    """
    return re.split(r"[#/]", iri.rstrip("#/"))[-1]


def label_of(label: str | None, concept: str) -> str:
    """Return the label of a concept, or else its WordNet lemma or the last part of its IRI.

    >>> label_of(None, "https://w3id.org/semcrawl/wordnet/respiratory_disease.n.01")
    'respiratory disease'
    >>> label_of("asthma", "http://a.test/c#C12"), label_of(None, "http://a.test/c#C12")
    ('asthma', 'C12')
    """
    if label:
        return label
    name = local_name(concept)
    sense = _SENSE.fullmatch(name)
    return sense["lemma"].replace("_", " ") if sense else name
