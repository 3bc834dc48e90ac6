"""How many of the fetched pages are on topic.

``hits`` says of each page of a crawl, in the order of visits and without those
left out, whether it is on topic; ``pages`` is the N of "the first N pages". A
crawl with fewer pages has missed the rest.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["first_relevant", "harvest_rate", "loss", "on_topic", "target_recall"]


def on_topic(hits: Sequence[bool], pages: int) -> int:
    """Return how many of the first ``pages`` are on topic.

    >>> on_topic([True, False, True, True], pages=3)
    2
    """
    return sum(islice(hits, pages))


def harvest_rate(hits: Sequence[bool], pages: int) -> float:
    """Return the share of the first ``pages`` that are on topic (Chakrabarti 2002, section 1).

    The paper sums up Pr(c*|v); with labels, that is 1 or 0. Pages never
    fetched count as misses.

    >>> harvest_rate([True, False, True, True], pages=4)
    0.75
    >>> harvest_rate([True, False, True, True], pages=10)
    0.3
    """
    return on_topic(hits, pages) / pages if pages else 0.0


def loss(hits: Sequence[bool], pages: int) -> float:
    """Return one minus the harvest rate (Chakrabarti 2002, section 1).

    >>> loss([True, False, True, True], pages=4)
    0.25
    """
    return 1.0 - harvest_rate(hits, pages)


def target_recall(hits: Sequence[bool], pages: int, targets: int) -> float | None:
    """Return the share of all ``targets`` among the first ``pages`` (Pant, Menczer 2003, eq. 4).

    >>> target_recall([True, False, True, True], pages=3, targets=8)
    0.25
    >>> target_recall([], pages=3, targets=0) is None
    True
    """
    return on_topic(hits, pages) / targets if targets else None


def first_relevant(hits: Sequence[bool], pages: int) -> int:
    """Return the number of the first on-topic page, from 1; ``pages + 1`` for none.

    >>> first_relevant([False, False, True], pages=10)
    3
    >>> first_relevant([False, False, True], pages=2)
    3
    >>> first_relevant([], pages=10)
    11
    """
    numbered = enumerate(islice(hits, pages), start=1)
    return next((number for number, hit in numbered if hit), pages + 1)
