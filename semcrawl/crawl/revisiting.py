"""Taking in what came of a second visit: as it was, changed, or gone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from semcrawl.crawl.events import PageRevisited, UrlDropped
from semcrawl.crawl.page_record import page_record
from semcrawl.crawl.visit import is_as_before
from semcrawl.web.reasons import DropReason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.crawl.events import Event
    from semcrawl.crawl.intake import Intake
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.ranking import Ranking
    from semcrawl.crawl.revisits import Revisits
    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.visit import Outcome
    from semcrawl.graph import Changes, FoundUrl, KnownPage

__all__ = ["Revisiting"]

_GONE = frozenset({404, 410})


class Revisiting:
    """Records revisits. A page keeps its step; what it says is replaced where it has changed."""

    def __init__(
        self,
        intake: Intake,
        ranking: Ranking,
        revisits: Revisits,
        progress: Progress,
        threshold: float,
        settings: Settings,
    ) -> None:
        self._intake = intake
        self._ranking = ranking
        self._revisits = revisits
        self._progress = progress
        self._threshold = threshold
        self._settings = settings

    def take(self, changes: Changes, outcome: Outcome, known: KnownPage) -> Iterator[Event]:
        """Record one revisit in the changes."""
        entry, response = outcome.entry, outcome.response
        self._revisits.done(entry.url)
        self._progress.revisits += 1
        if response is not None and is_as_before(outcome):
            changes.found_unchanged(entry.url, known, time.time())
            yield PageRevisited(entry.url, False, known.relevance, self._progress)
        elif outcome.page is not None and outcome.judgement is not None:
            yield self._take_changed(changes, outcome, known)
        else:
            yield self._take_failure(changes, outcome, known)

    def _take_changed(self, changes: Changes, outcome: Outcome, known: KnownPage) -> PageRevisited:
        entry, response, page = outcome.entry, outcome.response, outcome.page
        judgement = outcome.judgement
        assert response is not None
        assert page is not None
        assert judgement is not None
        record = page_record(
            entry,
            known.step,
            response,
            page,
            judgement,
            self._settings,
        )
        changes.visited_again(record, known, time.time())
        self._progress.changed += 1
        links = self._ranking.rank(entry, page, judgement, is_first=False).links
        self._intake.offer_links(changes, links, entry)
        now, before = judgement.relevance, known.relevance
        self._progress.relevant += (now >= self._threshold) - (before >= self._threshold)
        return PageRevisited(entry.url, True, now, self._progress)

    def _take_failure(self, changes: Changes, outcome: Outcome, known: KnownPage) -> UrlDropped:
        """A page that cannot be had now; its record stays, for it was true when it was made."""
        entry, response, error = outcome.entry, outcome.response, outcome.error
        if response is not None and response.redirect is not None:
            self._find_gone(changes, entry.url, known)
            self._offer_target(changes, entry, response.redirect)
            note = f"revisited: it now redirects to {response.redirect}"
            return UrlDropped(entry.url, DropReason.HTTP_ERROR, note, self._progress)
        if getattr(error, "status", None) in _GONE:
            self._find_gone(changes, entry.url, known)
        else:
            changes.found_unreachable(entry.url, time.time())
            self._progress.failed += 1
        reason = getattr(error, "reason", DropReason.UNREADABLE)
        return UrlDropped(entry.url, reason, f"revisited: {error}", self._progress)

    def _find_gone(self, changes: Changes, url: str, known: KnownPage) -> None:
        self._progress.gone += 1
        changes.found_gone(url, known, time.time())

    def _offer_target(self, changes: Changes, entry: FoundUrl, target: str) -> None:
        self._intake.offer(changes, target, 1.0, depth=entry.depth, found_on=entry.url, redirects=1)
