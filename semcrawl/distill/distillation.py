"""What a distillation comes to, as plain data that goes through a pipe or into a file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice

__all__ = ["ACROSS", "METHODS", "Distillation"]

METHODS = ("hits", "pagerank", "in-degree")
"""How pages are scored: hubs and authorities, or one of two ways to compare them with."""

ACROSS = ("hosts", "pages")
"""Which links count: those between hosts, or all between pages."""


@dataclass(frozen=True, slots=True)
class Distillation:
    """Scores of pages, best first.

    Pages with no score, or one below a millionth of the best of its kind, are not
    there: a group of pages that loses to another one fades with every round, and
    what is left of it tells how many rounds there were. PageRank and in-degree
    know no hubs; their scores are the ``authorities``. All is plain data: it can
    be pickled, and written and read by msgspec.

    Attributes:
        method: ``hits``, ``pagerank`` or ``in-degree``.
        hubs: hub scores by URL; over all pages they add up to one.
        authorities: authority scores by URL; so do they, and PageRanks.
        rho: the relevance that authorities exceed (``hits`` only).
        pages: how many pages the crawl had visited.
        edges: how many links counted.
        rounds: how many rounds were computed.
        converged: whether the last round changed next to nothing.
        step: the step of the latest page.
    """

    method: str = "hits"
    hubs: dict[str, float] = field(default_factory=dict)
    authorities: dict[str, float] = field(default_factory=dict)
    rho: float = 0.0
    pages: int = 0
    edges: int = 0
    rounds: int = 0
    converged: bool = True
    step: int = 0

    def best(self, count: int) -> Distillation:
        """The same with only the best hubs and authorities.

        >>> Distillation(hubs={"http://a/": 0.75, "http://b/": 0.25}).best(1).hubs
        {'http://a/': 0.75}
        """
        return replace(
            self,
            hubs=dict(islice(self.hubs.items(), count)),
            authorities=dict(islice(self.authorities.items(), count)),
        )

    def __bool__(self) -> bool:
        """Whether any page has a score."""
        return bool(self.hubs or self.authorities)
