"""What a strategy is, what it is told of a page, and the registry of strategies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from semcrawl.page import Page
from semcrawl.registry import Completed, Registry, require_members
from semcrawl.relevance.judges import SharesLearning


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page as its links are ranked; ``found_on`` led here, with its ``memo``; a seed has neither."""

    page: Page
    relevance: float
    depth: int
    concept: str | None = None
    log_relevance: float | None = None
    on_topic: bool = True  # by the judge, else by the crawl's threshold
    found_on: str | None = None
    fetch_priority: float = 1.0  # what the page was picked with
    memo: str = ""
    classes: tuple[str, ...] = ()  # that fit it best, the best first; the judge may know none


class Strategy(Protocol):
    """What every strategy must have; :func:`as_strategy` adds the rest (:class:`BaseStrategy`)."""

    batch: int

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return one priority for each link of ``judged.page.links``, in order."""
        ...


class BaseStrategy(SharesLearning):
    """Gives every out-link of a judged page its priority before it is fetched; the base of ours.

    It is built with whichever of ``topic``, ``background``, ``judge`` and ``seeds`` its
    constructor names, and its own options, and called from one thread only. Higher priorities
    are fetched first; of several links to one URL the best counts.
    """

    batch: int = 1  # how many URLs are picked at a time
    ordering: str = "found"  # of equal priorities; or "load": the least visited host first
    rotation: int = 0  # picks between two of one host where the crawl's settings give none
    patience: float = 0.0  # as the setting, where the crawl has none
    learns: ClassVar[bool] = False  # else the methods below rank are not called
    asks_origin: ClassVar[bool] = True  # else judged.found_on and judged.memo are not looked up
    restates: ClassVar[bool] = False  # revise says all priorities again after begin

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return a finite priority for each link, in order; None for one not to follow."""
        raise NotImplementedError

    def rank_list(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return the same for a sitemap or feed, which is no page: nothing is learnt from it."""
        return self.rank(judged)

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Prepare; ``folder`` (None: in memory) is for its memory, ``visited`` relevance by URL."""

    def note(self, judged: JudgedPage) -> str:  # noqa: ARG002
        """Return what to keep with a page; pages found on it get it as ``judged.memo``."""
        return ""

    def observe(self, judged: JudgedPage) -> None:
        """Learn from a page that was visited and whose links were ranked."""

    def missed(self, url: str, reason: str) -> None:
        """A picked URL gave no page, by a DropReason or ``Redirect``; told before it is written."""

    def rejudged(self, relevances: Mapping[str, float]) -> None:
        """Visited pages have other relevances now, by URL: the judge has learnt."""

    def revise(self) -> Mapping[str, float]:
        """Return new priorities for waiting URLs; asked after every page, and before the first.

        What was said last before a process ended may be lost, and is said again. One that ``restates`` says everything
        that it ever said of waiting URLs again when it is first asked after `begin`: then the graph may learn of many
        new priorities later, which makes them cheap. Without a kill nothing is lost.
        """
        return {}

    def close(self) -> None:
        """Close files; the crawl ends."""


class Learner(BaseStrategy):
    """A strategy that learns or remembers.

    What it knows must survive the end of its process at any moment: in notes of pages, which
    are part of a page's transaction, or in its folder.
    """

    def rank_list(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return 0 for each: nothing is known of links that stand on no page."""
        return [0.0] * len(judged.page.links)

    learns = True


class _CompletedStrategy(Completed, BaseStrategy):
    def __init__(self, part: Any) -> None:
        super().__init__(part)
        self.batch = part.batch
        self.ordering = getattr(part, "ordering", self.ordering)
        self.rotation = getattr(part, "rotation", self.rotation)
        self.patience = getattr(part, "patience", self.patience)

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        found: Sequence[float | None] = self._part.rank(judged)
        return found


def as_strategy(part: Strategy) -> BaseStrategy:
    """Return a user's strategy with defaults for what it lacks; ConfigError if it cannot rank."""
    if isinstance(part, BaseStrategy):
        return part
    require_members("strategy", part, ("rank", "batch"))
    return _CompletedStrategy(part)


STRATEGIES = Registry(
    "strategy", "semcrawl.strategies", frozenset({"topic", "background", "judge", "seeds"}), as_strategy
)
