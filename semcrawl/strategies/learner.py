"""What strategies that learn or remember share; the crawl knows nothing else of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from semcrawl.strategies.strategy import JudgedPage

__all__ = ["Learner"]


class Learner:
    """Inherit from this, and replace what the strategy needs.

    Whatever a strategy knows beyond the page at hand must survive the end of
    its process at any moment. There are two places for it: a note that is kept
    with each page, in the page's own transaction, and a folder of its own.
    """

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Called once, before the first page.

        Args:
            folder: where the strategy may keep its memory; None for a crawl in memory.
            visited: the relevance of the pages of earlier runs, by URL.
        """

    def note(self, judged: JudgedPage) -> str:  # noqa: ARG002
        """What to keep with a page; pages found on it are given it as ``judged.memo``."""
        return ""

    def observe(self, judged: JudgedPage) -> None:
        """A page was visited, and its links ranked."""

    def revise(self) -> Mapping[str, float]:
        """New priorities for waiting URLs; asked after every page, mostly empty.

        Asked once before the first page, too: a strategy that had just learnt
        when its process ended says it again, for it may not have been heard.
        """
        return {}

    def close(self) -> None:
        """The crawl ends; let go of files."""
