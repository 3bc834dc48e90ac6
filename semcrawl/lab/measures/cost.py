"""What a found page costs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from semcrawl.lab.measures.harvest import on_topic

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["bytes_per_relevant", "cpu_per_relevant"]


def cpu_per_relevant(hits: Sequence[bool], pages: int, cpu_per_page: float) -> float | None:
    """Return the seconds of CPU for each on-topic page among the first ``pages``.

    >>> cpu_per_relevant([True, False, False, True], pages=4, cpu_per_page=0.25)
    0.5
    >>> cpu_per_relevant([False], pages=1, cpu_per_page=0.25) is None
    True
    """
    found = on_topic(hits, pages)
    return cpu_per_page * min(pages, len(hits)) / found if found else None


def bytes_per_relevant(hits: Sequence[bool], sizes: Sequence[int], pages: int) -> float | None:
    """Return the bytes for each on-topic page among the first ``pages``.

    >>> bytes_per_relevant([True, False, True], [100, 300, 200], pages=2)
    400.0
    """
    found = on_topic(hits, pages)
    return sum(islice(sizes, pages)) / found if found else None
