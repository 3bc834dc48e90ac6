"""Pages and links out of the crawl graph, as arrays of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from semcrawl.graph import Answer, CrawlGraph

__all__ = ["LEAST_SHARE", "JudgedPages", "Links", "read_links", "read_pages"]

LEAST_SHARE = 1e-6
"""A score below this share of the best of its kind says nothing: it fades round by round."""

Links = tuple["NDArray[np.int64]", "NDArray[np.int64]"]
"""Sources and targets, as numbers of pages; one pair a link."""


@dataclass(frozen=True, slots=True)
class JudgedPages:
    """The visited pages, numbered: URL, relevance, and the number of the site of each."""

    urls: list[str]
    relevance: NDArray[np.float64]
    sites: NDArray[np.int64]
    numbers: dict[str, int]

    def __len__(self) -> int:
        return len(self.urls)

    def ranked(self, scores: NDArray[np.float64]) -> dict[str, float]:
        """The scores by URL, best first, equal ones in the order of their URLs.

        Those below ``LEAST_SHARE`` of the best are left out, and so is 0.
        """
        least = LEAST_SHARE * scores.max(initial=0.0)
        kept = np.flatnonzero((scores > 0) & (scores >= least))
        found = [(-float(scores[n]), self.urls[n]) for n in kept]
        return {url: -negative for negative, url in sorted(found)}


def read_pages(graph: CrawlGraph) -> JudgedPages:
    """All visited pages, by ``distill/judged-pages``."""
    answer = graph.query("distill/judged-pages")
    url, relevance, site = _places(answer, "url", "relevance", "site")
    numbers: dict[str, int] = {}
    sites: dict[str, int] = {}
    judged: list[tuple[float, int]] = []
    for row in answer.rows:
        if numbers.setdefault(_text(row[url]), len(judged)) == len(judged):
            judged.append((_number(row[relevance]), sites.setdefault(_text(row[site]), len(sites))))
    return JudgedPages(
        list(numbers),
        np.array([page[0] for page in judged], dtype=np.float64),
        np.array([page[1] for page in judged], dtype=np.int64),
        numbers,
    )


def read_links(graph: CrawlGraph, pages: JudgedPages, query: str, **values: object) -> Links:
    """The links that a query finds between visited pages, each once."""
    answer = graph.query(query, **values)
    source, target = _places(answer, "source", "target")
    number = pages.numbers.get
    pairs = (
        (number(_text(row[source]), -1), number(_text(row[target]), -1)) for row in answer.rows
    )
    # One number a link: the store gives a link once, a query of the user's own perhaps not.
    keys = [u * len(pages) + v for u, v in pairs if u >= 0 and v >= 0]
    found = np.unique(np.array(keys, dtype=np.int64))
    return found // max(len(pages), 1), found % max(len(pages), 1)


def _places(answer: Answer, *names: str) -> Sequence[int]:
    missing = [name for name in names if name not in answer.variables]
    if missing:
        raise QueryError(
            f"the query of the distiller gives no ?{missing[0]}: "
            f"it must give {', '.join('?' + name for name in names)}"
        )
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
