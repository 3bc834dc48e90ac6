"""What ``semcrawl watch`` shows at one moment, read from a crawl's graph."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.cli.status import state_of
from semcrawl.graph import CrawlGraph

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Frame", "Hub", "LatestPage", "SeenAlarm", "take_frame"]

DEFAULT_WINDOW = 100
"""Pages that the moving average covers where neither the user nor the crawl says."""

PLOTTED_WINDOWS = 3
"""How many windows of pages the plot shows."""

_MOST_HUBS = 5
_MOST_CONCEPTS = 20


@dataclass(frozen=True, slots=True)
class LatestPage:
    """A page that was visited of late."""

    step: int
    relevance: float
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class SeenAlarm:
    """An alarm as it stands in the graph; it lasts while ``ended`` is None."""

    kind: str
    raised: int
    ended: int | None
    note: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A page that the distiller found to lead to many good ones."""

    score: float
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A crawl at one moment. ``latest`` has the oldest page first."""

    name: str
    state: str
    running: bool
    threshold: float
    window: int
    pages: int
    relevant: int
    waiting: int
    hosts: int
    latest: tuple[LatestPage, ...]
    alarms: tuple[SeenAlarm, ...]
    census: tuple[tuple[str, int], ...]
    hubs: tuple[Hub, ...]
    taken_at: float

    def pages_per_second(self, before: Frame | None) -> float | None:
        """Pages visited per second since an earlier frame; None without one."""
        if before is None or self.taken_at <= before.taken_at:
            return None
        return (self.pages - before.pages) / (self.taken_at - before.taken_at)


def take_frame(folder: Path, window: int | None = None) -> Frame:
    """Read a crawl as it is now; a snapshot that this takes is gone when it returns.

    Raises:
        NotACrawlError: the folder holds no crawl.
        CrawlLockedError: the process that has the crawl open does not answer.
    """
    with CrawlGraph.read(folder) as graph:
        about = graph.describe()
        size = window or json.loads(about.settings).get("alarm_window") or DEFAULT_WINDOW
        figures = next(iter(graph.query("monitor/progress", threshold=about.threshold)))
        return Frame(
            name=about.name,
            state=state_of(about.stopped, running=graph.is_snapshot),
            running=graph.is_snapshot,
            threshold=about.threshold,
            window=size,
            pages=figures["pages"],
            relevant=figures["relevant"],
            waiting=figures["waiting"],
            hosts=figures["hosts"],
            latest=_latest(graph, figures["pages"], (PLOTTED_WINDOWS + 1) * size),
            alarms=_alarms(graph),
            census=_census(graph),
            hubs=_hubs(graph),
            taken_at=time.monotonic(),
        )


def _latest(graph: CrawlGraph, pages: int, number: int) -> tuple[LatestPage, ...]:
    rows = graph.query("monitor/latest", after=max(0, pages - number), limit=number)
    # A concept with labels in several languages gives its pages several rows.
    found = {
        row["step"]: LatestPage(row["step"], row["relevance"], row["title"] or "", row["url"])
        for row in rows
    }
    return tuple(found[step] for step in sorted(found))


def _alarms(graph: CrawlGraph) -> tuple[SeenAlarm, ...]:
    return tuple(
        SeenAlarm(row["kind"].rpartition("#")[2].lower(), row["raised"], row["ended"], row["note"])
        for row in graph.query("monitor/alarms")
    )


def _census(graph: CrawlGraph) -> tuple[tuple[str, int], ...]:
    """The concepts that most pages fit best, by label or, without one, by the end of the IRI."""
    found: dict[str, tuple[str, int]] = {}
    for row in graph.query("analyse/census", limit=_MOST_CONCEPTS):
        label = row["label"] or re.split(r"[#/]", row["concept"].rstrip("#/"))[-1]
        found.setdefault(row["concept"], (label, row["pages"]))
    return tuple(found.values())


def _hubs(graph: CrawlGraph) -> tuple[Hub, ...]:
    rows = graph.query("distill/best-hubs", limit=_MOST_HUBS)
    return tuple(Hub(row["score"], row["title"] or "", row["url"]) for row in rows)
