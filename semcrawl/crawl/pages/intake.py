"""The intake: which of the URLs that a page links to enter the frontier, and why others do not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.crawl.settings import Scope
from semcrawl.graph import FoundUrl
from semcrawl.web.response import DropReason
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.crawl.frontier import Frontier
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import Changes
    from semcrawl.web import TrapGuard

SECOND_CHANCE = frozenset(
    {DropReason.DROPPED_BY_POLICY, DropReason.FRONTIER_FULL, DropReason.TOO_DEEP}
)
"""Reasons that a better link to the same URL can undo."""


@dataclass(slots=True)
class KnownUrls:
    """What is known of URLs that do not wait in the frontier.

    ``settled`` need no visit any more or are being visited; ``refused`` were
    dropped for a reason of SECOND_CHANCE, with the entry that they had.
    """

    settled: set[str] = field(default_factory=set)
    refused: dict[str, tuple[str, FoundUrl | None]] = field(default_factory=dict)
    pages_by_host: Counter[str] = field(default_factory=Counter)
    next_order: int = 1


class Intake:
    """Takes found URLs into the frontier and notes in ``changes`` what becomes of each."""

    def __init__(
        self,
        settings: Settings,
        frontier: Frontier,
        known: KnownUrls,
        progress: Progress,
        guard: TrapGuard,
    ) -> None:
        self.known = known
        self._settings = settings
        self._frontier = frontier
        self._progress = progress
        self._scope = Scope(settings.include, settings.exclude)
        self._guard = guard

    def offer(
        self,
        changes: Changes,
        url: str,
        priority: float,
        *,
        depth: int,
        found_on: str | None = None,
        redirects: int = 0,
    ) -> None:
        """A link leads to ``url``: take it in, raise its priority, or drop it with a reason."""
        if url in self.known.settled:
            return
        waiting = self._frontier.get(url)
        if waiting is not None:
            # A policy's factor stays on it, whichever link leads there.
            if (raised := round(priority * waiting.factor, 6)) > waiting.priority:
                changes.prioritised(url, waiting.priority, raised)
                self._frontier.prioritise(url, raised)
            return
        if url in self.known.refused:
            self._reconsider(changes, url, priority, depth, found_on)
            return
        entry = FoundUrl(url, host_of(url), priority, 0, depth, found_on, 0, redirects)
        reason, note = self._objection(entry)
        if reason is None and not self._frontier.admits(priority):
            reason = DropReason.FRONTIER_FULL
        if reason is None:
            self._enter(changes, entry)
        elif reason in SECOND_CHANCE:
            self._refuse(changes, url, reason, None)
        else:
            self.drop(changes, url, reason, note)

    def offer_links(self, changes: Changes, links: Mapping[str, float], entry: FoundUrl) -> None:
        """The links of a visited page, with their priorities."""
        for url, priority in links.items():
            self.offer(changes, url, priority, depth=entry.depth + 1, found_on=entry.url)

    def drop(self, changes: Changes, url: str, reason: str, note: str = "") -> None:
        """Give a URL up for good."""
        self.known.settled.add(url)
        self._progress.dropped[reason] += 1
        changes.dropped(url, reason, note)

    def give_up_host(self, changes: Changes, host: str, reason: str, note: str) -> None:
        """Give up all URLs of a host that wait."""
        for entry in self._frontier.remove_host(host):
            if entry.known is not None:
                # Another visit to what is known already: the host's limit is not about it.
                self._frontier.push(entry)
                continue
            changes.left_frontier(entry)
            self.drop(changes, entry.url, reason, note)

    def _objection(self, entry: FoundUrl) -> tuple[str | None, str]:
        settings = self._settings
        if not self._scope.allows(entry.url):
            return DropReason.OUT_OF_SCOPE, ""
        if settings.depth and entry.depth > settings.depth:
            return DropReason.TOO_DEEP, ""
        limit = settings.pages_per_host
        if limit and self.known.pages_by_host[entry.host] >= limit:
            return DropReason.HOST_LIMIT, ""
        if entry.found_on is not None and (trap := self._guard.check(entry.url)):
            return DropReason.TRAP_SUSPECTED, trap
        return None, ""

    def _enter(self, changes: Changes, entry: FoundUrl, *, is_new: bool = True) -> None:
        if is_new:
            entry.order = self.known.next_order
            self.known.next_order += 1
            changes.found(entry)
        else:
            changes.entered_again(entry)
        loser = self._frontier.push(entry)
        if loser is not None:
            changes.left_frontier(loser)
            self._refuse(changes, loser.url, DropReason.FRONTIER_FULL, loser)

    def drop_for_now(self, changes: Changes, url: str, reason: str) -> bool:
        """Give a waiting URL up until a better link leads to it; whether it did wait."""
        entry = self._frontier.remove(url)
        if entry is None:
            return False
        changes.left_frontier(entry)
        # What a better link must beat is the priority that links gave it.
        entry.priority, entry.factor = round(entry.priority / entry.factor, 6), 1.0
        self._refuse(changes, url, reason, entry)
        return True

    def _refuse(self, changes: Changes, url: str, reason: str, entry: FoundUrl | None) -> None:
        self.known.refused[url] = (reason, entry)
        self._progress.dropped[reason] += 1
        changes.dropped(url, reason)

    def _reconsider(
        self, changes: Changes, url: str, priority: float, depth: int, found_on: str | None
    ) -> None:
        if self._settings.depth and depth > self._settings.depth:
            return
        if not self._frontier.admits(priority):
            return
        reason, old = self.known.refused[url]
        if reason == DropReason.DROPPED_BY_POLICY and old and priority <= old.priority:
            return
        del self.known.refused[url]
        self._progress.dropped[reason] -= 1
        changes.taken_back(url, reason)
        entry = old or FoundUrl(url, host_of(url), priority, 0, depth, found_on)
        entry.priority = priority
        self._enter(changes, entry, is_new=old is None)
