"""Backlink-count: the URL that most of the pages seen so far link to comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.strategies.learner import Learner
from semcrawl.strategies.seen_links import SeenLinks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from semcrawl.strategies.strategy import JudgedPage

__all__ = ["BacklinkCount"]


class BacklinkCount(Learner):
    """Links by the number of pages seen so far that link to their target (Cho et al. 1998, IB').

    A count only grows, and of all priorities offered for a URL the best
    counts, so that nothing need be revised. No focus: the topic plays no part.
    """

    batch = 1

    def __init__(self) -> None:
        self._seen = SeenLinks()

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:  # noqa: ARG002
        """Take up the counts of earlier runs."""
        if folder is not None:
            self._seen.open(folder)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """For each link the number of pages with a link to its target, this page included."""
        page = judged.page
        this = 0 if page.url in self._seen else 1
        return [float(self._seen.in_links(link.url) + this) for link in page.links]

    def observe(self, judged: JudgedPage) -> None:
        """Count the page's links."""
        self._seen.add(judged.page.url, (link.url for link in judged.page.links))

    def close(self) -> None:
        """Let go of the file."""
        self._seen.close()
