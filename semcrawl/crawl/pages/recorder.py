"""Recording the visits of a crawl for pages: pages, redirects, errors, revisits, alarms."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from semcrawl.crawl.events import AlarmEnded, AlarmRaised, Event, PageRevisited, UrlDropped
from semcrawl.crawl.pages.ranking import Ranked
from semcrawl.crawl.recorder import HOST_FAILURES, Recorder, page_record
from semcrawl.graph.changes import alarm_ended, alarm_raised
from semcrawl.steering.alarms import AlarmWatch
from semcrawl.web.response import HOST_DOWN, DropReason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.crawl.crew import Outcome
    from semcrawl.crawl.pages.intake import Intake
    from semcrawl.crawl.pages.revisits import Revisits
    from semcrawl.crawl.pages.state import PageState
    from semcrawl.errors import VisitError
    from semcrawl.graph import Changes, FoundUrl, KnownPage
    from semcrawl.web import Response

_GONE = frozenset({404, 410})


class PageRecorder(Recorder[Event, Ranked]):
    """Records pages and their links, in graph and frontier."""

    def __init__(self, state: PageState, intake: Intake, revisits: Revisits) -> None:
        super().__init__(state)
        self._frontier = state.frontier
        self._known = state.known
        self._intake = intake
        self._revisits = revisits
        self._alarms = _alarms(state)
        self._failures: Counter[str] = Counter()
        self._crawl = state.graph.describe().id

    def _take(self, changes: Changes, outcome: Outcome, links: Ranked) -> Iterator[Event]:
        entry, response = outcome.entry, outcome.response
        if entry.known is not None:
            yield self._take_revisit(changes, outcome, entry.known, links)
        elif outcome.error is not None:
            yield from self._take_error(changes, entry, outcome.error)
        elif outcome.judgement is not None:
            self._failures.pop(entry.host, None)
            yield self._page_visited(changes, outcome, links.memo)
            self._count_for_host(changes, entry.host)
            self._intake.offer_links(changes, links.links, entry)
            yield from self._watch(changes, outcome.judgement.relevance)
        elif response is not None:
            self._failures.pop(entry.host, None)
            yield from self._take_redirect(changes, entry, response)
        self._progress.waiting = len(self._frontier)

    def _count_for_host(self, changes: Changes, host: str) -> None:
        pages, limit = self._known.pages_by_host, self._settings.pages_per_host
        self._progress.hosts += host not in pages
        pages[host] += 1
        if pages[host] == limit:
            note = f"the host has given {limit} pages"
            self._intake.give_up_host(changes, host, DropReason.HOST_LIMIT, note)

    # What is no page

    def _take_error(
        self, changes: Changes, entry: FoundUrl, error: VisitError
    ) -> Iterator[UrlDropped]:
        reason, host = error.reason, entry.host
        self._failures[host] = self._failures[host] + 1 if reason in HOST_DOWN else 0
        not_before = self._next_try(changes, entry, error)
        if not_before is not None:
            self._known.settled.discard(entry.url)
            self._frontier.push(entry, not_before)
            return
        yield self._give_up(changes, entry, reason, str(error))
        if self._failures[host] >= HOST_FAILURES:
            gone = f"given up with its host, which failed {HOST_FAILURES} times in a row"
            self._intake.give_up_host(changes, host, reason, gone)

    def _give_up(self, changes: Changes, entry: FoundUrl, reason: str, note: str) -> UrlDropped:
        changes.left_frontier(entry)
        self._intake.drop(changes, entry.url, reason, note)
        return UrlDropped(entry.url, reason, note, self._progress)

    def _take_redirect(
        self, changes: Changes, entry: FoundUrl, response: Response
    ) -> Iterator[UrlDropped]:
        target = response.redirect
        assert target is not None
        if note := self._redirected_too_often(entry):
            yield self._give_up(changes, entry, DropReason.TOO_MANY_REDIRECTS, note)
            return
        changes.left_frontier(entry)
        changes.redirected(entry.url, target, response.status)
        self._intake.offer(
            changes,
            target,
            entry.priority,
            depth=entry.depth,
            found_on=entry.url,
            redirects=entry.redirects + 1,
        )

    # Revisits: a page keeps its step; what it says is replaced where it has changed

    def _take_revisit(
        self, changes: Changes, outcome: Outcome, known: KnownPage, links: Ranked
    ) -> PageRevisited | UrlDropped:
        url, judgement, progress = outcome.entry.url, outcome.judgement, self._progress
        self._revisits.done(url)
        progress.revisits += 1
        if outcome.is_as_before:
            changes.found_unchanged(url, known, time.time())
            return PageRevisited(url, False, known.relevance, progress)
        if judgement is None:
            return self._take_failed_revisit(changes, outcome, known)
        changes.visited_again(page_record(outcome, known.step, self._settings), known, time.time())
        progress.changed += 1
        self._intake.offer_links(changes, links.links, outcome.entry)
        now, before = judgement.relevance, known.relevance
        progress.relevant += (now >= self._threshold) - (before >= self._threshold)
        return PageRevisited(url, True, now, progress)

    def _take_failed_revisit(
        self, changes: Changes, outcome: Outcome, known: KnownPage
    ) -> UrlDropped:
        """A page that cannot be had now; its record stays, for it was true when it was made."""
        entry, response, error = outcome.entry, outcome.response, outcome.error
        url = entry.url
        if response is not None and (target := response.redirect) is not None:
            self._find_gone(changes, url, known)
            self._intake.offer(changes, target, 1.0, depth=entry.depth, found_on=url, redirects=1)
            note = f"revisited: it now redirects to {target}"
            return UrlDropped(url, DropReason.HTTP_ERROR, note, self._progress)
        assert error is not None
        if error.status in _GONE:
            self._find_gone(changes, url, known)
        else:
            changes.found_unreachable(url, time.time())
            self._progress.failed += 1
        return UrlDropped(url, error.reason, f"revisited: {error}", self._progress)

    def _find_gone(self, changes: Changes, url: str, known: KnownPage) -> None:
        self._progress.gone += 1
        changes.found_gone(url, known, time.time())

    # Alarms

    def _watch(self, changes: Changes, relevance: float) -> Iterator[Event]:
        """Raise and end alarms, in the transaction of the page that did it."""
        relevant = relevance >= self._threshold
        for alarm in self._alarms.saw(self._progress.pages, relevance, is_relevant=relevant):
            if alarm.ended is None:
                alarm_raised(
                    changes,
                    self._crawl,
                    number=alarm.number,
                    kind=alarm.kind,
                    step=alarm.step,
                    note=alarm.note,
                    now=time.time(),
                )
                yield AlarmRaised(alarm, self._progress)
            else:
                alarm_ended(changes, self._crawl, number=alarm.number, step=alarm.ended)
                yield AlarmEnded(alarm, self._progress)


def _alarms(state: PageState) -> AlarmWatch:
    settings = state.settings
    limits = settings.alarm_window, settings.stagnation, settings.diffusion
    if not state.is_resumed:
        return AlarmWatch(*limits)
    return AlarmWatch(*limits).resume(state.graph, state.threshold)
