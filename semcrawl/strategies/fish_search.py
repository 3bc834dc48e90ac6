"""Fish-Search: a school of fish that thrives where there is food and dies out where not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.strategies.learner import Learner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.strategies.strategy import JudgedPage

__all__ = ["FishSearch", "depth_left", "potentials"]

_LONGEST_MEMO = 9


def potentials(children: int, *, relevant: bool, width: int, stretch: float = 1.5) -> list[float]:
    """The scores of a page's children in order (De Bra, Post 1994; Hersovici 1998, figure 1).

    Of a relevant page the first stretch · width have 1, of another the first
    width have 0.5, and the rest 0.

    >>> potentials(4, relevant=True, width=2)
    [1.0, 1.0, 1.0, 0.0]
    >>> potentials(4, relevant=False, width=2)
    [0.5, 0.5, 0.0, 0.0]
    """
    first, score = (int(stretch * width), 1.0) if relevant else (width, 0.5)
    return [score if number < first else 0.0 for number in range(children)]


def depth_left(depth: int, *, relevant: bool, full: int) -> int:
    """The depth of a page's children: full behind a relevant page, else one less than its own.

    >>> depth_left(2, relevant=False, full=5), depth_left(2, relevant=True, full=5)
    (1, 5)
    """
    return full if relevant else max(depth - 1, 0)


class FishSearch(Learner):
    """Children of relevant pages first, few of others, none far from food (De Bra, Post 1994).

    How deep a page may still be expanded is kept with the page on which it was
    first found, so that it survives a stop of the crawl.

    Args:
        width: how many links of an irrelevant page are followed for its sake.
        depth: how many pages may follow each other, the last unexpanded, behind one that
            is relevant or a seed.
        stretch: how many times more links of a relevant page are followed.
        threshold: the relevance from which on a page is relevant; below 0 it is the crawl's.
    """

    batch = 1

    def __init__(
        self, width: int = 10, depth: int = 3, stretch: float = 1.5, threshold: float = -1.0
    ) -> None:
        if width < 1 or depth < 1 or not 0.0 <= stretch < 1e6:
            raise ConfigError(
                f"fish-search: width={width}, depth={depth}, stretch={stretch:g}: width and depth "
                "must be 1 or more, stretch a number of 0 or more"
            )
        if not threshold <= 1.0:  # nor is NaN
            raise ConfigError(
                f"fish-search: threshold={threshold:g} is no relevance: give a number from 0 to 1, "
                "or leave it out for the crawl's"
            )
        self._width = width
        self._depth = depth
        self._stretch = stretch
        self._threshold = threshold

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """1, 0.5 or 0 by the place of each link; None where the fish has died."""
        links = judged.page.links
        if self._depth_of(judged) < 1:
            return [None] * len(links)
        children = dict.fromkeys(link.url for link in links)
        scores = potentials(
            len(children),
            relevant=self._is_relevant(judged),
            width=self._width,
            stretch=self._stretch,
        )
        score_of = dict(zip(children, scores, strict=True))
        return [score_of[link.url] for link in links]

    def note(self, judged: JudgedPage) -> str:
        """The depth of the page's children."""
        own = self._depth_of(judged)
        return str(depth_left(own, relevant=self._is_relevant(judged), full=self._depth))

    def _is_relevant(self, judged: JudgedPage) -> bool:
        if self._threshold < 0:
            return judged.on_topic
        return judged.relevance >= self._threshold

    def _depth_of(self, judged: JudgedPage) -> int:
        """A seed has the full depth, and so has a page that another strategy has found."""
        memo = judged.memo
        written = memo.isascii() and memo.isdecimal() and len(memo) < _LONGEST_MEMO
        return min(int(memo), self._depth) if written else self._depth
