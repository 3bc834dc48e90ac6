"""The Strategy protocol and the registry of strategies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from semcrawl.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from semcrawl.page import Page


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page with what the crawl knows of it when its links are ranked.

    ``log_relevance`` is the natural logarithm of the relevance, where the judge
    works with probabilities too small for a plain number. ``on_topic`` is the
    judge's own word, or whether the page reaches the crawl's threshold.
    ``found_on`` is the URL that led here and ``memo`` what the strategy noted
    for the page that this one was found on; a seed has neither.
    ``fetch_priority`` is what the page was picked with.
    """

    page: Page
    relevance: float
    depth: int
    concept: str | None = None
    log_relevance: float | None = None
    on_topic: bool = True
    found_on: str | None = None
    fetch_priority: float = 1.0
    memo: str = ""


class Strategy(Protocol):
    """Gives every out-link of a judged page its priority before it is fetched.

    A strategy is built with whichever of ``topic``, ``background``, ``judge``
    and ``seeds`` its constructor names, and with its own options. It is called
    from one thread only. Higher priorities are fetched first; equal ones in
    the order in which they were found. Where several links lead to one URL the
    best priority counts.

    ``batch`` is how many URLs are picked at a time: with 1 each new page can
    change what comes next; with N, N pages are fetched before the next choice.
    A strategy may have ``ordering = "load"``: then URLs of equal priority are
    picked from the least visited host, not in the order found.
    """

    batch: int

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """One priority for each link of ``judged.page.links``, in order.

        A finite number, or None for a link that shall not be followed.
        """
        ...


STRATEGIES = Registry(
    "strategy", "semcrawl.strategies", frozenset({"topic", "background", "judge", "seeds"})
)


# What strategies that learn or remember share; the crawl knows nothing else of them.


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
