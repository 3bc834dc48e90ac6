"""Breadth-first: the crawler that every focused crawler is measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage

__all__ = ["BreadthFirst"]


class BreadthFirst:
    """First found, first fetched: no focus at all (Batsakis 2007, section 3.1)."""

    batch = 1

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The same priority for every link: the frontier keeps equals in the order found."""
        return [0.0] * len(judged.page.links)
