"""Crawling for pages: a frontier of URLs ranked by a strategy, and what becomes of each visit."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from semcrawl.crawl import events
from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.kind import HOST_FAILURES, CrawlKind, CrawlState, PageVisit
from semcrawl.crawl.mark_notes import MarkNotes
from semcrawl.crawl.pages.intake import Intake
from semcrawl.crawl.pages.priorities import BELOW_POLICIES, Priorities
from semcrawl.crawl.pages.rejudging import Rejudging
from semcrawl.crawl.pages.revisits import Revisits
from semcrawl.crawl.pages.state import PageState
from semcrawl.crawl.pages.steering import Steering
from semcrawl.crawl.settings import Settings
from semcrawl.errors import ConfigError, VisitError
from semcrawl.graph import SC, Changes, FoundUrl
from semcrawl.graph.changes import KnownPage
from semcrawl.graph.columns import PAGE
from semcrawl.page import Page
from semcrawl.page.link_lists import LinkList
from semcrawl.registry import split_spec
from semcrawl.relevance import Judgement
from semcrawl.relevance.judges import BaseJudge
from semcrawl.steering import Policy
from semcrawl.steering.alarms import AlarmWatch
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.strategy import BaseStrategy
from semcrawl.web import Response
from semcrawl.web.response import HOST_DOWN, DropReason
from semcrawl.web.urls import host_of, origin_of

_GONE = frozenset({404, 410})
_REDIRECT = "Redirect"  # what a strategy is told of a URL that leads to another
_FOUND_ON, _MEMO, _REDIRECTS_TO = SC + "foundOn", SC + "memo", SC + "redirectsTo"


class Ranked(Struct, frozen=True):
    """The URLs to follow from a page with their priorities, and what the strategy noted of it."""

    links: dict[str, float]
    memo: str = ""


_NOTHING = Ranked({})


class Ranking:
    """Asks the strategy which URLs to follow from a page."""

    def __init__(self, state: CrawlState, strategy: BaseStrategy, learner: BaseStrategy) -> None:
        self._state = state
        self._strategy = strategy
        self._learner = learner
        if strategy.learns:
            visited = state.graph.relevances() if state.is_resumed else {}
            name = Path(split_spec(state.settings.strategy)[0]).name
            strategy.begin(state.graph.memory_folder("strategy", name), visited)

    def rank(self, outcome: Outcome) -> Ranked:
        """Return the URLs to follow with their best priorities; ConfigError for a bad number."""
        if outcome.judgement is None:
            return _NOTHING
        if outcome.listed is not None:
            judged = self._judged(outcome.entry, outcome.listed.page, outcome.judgement)
            return Ranked(self._links(judged, is_list=True))
        if outcome.page is None:
            return _NOTHING
        judged = self._judged(outcome.entry, outcome.page, outcome.judgement)
        links = self._links(judged)
        if outcome.entry.known is not None:
            return Ranked(links)
        memo = self._learner.note(judged)
        self._learner.observe(judged)
        return Ranked(links, memo)

    def _links(self, judged: JudgedPage, *, is_list: bool = False) -> dict[str, float]:
        page, settings = judged.page, self._state.settings
        obeys = settings.obeys_nofollow
        shut = obeys and page.nofollow
        # One that learns looks at the links of every page, followed or not.
        if not page.links or (shut and not self._strategy.learns):
            return {}
        rank = self._strategy.rank_list if is_list else self._strategy.rank
        priorities = rank(judged)
        number = len(priorities) if hasattr(priorities, "__len__") else "no list of"
        if number != len(page.links):
            raise ConfigError(
                f"the strategy {settings.strategy!r} gave {number} priorities for "
                f"the {len(page.links)} links of {page.url}: it must give one for each"
            )
        best: dict[str, float] = {}
        for link, priority in zip(page.links, priorities, strict=True):
            if priority is None or shut or (obeys and link.nofollow):
                continue
            if not hasattr(priority, "__float__") or not math.isfinite(priority):
                raise ConfigError(
                    f"the strategy {settings.strategy!r} gave the priority {priority!r} to "
                    f"{link.url} on {page.url}: it must be a finite number"
                )
            # Six places, as in the graph: a resumed crawl must see the same order.
            bounded = min(round(priority, 6), BELOW_POLICIES)
            best[link.url] = max(bounded, best.get(link.url, -math.inf))
        return best

    def _judged(self, entry: FoundUrl, page: Page, judgement: Judgement) -> JudgedPage:
        is_relevant = judgement.relevance >= self._state.threshold
        return JudgedPage(
            page,
            judgement.relevance,
            entry.depth,
            judgement.concept,
            judgement.log_relevance,
            is_relevant if judgement.on_topic is None else judgement.on_topic,
            fetch_priority=entry.priority,
            classes=judgement.classes,
            **self._origin(entry.url),
        )

    def _origin(self, url: str) -> dict[str, str]:
        """Where a URL was found and what was noted there, for strategies that ask."""
        if not (self._strategy.learns and self._strategy.asks_origin):
            return {}
        value = self._state.graph.store.value
        page = found_on = value(url, _FOUND_ON)
        # A redirect has no memo of its own; what led to it has.
        while page is not None and value(page, _REDIRECTS_TO) is not None:
            page = value(page, _FOUND_ON)
        memo = value(page, _MEMO) if page is not None else None
        return {"memo": memo or ""} | ({"found_on": found_on} if found_on else {})


class PageKind(CrawlKind[events.Event, Ranked]):
    """Visits the best URLs first, and beside them pages whose revisit is wanted."""

    def __init__(self, state: PageState, strategy: BaseStrategy, judge: BaseJudge, policies: Sequence[Policy]) -> None:
        super().__init__(state)
        self._state = state
        self._known = state.known
        is_maintenance = state.settings.is_maintenance
        # In maintenance what waits to be visited for the first time goes on waiting.
        self._picked_from = Frontier() if is_maintenance else state.frontier
        self._frontier = state.frontier
        self._batch = 1 if is_maintenance else strategy.batch
        self._alarms = _alarms(state)
        # One that learns nothing is told nothing.
        self._learner = strategy if strategy.learns else BaseStrategy()
        self._rejudging = Rejudging(state, judge, self._alarms, self._learner.rejudged)
        self._mark_notes = MarkNotes(state.graph.folder)
        self._ranking = Ranking(state, strategy, self._learner)
        self._restates = strategy.restates
        self._revisits = Revisits(state)
        self._intake = Intake(state)
        self._priorities = Priorities(state, self._intake, self._revisits)
        self._failures: Counter[str] = Counter()
        self._lists_again: set[str] = set()  # sitemaps and feeds that maintenance still reads
        self._crawl = state.graph.describe().id
        self.steering = Steering(state, policies, self._priorities)

    def begin(self) -> Iterator[events.Event]:
        """A crawl may have ended between a page and what was learnt from it."""
        yield from self._learn()
        if self._settings.is_maintenance and self._settings.link_lists != "off":
            for row in self._graph.query("frontier/lists-read"):
                url = row["url"]
                self._lists_again.add(url)
                self._picked_from.push(FoundUrl(url, host_of(url), 1.0, row["order"], row["depth"]))

    def between_visits(self, is_told_to_stop: Callable[[], bool]) -> Iterator[events.Event]:
        """Take up marks, run policies and distiller where due, and let revisits take their turn."""
        if marks := self._mark_notes.read():
            self._rejudging.mark(marks)
            yield from self._learn()
            self._mark_notes.remove_read()
        if self._lists_again:  # what these say of changes is looked at by policies
            return
        yield from self.steering.turn(is_told_to_stop)
        while (page := self._revisits.next()) is not None:
            self._picked_from.push(page)
        if self.is_empty and not self._settings.is_maintenance and self._progress.dropped[DropReason.FRONTIER_FULL]:
            self._priorities.readmit_all()

    @property
    def is_empty(self) -> bool:
        """Whether no URL waits and no policy may bring one."""
        return not len(self._picked_from) and not self.steering.is_busy

    def picks(self, now: float, busy: int) -> Iterator[FoundUrl]:
        """Yield the best URLs of hosts that may be asked now."""
        frontier, batch = self._picked_from, self._batch
        # A batch is chosen when the last one is done, from all that it found.
        if batch > 1 and frontier.batch_is_served and (busy or not frontier.take(batch)):
            return
        while (entry := frontier.pop(now)) is not None:
            self._known.settled.add(entry.url)
            self._revisits.visit_started(entry)
            yield entry
            if batch > 1 and frontier.batch_is_served:
                return

    def next_due(self) -> float | None:
        """Return when a host or a URL that has to wait may be visited."""
        return self._picked_from.next_due()

    def release(self, host: str, ready_at: float) -> None:
        """The visit to a host has ended; the next may begin at ``ready_at``."""
        self._picked_from.release(host, ready_at)

    def rank(self, outcome: Outcome) -> Ranked:
        """Tell the judge of the page, and let the strategy rank its links."""
        self._rejudging.observe(outcome)
        return self._ranking.rank(outcome)

    def record(self, outcome: Outcome, links: Ranked) -> Iterator[events.Event]:
        """Record the outcome, then what the judge and the strategy have learnt from it."""
        yield from super().record(outcome, links)
        yield from self._learn()

    def _learn(self) -> Iterator[events.Event]:
        yield from self._rejudging.revise()
        if priorities := self._learner.revise():
            changed = self._priorities.reprioritise(priorities, may_wait=self._restates)
            yield events.FrontierRevised(changed, progress=self._progress)

    def finish(self) -> Iterator[events.Event]:
        """Let the judge have its last word, and write what was put off."""
        yield from self._rejudging.finish()
        self._priorities.write_all()

    def close(self) -> None:
        """Give up what runs beside the crawl, and close the files of judge and strategy."""
        self.steering.close()
        self._learner.close()
        self._rejudging.close()

    def _take(self, changes: Changes, outcome: Outcome, links: Ranked) -> Iterator[events.Event]:
        entry, response = outcome.entry, outcome.response
        if self._picked_from.rotation:  # for which every visit counts, whatever became of it
            last_picks, host = self._known.last_picks, entry.host
            changes.site_replaced(host, "last_pick", last_picks.get(host), entry.pick)
            last_picks[host] = entry.pick
        if entry.url in self._lists_again:
            self._take_list_again(changes, entry, outcome.listed, links)
        elif entry.known is not None:
            yield self._take_revisit(changes, outcome, entry.known, links)
        elif outcome.error is not None:
            yield from self._take_error(changes, entry, outcome.error)
        elif outcome.listed is not None:
            self._failures.pop(entry.host, None)
            yield self._take_list(changes, entry, outcome.listed, links)
            self._count_failure(changes, entry.host, DropReason.LINK_LIST)
        elif outcome.judgement is not None:
            self._failures.pop(entry.host, None)
            yield self._page_visited(changes, outcome, links.memo)
            self._rejudging.record(entry.url, outcome.judgement.relevance)
            pages = self._known.pages_by_host
            self._progress.hosts += entry.host not in pages
            pages[entry.host] += 1
            self._stop_at_limit(changes, entry.host, is_last=self._known.domains.answered(entry.host))
            self._intake.offer_links(changes, links.links, entry)
            if self._state.sharing is not None and outcome.page is not None and entry.url in self._state.posted:
                changes.evidence = self._state.sharing.evidence(outcome.page)
            self._offer_lists(changes, outcome)
            yield from self._watch(changes, outcome.judgement.relevance)
        elif response is not None:
            self._failures.pop(entry.host, None)
            yield from self._take_redirect(changes, entry, response)
            self._count_failure(changes, entry.host)
        self._progress.waiting = len(self._frontier)
        self._priorities.write_some(changes)

    def _take_list(self, changes: Changes, entry: FoundUrl, listed: LinkList, links: Ranked) -> events.UrlDropped:
        """Take the links of a sitemap or feed; what a sitemap index names is as good as it is."""
        note = f"{len(links.links) + len(listed.lists):,} links"
        event = self._give_up(changes, entry, DropReason.LINK_LIST, note)
        self._intake.offer_links(changes, links.links, entry)
        for url in listed.lists:
            self._offer_list(changes, url, entry)
        return event

    def _take_list_again(self, changes: Changes, entry: FoundUrl, listed: LinkList | None, links: Ranked) -> None:
        """Note what a list says of changes, before pages are chosen; new links wait."""
        self._lists_again.discard(entry.url)
        if listed is None:
            return
        self._intake.offer_links(changes, links.links, entry)
        for url, when in listed.changes.items():
            if self._graph.store.value(url, SC + "step") is not None:
                changes.listed(url, time.time(), when)

    def _offer_lists(self, changes: Changes, outcome: Outcome) -> None:
        """Offer the sitemaps and feeds of a site, when the first page of it is there."""
        entry, page, settings = outcome.entry, outcome.page, self._settings
        is_first = self._known.pages_by_host[entry.host] == 1
        of_seeds = settings.link_lists == "seeds" and not entry.depth
        if page is None or not is_first or not (of_seeds or settings.link_lists == "all"):
            return
        guesses: tuple[str, ...] = ()
        # A recording was made of links, not of guesses; and who asks no robots.txt wants none.
        if settings.robots and not settings.replay:
            start = origin_of(entry.url)
            guesses = outcome.sitemaps or (f"{start}/sitemap.xml",)
            if settings.linked_data == "only":
                guesses += (f"{start}/.well-known/void",)
        for url in (*guesses, *page.feeds):
            self._offer_list(changes, url, entry)

    def _offer_list(self, changes: Changes, url: str, entry: FoundUrl) -> None:
        self._intake.offer(changes, url, entry.priority, depth=entry.depth, found_on=entry.url)

    def _count_failure(self, changes: Changes, host: str, reason: str = "") -> None:
        is_last = self._state.count_failure(host, reason)
        if self._state.was_asked_for(reason):
            self._stop_at_limit(changes, host, is_last=is_last)

    def _stop_at_limit(self, changes: Changes, host: str, *, is_last: bool) -> None:
        limit, known = self._settings.pages_per_host, self._known
        if limit and is_last:
            note = f"{known.domains.most:,} hosts of its domain have answered"
            self._intake.give_up_hosts(changes, known.domains.is_full, DropReason.HOST_LIMIT, note)
        if known.asked_of(host) == limit:
            note = f"the host was asked for {limit} pages"
            self._intake.give_up_hosts(changes, host.__eq__, DropReason.HOST_LIMIT, note)

    def _take_error(self, changes: Changes, entry: FoundUrl, error: VisitError) -> Iterator[events.UrlDropped]:
        reason, host = error.reason, entry.host
        self._failures[host] = self._failures[host] + 1 if reason in HOST_DOWN else 0
        not_before = self._next_try(changes, entry, error)
        if not_before is not None:
            self._known.settled.discard(entry.url)
            self._frontier.push(entry, not_before)
            return
        yield self._give_up(changes, entry, reason, str(error))
        self._count_failure(changes, host, reason)
        if self._failures[host] >= HOST_FAILURES:
            gone = f"given up with its host, which failed {HOST_FAILURES} times in a row"
            self._intake.give_up_hosts(changes, host.__eq__, reason, gone)

    def _give_up(self, changes: Changes, entry: FoundUrl, reason: str, note: str) -> events.UrlDropped:
        self._learner.missed(entry.url, reason)
        changes.left_frontier(entry)
        self._intake.drop(changes, entry.url, reason, note)
        return events.UrlDropped(entry.url, reason, note, progress=self._progress)

    def _take_redirect(self, changes: Changes, entry: FoundUrl, response: Response) -> Iterator[events.UrlDropped]:
        target = response.redirect
        assert target is not None
        if note := self._redirected_too_often(entry):
            yield self._give_up(changes, entry, DropReason.TOO_MANY_REDIRECTS, note)
            return
        self._learner.missed(entry.url, _REDIRECT)
        changes.left_frontier(entry)
        changes.redirected(entry.url, target, response.status)
        self._intake.offer(
            changes, target, entry.priority, depth=entry.depth, found_on=entry.url, redirects=entry.redirects + 1
        )

    # Revisits: a page keeps its step; what it says is replaced where it has changed

    def _take_revisit(
        self, changes: Changes, outcome: Outcome, known: KnownPage, links: Ranked
    ) -> events.PageRevisited | events.UrlDropped:
        url, judgement, progress = outcome.entry.url, outcome.judgement, self._progress
        before = self._rejudging.relevance(url, known.relevance)
        self._revisits.done(url)
        progress.revisits += 1
        if outcome.is_as_before:
            changes.found_unchanged(url, known, time.time())
            return events.PageRevisited(url, False, before, progress=progress)
        if judgement is None:
            return self._take_failed_revisit(changes, outcome, known)
        visit = PageVisit(outcome, known.step, self._state)
        said = visit.statements.triples
        self._state.label_concept(changes, judgement.concept)
        changes.visited_again(url, known, time.time(), statements=said, **PAGE.read(visit))
        progress.changed += 1
        self._intake.offer_links(changes, links.links, outcome.entry)
        now = judgement.relevance
        self._rejudging.record(url, now)
        progress.relevant += (now >= self._threshold) - (before >= self._threshold)
        return events.PageRevisited(url, True, now, progress=progress)

    def _take_failed_revisit(self, changes: Changes, outcome: Outcome, known: KnownPage) -> events.UrlDropped:
        """A page that cannot be had now; its record stays, for it was true when it was made."""
        entry, response, error = outcome.entry, outcome.response, outcome.error
        url = entry.url
        if response is not None and (target := response.redirect) is not None:
            self._find_gone(changes, url, known)
            self._intake.offer(changes, target, 1.0, depth=entry.depth, found_on=url, redirects=1)
            note = f"revisited: it now redirects to {target}"
            return events.UrlDropped(url, DropReason.HTTP_ERROR, note, progress=self._progress)
        assert error is not None
        if error.status in _GONE:
            self._find_gone(changes, url, known)
        else:
            changes.found_unreachable(url, time.time())
            self._progress.failed += 1
        return events.UrlDropped(url, error.reason, f"revisited: {error}", progress=self._progress)

    def _find_gone(self, changes: Changes, url: str, known: KnownPage) -> None:
        self._progress.gone += 1
        changes.found_gone(url, known, time.time())

    def _watch(self, changes: Changes, relevance: float) -> Iterator[events.Event]:
        """Raise and end alarms, in the transaction of the page that did it."""
        progress = self._progress
        relevant = relevance >= self._threshold
        found = self._alarms.saw(progress.pages, relevance, is_relevant=relevant, seconds=progress.seconds)
        for alarm in found:
            alarm.record(changes, self._crawl, time.time())
            event = events.AlarmRaised if alarm.ended is None else events.AlarmEnded
            yield event(alarm, progress=progress)


def alarm_watch(settings: Settings) -> AlarmWatch:
    """Return what raises alarms, as the settings say."""
    # A replay is as fast as the machine, which says nothing of the web.
    slowdown = 0.0 if settings.replay else settings.slowdown
    return AlarmWatch(settings.alarm_window, settings.stagnation, settings.diffusion, slowdown)


def _alarms(state: PageState) -> AlarmWatch:
    if state.shard is not None:  # alarms are of the whole crawl, which its driver watches
        return AlarmWatch(0, 0.0, 0.0, 0.0)
    watch = alarm_watch(state.settings)
    return watch.resume(state.graph, state.threshold) if state.is_resumed else watch
