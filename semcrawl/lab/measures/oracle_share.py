"""How much of what is possible was found: against a crawler that sees the labels."""

from __future__ import annotations

from itertools import accumulate, chain, islice, repeat
from typing import TYPE_CHECKING

from semcrawl.lab.measures.harvest import on_topic

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["harvest_area", "oracle_share"]


def oracle_share(hits: Sequence[bool], oracle: Sequence[bool], pages: int) -> float | None:
    """Return the on-topic pages among the first ``pages``, as a share of the oracle's.

    >>> oracle_share([True, False, False, False], [True, True, True, True], pages=4)
    0.25
    >>> oracle_share([True], [False], pages=1) is None
    True
    """
    most = on_topic(oracle, pages)
    return on_topic(hits, pages) / most if most else None


def harvest_area(hits: Sequence[bool], oracle: Sequence[bool], pages: int) -> float | None:
    """Return the area under the curve of on-topic pages found, as a share of the oracle's.

    The curve has a step for each page; where a crawl has ended it goes on level.

    >>> harvest_area([False, True, True], [True, True, True], pages=3)
    0.5
    >>> harvest_area([True], [True, True], pages=2)
    0.6666666666666666
    """
    most = _area(oracle, pages)
    return _area(hits, pages) / most if most else None


def _area(hits: Sequence[bool], pages: int) -> int:
    return sum(accumulate(islice(chain(hits, repeat(False)), pages)))
