"""What the parts of a running crawl share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.crawl.progress import Progress
from semcrawl.web import TrapGuard

if TYPE_CHECKING:
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import Changes, CrawlGraph


@dataclass(slots=True, kw_only=True)
class CrawlState:
    """The settings and the memory of a crawl; each kind of crawl adds its frontier.

    ``threshold`` is the relevance from which on a page counts as relevant.
    ``is_resumed`` says that the graph holds earlier pages.
    """

    settings: Settings
    graph: CrawlGraph
    threshold: float
    progress: Progress = field(default_factory=Progress)
    guard: TrapGuard = field(default_factory=TrapGuard)
    is_resumed: bool = False

    def count_recorded(self) -> None:
        """Take over the figures of earlier runs from the graph."""
        row = next(iter(self.graph.query("monitor/progress", threshold=self.threshold)))
        self.progress.pages = self.progress.pages_before = row["pages"]
        self.progress.relevant = row["relevant"]
        self.progress.hosts = row["hosts"]
        self.is_resumed = True

    def drop(self, changes: Changes, url: str, reason: str, note: str = "") -> None:
        """Count and write down that a URL is given up."""
        self.progress.dropped[reason] += 1
        changes.dropped(url, reason, note)
