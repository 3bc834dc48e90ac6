"""PageRank ordering: the URL with the highest PageRank among the links seen so far comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.strategies.learner import Learner
from semcrawl.strategies.seen_links import SeenLinks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from semcrawl.strategies.strategy import JudgedPage

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["PageRank", "page_ranks"]

_ROUNDS = 100
_CLOSE = 1e-5
_NOTICEABLE = 0.01
"""A change by less than a hundredth is not worth telling the frontier."""


def page_ranks(
    sources: Ints, targets: Ints, size: int, *, damping: float = 0.9, start: Floats | None = None
) -> Floats:
    """The PageRank of ``size`` pages: (1 - d) + d · sum of rank / links (Cho et al. 1998, IR).

    The mean rank is 1. A page without links shares its rank among all pages.
    ``start`` is where to begin, such as the ranks of the last time.

    >>> a, b, c = 0, 1, 2
    >>> ranks = page_ranks(np.array([a, a, b, c]), np.array([b, c, c, a]), 3, damping=0.5)
    >>> (ranks * 13).round(3).tolist()
    [14.0, 10.0, 15.0]
    """
    links = np.bincount(sources, minlength=size)
    ends = links == 0
    share = 1.0 / np.maximum(links, 1)[sources]
    ranks = np.ones(size) if start is None else start * (size / start.sum())
    for _ in range(_ROUNDS):
        flow = np.bincount(targets, weights=ranks[sources] * share, minlength=size)
        new = (1.0 - damping) + damping * (flow + ranks[ends].sum() / size)
        moved = float(np.abs(new - ranks).max(initial=0.0))
        ranks = new
        if moved < _CLOSE:
            break
    return ranks


class PageRank(Learner):
    """Links by their target's PageRank over the links seen so far (Cho et al. 1998, IR').

    The ranks are worked out anew every so many pages. In between, a link adds
    its share of its page's rank to what its target has already. No focus: the
    topic plays no part.

    Args:
        every: after how many pages the ranks are worked out; once there are ten times as many,
            with every tenth more, or it would come to cost more than the crawl.
        damping: how likely a surfer is to follow a link; 0.9 in the paper.
    """

    batch = 1

    def __init__(self, every: int = 100, damping: float = 0.9) -> None:
        if every < 1 or not 0.0 <= damping < 1.0:
            raise ConfigError(
                f"pagerank: every={every}, damping={damping:g}: every must be 1 or more, "
                "damping from 0 to below 1"
            )
        self._every = every
        self._damping = damping
        self._seen = SeenLinks()
        self._visited: set[str] = set()
        self._ranks: Floats = np.empty(0)
        # What has been said of each URL since its rank was worked out, by number.
        self._given: dict[int, float] = {}
        self._due = every

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Take up the links of earlier runs."""
        if folder is None:
            return
        stored = SeenLinks()
        stored.open(folder)
        # Page by page, with the ranks worked out when they were: what waits was told so.
        for url, targets in stored.pages():
            if self._due <= 0:
                self._due = self._pause()
                self._work_out()
            self._see(url, targets)
        # A round that was due with the last page is told once more: it may have been cut off.
        self._seen = stored
        self._visited.update(visited)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """For each link what its target has already, and the share that this page adds."""
        scores = self._scores(judged.page.url, [link.url for link in judged.page.links])
        return [scores[link.url] for link in judged.page.links]

    def observe(self, judged: JudgedPage) -> None:
        """Remember the page's links, with what :meth:`rank` has said of them."""
        self._see(judged.page.url, [link.url for link in judged.page.links])

    def _scores(self, page: str, targets: Sequence[str]) -> dict[str, float]:
        urls = dict.fromkeys(targets)
        known = page in self._seen
        added = 0.0 if known else self._damping * self._rank_of(page) / max(len(urls), 1)
        return {url: self._rank_of(url) + added for url in urls}

    def _see(self, page: str, targets: Sequence[str]) -> None:
        scores = self._scores(page, targets)
        self._visited.add(page)
        if self._seen.add(page, scores):
            self._due -= 1
            for url, score in scores.items():
                number = self._seen.number(url)
                assert number is not None
                self._given[number] = score

    def revise(self) -> Mapping[str, float]:
        """The ranks of waiting URLs that have noticeably changed, when they are worked out."""
        if self._due > 0:
            return {}
        self._due = self._pause()
        before = self._said()
        self._work_out()
        waiting = np.zeros(len(self._ranks), np.bool_)
        waiting[np.array(self._seen.targets, np.int64)] = True
        # Not so for what was never said: NaN is near to nothing.
        near = np.abs(self._ranks - before) < _NOTICEABLE * before
        urls = self._seen.urls
        changed = np.flatnonzero(waiting & ~near).tolist()
        return {urls[n]: float(self._ranks[n]) for n in changed if urls[n] not in self._visited}

    def close(self) -> None:
        """Let go of the file."""
        self._seen.close()

    def _pause(self) -> int:
        return max(self._every, len(self._seen) // 10)

    def _said(self) -> Floats:
        """The priority that each URL has, by number; NaN where that is not known."""
        said = np.full(len(self._seen.urls), np.nan)
        said[: len(self._ranks)] = self._ranks
        said[list(self._given)] = list(self._given.values())
        return said

    def _work_out(self) -> None:
        size = len(self._seen.urls)
        start = np.ones(size)
        start[: len(self._ranks)] = self._ranks
        self._ranks = page_ranks(
            np.array(self._seen.sources, np.int64),
            np.array(self._seen.targets, np.int64),
            size,
            damping=self._damping,
            start=start,
        )
        self._given.clear()

    def _rank_of(self, url: str) -> float:
        """What was said of a URL since, else its last rank, else what every page has."""
        number = self._seen.number(url)
        if number is None:
            return 1.0 - self._damping
        if number in self._given:
            return self._given[number]
        return float(self._ranks[number]) if number < len(self._ranks) else 1.0 - self._damping
